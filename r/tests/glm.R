# tidy() of a fit over sites against glm() on the pooled rows, right here, on every case of oracles/glm_oracle.R.
#
# NGD_ORACLES is the folder oracles/ of the repository: its synthetic rows are read, 24 sites of 4 to 50 rows, and
# public data sets where NGD_DATA names their folder. Without the program or the rows nothing is tested, and it says so.
library(ngd)
oracles <- Sys.getenv("NGD_ORACLES")
if (!nzchar(Sys.getenv("NGD")) || !nzchar(oracles) || !requireNamespace("MASS", quietly = TRUE) ||
    !requireNamespace("sandwich", quietly = TRUE)) {
  cat("skipped: needs NGD (the program), NGD_ORACLES (the folder oracles/ of its repository), MASS and sandwich\n")
  quit(status = 0)
}
control <- glm.control(epsilon = 1e-14, maxit = 100)
d <- read.csv(file.path(oracles, "glm", "synthetic.csv"))
d$w2 <- ifelse(d$w == 0, 0.25, d$w)
sites <- split(d, d$site)
names(sites) <- paste0("s", names(sites))
run <- function(...) suppressWarnings(suppressMessages(ngd_fit(...)))

# What broom's tidy() would say of the glm, from its definition: glm's summary, or another covariance.
expected <- function(fit, vcov = NULL, df = NULL, dispersion = NULL) {
  s <- summary(fit, dispersion = dispersion)
  estimate <- coef(fit)
  se <- if (is.null(vcov)) s$coefficients[, 2] else sqrt(diag(vcov))
  if (is.null(df)) df <- if (fit$family$family %in% c("gaussian", "Gamma")) fit$df.residual else Inf
  statistic <- estimate / se
  data.frame(term = names(estimate), estimate = unname(estimate), std.error = unname(se), statistic = unname(statistic),
             p.value = unname(2 * pt(-abs(statistic), df)), conf.low = unname(estimate - qt(0.975, df) * se),
             conf.high = unname(estimate + qt(0.975, df) * se))
}
same <- function(name, found, wanted) {
  tidied <- ngd:::tidy.ngd_fit(found, conf.int = TRUE)
  stopifnot(identical(tidied$term, wanted$term))
  scale <- wanted$std.error
  for (column in c("estimate", "std.error", "conf.low", "conf.high")) {
    off <- max(abs(tidied[[column]] - wanted[[column]]) / scale)
    if (!is.finite(off) || off > 1e-6) stop(name, ": ", column, " is off by ", off, " standard errors")
  }
  off <- max(abs(tidied$statistic - wanted$statistic) / (1 + abs(wanted$statistic)), abs(tidied$p.value - wanted$p.value))
  if (!is.finite(off) || off > 1e-6) stop(name, ": tests are off by ", off)
  cat(sprintf("%-30s equal\n", name))
}
full <- nzchar(Sys.getenv("NGD_ALL_CASES"))

models <- list(
  gaussian = list(run = quote(run(gaussian ~ x1 + x2, sites, network = "circle:1")),
                  glm = quote(glm(gaussian ~ x1 + x2, data = d, control = control))),
  probit = list(run = quote(run(binary ~ x1 + x2, sites, binomial("probit"), network = "regular:2")),
                glm = quote(glm(binary ~ x1 + x2, binomial("probit"), d, control = control))),
  `poisson-offset` = list(run = quote(run(count ~ x1 + x2 + offset(log(exposure)), sites, poisson)),
                          glm = quote(glm(count ~ x1 + x2 + offset(log(exposure)), poisson, d, control = control))),
  gamma = list(run = quote(run(positive ~ x1 + x2, sites, Gamma("log"))),
               glm = quote(glm(positive ~ x1 + x2, Gamma("log"), d, control = control))))
# By default one of each kind; NGD_ALL_CASES runs all 29 that there are.
for (name in if (full) names(models) else c("probit", "poisson-offset", "gamma")) {
  fit <- eval(models[[name]]$glm)
  if (full || name != "gamma") same(name, eval(models[[name]]$run), expected(fit))
  variants <- list(hc0 = list(robust = "hc0"), hc1 = list(robust = "hc1"), site = list(cluster = "site"))
  for (kind in if (full) names(variants) else if (name == "gamma") "site") {
    asked <- as.call(c(as.list(models[[name]]$run), variants[[kind]]))
    wanted <- switch(kind, hc0 = expected(fit, sandwich::sandwich(fit)), hc1 = expected(fit, sandwich::sandwich(fit, adjust = TRUE)),
                     site = expected(fit, sandwich::vcovCL(fit, cluster = d$site, type = "HC0"), df = 23))
    same(paste0(name, "-", kind), eval(asked), wanted)
  }
}
same("gaussian-offset-weights", run(gaussian ~ x1 + x2 + offset(log(exposure)) + weights(w2), sites),
     expected(glm(gaussian ~ x1 + x2 + offset(log(exposure)), data = d, weights = w2, control = control)))
if (full) {
  same("gaussian-weights", run(gaussian ~ x1 + x2 + weights(w2), sites), expected(glm(gaussian ~ x1 + x2, data = d, weights = w2, control = control)))
  same("gaussian-no-intercept", run(gaussian ~ x1 + x2 - 1, sites), expected(glm(gaussian ~ x1 + x2 - 1, data = d, control = control)))
  same("gaussian-offset-no-intercept", run(gaussian ~ x1 + x2 - 1 + offset(log(exposure)), sites),
       expected(glm(gaussian ~ x1 + x2 - 1 + offset(log(exposure)), data = d, control = control)))
  same("logit", run(binary ~ x1 + x2, sites, binomial), expected(glm(binary ~ x1 + x2, binomial, d, control = control)))
  same("poisson-offset-weights", run(count ~ x1 + x2 + offset(log(exposure)) + weights(w), sites, poisson),
       expected(glm(count ~ x1 + x2 + offset(log(exposure)), poisson, d, weights = w, control = control)))
  same("gamma-weights", run(positive ~ x1 + x2 + weights(w), sites, Gamma("log")),
       expected(glm(positive ~ x1 + x2, Gamma("log"), d, weights = w, control = control)))
}
same("negative-binomial", run(over ~ x1 + x2, sites, MASS::negative.binomial(1.5)),
     expected(glm(over ~ x1 + x2, MASS::negative.binomial(1.5), d, control = control), dispersion = 1))

public <- Sys.getenv("NGD_DATA")
if (full && nzchar(public)) {
  for (colour in c("red", "white")) {
    wine <- read.csv2(file.path(public, "wine-quality", paste0("winequality-", colour, ".csv")), dec = ".")
    parts <- split(wine, rep(c("a", "b", "c"), length.out = nrow(wine)))
    same(paste0("wine-", colour), run(quality ~ ., parts), expected(glm(quality ~ ., data = wine, control = control)))
  }
  adult <- read.csv(gzfile(file.path(public, "adult", "adult.csv.gz")), strip.white = TRUE)
  adult <- adult[c("income", "age", "education_num", "hours_per_week", "capital_gain", "capital_loss", "marital_status", "sex", "race")]
  # Levels of text are ordered by code point there, by the locale here.
  for (column in c("marital_status", "sex", "race")) adult[[column]] <- factor(adult[[column]], levels = sort(unique(adult[[column]]), method = "radix"))
  model <- (income == ">50K") ~ age + education_num + hours_per_week + log(1 + capital_gain) + log(1 + capital_loss) +
    factor(marital_status) + factor(sex) + factor(race)
  asked <- model
  asked[[2]] <- asked[[2]][[2]]
  same("adult", run(asked, split(adult, rep(c("a", "b"), length.out = nrow(adult))), binomial),
       expected(glm(model, binomial, adult, control = control)))
  nmes <- read.csv(file.path(public, "nmes1988", "NMES1988.csv"))
  model <- visits ~ hospital + factor(health) + chronic + factor(gender) + school + factor(insurance)
  parts <- split(nmes, rep(c("a", "b", "c"), length.out = nrow(nmes)))
  fit <- glm(model, poisson, nmes, control = control)
  same("nmes", run(model, parts, poisson), expected(fit))
  same("nmes-hc0", run(model, parts, poisson, robust = TRUE), expected(fit, sandwich::sandwich(fit)))
}
