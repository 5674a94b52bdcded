# What R asks of a fitted model.

print.ngd_result <- function(x, ...) {
  cat(x$text, sep = "\n")
  invisible(x)
}

print.ngd_fit <- function(x, ...) {
  if (is.null(x$text)) {
    cat("ngd fit in ", x$folder, "\n\n", sep = "")
    if (nrow(x$result$coefficients) == 0) {
      cat(nrow(x$path), "penalties, none of them chosen; see path and plot()\n")
    } else {
      print(coef(x), ...)
    }
  } else {
    cat(x$text, sep = "\n")
  }
  invisible(x)
}

print.ngd_curves <- function(x, ...) {
  if (is.null(x$text)) {
    cat("survival curves in ", x$folder, "\n\n", sep = "")
    groups <- x$result$curves$groups
    print(groups[intersect(c("stratum", "rows", "events", "restrictedMean", "restrictedMeanStdError", "median"), names(groups))],
          row.names = FALSE, ...)
  } else {
    cat(x$text, sep = "\n")
  }
  invisible(x)
}

# Curves are described by their groups; what needs coefficients says that there are none.
summary.ngd_curves <- function(object, ...) {
  groups <- object$result$curves$groups
  groups <- groups[vapply(groups, is.atomic, NA)]
  structure(list(call = object$call, groups = groups, tau = object$result$curves$tau, logRank = object$result$curves$logRank), class = "summary.ngd_curves")
}

print.summary.ngd_curves <- function(x, ...) {
  cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
  print(x$groups, row.names = FALSE, ...)
  cat("\nMeans are restricted to ", format(x$tau), "\n", sep = "")
  if (!is.null(x$logRank)) {
    cat("Log-rank test: chi-squared ", format(x$logRank$statistic, digits = 5), " on ", x$logRank$df, " degrees of freedom, p ",
        format.pval(x$logRank$pValue, digits = 3), "\n", sep = "")
  }
  invisible(x)
}

no_coefficients <- function(...) {
  stop("survival curves have no coefficients, likelihood or predictions: use summary(), tidy() or plot(), or fit a Cox model with covariates", call. = FALSE)
}
coef.ngd_curves <- function(object, ...) no_coefficients()
vcov.ngd_curves <- function(object, ...) no_coefficients()
confint.ngd_curves <- function(object, parm, level = 0.95, ...) no_coefficients()
predict.ngd_curves <- function(object, ...) no_coefficients()
logLik.ngd_curves <- function(object, ...) no_coefficients()
deviance.ngd_curves <- function(object, ...) no_coefficients()
family.ngd_curves <- function(object, ...) no_coefficients()
anova.ngd_curves <- function(object, ...) no_coefficients()
nobs.ngd_curves <- function(object, ...) object$result$rows
formula.ngd_curves <- function(x, ...) formula.ngd_fit(x)

# As broom has them of survfit().
tidy.ngd_curves <- function(x, ...) {
  table <- x$table
  data.frame(time = table$time, n.risk = table$at_risk, n.event = table$events, estimate = table$survival, std.error = table$std_error,
             conf.high = table$upper, conf.low = table$lower, strata = table$stratum)
}

glance.ngd_curves <- function(x, ...) {
  test <- x$result$curves$logRank
  data.frame(records = x$result$rows, events = sum(x$result$curves$groups$events), rmean.to = x$result$curves$tau,
             statistic = or_na(test$statistic), df = or_na(test$df), p.value = or_na(test$pValue), sites = x$result$sites)
}

or_na <- function(value) if (is.null(value)) NA else value

as.data.frame.ngd_result <- function(x, ...) {
  table <- x$table
  if (is.null(table)) table <- x$result$coefficients
  as.data.frame(table, ...)
}

summary.ngd_fit <- function(object, ...) {
  lines <- object$result$coefficients
  statistic <- object$result$statistic
  if (is.null(statistic) || is.null(lines$stdError) || all(is.na(lines$stdError))) {
    told <- lines[vapply(lines, function(column) is.numeric(column) && !all(is.na(column)), NA)]
    table <- as.matrix(told)
    rownames(table) <- lines$term
  } else {
    table <- cbind(lines$estimate, lines$stdError, lines$statistic, lines$pValue)
    dimnames(table) <- list(lines$term, c("Estimate", "Std. Error", paste(statistic, "value"), paste0("Pr(>|", statistic, "|)")))
  }
  structure(list(call = object$call, coefficients = table, result = object$result), class = "summary.ngd_fit")
}

print.summary.ngd_fit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  r <- x$result
  cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
  if (!"Std. Error" %in% colnames(x$coefficients)) {
    print(x$coefficients, digits = digits)
    if (!is.null(r$withheld)) cat("\nNo standard errors: ", r$withheld, "\n", sep = "")
    return(invisible(x))
  }
  printCoefmat(x$coefficients, digits = digits, ...)
  if (!is.null(r$mixed)) print_random(r$mixed, digits)
  if (!is.null(r$imputation)) {
    cat("\n", r$imputation$imputations, " imputations; largest fraction of missing information ",
        format(max(r$imputation$terms$fmi), digits = digits), "\n", sep = "")
  }
  if (!is.null(r$weighting)) {
    cat("\nWeighted for ", r$weighting$estimand, "; largest standardized difference ",
        format(max(abs(r$weighting$balance$difference)), digits = digits), " before and ",
        format(max(abs(r$weighting$balance$weightedDifference)), digits = digits), " after weighting\n", sep = "")
  }
  cat("\n", r$model$family, " with ", r$model$link, " link, ", r$covariance, " standard errors\n", sep = "")
  cat(r$rows, " rows of ", r$sites, " sites", if (r$rowsDropped > 0) paste0(", ", r$rowsDropped, " dropped"), "\n", sep = "")
  if (!is.null(r$deviance)) {
    cat(if (is.null(r$mixed)) "Residual deviance: " else if (isTRUE(r$mixed$reml)) "REML criterion: " else "Deviance: ",
        format(r$deviance, digits = digits + 2), " on ", r$dfResidual, " degrees of freedom; AIC: ",
        if (is.null(r$aic)) "none" else format(r$aic, digits = digits + 2), "\n", sep = "")
  }
  for (note in r$notes) cat("Note:", note, "\n")
  invisible(x)
}

# The variances of effects that groups of rows have of their own.
print_random <- function(mixed, digits) {
  lines <- do.call(rbind, Map(function(group, effects) data.frame(Groups = group, Name = effects$effect, Variance = effects$variance, Std.Dev. = effects$sd),
                              mixed$groups$group, mixed$groups$effects))
  if (!is.null(mixed$residual)) lines <- rbind(lines, data.frame(Groups = "Residual", Name = "", Variance = mixed$residual$variance, Std.Dev. = mixed$residual$sd))
  cat("\nRandom effects:\n")
  print(lines, row.names = FALSE, digits = digits)
}

# Those at the penalty that was chosen, if one was.
coef.ngd_penalised <- function(object, ...) {
  if (is.null(object$result$penalty$lambda)) stop("no penalty was chosen: `path` has the coefficients at each; folds = 10 chooses one, lambda = names one", call. = FALSE)
  coef.ngd_fit(object)
}

coef.ngd_fit <- function(object, ...) setNames(object$result$coefficients$estimate, object$result$coefficients$term)

# The mean over clients; each client's own are in `theta`.
coef.ngd_method <- function(object, ...) coef.ngd_fit(object)

vcov.ngd_fit <- function(object, ...) {
  withheld(object)
  terms <- object$result$coefficients$term
  matrix(object$result$vcov, length(terms), length(terms), dimnames = list(terms, terms))
}

no_errors <- function(...) {
  stop("a fit by an algorithm of your choice has no standard errors, likelihood or predictions: fit without alpha and algorithm", call. = FALSE)
}
vcov.ngd_method <- function(object, ...) no_errors()
logLik.ngd_method <- function(object, ...) no_errors()
predict.ngd_method <- function(object, ...) no_errors()

withheld <- function(object) {
  if (is.null(object$result$vcov)) {
    stop("no standard errors: ", if (is.null(object$result$withheld)) "the answer has none" else object$result$withheld, call. = FALSE)
  }
}

confint.ngd_fit <- function(object, parm, level = 0.95, ...) {
  estimate <- coef(object)
  error <- sqrt(diag(vcov(object)))
  shares <- c((1 - level) / 2, 1 - (1 - level) / 2)
  table <- estimate + outer(error, qt(shares, statistic_df(object)))
  dimnames(table) <- list(names(estimate), paste(format(100 * shares, trim = TRUE, digits = 3), "%"))
  if (missing(parm)) table else table[parm, , drop = FALSE]
}

# As for glm(): the linear predictor unless the response is asked for; of several levels, as for multinom() and polr().
predict.ngd_fit <- function(object, newdata, type = c("link", "response", "class", "probs"), se.fit = FALSE, interval = c("none", "confidence"), ...) {
  classes <- unlist(object$result$model$classes)
  type <- if (missing(type) && length(classes)) "class" else match.arg(type)
  interval <- match.arg(interval)
  if (xor(type %in% c("class", "probs"), length(classes) > 0)) {
    stop("type: must be ", if (length(classes)) "class or probs" else "link or response", " where the family is ", object$result$model$family, "; got ", type, call. = FALSE)
  }
  if (missing(newdata)) stop("newdata: must be given, a data frame or a place: the rows that were fitted stay at their sites", call. = FALSE)
  if (se.fit && interval != "none") stop("se.fit: must be FALSE where an interval is asked for, which has no standard errors", call. = FALSE)
  if (length(classes)) {
    if (se.fit || interval != "none") stop("se.fit and interval: must not be asked for where the response is one of several levels", call. = FALSE)
    return(predicted_classes(object, newdata, type, classes, ...))
  }
  if (se.fit) return(predicted_errors(object, newdata, type, ...))
  found <- predicted(object, newdata, type, interval == "confidence", ...)
  if (interval == "none") return(column_of(found, "fit"))
  found
}

# What the program predicts, a line for each row of the new data, named as they are.
predicted_lines <- function(object, newdata, words, ...) {
  tables <- tempfile("ngd-tables-")
  model <- restored(object)
  on.exit(unlink(c(tables, model), recursive = TRUE))
  ended <- ngd_run(c("predict", paste0("--model=", model), ngd_table(newdata, "--data", NULL, tables), words, ngd_flags(list(...))))
  found <- read_csv(ended$out)
  rownames(found) <- if (is.data.frame(newdata)) row.names(newdata) else as.character(found$row)
  found
}

# A row of fit, and with an interval of lwr and upr, for each row of the new data.
predicted <- function(object, newdata, type, interval, ...) {
  found <- predicted_lines(object, newdata, c(paste0("--type=", type), if (interval) "--interval"), ...)
  columns <- c(fit = "prediction", if (interval) c(lwr = "conf_low", upr = "conf_high"))
  matrix(as.numeric(unlist(found[columns])), ncol = length(columns), dimnames = list(rownames(found), names(columns)))
}

# The most likely level of each row, or the probability of every level.
predicted_classes <- function(object, newdata, type, classes, ...) {
  found <- predicted_lines(object, unordered(list(newdata), object$formula)[[1]], character(), ...)
  if (type == "class") return(factor(found$prediction, levels = classes))
  matrix(as.numeric(unlist(found[paste0("p(", classes, ")")])), ncol = length(classes), dimnames = list(rownames(found), classes))
}

# Named also where there is one row, of which R drops the name.
column_of <- function(table, name) setNames(table[, name], rownames(table))

# The program tells intervals; on the link's scale they are a known number of standard errors wide.
predicted_errors <- function(object, newdata, type, ...) {
  level <- if (is.null(object$result$level)) 0.95 else object$result$level
  found <- predicted(object, newdata, "link", TRUE, ...)
  error <- (column_of(found, "upr") - column_of(found, "lwr")) / (2 * qt((1 + level) / 2, statistic_df(object)))
  fit <- column_of(found, "fit")
  if (type == "response") {
    link <- family(object)
    error <- error * abs(link$mu.eta(fit))
    fit <- setNames(link$linkinv(fit), names(fit))
  }
  list(fit = fit, se.fit = error, residual.scale = sqrt(object$result$dispersion))
}

# Degrees of freedom of the t distribution behind tests and intervals; normal where there are none.
statistic_df <- function(object) if (is.null(object$result$dfStatistic)) Inf else object$result$dfStatistic

logLik.ngd_fit <- function(object, ...) {
  r <- object$result
  if (is.null(r$logLikelihood)) {
    stop("no likelihood: ", if (!is.null(r$penalty)) "the estimates are penalised" else if (!is.null(r$imputation)) "imputed data sets have one each, and no common one"
         else if (!is.null(r$epsilon)) "it is not told under a privacy budget" else paste("the family", r$model$family, "has none"), call. = FALSE)
  }
  structure(r$logLikelihood, df = round((r$aic + 2 * r$logLikelihood) / 2), nobs = nobs(object), class = "logLik")
}

# Rows, and of a Cox model events, as for coxph().
nobs.ngd_fit <- function(object, ...) if (is.null(object$result$cox)) object$result$rows else object$result$cox$events
deviance.ngd_fit <- function(object, ...) {
  if (is.null(object$result$deviance)) stop("the answer has no deviance", if (!is.null(object$result$imputation)) ": imputed data sets have one each, and no common one", call. = FALSE)
  object$result$deviance
}
df.residual.ngd_fit <- function(object, ...) object$result$dfResidual

family.ngd_fit <- function(object, ...) {
  model <- object$result$model
  # A method in rounds says what was asked.
  if (is.null(model)) model <- ngd_json(object$files$manifest.json)$question
  switch(model$family,
         gaussian = stats::gaussian(model$link), binomial = stats::binomial(model$link), poisson = stats::poisson(model$link), gamma = stats::Gamma(model$link),
         `quasi-binomial` = stats::quasibinomial(model$link), `quasi-poisson` = stats::quasipoisson(model$link),
         `inverse-gaussian` = stats::inverse.gaussian(model$link),
         stop("no family of R's stats package is ", model$family, call. = FALSE))
}

formula.ngd_fit <- function(x, ...) if (length(x$formula) == 0) stop("no formula: the rows were simulated, or named by columns", call. = FALSE) else if (inherits(x$formula, "formula")) x$formula else stats::as.formula(x$formula)

# One fit: its terms one after the other, which `anova = TRUE` records; several: nested models.
anova.ngd_fit <- function(object, ...) {
  fits <- list(object, ...)
  if (!all(vapply(fits, inherits, NA, "ngd_fit"))) stop("anova: all models must be fits of ngd", call. = FALSE)
  folders <- vapply(fits, restored, "")
  on.exit(unlink(folders, recursive = TRUE))
  found <- tryCatch(ngd_json(ngd_run(c("anova", folders, "--format=json"))$out), ngd_error = function(error) {
    # Where the files lay for a moment is nobody's concern.
    for (k in seq_along(folders)) error$message <- gsub(folders[k], if (length(folders) == 1) "the fit" else paste("model", k), error$message, fixed = TRUE)
    stop(error)
  })
  f <- found$distribution == "F"
  tests <- if (length(fits) == 1) object$result$anova$terms else found$models
  null <- function(column) if (length(fits) == 1) c(NA, tests[[column]]) else tests[[column]]
  r <- object$result
  table <- data.frame(
    Df = null("df"), Deviance = null("deviance"),
    `Resid. Df` = if (length(fits) == 1) c(r$dfNull, tests$dfResidual) else tests$dfResidual,
    `Resid. Dev` = if (length(fits) == 1) c(r$nullDeviance, tests$residualDeviance) else tests$residualDeviance,
    check.names = FALSE)
  if (length(fits) > 1) table <- table[c("Resid. Df", "Resid. Dev", "Df", "Deviance")]
  if (f) table$F <- null("statistic")
  table[[if (f) "Pr(>F)" else "Pr(>Chi)"]] <- null("pValue")
  row.names(table) <- if (length(fits) == 1) c("NULL", tests$term) else seq_along(fits)
  heading <- if (length(fits) == 1) {
    "Analysis of deviance, terms added in this order\n"
  } else {
    c("Analysis of deviance\n", paste0("Model ", seq_along(fits), ": ", vapply(fits, function(x) paste(format(x$formula), collapse = " "), ""), collapse = "\n"))
  }
  structure(table, heading = heading, class = c("anova", "data.frame"))
}

tidy.ngd_fit <- function(x, conf.int = FALSE, conf.level = 0.95, exponentiate = FALSE, ...) {
  lines <- x$result$coefficients
  if (is.null(lines$stdError)) lines[c("stdError", "statistic", "pValue")] <- rep(NA_real_, nrow(lines))
  table <- data.frame(term = lines$term, estimate = lines$estimate, std.error = as.numeric(lines$stdError), statistic = as.numeric(lines$statistic),
                      p.value = as.numeric(lines$pValue), stringsAsFactors = FALSE)
  if (!is.null(lines$noiseSd)) table$noise.sd <- lines$noiseSd
  if (conf.int) {
    limits <- confint(x, level = conf.level)
    table$conf.low <- unname(limits[, 1])
    table$conf.high <- unname(limits[, 2])
  }
  if (exponentiate) {
    for (column in intersect(c("estimate", "conf.low", "conf.high"), names(table))) table[[column]] <- exp(table[[column]])
  }
  table
}

tidy.ngd_method <- function(x, ...) {
  lines <- x$result$coefficients
  data.frame(term = lines$term, estimate = lines$estimate, spread = lines$spread, global.estimate = lines$globalEstimate)
}

glance.ngd_fit <- function(x, ...) {
  r <- x$result
  # Quasi-families have no likelihood.
  has <- !is.null(r$logLikelihood)
  data.frame(null.deviance = or_na(r$nullDeviance), df.null = or_na(r$dfNull), logLik = if (has) r$logLikelihood else NA, AIC = if (has) r$aic else NA,
                     BIC = if (has) stats::BIC(logLik(x)) else NA, deviance = or_na(r$deviance), df.residual = or_na(r$dfResidual), nobs = nobs(x), sites = r$sites)
}

glance.ngd_penalised <- function(x, ...) {
  r <- x$result
  data.frame(null.deviance = or_na(r$nullDeviance), lambda = or_na(r$penalty$lambda), lambda.min = or_na(r$penalty$lambdaMin),
             lambda.1se = or_na(r$penalty$lambda1se), nonzero = if (is.null(r$penalty$lambda)) NA else sum(coef(x)[names(coef(x)) != "(Intercept)"] != 0),
             deviance = or_na(r$deviance), nobs = nobs(x), sites = r$sites)
}

tidy.ngd_penalised <- function(x, ...) {
  # Without a choice, all coefficients along the path, as broom has them of glmnet().
  if (!is.null(x$result$penalty$lambda)) return(tidy.ngd_fit(x, ...))
  terms <- names(x$path)[-(1:4)]
  data.frame(term = rep(terms, each = nrow(x$path)), step = rep(seq_len(nrow(x$path)), length(terms)),
             estimate = unlist(x$path[terms], use.names = FALSE), lambda = rep(x$path$lambda, length(terms)), dev.ratio = rep(x$path$explained, length(terms)))
}

glance.ngd_method <- function(x, ...) {
  r <- x$result
  data.frame(algorithm = r$algorithm, rounds = r$rounds, clients = r$clients, nobs = r$rows, distance = r$distanceToGlobal,
                     consensus = r$consensus, messages = r$messages, bytes = r$bytes)
}
