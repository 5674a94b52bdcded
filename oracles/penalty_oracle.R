# What glmnet says of penalised regression: the oracle of `ngd fit --penalty`.
#
#   Rscript oracles/penalty_oracle.R
#
# Needs R 4 with glmnet, MASS and survival. Writes to oracles/penalty:
#   NAME.csv        the data with the site of each row, which R has (MASS::Boston, birthwt, quine; survival::pbc)
#   CASE.path.csv   lambda,df,dev_ratio of every lambda of glmnet's own sequence
#   CASE.coef.csv   lambda,term,estimate,scale at some of them; scale is the standard error of the estimate without a penalty
#   CASE.cv.csv     lambda,mean,error of cv.glmnet with the folds of NAME.folds.csv, an input that FoldsTest holds
#
# For "gaussian" glmnet divides the response by its standard deviation, which matters to a squared penalty; family = gaussian()
# does not, and minimises what its documentation says, as ngd does. So elastic nets of least squares are compared with that.
suppressMessages({ library(glmnet); library(MASS); library(survival) })
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "penalty")
dir.create(out, showWarnings = FALSE)
file <- function(...) file.path(out, paste0(...))
num <- function(v) sprintf("%.17g", v)
save <- function(frame, name) write.table(frame, file(name), sep = ",", row.names = FALSE, quote = FALSE)

# Unequal sites: rows in their order, cut at these shares.
sited <- function(d, shares, name) {
  cut <- cumsum(shares) / sum(shares) * nrow(d)
  d$hospital <- paste0("h", 1 + findInterval(seq_len(nrow(d)) - 0.5, cut))
  save(d, paste0(name, ".csv"))
  d
}
shuffled <- function(d) d[order((seq_len(nrow(d)) * 7919) %% 104729 %% nrow(d), seq_len(nrow(d))), ]
boston <- sited(shuffled(MASS::Boston), c(5, 3, 2, 1), "boston")
birth <- MASS::birthwt
birth$race <- c("white", "black", "other")[birth$race]
birth <- sited(shuffled(birth[, c("low", "age", "lwt", "race", "smoke", "ptl", "ht", "ui", "ftv")]), c(4, 3, 2), "birthwt")
quine <- sited(shuffled(MASS::quine), c(3, 2, 1), "quine")
p <- survival::pbc[1:312, c("time", "status", "trt", "age", "sex", "bili", "albumin", "protime", "edema", "ast", "stage")]
p$status <- as.integer(p$status == 2)
p$sex <- as.character(p$sex)
p <- p[complete.cases(p), ]
pbc <- sited(shuffled(p), c(4, 3, 2), "pbc")

# Families that are objects end where the objective changes by less than epsnr.
glmnet.control(epsnr = 1e-17, mxitnr = 200)
tight <- list(thresh = 1e-20, maxit = 1e7)
deviation <- function(v) sqrt(mean((v - mean(v))^2))

# One case: glmnet's own path, coefficients at every tenth of it, and cross-validation on the whole path.
case <- function(name, formula, data, family, alpha, plain, factors = NULL, cv = NULL, ...) {
  x <- model.matrix(formula, data)[, -1, drop = FALSE]
  y <- plain$y
  weight <- if (is.null(plain$weight)) rep(1, nrow(x)) else plain$weight
  more <- list(...)
  if (is.null(factors)) factors <- rep(1, ncol(x))
  fit <- function(lambda = NULL, tol = tight, rows = seq_len(nrow(x))) {
    arguments <- c(list(x = x[rows, ], y = if (is.Surv(y)) y[rows] else y[rows], family = family, alpha = alpha, weights = weight[rows],
                        penalty.factor = factors, standardize = TRUE), tol)
    if (!is.null(lambda)) arguments$lambda <- lambda
    if (!is.null(plain$offset)) arguments$offset <- plain$offset[rows]
    do.call(glmnet, arguments)
  }
  own <- fit()
  save(data.frame(lambda = num(own$lambda), df = own$df, dev_ratio = num(own$dev.ratio)), paste0(name, ".path.csv"))
  b <- as.matrix(coef(own))
  some <- unique(c(seq(2, length(own$lambda), by = 10), length(own$lambda)))
  terms <- rownames(b)
  save(data.frame(lambda = num(rep(own$lambda[some], each = nrow(b))), term = rep(terms, length(some)),
                  estimate = num(as.vector(b[, some])), scale = num(rep(plain$se[terms], length(some)))),
       paste0(name, ".coef.csv"))
  folds <- file(cv, ".folds.csv")
  if (!is.null(cv) && file.exists(folds)) {
    id <- read.csv(folds)$fold + 1
    arguments <- c(list(x = x, y = y, family = family, alpha = alpha, weights = weight, lambda = own$lambda, foldid = id,
                        penalty.factor = factors), tight)
    if (!is.null(plain$offset)) arguments$offset <- plain$offset
    found <- do.call(cv.glmnet, arguments)
    save(data.frame(lambda = num(found$lambda), mean = num(found$cvm), error = num(found$cvsd),
                    min = as.integer(found$lambda == found$lambda.min), simplest = as.integer(found$lambda == found$lambda.1se)),
         paste0(name, ".cv.csv"))
  }
}
se <- function(fit) sqrt(diag(vcov(fit)))

f <- medv ~ crim + zn + indus + chas + nox + rm + age + dis + rad + tax + ptratio + black + lstat
least <- lm(f, boston)
gaussian.plain <- list(y = boston$medv, se = se(least))
case("boston-lasso", f, boston, "gaussian", 1, gaussian.plain, cv = "boston")
case("boston-net", f, boston, gaussian(), 0.5, gaussian.plain)
case("boston-ridge", f, boston, gaussian(), 0, gaussian.plain)
x <- model.matrix(f, boston)[, -1]
case("boston-adaptive", f, boston, "gaussian", 1, gaussian.plain,
     factors = 1 / (apply(x, 2, deviation) * abs(coef(least)[-1])))
case("boston-gamma", f, boston, Gamma(link = "log"), 0.7, list(y = boston$medv, se = se(glm(f, Gamma(link = "log"), boston))))
case("boston-weights", f, boston, "gaussian", 1,
     list(y = boston$medv, se = se(lm(f, boston, weights = age)), weight = boston$age))

f <- low ~ age + lwt + race + smoke + ptl + ht + ui + ftv
logit <- list(y = birth$low, se = se(glm(f, binomial, birth)))
case("birthwt-lasso", f, birth, "binomial", 1, logit, cv = "birthwt")
case("birthwt-net", f, birth, "binomial", 0.3, logit, cv = "birthwt")
case("birthwt-ridge", f, birth, "binomial", 0, logit)
case("birthwt-probit", f, birth, binomial(link = "probit"), 0.5, list(y = birth$low, se = se(glm(f, binomial("probit"), birth))))

f <- Days ~ Eth * Sex + Age + Lrn
case("quine-net", f, quine, "poisson", 0.5, list(y = quine$Days, se = se(glm(f, poisson, quine))), cv = "quine")

# Risk sets within sites, Breslow's ties. glmnet's steps for strata use the diagonal of the Hessian and end far from their limit;
# so from there Newton's method, with the score and information of survival::coxph, finds where the conditions of the least hold.
# Deviances are -2 log partial likelihoods; glmnet's rules for the end of a path are applied to these.
x <- model.matrix(~ trt + age + sex + bili + albumin + protime + edema + ast + stage, pbc)[, -1]
surv <- Surv(pbc$time, pbc$status)
n <- nrow(x)
s <- apply(x, 2, deviation)
cox <- function(b, columns) coxph(surv ~ x[, columns, drop = FALSE] + strata(pbc$hospital), ties = "breslow", init = b[columns],
                                  control = coxph.control(iter.max = 0))
slope <- function(b) -colSums(residuals(cox(b, seq_along(b)), "score")) / n
polished <- function(b, lambda, alpha) {
  on <- which(b != 0)
  if (length(on) == 0) return(list(b = b, ll = cox(b, 1)$loglik[1]))
  signs <- sign(b[on])
  for (step in 1:12) {
    f <- cox(b, on)
    score <- if (length(on) == 1) sum(residuals(f, "score")) else colSums(residuals(f, "score"))
    g <- -score / n + lambda * (alpha * s[on] * signs + (1 - alpha) * s[on]^2 * b[on])
    h <- solve(f$var) / n + diag(lambda * (1 - alpha) * s[on]^2, length(on))
    move <- solve(h, g)
    b[on] <- b[on] - move
  }
  # A coefficient that would change its sign is 0.
  if (any(sign(b[on]) != signs)) { b[on][sign(b[on]) != signs] <- 0; return(polished(b, lambda, alpha)) }
  # One that is 0 where the penalty does not hold its slope is not 0.
  over <- abs(slope(b)) / (lambda * alpha * s) * (b == 0)
  worst <- which.max(over)
  if (over[worst] > 1 + 1e-6) { b[worst] <- -sign(slope(b)[worst]) * 1e-6 / s[worst]; return(polished(b, lambda, alpha)) }
  list(b = b, ll = cox(b, on)$loglik[1])
}
glmnet.control(factory = TRUE)
plain <- coxph(surv ~ x + strata(pbc$hospital), ties = "breslow")
hazards <- function(name, alpha) {
  own <- glmnet(x, stratifySurv(surv, as.integer(factor(pbc$hospital))), family = "cox", alpha = alpha, thresh = 1e-9)
  path <- lapply(seq_along(own$lambda), function(k) {
    b <- coef(own)[, k]
    b[abs(b) * s < 1e-5] <- 0
    polished(b, own$lambda[k], alpha)
  })
  ratio <- 1 - sapply(path, function(one) one$ll) / plain$loglik[1]
  end <- which(sapply(seq_along(ratio), function(k) k >= 5 && ratio[k] - ratio[max(1, k - 4)] < 1e-3 * ratio[k]))
  last <- if (length(end) > 0) end[1] else length(ratio)
  b <- sapply(path, function(one) one$b)
  save(data.frame(lambda = num(own$lambda), df = colSums(b != 0), dev_ratio = num(ratio))[1:last, ], paste0(name, ".path.csv"))
  some <- unique(c(seq(2, last, by = 10), last))
  save(data.frame(lambda = num(rep(own$lambda[some], each = nrow(b))), term = rep(colnames(x), length(some)),
                  estimate = num(as.vector(b[, some])), scale = num(rep(se(plain), length(some)))), paste0(name, ".coef.csv"))
}
hazards("pbc-lasso", 1)
hazards("pbc-net", 0.5)
