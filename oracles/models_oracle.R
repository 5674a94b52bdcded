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
  fields <- list(
    name = text(name), data = text(data), formula = text(formula), family = text(family),
    link = text(fit$family$link), terms = texts(names(coefficients)), estimate = numbers(coefficients),
    stdError = numbers(sqrt(diag(v))), dispersion = number(s$dispersion), deviance = number(fit$deviance),
    nullDeviance = number(fit$null.deviance), dfResidual = number(fit$df.residual), dfNull = number(fit$df.null),
    aic = number(if (quasi) NA else AIC(fit)),
    logLikelihood = number(if (quasi) NA else as.numeric(logLik(fit))),
    predicted = numbers(response[1:10]), linear = numbers(predicted$fit[1:10]), linearError = numbers(predicted$se.fit[1:10]))
  if (!is.null(fit$theta)) {
    # The standard error that theta.ml states, at the theta that it ends at instead of the one before.
    th <- fit$theta; mu <- fit$fitted.values; y <- fit$y
    info <- sum(-trigamma(th + y) + trigamma(th) - 1 / th + 2 / (mu + th) - (y + th) / (mu + th)^2)
    stopifnot(abs(sqrt(1 / info) / fit$SE.theta - 1) < 1e-3)
    fields <- c(fields, theta = number(th), thetaError = number(sqrt(1 / info)))
  }
  cases[[length(cases) + 1]] <<- do.call(object, fields)
  invisible(fit)
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
     glm(Claims ~ factor(District) + Group + Age + offset(log(Holders)), poisson, insurance, control = tight))
case("birthwt-quasi-binomial", "birthwt", "low ~ age + lwt + factor(race) + smoke", "quasi-binomial",
     glm(low ~ age + lwt + factor(race) + smoke, quasibinomial, birthwt, control = tight))
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
  case(paste0("cars-gamma-", l), "cars", "mpg ~ wt + hp", "gamma", glm(mpg ~ wt + hp, Gamma(l), cars, control = tight))
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

writeLines(c("[", paste(cases, collapse = ",\n"), "]"), file.path(out, "cases.json"))
