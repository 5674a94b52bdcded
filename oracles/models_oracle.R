# What R says of formulas, families and tests of contrasts: the oracle of ModelsTest.
#
#   Rscript oracles/models_oracle.R
#
# Needs R 4 with MASS and splines. Writes oracles/models/: the data sets that come
# with R, each row given one of four sites of unequal size, and cases.json.
suppressMessages({library(MASS); library(splines)})
invisible(Sys.setlocale("LC_COLLATE", "C"))
options(digits = 17, contrasts = c("contr.treatment", "contr.poly"))
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "models")
dir.create(out, showWarnings = FALSE)
tight <- glm.control(epsilon = 1e-15, maxit = 500)

number <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), "null")
text <- function(x) paste0('"', gsub('"', '\\\\"', x), '"')
numbers <- function(x) paste0("[", paste(number(x), collapse = ", "), "]")
texts <- function(x) paste0("[", paste(text(x), collapse = ", "), "]")
object <- function(...) {
  fields <- list(...)
  paste0("{", paste(sprintf('"%s": %s', names(fields), unlist(fields)), collapse = ", "), "}")
}

# Four sites with about 1/10, 2/10, 3/10 and 4/10 of the rows.
write_data <- function(name, d) {
  set.seed(18)
  d$site <- sample(c("a", "b", "c", "d"), nrow(d), TRUE, c(1, 2, 3, 4))
  d$site[1:4] <- c("a", "b", "c", "d")
  for (v in names(d)) if (is.factor(d[[v]])) d[[v]] <- as.character(d[[v]])
  write.csv(d, file.path(out, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
  for (v in names(d)) if (is.character(d[[v]])) d[[v]] <- factor(d[[v]])
  d
}
quine <- write_data("quine", MASS::quine)
birthwt <- write_data("birthwt", MASS::birthwt)
insurance <- within(MASS::Insurance, {District <- as.character(District); Group <- as.character(Group); Age <- as.character(Age)})
insurance <- write_data("insurance", data.frame(insurance))
epil <- write_data("epil", MASS::epil[c("y", "trt", "base", "age", "V4", "lbase", "lage")])
warpbreaks <- write_data("warpbreaks", datasets::warpbreaks)
esoph <- datasets::esoph
# Until R 4.0.4 the column held all who were asked, not the controls.
if (any(esoph$ncontrols < esoph$ncases)) esoph$ncontrols <- esoph$ncontrols + 0
esoph <- write_data("esoph", data.frame(
  agegp = as.character(esoph$agegp), alc = as.integer(esoph$alcgp), tob = as.integer(esoph$tobgp),
  ncases = esoph$ncases, ncontrols = esoph$ncontrols))
cars <- write_data("cars", datasets::mtcars)
infert <- write_data("infert", datasets::infert[c("age", "parity", "induced", "case", "spontaneous")])
snails <- MASS::snails
snails <- write_data("snails", data.frame(species = as.character(snails$Species), exposure = snails$Exposure, humidity = snails$Rel.Hum,
                                          temperature = snails$Temp, deaths = snails$Deaths, alive = snails$N - snails$Deaths))

cases <- c()
# family: in the words of ngd; fit: R's; new: rows to predict; tests: list(words, L, c).
case <- function(name, data, formula, family, fit, link = NULL, tests = list(), se = NULL, dispersion = NULL) {
  d <- get(data)
  s <- if (is.null(dispersion)) summary(fit) else summary(fit, dispersion = dispersion)
  coefficients <- coef(fit)
  v <- vcov(s)
  quasi <- grepl("^(quasi|Tweedie)", fit$family$family)
  predicted <- predict(fit, d, type = "link", se.fit = TRUE)
  response <- predict(fit, d, type = "response")
  # The interval of the expectation, made on the scale of the link.
  estimated <- fit$family$family %in% c("gaussian", "Gamma", "inverse.gaussian") || quasi
  reach <- (if (estimated) qt(0.975, fit$df.residual) else qnorm(0.975)) * predicted$se.fit
  ends <- cbind(fit$family$linkinv(predicted$fit - reach), fit$family$linkinv(predicted$fit + reach))
  fields <- list(
    name = text(name), data = text(data), formula = text(formula), family = text(family),
    link = text(fit$family$link), terms = texts(names(coefficients)), estimate = numbers(coefficients),
    stdError = numbers(sqrt(diag(v))), dispersion = number(s$dispersion), deviance = number(fit$deviance),
    nullDeviance = number(fit$null.deviance), dfResidual = number(fit$df.residual), dfNull = number(fit$df.null),
    aic = number(if (quasi) NA else AIC(fit)),
    logLikelihood = number(if (quasi) NA else as.numeric(logLik(fit))),
    predicted = numbers(response[1:10]), linear = numbers(predicted$fit[1:10]), linearError = numbers(predicted$se.fit[1:10]),
    low = numbers(pmin(ends[, 1], ends[, 2])[1:10]), high = numbers(pmax(ends[, 1], ends[, 2])[1:10]))
  if (!is.null(fit$theta)) {
    # The standard error that theta.ml states, at the theta that it ends at instead of the one before.
    th <- fit$theta; mu <- fit$fitted.values; y <- fit$y
    info <- sum(-trigamma(th + y) + trigamma(th) - 1 / th + 2 / (mu + th) - (y + th) / (mu + th)^2)
    stopifnot(abs(sqrt(1 / info) / fit$SE.theta - 1) < 1e-3)
    fields <- c(fields, theta = number(th), thetaError = number(sqrt(1 / info)))
  }
  if (length(tests) > 0) fields <- c(fields, tests = paste0("[", paste(sapply(tests, tested, fit, v, s), collapse = ", "), "]"))
  cases[[length(cases) + 1]] <<- do.call(object, fields)
  invisible(fit)
}

# Wald's test, and the likelihood-ratio test by a fit along what the equations L beta = c leave free.
tested <- function(test, fit, v, s) {
  L <- test$L
  b <- coef(fit)
  off <- as.vector(L %*% b - test$c)
  q <- nrow(L)
  wald <- as.numeric(t(off) %*% solve(L %*% v %*% t(L)) %*% off)
  dispersed <- fit$family$family %in% c("gaussian", "Gamma", "inverse.gaussian") || grepl("^quasi", fit$family$family)
  X <- model.matrix(fit)
  N <- Null(t(L))
  offset <- as.vector(X %*% (ginv(L) %*% test$c)) + if (is.null(fit$offset)) 0 else fit$offset
  small <- glm.fit(X %*% N, fit$y, fit$prior.weights, family = fit$family, offset = offset, control = tight,
                   start = as.vector(t(N) %*% b))
  ratio <- (small$deviance - fit$deviance) / s$dispersion
  chance <- function(x) if (dispersed) pf(x / q, q, fit$df.residual, lower.tail = FALSE) else pchisq(x, q, lower.tail = FALSE)
  object(words = text(test$words), estimate = numbers(off), stdError = numbers(sqrt(diag(L %*% v %*% t(L)))),
         wald = number(if (dispersed) wald / q else wald), waldP = number(chance(wald)),
         ratio = number(if (dispersed) ratio / q else ratio), ratioP = number(chance(ratio)))
}

# Tweedie's family with a given power, by its definition (statmod's is the same).
tweedie <- function(power, link = "log") {
  stats <- make.link(link)
  structure(list(
    family = "Tweedie", link = link, linkfun = stats$linkfun, linkinv = stats$linkinv, mu.eta = stats$mu.eta,
    variance = function(mu) mu^power,
    dev.resids = function(y, mu, wt) {
      y1 <- y + 0
      2 * wt * (ifelse(y == 0, 0, y * (y1^(1 - power) - mu^(1 - power)) / (1 - power)) -
                  (y^(2 - power) - mu^(2 - power)) / (2 - power))
    },
    aic = function(y, n, mu, wt, dev) NA, initialize = expression({n <- rep(1, nobs); mustart <- y + 0.1 * (y == 0)}),
    validmu = function(mu) all(mu > 0), valideta = stats$valideta), class = "family")
}

## Families
case("quine-nb", "quine", "Days ~ Sex + Age + Eth + Lrn", "negative-binomial",
     glm.nb(Days ~ Sex + Age + Eth + Lrn, quine, control = tight))
case("epil-nb", "epil", "y ~ lbase * trt + lage + V4", "negative-binomial",
     glm.nb(y ~ lbase * trt + lage + V4, epil, control = tight))
case("quine-quasi-poisson", "quine", "Days ~ Sex + Age + Eth + Lrn", "quasi-poisson",
     glm(Days ~ Sex + Age + Eth + Lrn, quasipoisson, quine, control = tight))
case("warpbreaks-quasi-poisson-identity", "warpbreaks", "breaks ~ wool * tension", "quasi-poisson",
     glm(breaks ~ wool * tension, quasipoisson("identity"), warpbreaks, control = tight))
case("warpbreaks-poisson-sqrt", "warpbreaks", "breaks ~ wool + tension", "poisson",
     glm(breaks ~ wool + tension, poisson("sqrt"), warpbreaks, control = tight))
case("warpbreaks-poisson-identity", "warpbreaks", "breaks ~ wool + tension", "poisson",
     glm(breaks ~ wool + tension, poisson("identity"), warpbreaks, control = tight, start = c(30, -3, 0, 0)))
case("insurance-poisson", "insurance", "Claims ~ factor(District) + Group + Age + offset(log(Holders))", "poisson",
     glm(Claims ~ factor(District) + Group + Age + offset(log(Holders)), poisson, insurance, control = tight),
     tests = list(
       list(words = "2*factor(District)2 = factor(District)3 + factor(District)4", L = rbind(c(0, 2, -1, -1, rep(0, 6))), c = 0),
       list(words = "Age>35 = Age<25; `Age30-35` = -0.1; Group<1l = 0", L = rbind(
         c(rep(0, 8), -1, 1), c(rep(0, 7), 1, 0, 0), c(rep(0, 5), 1, rep(0, 4))), c = c(0, -0.1, 0))))
case("birthwt-quasi-binomial", "birthwt", "low ~ age + lwt + factor(race) + smoke", "quasi-binomial",
     glm(low ~ age + lwt + factor(race) + smoke, quasibinomial, birthwt, control = tight),
     tests = list(list(words = "factor(race)2 - factor(race)3 = 0; age = -0.02", L = rbind(c(0, 0, 0, 1, -1, 0), c(0, 1, 0, 0, 0, 0)), c = c(0, -0.02))))
for (l in c("cloglog", "cauchit", "probit", "logit")) {
  case(paste0("birthwt-", l), "birthwt", "low ~ age + lwt + factor(race) + smoke", "binomial",
       glm(low ~ age + lwt + factor(race) + smoke, binomial(l), birthwt, control = tight))
  case(paste0("esoph-", l), "esoph", "cbind(ncases, ncontrols) ~ agegp + alc + tob", "binomial",
       glm(cbind(ncases, ncontrols) ~ agegp + alc + tob, binomial(l), esoph, control = tight))
}
case("infert-log", "infert", "case ~ induced + spontaneous", "binomial",
     glm(case ~ induced + spontaneous, binomial("log"), infert, control = tight, start = c(-1.5, 0.1, 0.1)))
case("esoph-quasi", "esoph", "cbind(ncases, ncontrols) ~ agegp + alc + tob", "quasi-binomial",
     glm(cbind(ncases, ncontrols) ~ agegp + alc + tob, quasibinomial, esoph, control = tight))
for (l in c("inverse", "identity", "log")) {
  case(paste0("cars-gamma-", l), "cars", "mpg ~ wt * hp", "gamma", glm(mpg ~ wt * hp, Gamma(l), cars, control = tight),
       tests = if (l != "log") list() else list(list(words = "wt + wt:hp = 0", L = rbind(c(0, 1, 0, 1)), c = 0)))
  case(paste0("birthwt-gaussian-", l), "birthwt", "bwt ~ lwt + smoke + factor(race)", "gaussian",
       glm(bwt ~ lwt + smoke + factor(race), gaussian(l), birthwt, control = tight))
}
for (l in c("1/mu^2", "inverse", "identity", "log"))
  case(paste0("cars-inverse-gaussian-", l), "cars", "mpg ~ wt + hp", "inverse-gaussian",
       glm(mpg ~ wt + hp, inverse.gaussian(l), cars, control = tight))
case("birthwt-inverse-gaussian", "birthwt", "bwt ~ lwt + smoke + factor(race)", "inverse-gaussian",
     glm(bwt ~ lwt + smoke + factor(race), inverse.gaussian("log"), birthwt, control = tight))
case("quine-tweedie", "quine", "Days ~ Sex + Age + Eth + Lrn", "tweedie:1.5",
     glm(Days ~ Sex + Age + Eth + Lrn, tweedie(1.5), quine, control = tight))
case("cars-tweedie-identity", "cars", "mpg ~ wt + hp", "tweedie:2.5",
     glm(mpg ~ wt + hp, tweedie(2.5, "identity"), cars, control = tight))

## Formulas: knots given, or found by sums alone; those of quantiles are held against R with the knots of the answer.
case("birthwt-ns", "birthwt", "bwt ~ ns(age, knots = c(20, 25, 30), Boundary.knots = c(15, 40)) + smoke", "gaussian",
     glm(bwt ~ ns(age, knots = c(20, 25, 30), Boundary.knots = c(15, 40)) + smoke, gaussian, birthwt, control = tight))
case("birthwt-ns-intercept", "birthwt", "low ~ ns(lwt, knots = c(110, 140), Boundary.knots = c(80, 250), intercept = TRUE):smoke", "binomial",
     glm(low ~ ns(lwt, knots = c(110, 140), Boundary.knots = c(80, 250), intercept = TRUE):smoke, binomial, birthwt, control = tight))
suppressWarnings(
case("birthwt-bs", "birthwt", "bwt ~ bs(age, knots = c(22, 28), degree = 2, Boundary.knots = c(16, 36)) + C(factor(race), contr.sum)", "gaussian",
     glm(bwt ~ bs(age, knots = c(22, 28), degree = 2, Boundary.knots = c(16, 36)) + C(factor(race), contr.sum), gaussian, birthwt, control = tight)))
case("birthwt-bs-cubic", "birthwt", "bwt ~ bs(lwt, knots = c(120, 160), Boundary.knots = c(80, 250)) * smoke", "gamma",
     glm(bwt ~ bs(lwt, knots = c(120, 160), Boundary.knots = c(80, 250)) * smoke, Gamma("log"), birthwt, control = tight))
case("birthwt-poly", "birthwt", 'low ~ poly(age, 3) + poly(lwt, 2) + relevel(factor(race), ref = "2")', "binomial",
     glm(low ~ poly(age, 3) + poly(lwt, 2) + relevel(factor(race), ref = "2"), binomial, birthwt, control = tight))
case("birthwt-poly-raw", "birthwt", "bwt ~ poly(age, 2, raw = TRUE) + C(factor(race), contr.helmert):smoke", "gaussian",
     glm(bwt ~ poly(age, 2, raw = TRUE) + C(factor(race), contr.helmert):smoke, gaussian, birthwt, control = tight))
case("epil-scale", "epil", "y ~ scale(base) * trt + scale(age, scale = FALSE) + cut(lage, c(-1, -0.1, 0.1, 1))", "poisson",
     glm(y ~ scale(base) * trt + scale(age, scale = FALSE) + cut(lage, c(-1, -0.1, 0.1, 1)), poisson, epil, control = tight))
case("quine-contrasts", "quine", "Days ~ C(Age, contr.sum) * C(Sex, contr.helmert) + C(Eth, contr.treatment)", "quasi-poisson",
     glm(Days ~ C(Age, contr.sum) * C(Sex, contr.helmert) + C(Eth, contr.treatment), quasipoisson, quine, control = tight))
case("cars-cut", "cars", "mpg ~ cut(hp, c(0, 100, 150, Inf), right = FALSE) + log(wt)", "gaussian",
     glm(mpg ~ cut(hp, c(0, 100, 150, Inf), right = FALSE) + log(wt), gaussian, cars, control = tight))

## The same once more on other data: every family, link and function has at least two data sets.
case("epil-poisson-sqrt", "epil", "y ~ trt + base", "poisson", glm(y ~ trt + base, poisson("sqrt"), epil, control = tight))
case("quine-poisson-identity", "quine", "Days ~ Sex + Eth", "poisson",
     glm(Days ~ Sex + Eth, poisson("identity"), quine, control = tight, start = c(20, 1, -5)))
case("epil-quasi-poisson-log", "epil", "y ~ trt * lbase + offset(log(base) / 10)", "quasi-poisson",
     glm(y ~ trt * lbase + offset(log(base) / 10), quasipoisson, epil, control = tight))
case("birthwt-log", "birthwt", "low ~ smoke + ht", "binomial", glm(low ~ smoke + ht, binomial("log"), birthwt, control = tight, start = c(-1.3, 0.1, 0.1)))
for (l in c("logit", "cloglog", "cauchit"))
  case(paste0("snails-", l), "snails", "cbind(deaths, alive) ~ species + exposure + humidity + temperature", "binomial",
       glm(cbind(deaths, alive) ~ species + exposure + humidity + temperature, binomial(l), snails, control = tight))
for (l in c("inverse", "identity"))
  case(paste0("birthwt-gamma-", l), "birthwt", "bwt ~ lwt + smoke", "gamma", glm(bwt ~ lwt + smoke, Gamma(l), birthwt, control = tight))
for (l in c("inverse", "log"))
  case(paste0("cars-gaussian-", l), "cars", "mpg ~ wt + hp", "gaussian", glm(mpg ~ wt + hp, gaussian(l), cars, control = tight))
for (l in c("1/mu^2", "inverse", "identity"))
  case(paste0("birthwt-inverse-gaussian-", l), "birthwt", "bwt ~ lwt + smoke", "inverse-gaussian",
       glm(bwt ~ lwt + smoke, inverse.gaussian(l), birthwt, control = tight))
case("epil-tweedie", "epil", "y ~ lbase + trt", "tweedie:1.3", glm(y ~ lbase + trt, tweedie(1.3), epil, control = tight))
case("cars-ns", "cars", "mpg ~ ns(hp, knots = c(110, 170), Boundary.knots = c(60, 260)) + am", "gaussian",
     glm(mpg ~ ns(hp, knots = c(110, 170), Boundary.knots = c(60, 260)) + am, gaussian, cars, control = tight))
case("epil-bs", "epil", "y ~ bs(age, knots = 28, Boundary.knots = c(17, 43)) + trt", "poisson",
     glm(y ~ bs(age, knots = 28, Boundary.knots = c(17, 43)) + trt, poisson, epil, control = tight))
case("cars-poly", "cars", "mpg ~ poly(wt, 2) + scale(hp)", "gaussian", glm(mpg ~ poly(wt, 2) + scale(hp), gaussian, cars, control = tight))
case("quine-relevel", "quine", 'Days ~ relevel(Age, ref = "F2") + Sex', "negative-binomial",
     glm.nb(Days ~ relevel(Age, ref = "F2") + Sex, quine, control = tight))

writeLines(c("[", paste(cases, collapse = ",\n"), "]"), file.path(out, "cases.json"))
