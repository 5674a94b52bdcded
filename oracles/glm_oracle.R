# What R's own glm() says: the oracle of `ngd fit` without --alpha or --algorithm.
#
#   Rscript oracles/glm_oracle.R [DATA]
#
# Needs R 4 with MASS and sandwich. Writes oracles/glm/: synthetic.csv (made here from a fixed seed) and, for each
# model, NAME.coefficients.csv and NAME.fit.csv. DATA is the folder of the public data sets (../shared/data by
# default); of them only coefficients and sums are written, never rows. Where it is absent those models are left as
# they are.
suppressMessages({library(MASS); library(sandwich)})
invisible(Sys.setlocale("LC_COLLATE", "C"))
options(digits = 17)
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "glm")
dir.create(out, showWarnings = FALSE)
arguments <- commandArgs(TRUE)
shared <- if (length(arguments) > 0) arguments[1] else file.path(dirname(here), "..", "..", "shared", "data")
control <- glm.control(epsilon = 1e-14, maxit = 100)

text <- function(x) sprintf("%.17g", x)

# df: the degrees of freedom of t statistics; Inf for z.
save <- function(name, fit, vcov = NULL, df = NULL) {
  s <- summary(fit)
  se <- if (is.null(vcov)) s$coefficients[, 2] else sqrt(diag(vcov))
  estimate <- coef(fit)
  statistic <- estimate / se
  dispersed <- fit$family$family %in% c("gaussian", "Gamma")
  if (is.null(df)) df <- if (dispersed) fit$df.residual else Inf
  p <- 2 * pt(-abs(statistic), df)
  q <- qt(0.975, df)
  write.table(
    data.frame(term = names(estimate), estimate = text(estimate), std_error = text(se),
               statistic = text(statistic), p_value = text(p),
               conf_low = text(estimate - q * se), conf_high = text(estimate + q * se)),
    file.path(out, paste0(name, ".coefficients.csv")), sep = ",", row.names = FALSE, quote = c(1))
  null <- if (attr(fit$terms, "intercept") == 1) {
    o <- if (is.null(fit$offset)) rep(0, length(fit$y)) else fit$offset
    glm(fit$y ~ 1, family = fit$family, offset = o, weights = fit$prior.weights, control = control)
  } else NULL
  values <- c(deviance = fit$deviance, null_deviance = fit$null.deviance, df_residual = fit$df.residual,
              df_null = fit$df.null, dispersion = s$dispersion, aic = fit$aic, log_likelihood = as.numeric(logLik(fit)),
              null_log_likelihood = if (is.null(null)) NA else as.numeric(logLik(null)))
  if (fit$family$family == "gaussian") {
    # Offsets are taken from the response: before version 4.3 summary.lm counted them as fitted (PR#18008).
    rows <- fit$data
    rows$prior <- fit$prior.weights
    rows$left <- fit$y - if (is.null(fit$offset)) 0 else fit$offset
    labels <- attr(fit$terms, "term.labels")
    s <- summary(lm(reformulate(labels, "left", attr(fit$terms, "intercept") == 1), rows, weights = prior))
    values <- c(values, r_squared = s$r.squared, adjusted_r_squared = s$adj.r.squared)
  }
  write.table(data.frame(name = names(values), value = text(values)),
              file.path(out, paste0(name, ".fit.csv")), sep = ",", row.names = FALSE, quote = FALSE)
}

# Twenty-four sites of 4 to 50 rows with effects of their own, one response for each family.
set.seed(20240517)
sizes <- 4 + 2 * (0:23)
n <- sum(sizes)
site <- rep(seq_along(sizes) - 1, sizes)
x1 <- round(rnorm(n, 0.02 * site), 4)
x2 <- round(runif(n, -1, 3), 4)
exposure <- round(runif(n, 0.5, 4), 3)
w <- sample(c(0, 0.5, 1, 1, 2, 3), n, TRUE)
u <- rnorm(24, 0, 0.2)[site + 1]
eta <- 0.3 + 0.5 * x1 - 0.4 * x2 + u
d <- data.frame(
  site, x1, x2, exposure, w,
  gaussian = round(1 + eta + rnorm(n, 0, 0.5 + 0.3 * abs(x1)), 4),
  binary = as.integer(eta + rnorm(n) > 0),
  count = rpois(n, exposure * exp(eta)),
  positive = round(rgamma(n, shape = 2, scale = exp(eta) / 2), 5) + 1e-5,
  over = rnbinom(n, size = 1.5, mu = exp(eta + 0.5)))
write.csv(d, file.path(out, "synthetic.csv"), row.names = FALSE, quote = FALSE)

save("gaussian", glm(gaussian ~ x1 + x2, data = d, control = control))
save("gaussian-weights", glm(gaussian ~ x1 + x2, data = d, weights = ifelse(w == 0, 0.25, w), control = control))
save("gaussian-no-intercept", glm(gaussian ~ x1 + x2 - 1, data = d, control = control))
save("gaussian-offset-weights",
     glm(gaussian ~ x1 + x2 + offset(log(exposure)), data = d, weights = ifelse(w == 0, 0.25, w), control = control))
save("gaussian-offset-no-intercept", glm(gaussian ~ x1 + x2 - 1 + offset(log(exposure)), data = d, control = control))
save("logit", glm(binary ~ x1 + x2, binomial, d, control = control))
save("probit", glm(binary ~ x1 + x2, binomial("probit"), d, control = control))
save("poisson-offset", glm(count ~ x1 + x2 + offset(log(exposure)), poisson, d, control = control))
save("poisson-offset-weights",
     glm(count ~ x1 + x2 + offset(log(exposure)), poisson, d, weights = w, control = control))
save("gamma", glm(positive ~ x1 + x2, Gamma("log"), d, control = control))
save("gamma-weights", glm(positive ~ x1 + x2, Gamma("log"), d, weights = w, control = control))
save("negative-binomial", glm(over ~ x1 + x2, negative.binomial(1.5), d, control = control))
# summary() estimates a dispersion for a family it does not know; theta is given here and the dispersion is 1.
{
  fit <- glm(over ~ x1 + x2, negative.binomial(1.5), d, control = control)
  save("negative-binomial", fit, summary(fit, dispersion = 1)$cov.scaled)
}
for (case in list(
  list("gaussian", glm(gaussian ~ x1 + x2, data = d, control = control)),
  list("probit", glm(binary ~ x1 + x2, binomial("probit"), d, control = control)),
  list("poisson-offset", glm(count ~ x1 + x2 + offset(log(exposure)), poisson, d, control = control)),
  list("gamma", glm(positive ~ x1 + x2, Gamma("log"), d, control = control)))) {
  fit <- case[[2]]
  save(paste0(case[[1]], "-hc0"), fit, sandwich(fit))
  save(paste0(case[[1]], "-hc1"), fit, sandwich(fit, adjust = TRUE))
  save(paste0(case[[1]], "-site"), fit, vcovCL(fit, cluster = d$site, type = "HC0"), df = 23)
}

# Differences between the sites: for the gaussian family the F test of all interactions; for the logit Rao's score test.
test <- function(name, values) write.table(data.frame(name = names(values), value = text(values)),
  file.path(out, paste0(name, ".heterogeneity.csv")), sep = ",", row.names = FALSE, quote = FALSE)
small <- subset(d, site >= 2)
a <- anova(lm(gaussian ~ x1 + x2, small), lm(gaussian ~ (x1 + x2) * factor(site), small))
test("gaussian", c(statistic = a$F[2], df = a$Df[2], df_residual = a$Res.Df[2], p_value = a$`Pr(>F)`[2]))
a <- anova(glm(count ~ x1 + x2 + offset(log(exposure)), poisson, small, control = control),
           glm(count ~ (x1 + x2) * factor(site) + offset(log(exposure)), poisson, small, control = control), test = "Rao")
test("poisson-offset", c(statistic = a$Rao[2], df = a$Df[2], df_residual = Inf, p_value = a$`Pr(>Chi)`[2]))

# The robust test by its definition (Boos 1992): the score of the model with all interactions, at the estimate of the model
# without; A its information and B the squared scores of its rows, both of 66 coefficients; L the contrasts that vanish where
# all sites share one set.
robust <- function(X, score, weight, site) {
  sites <- unique(site)
  M <- length(sites)
  p <- ncol(X)
  Z <- do.call(cbind, lapply(sites, function(m) X * (site == m)))
  A <- crossprod(Z * weight, Z)
  B <- crossprod(Z * score)
  U <- colSums(Z * score)
  L <- cbind(kronecker(rep(1, M - 1), diag(p)), -diag(p * (M - 1)))
  effect <- L %*% solve(A, U)
  statistic <- sum(effect * solve(L %*% solve(A, B) %*% solve(A, t(L)), effect))
  c(statistic = statistic, df = nrow(L), df_residual = Inf, p_value = pchisq(statistic, nrow(L), lower.tail = FALSE))
}
# Five rows or fewer leave the squared scores of three coefficients next to singular: larger sites only.
large <- subset(d, site >= 10)
fit <- lm(gaussian ~ x1 + x2, large)
test("gaussian-robust", robust(model.matrix(fit), residuals(fit), rep(1, nrow(large)), large$site))
fit <- glm(count ~ x1 + x2 + offset(log(exposure)), poisson, large, control = control)
test("poisson-offset-robust", robust(model.matrix(fit), large$count - fitted(fit), fitted(fit), large$site))

if (dir.exists(shared)) {
  for (colour in c("red", "white")) {
    wine <- read.csv2(file.path(shared, "wine-quality", paste0("winequality-", colour, ".csv")), dec = ".")
    save(paste0("wine-", colour), glm(quality ~ ., data = wine, control = control))
  }
  adult <- read.csv(gzfile(file.path(shared, "adult", "adult.csv.gz")), strip.white = TRUE)
  save("adult", glm((income == ">50K") ~ age + education_num + hours_per_week + log(1 + capital_gain) +
    log(1 + capital_loss) + factor(marital_status) + factor(sex) + factor(race), binomial, adult, control = control))
  nmes <- read.csv(file.path(shared, "nmes1988", "NMES1988.csv"))
  fit <- glm(visits ~ hospital + factor(health) + chronic + factor(gender) + school + factor(insurance), poisson, nmes,
             control = control)
  save("nmes", fit)
  save("nmes-hc0", fit, sandwich(fit))
}
