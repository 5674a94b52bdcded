# What R says of outcomes weighted by the inverse probability of a treatment: the oracle of `ngd fit --treatment`.
#
#   Rscript oracles/ipw_oracle.R
#
# Needs R 4 with MASS, survival and survey. Writes the data, cut into four unequal hospitals (oracles/weighting/birthwt.csv, pbc.csv), and
# oracles/weighting/r.csv: case,what,term,value. Standard errors are from the stacked estimating equations of outcome, treatment and, where
# weights are stabilised, the share of the treated, differentiated numerically; svyglm gives the estimates once more.
suppressMessages({library(MASS); library(survival); library(survey)})
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
dir.create(file.path(here, "weighting"), showWarnings = FALSE)
cut4 <- function(n, seed) { set.seed(seed); sample(rep(c("h1", "h2", "h3", "h4"), times = round(n * c(0.1, 0.2, 0.3, 0.4)) + c(0, 0, 0, n - sum(round(n * c(0.1, 0.2, 0.3, 0.4)))))) }
birthwt <- MASS::birthwt
birthwt$race <- c("white", "black", "other")[birthwt$race]
birthwt$hospital <- cut4(nrow(birthwt), 1)
pbc <- subset(survival::pbc, !is.na(trt), c(trt, age, sex, bili, albumin, stage, ascites, protime))
pbc$sex <- as.character(pbc$sex)
pbc$hospital <- cut4(nrow(pbc), 2)
write.csv(birthwt, file.path(here, "weighting", "birthwt.csv"), row.names = FALSE, quote = FALSE)
write.csv(pbc, file.path(here, "weighting", "pbc.csv"), row.names = FALSE, quote = FALSE, na = "")

lines <- character()
put <- function(case, what, term, value) lines <<- c(lines, sprintf("%s,%s,%s,%.17g", case, what, term, value))
# The Jacobian by central differences with Richardson's extrapolation.
jacobian <- function(f, at) {
  sapply(seq_along(at), function(j) {
    h <- 1e-3 * max(1, abs(at[j])); e <- replace(numeric(length(at)), j, 1)
    d <- function(h) (f(at + h * e) - f(at - h * e)) / (2 * h)
    (64 * d(h / 4) - 20 * d(h / 2) + d(h)) / 45
  })
}
ipw <- function(case, outcome, treatment, family, data, estimand, stabilised = FALSE) {
  data <- data[complete.cases(data[, unique(c(all.vars(outcome), all.vars(treatment)))]), ]
  tight <- glm.control(epsilon = 1e-15, maxit = 200)
  ps <- glm(treatment, binomial, data, control = tight)
  a <- ps$y; Z <- model.matrix(ps); p <- fitted(ps); share <- mean(a)
  weigh <- function(p, share) {
    w <- switch(estimand, ate = a / p + (1 - a) / (1 - p), att = a + (1 - a) * p / (1 - p), atc = a * (1 - p) / p + (1 - a), overlap = a * (1 - p) + (1 - a) * p)
    if (stabilised) w * (a * share + (1 - a) * (1 - share)) else w
  }
  data$w <- weigh(p, share)
  fit <- suppressWarnings(glm(outcome, family, data, weights = w, control = tight, start = coef(glm(outcome, family, data))))
  check <- suppressWarnings(coef(svyglm(outcome, svydesign(~1, weights = ~w, data = data), family = family, control = list(epsilon = 1e-15, maxit = 200))))
  stopifnot(max(abs(check - coef(fit)) / sqrt(diag(vcov(fit)))) < 1e-5)
  X <- model.matrix(fit); y <- fit$y; k <- ncol(X); q <- ncol(Z)
  # One row a row of data, one column an equation.
  psi <- function(t) {
    beta <- t[1:k]; gamma <- t[k + 1:q]; share <- if (stabilised) t[k + q + 1] else share
    eta <- drop(X %*% beta); mu <- family$linkinv(eta); p <- plogis(drop(Z %*% gamma))
    u <- weigh(p, share) * (y - mu) * family$mu.eta(eta) / family$variance(mu) * X
    cbind(u, (a - p) * Z, if (stabilised) a - share)
  }
  at <- c(coef(fit), coef(ps), if (stabilised) share)
  A <- jacobian(function(t) colSums(psi(t)), at)
  # As sandwich() and svyglm(), the outcome's own block is the expected information.
  eta <- drop(X %*% coef(fit)); mu <- family$linkinv(eta)
  A[1:k, 1:k] <- -crossprod(X, data$w * family$mu.eta(eta)^2 / family$variance(mu) * X)
  scores <- psi(at)
  covariance <- function(B) { V <- solve(A) %*% B %*% t(solve(A)); V[1:k, 1:k, drop = FALSE] }
  V <- covariance(crossprod(scores))
  bySite <- rowsum(scores, data$hospital)
  S <- covariance(crossprod(bySite)) * nrow(bySite) / (nrow(bySite) - 1)
  for (j in 1:k) {
    put(case, "estimate", names(coef(fit))[j], coef(fit)[j])
    put(case, "se", names(coef(fit))[j], sqrt(V[j, j]))
    put(case, "clustered", names(coef(fit))[j], sqrt(S[j, j]))
    for (l in seq_len(j - 1)) put(case, "cov", paste(names(coef(fit))[c(j, l)], collapse = "*"), V[j, l])
  }
  for (j in 1:q) put(case, "treatment", colnames(Z)[j], coef(ps)[j])
  for (g in 0:1) put(case, "effective", c("others", "treated")[g + 1], sum(data$w[a == g])^2 / sum(data$w[a == g]^2))
  for (j in 2:q) {
    z <- Z[, j]; s1 <- var(z[a == 1]); s0 <- var(z[a == 0])
    sd <- sqrt(switch(estimand, ate = (s1 + s0) / 2, overlap = (s1 + s0) / 2, att = s1, atc = s0))
    put(case, "before", colnames(Z)[j], (mean(z[a == 1]) - mean(z[a == 0])) / sd)
    put(case, "after", colnames(Z)[j], (weighted.mean(z[a == 1], data$w[a == 1]) - weighted.mean(z[a == 0], data$w[a == 0])) / sd)
  }
}
smoking <- smoke ~ age + lwt + race + ht
ipw("birthwt-ate", bwt ~ smoke, smoking, gaussian(), birthwt, "ate")
ipw("birthwt-att", low ~ smoke + age, smoking, binomial(), birthwt, "att")
ipw("birthwt-stabilised", ftv ~ smoke + age, smoking, poisson(), birthwt, "ate", TRUE)
ipw("birthwt-overlap", bwt ~ smoke * ht, smoking, gaussian(), birthwt, "overlap")
drug <- trt == 2 ~ age + sex + log(bili) + factor(stage)
ipw("pbc-atc", albumin ~ factor(trt), drug, gaussian(), pbc, "atc")
ipw("pbc-gamma", protime ~ factor(trt) + age, drug, Gamma("log"), pbc, "ate", TRUE)
ipw("pbc-probit", ascites ~ factor(trt), drug, binomial("probit"), pbc, "att")
writeLines(c("case,what,term,value", lines), file.path(here, "weighting", "r.csv"))
