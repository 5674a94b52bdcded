# What R's mice says of rows with gaps: the oracle of `ngd fit --impute`.
#
#   Rscript oracles/mice_oracle.R
#
# Needs R 4 with mice and nnet. Writes into oracles/imputation:
#   pool.csv   m fits of imputed nhanes2 and what mice::pool makes of them: case,what,name,value
#   mar.csv    simulated rows of four unequal hospitals, missing at random
#   nhanes2.csv, boys.csv  data that come with mice, in hospitals
#   draws.csv  given deviates, and the parameters that they draw around the models of complete rows of mar.csv, from the definition
#   mice.csv   pooled estimates of many imputations by mice, with their parts: case,what,term,value
#   predict.csv  of some rows the columns of the model (x1, x2, …, the number that of the row) and, over the imputations by mice, the mean of the
#              linear predictor (eta) and its variance between them (b): case,what,term or row,value; gap: the first row without a predictor
suppressMessages({library(mice); library(nnet)})
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
out <- file.path(here, "imputation")
dir.create(out, showWarnings = FALSE)
writer <- function(file) {
  lines <- "case,what,term,value"
  list(put = function(case, what, term, value) lines <<- c(lines, sprintf("%s,%s,%s,%.17g", case, what, term, value)),
       done = function() writeLines(lines, file.path(out, file)))
}
hospitals <- function(n) rep(c("h1", "h2", "h3", "h4"), times = diff(round(n * c(0, 0.1, 0.3, 0.6, 1))))

# Rubin's rules.
pooling <- writer("pool.csv")
set.seed(1)
for (case in c("gaussian", "binomial")) {
  imputed <- mice(nhanes2, m = 6, printFlag = FALSE, seed = 7)
  fits <- if (case == "gaussian") with(imputed, lm(chl ~ bmi + age)) else with(imputed, glm(I(chl > 190) ~ bmi + hyp, binomial))
  for (k in seq_along(fits$analyses)) {
    f <- fits$analyses[[k]]
    for (t in names(coef(f))) {
      pooling$put(case, paste0("estimate", k), t, coef(f)[[t]])
      for (u in names(coef(f))) pooling$put(case, paste0("vcov", k), paste(t, u, sep = "*"), vcov(f)[t, u])
    }
  }
  p <- pool(fits)
  s <- summary(p, conf.int = TRUE, conf.level = 0.9)
  for (j in seq_len(nrow(p$pooled))) {
    t <- as.character(p$pooled$term[j])
    for (w in c("estimate", "ubar", "b", "t", "dfcom", "df", "riv", "lambda", "fmi")) pooling$put(case, w, t, p$pooled[[w]][j])
    pooling$put(case, "se", t, s$std.error[j]); pooling$put(case, "p", t, s$p.value[j])
    pooling$put(case, "low", t, s[["5 %"]][j]); pooling$put(case, "high", t, s[["95 %"]][j])
  }
}
pooling$done()

# Rows that are missing at random.
set.seed(2)
n <- 400
z <- rnorm(n)
g <- sample(c("a", "b", "c"), n, TRUE, c(0.5, 0.3, 0.2))
x <- 0.5 * z + (g == "b") - 0.5 * (g == "c") + rnorm(n)
b <- ifelse(runif(n) < plogis(-0.3 + 0.6 * x + 0.5 * z), "yes", "no")
y <- 1 + 0.7 * x + 0.8 * (b == "yes") - 0.6 * (g == "b") + 0.4 * (g == "c") + 0.5 * z + rnorm(n)
low <- as.integer(runif(n) < plogis(-0.5 + 0.5 * x + 0.7 * (b == "yes")))
mar <- data.frame(y, low, x, b, g, z, hospital = hospitals(n))
mar$x[runif(n) < plogis(-1.5 + 0.8 * z)] <- NA
mar$b[runif(n) < plogis(-1.3 + 0.5 * y / 2 - 0.5 * z)] <- NA
mar$g[runif(n) < plogis(-2 + 0.5 * z)] <- NA
mar$y[runif(n) < 0.08] <- NA
write.csv(format(mar, digits = 15, trim = TRUE), file.path(out, "mar.csv"), row.names = FALSE, quote = FALSE)
nhanes <- transform(nhanes2, hospital = hospitals(25))
write.csv(nhanes, file.path(out, "nhanes2.csv"), row.names = FALSE, quote = FALSE)
growth <- transform(boys[, c("age", "hgt", "wgt", "hc", "reg")], reg = as.character(reg), hospital = hospitals(nrow(boys)))
write.csv(growth, file.path(out, "boys.csv"), row.names = FALSE, quote = FALSE)
air <- with(datasets::airquality, data.frame(Ozone, Solar = Solar.R, Wind, Temp, hospital = hospitals(nrow(datasets::airquality))))
write.csv(air, file.path(out, "airquality.csv"), row.names = FALSE, quote = FALSE)

# Parameters drawn around the models of complete rows, from the definition.
drawing <- writer("draws.csv")
set.seed(3)
whole <- na.omit(mar)
draw <- function(case, estimate, covariance, dispersion, freedom, chi) {
  z <- rnorm(length(estimate))
  stretch <- if (is.na(chi)) 1 else freedom / chi
  drawn <- estimate + sqrt(stretch) * drop(t(chol(covariance)) %*% z)
  for (j in seq_along(estimate)) {
    drawing$put(case, "normal", j, z[j]); drawing$put(case, "drawn", j, drawn[j]); drawing$put(case, "se", j, sqrt(covariance[j, j]))
  }
  drawing$put(case, "chi", 1, if (is.na(chi)) 0 else chi)
  drawing$put(case, "deviation", 1, sqrt(dispersion * stretch))
}
linear <- lm(x ~ b + g + z + y, whole)
draw("linear", coef(linear), vcov(linear), summary(linear)$sigma^2, linear$df.residual, rchisq(1, linear$df.residual))
logit <- glm(b == "yes" ~ x + g + z + y, binomial, whole, control = list(epsilon = 1e-14))
draw("logistic", coef(logit), vcov(logit), 1, NA, NA)
levels3 <- multinom(g ~ x + b + z + y, whole, trace = FALSE, reltol = 1e-16, abstol = 0, maxit = 5000)
draw("multinomial", c(t(coef(levels3))), vcov(levels3), 1, NA, NA)
drawing$done()

# Many imputations.
many <- writer("mice.csv")
ahead <- writer("predict.csv")
compare <- function(case, data, formula, family, methods, m = 60, T = 5) {
  data <- data[, names(methods)]
  for (v in names(data)) if (is.character(data[[v]])) data[[v]] <- factor(data[[v]])
  imputed <- mice(data, m = m, maxit = T, method = methods, printFlag = FALSE, seed = 11)
  fits <- lapply(seq_len(m), function(k) glm(formula, family, complete(imputed, k)))
  p <- pool(as.mira(fits))$pooled
  for (j in seq_len(nrow(p))) for (w in c("estimate", "ubar", "b", "fmi")) many$put(case, w, as.character(p$term[j]), p[[w]][j])
  many$put(case, "m", "m", m)
  known <- delete.response(terms(formula))
  whole <- complete.cases(data[, all.vars(known)])
  rows <- which(whole)[round(seq(1, sum(whole), length.out = 8))]
  X <- model.matrix(known, data[rows, ])
  eta <- X %*% sapply(fits, coef)
  for (i in seq_along(rows)) {
    for (t in colnames(X)) ahead$put(case, paste0("x", rows[i]), t, X[i, t])
    ahead$put(case, "eta", rows[i], mean(eta[i, ])); ahead$put(case, "b", rows[i], var(eta[i, ]))
  }
  if (any(!whole)) ahead$put(case, "gap", which(!whole)[1], 1)
}
compare("mar", mar, y ~ x + b + g + z, gaussian(), c(y = "norm", x = "norm", b = "logreg", g = "polyreg", z = ""))
compare("low", mar, low ~ x + b, binomial(), c(low = "", x = "norm", b = "logreg", g = "polyreg", z = "", y = "norm"))
compare("boys", growth, hc ~ age + hgt + reg, gaussian(), c(hc = "norm", age = "", hgt = "norm", reg = "polyreg"), m = 30)
compare("air", air, Ozone ~ Wind + Temp + Solar, gaussian(), c(Ozone = "norm", Solar = "norm", Wind = "", Temp = ""))
many$done()
ahead$done()
