# What R asks of a fit, against glm() on the pooled rows, and how data frames travel.
library(ngd)
if (!nzchar(Sys.getenv("NGD"))) {
  cat("skipped: needs NGD, the program\n")
  quit(status = 0)
}
close_to <- function(a, b, tolerance = 1e-6) stopifnot(isTRUE(all.equal(a, b, tolerance = tolerance)))
quiet <- function(...) suppressWarnings(suppressMessages(...))
control <- glm.control(epsilon = 1e-14, maxit = 100)
fails <- function(expression, words) {
  error <- tryCatch({ force(expression); NULL }, error = identity)
  if (is.null(error) || !grepl(words, conditionMessage(error), fixed = TRUE)) {
    stop("expected an error with `", words, "`; got ", if (is.null(error)) "none" else conditionMessage(error))
  }
  invisible(error)
}

# Every type a column may have: a factor whose first level is not the first by code point, a factor of digits, text that
# looks like dates, quotes and accents, truth values, dates, times, missing values.
set.seed(7)
n <- 180
d <- data.frame(
  x = rnorm(n), g = factor(sample(c("mild", "severe", "none"), n, TRUE), levels = c("none", "mild", "severe")),
  digit = factor(sample(c("01", "2", "10"), n, TRUE), levels = c("2", "10", "01")), day = as.Date("2020-01-31") + sample(100, n, TRUE),
  at = as.POSIXct("2020-03-01 11:00:00.25", tz = "Europe/Berlin") + sample(1e6, n, TRUE), smoker = sample(c(TRUE, FALSE), n, TRUE),
  name = sample(c("\u00e9t\u00e9 \"a\\b\"", "2020-01-01", "NA"), n, TRUE), `odd name` = runif(n), check.names = FALSE)
d$sick <- factor(ifelse(d$x + rnorm(n) + (d$g == "severe") > 0, "yes", "no"), levels = c("yes", "no"))
d$y <- 1 + d$x + 0.5 * (d$g == "mild") + rnorm(n)
d$x[c(3, 77)] <- NA
sites <- split(d, rep(c("north", "south", "west"), c(40, 60, 80)))
model <- y ~ x * g + g:digit + day + at + smoker + name + `odd name`
coded <- d
coded$name <- factor(d$name, levels = sort(unique(d$name), method = "radix"))
pooled <- glm(model, data = coded, control = control)
fit <- quiet(ngd_fit(model, sites, network = "circle:1"))
wanted <- coef(pooled)
stopifnot(identical(names(coef(fit)), names(wanted)))
se <- sqrt(diag(vcov(pooled)))
stopifnot(max(abs(coef(fit) - wanted) / se) < 1e-5, nobs(fit) == n - 2)
stopifnot(max(abs(sqrt(diag(vcov(fit))) / se - 1)) < 1e-5)
stopifnot(identical(row.names(vcov(fit)), names(wanted)))

# The rest on a smaller model. A factor as response: its first level is failure, as in glm().
big <- quiet(ngd_fit(sick ~ x + g, sites, binomial, anova = TRUE))
small <- quiet(ngd_fit(sick ~ x, sites, binomial))
reference <- glm(sick ~ x + g, binomial, d, control = control)
lesser <- glm(sick ~ x, binomial, d, control = control)
close_to(coef(big), coef(reference))
close_to(vcov(big), vcov(reference))
close_to(unname(confint(big, level = 0.9)), unname(confint.default(reference, level = 0.9)))
close_to(confint(big, "gsevere"), confint.default(reference, "gsevere"))
close_to(as.numeric(logLik(big)), as.numeric(logLik(reference)))
close_to(c(AIC(big), BIC(big), deviance(big), df.residual(big)), c(AIC(reference), BIC(reference), deviance(reference), df.residual(reference)))
stopifnot(identical(family(big)$link, "logit"), identical(formula(big), sick ~ x + g))
close_to(unname(summary(big)$coefficients), unname(summary(reference)$coefficients))
terms <- anova(big)
wanted <- anova(reference, test = "Chisq")
close_to(as.matrix(terms), as.matrix(wanted), 1e-5)
stopifnot(identical(row.names(terms), row.names(wanted)))
nested <- anova(small, big)
wanted <- anova(lesser, reference, test = "Chisq")
close_to(unname(as.matrix(nested)), unname(as.matrix(wanted)), 1e-5)
fails(anova(small), "anova")

# Prediction, also from an answer that was saved and whose folder is gone.
new <- d[1:8, ]
stored <- tempfile(fileext = ".rds")
saveRDS(big, stored)
unlink(big$folder, recursive = TRUE)
again <- readRDS(stored)
close_to(predict(again, new), predict(reference, new))
close_to(predict(again, new, type = "response"), predict(reference, new, type = "response"))
close_to(predict(again, new[1, ]), predict(reference, new[1, ]))
link <- predict(reference, new, type = "link", se.fit = TRUE)
close_to(predict(again, new, se.fit = TRUE), link)
close_to(predict(again, new, "response", se.fit = TRUE), predict(reference, new, "response", se.fit = TRUE))
ranges <- quiet(predict(again, new, "response", interval = "confidence"))
close_to(unname(ranges[, "lwr"]), unname(plogis(link$fit - qnorm(0.975) * link$se.fit)))
fails(predict(again), "newdata: must be given")
fails(predict(again, new, se.fit = TRUE, interval = "confidence"), "se.fit: must be FALSE")
unseen <- transform(new, g = factor("other"))
fails(predict(again, unseen), "other")

# broom.
if (requireNamespace("generics", quietly = TRUE)) {
  tidied <- generics::tidy(again, conf.int = TRUE, exponentiate = TRUE)
  close_to(tidied$estimate, unname(exp(coef(reference))))
  close_to(generics::glance(again)$BIC, BIC(reference))
  if (requireNamespace("broom", quietly = TRUE)) {
    close_to(as.data.frame(broom::tidy(again)), as.data.frame(broom::tidy(reference)))
    shared <- c("null.deviance", "df.null", "logLik", "AIC", "BIC", "deviance", "df.residual", "nobs")
    close_to(as.data.frame(broom::glance(again))[shared], as.data.frame(lapply(broom::glance(reference)[shared], as.numeric)))
  }
}
pdf(NULL)
stopifnot(nrow(plot(again)) == 3)
stopifnot(any(grepl("gsevere", capture.output(print(again)))), any(grepl("gsevere", capture.output(print(summary(again))))))

# A family of main effects by Pearson's dispersion, without a likelihood.
counts <- lapply(sites, function(part) transform(part, n = round(exp(y / 2))))
quasi_fit <- quiet(ngd_fit(n ~ x, counts, quasipoisson))
reference <- glm(n ~ x, quasipoisson, do.call(rbind, counts), control = control)
close_to(unname(summary(quasi_fit)$coefficients), unname(summary(reference)$coefficients))
stopifnot(is.na(ngd:::glance.ngd_fit(quasi_fit)$AIC))

# A Cox model, against coxph().
if (requireNamespace("survival", quietly = TRUE)) {
  Surv <- survival::Surv
  strata <- survival::strata
  lives <- na.omit(survival::lung[c("time", "status", "age", "sex")])
  lives$dead <- lives$status - 1
  lives$site <- rep(c("north", "south"), length.out = nrow(lives))
  cox <- quiet(ngd_fit(Surv(time, dead) ~ age + sex + strata(site), split(lives[names(lives) != "site"], lives$site)))
  reference <- survival::coxph(Surv(time, dead) ~ age + sex + strata(site), lives)
  close_to(coef(cox), coef(reference))
  close_to(vcov(cox), vcov(reference))
  # Curves, against survfit() on times rounded up to the grid.
  grid <- c(100, 200, 300, 500, 1100)
  curves <- quiet(ngd_fit(Surv(time, dead) ~ strata(sex), split(lives[names(lives) != "site"], lives$site), times = grid, tau = 500))
  rounded <- transform(lives, time = grid[findInterval(time, grid, left.open = TRUE) + 1])
  fitted <- survival::survfit(Surv(time, dead) ~ sex, rounded)
  found <- as.data.frame(curves)
  stopifnot(inherits(curves, "ngd_curves"), any(grepl("Log-rank", capture.output(print(curves)))))
  for (k in 1:2) {
    own <- found[found$stratum == paste0("sex=", k), ]
    close_to(own$survival, summary(fitted[k], censored = TRUE)$surv)
    close_to(own$upper, fitted[k]$upper)
  }
  pdf(NULL)
  stopifnot(nrow(plot(curves)) == nrow(found))
  close_to(c(as.numeric(logLik(cox)), AIC(cox), BIC(cox), nobs(cox)), c(reference$loglik[2], AIC(reference), BIC(reference), reference$nevent))
}

# Methods in rounds: traces, each client's coefficients, no standard errors.
rounds <- quiet(ngd_fit(y ~ x, sites, alpha = 0.05, rounds = 40, network = "complete"))
stopifnot(inherits(rounds, "ngd_method"), max(rounds$trace$round) == 40, nrow(rounds$theta) == 3, length(coef(rounds)) == 2)
close_to(unname(coef(rounds)), unname(colMeans(rounds$theta[-1])), 1e-12)
fails(vcov(rounds), "no standard errors")
plot(rounds)

# The program's own words, and R's where the program is never asked.
error <- fails(ngd_fit(y ~ nothing, sites), "nothing")
stopifnot(inherits(error, "ngd_error"), error$status == 2, startsWith(conditionMessage(error), "ngd fit: "))
fails(ngd_fit(y ~ x, sites, rouds = 3), "unknown option `rouds`")
fails(ngd_fit(y ~ x, sites, poisson("inverse")), "ngd fit: ")
fails(ngd_fit(y ~ x, sites, quasi), "family: must be one of gaussian")
fails(ngd_fit(y ~ x, unname(sites)), "sites: must be a named list")
fails(ngd_fit(y ~ x, list(a = 1)), "site a: must be a data frame or a place")
fails(ngd_fit(y ~ x, list(a = transform(d, x = Inf))), "numbers must be finite; row 1")
fails(ngd_fit(y ~ o, list(a = transform(d, o = ordered(g)))), "ordered factors")
fails(ngd_fit(y ~ o, list(a = transform(d, o = I(as.list(x))))), "must be numbers, text")
fails(ngd_fit(y ~ ., sites), "name the predictors instead of `.`")
fails(ngd_path("/no/such/program"), "must be the program ngd")
old <- options(ngd.path = "/no/such/program")
fails(ngd_version(), "/no/such/program")
options(old)
left <- list.files(tempdir(), "^ngd-tables-")
stopifnot(length(left) == 0)
