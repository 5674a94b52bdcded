# What glmnet says of ridge regression: the oracle of `ngd fit --ridge`.
#
#   Rscript oracles/ridge_oracle.R
#
# Needs R 4 with glmnet, and oracles/glm/synthetic.csv (glm_oracle.R). Writes oracles/ridge/NAME-LAMBDA.csv: term,estimate.
#
# ngd minimises -1/W sum w log-likelihood + LAMBDA/2 sum (s_j theta_j)^2 with W the sum of the weights and s_j the standard
# deviation of column j (divisor W), the intercept left out. glmnet with alpha = 0 and standardize = TRUE minimises the same for
# binomial and poisson. For gaussian it divides the response by its standard deviation first (by its root mean square where
# there is no intercept) and lambda with it, which matters to a squared penalty: lambda = LAMBDA times that number says the same.
suppressMessages(library(glmnet))
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "ridge")
dir.create(out, showWarnings = FALSE)
d <- read.csv(file.path(dirname(here), "glm", "synthetic.csv"))
x <- as.matrix(d[, c("x1", "x2")])
one <- rep(1, nrow(d))
deviation <- function(v, w) sqrt(sum(w * (v - sum(w * v) / sum(w))^2) / sum(w))
size <- function(v, w) sqrt(sum(w * v^2) / sum(w))

save <- function(name, y, family, weights = one, offset = 0 * one, intercept = TRUE) {
  for (penalty in c(0.01, 0.3, 5)) {
    unit <- if (family != "gaussian") 1 else if (intercept) deviation(y - offset, weights) else size(y - offset, weights)
    fit <- glmnet(x, y, family, weights, offset, alpha = 0, lambda = penalty * unit, standardize = TRUE,
                  intercept = intercept, thresh = 1e-22, maxit = 1e7)
    theta <- as.vector(coef(fit))
    terms <- c("(Intercept)", "x1", "x2")
    kept <- if (intercept) 1:3 else 2:3
    write.table(data.frame(term = terms[kept], estimate = sprintf("%.17g", theta[kept])),
                file.path(out, paste0(name, "-", penalty, ".csv")), sep = ",", row.names = FALSE, quote = c(1))
  }
}
weights <- ifelse(d$w == 0, 0.25, d$w)
save("gaussian", d$gaussian, "gaussian")
save("gaussian-weights", d$gaussian, "gaussian", weights)
save("gaussian-no-intercept", d$gaussian, "gaussian", intercept = FALSE)
save("logit", d$binary, "binomial")
save("logit-no-intercept", d$binary, "binomial", intercept = FALSE)
save("poisson-offset", d$count, "poisson", offset = log(d$exposure))
save("poisson-offset-weights", d$count, "poisson", d$w, log(d$exposure))
