# What glmnet says of penalised regression: the oracle of `ngd fit --penalty`.
#
#   Rscript oracles/penalty_oracle.R
#
# Needs R 4 with glmnet, MASS, nnet and survival. Writes to oracles/penalty:
#   NAME.csv        the data with the site of each row, which R has (MASS::Boston, birthwt, quine, housing, fgl; survival::pbc, lung)
#   CASE.path.csv   lambda,df,dev_ratio of every lambda of glmnet's own sequence
#   CASE.coef.csv   lambda,term,estimate,scale at some of them; scale is the standard error of the estimate without a penalty
#   CASE.predicted.csv lambda,link,response of the first 40 rows, as predict.glmnet has them
#   CASE.shares.csv lambda and the probability of each class of every row, in the order of the classes
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
  k <- some[3]
  at <- function(type) num(as.vector(predict(own, x[1:40, ], s = own$lambda[k], type = type)))
  save(data.frame(lambda = num(own$lambda[k]), link = at("link"), response = at("response")), paste0(name, ".predicted.csv"))
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

seizures <- sited(shuffled(MASS::epil[, c("y", "trt", "base", "age", "V4", "period")]), c(4, 3, 2, 1), "epil")
f <- y ~ trt * base + age + V4 + period
case("epil-lasso", f, seizures, "poisson", 1, list(y = seizures$y, se = se(glm(f, poisson, seizures))))
f <- albumin ~ trt + age + sex + bili + protime + edema + ast + stage
case("pbc-gamma", f, pbc, Gamma(link = "log"), 0.5, list(y = pbc$albumin, se = se(glm(f, Gamma(link = "log"), pbc))))
f <- status ~ trt + age + sex + bili + albumin + protime + edema + ast + stage
case("pbc-probit", f, pbc, binomial(link = "probit"), 0.4, list(y = pbc$status, se = se(glm(f, binomial("probit"), pbc))))
case("pbc-ridge", f, pbc, "binomial", 0, list(y = pbc$status, se = se(glm(f, binomial, pbc))))

# Responses of several classes: coefficients of every class. The scale of a coefficient is 2 / (s sqrt(sum of weights)), below the
# standard error that it could have without a penalty.
classes <- function(name, formula, data, alpha, ratio, cv = NULL, weight = rep(1, nrow(data)), factors = NULL) {
  x <- model.matrix(formula, data)[, -1, drop = FALSE]
  y <- factor(data[[all.vars(formula)[1]]])
  if (is.null(factors)) factors <- rep(1, ncol(x))
  own <- glmnet(x, y, family = "multinomial", alpha = alpha, weights = weight, lambda.min.ratio = ratio, thresh = 1e-20, maxit = 1e7,
                penalty.factor = factors)
  save(data.frame(lambda = num(own$lambda), df = own$df, dev_ratio = num(own$dev.ratio)), paste0(name, ".path.csv"))
  some <- unique(c(seq(2, length(own$lambda), by = 10), length(own$lambda)))
  centre <- colSums(weight * x) / sum(weight)
  scales <- 2 / sqrt(colSums(weight * sweep(x, 2, centre)^2))
  # An intercept is of rows at 0, as far away as the means of the columns are.
  scales <- c(2 / sqrt(sum(weight)) + sum(abs(centre) * scales), scales)
  frame <- NULL
  for (k in some) for (level in levels(y)) {
    b <- as.matrix(coef(own)[[level]])[, k]
    frame <- rbind(frame, data.frame(lambda = num(own$lambda[k]),
                                     term = paste0(level, ":", c("(Intercept)", colnames(x))), estimate = num(b), scale = num(scales)))
  }
  save(frame, paste0(name, ".coef.csv"))
  if (!is.null(cv)) {
    shares <- predict(own, x, s = own$lambda[some[3]], type = "response")[, , 1]
    save(data.frame(lambda = num(own$lambda[some[3]]), apply(shares, 2, num)), paste0(name, ".shares.csv"))
    id <- read.csv(file(cv, ".folds.csv"))$fold + 1
    found <- cv.glmnet(x, y, family = "multinomial", alpha = alpha, weights = weight, lambda = own$lambda, foldid = id,
                       thresh = 1e-20, maxit = 1e7)
    save(data.frame(lambda = num(found$lambda), mean = num(found$cvm), error = num(found$cvsd),
                    min = as.integer(found$lambda == found$lambda.min), simplest = as.integer(found$lambda == found$lambda.1se)),
         paste0(name, ".cv.csv"))
  }
}
house <- MASS::housing
for (column in c("Sat", "Infl", "Type", "Cont")) house[[column]] <- as.character(house[[column]])
house <- sited(shuffled(house), c(3, 2, 1), "housing")
glass <- MASS::fgl
glass$type <- as.character(glass$type)
glass <- sited(shuffled(glass), c(5, 3, 2), "fgl")
f <- Sat ~ Infl + Type + Cont
classes("housing-lasso", f, house, 1, 1e-4, weight = house$Freq)
classes("housing-net", f, house, 0.5, 1e-4, weight = house$Freq, cv = "housing")
x <- model.matrix(f, house)[, -1]
whole <- nnet::multinom(f, house, weights = Freq, trace = FALSE, reltol = 1e-15, maxit = 1000)
# nnet ends where its loss changes little; three Newton steps from there.
b <- t(coef(whole))
wide <- cbind(1, x)
for (step in 1:3) {
  shares <- exp(cbind(0, wide %*% b))
  shares <- shares / rowSums(shares)
  seen <- outer(house$Sat, sort(unique(house$Sat)), "==")
  slope <- t(wide) %*% (house$Freq * (seen - shares))[, -1]
  bend <- matrix(0, length(b), length(b))
  for (k in 2:3) for (l in 2:3) {
    bend[(k - 2) * ncol(wide) + seq_len(ncol(wide)), (l - 2) * ncol(wide) + seq_len(ncol(wide))] <-
      t(wide) %*% (house$Freq * shares[, k] * ((k == l) - shares[, l]) * wide)
  }
  b <- b + matrix(solve(bend, as.vector(slope)), nrow(b))
}
b <- rbind(0, t(b)[, -1])
shifted <- sweep(b, 2, colMeans(b))
centre <- colSums(house$Freq * x) / sum(house$Freq)
s <- sqrt(colSums(house$Freq * sweep(x, 2, centre)^2) / sum(house$Freq))
classes("housing-adaptive", f, house, 1, 1e-4, weight = house$Freq, factors = 1 / (s * sqrt(colSums(shifted^2))))
f <- type ~ RI + Na + Mg + Al + Si + K + Ca + Ba + Fe
classes("fgl-lasso", f, glass, 1, 0.05, cv = "fgl")
classes("fgl-ridge", f, glass, 0, 0.05)

# Cox models. glmnet's steps for strata use the diagonal of the Hessian and end far from their limit, and it has no Efron ties; so
# here an active-set method, with Newton's steps by the score and information of survival::coxph, finds where the conditions of the
# least hold. On common risk sets under Breslow's ties glmnet's own path is beside it. Deviances are -2 log partial likelihoods;
# glmnet's rules for the end of a path are applied to these.
cox.of <- function(x, surv, strata, ties) {
  n <- nrow(x)
  s <- apply(x, 2, deviation)
  at <- function(b, columns) coxph(surv ~ x[, columns, drop = FALSE] + strata(strata), ties = ties, init = b[columns],
                                   control = coxph.control(iter.max = 0))
  score <- function(fit, columns) {
    r <- residuals(fit, "score")
    if (length(columns) == 1) sum(r) else colSums(r)
  }
  slope <- function(b) -score(at(b, seq_along(b)), seq_along(b)) / n
  polished <- function(b, lambda, alpha) {
    on <- which(b != 0)
    if (length(on) > 0) {
      signs <- sign(b[on])
      for (step in 1:30) {
        f <- at(b, on)
        g <- -score(f, on) / n + lambda * (alpha * s[on] * signs + (1 - alpha) * s[on]^2 * b[on])
        h <- solve(f$var) / n + diag(lambda * (1 - alpha) * s[on]^2, length(on))
        move <- solve(h, g)
        b[on] <- b[on] - move
        if (max(abs(move) * s[on]) < 1e-13) break
      }
      # A coefficient that would change its sign is 0.
      if (any(sign(b[on]) != signs)) { b[on][sign(b[on]) != signs] <- 0; return(polished(b, lambda, alpha)) }
    }
    # One that is 0 where the penalty does not hold its slope is not 0.
    over <- abs(slope(b)) / (lambda * alpha * s) * (b == 0)
    worst <- which.max(over)
    if (over[worst] > 1 + 1e-9) { b[worst] <- -sign(slope(b)[worst]) * 1e-9 / s[worst]; return(polished(b, lambda, alpha)) }
    b
  }
  list(n = n, path = function(lambda, alpha) {
    b <- setNames(rep(0, ncol(x)), colnames(x))
    sapply(lambda, function(one) b <<- polished(b, one, alpha))
  }, loglik = function(b) at(b, seq_along(b))$loglik[1], largest = function(alpha) max(abs(slope(rep(0, ncol(x)))) / s) / alpha)
}
hazards <- function(name, alpha, x, surv, strata, ties, foldid = NULL) {
  all <- cox.of(x, surv, strata, ties)
  lambda <- all$largest(alpha) * 1e-4^((0:99) / 99)
  plain <- coxph(surv ~ x + strata(strata), ties = ties)
  # The path ends where glmnet's would.
  b <- all$path(lambda, alpha)
  ratio <- 1 - apply(b, 2, all$loglik) / plain$loglik[1]
  end <- which(sapply(seq_along(ratio), function(k) k >= 5 && ratio[k] - ratio[max(1, k - 4)] < 1e-3 * ratio[k]))
  last <- if (length(end) > 0) end[1] else length(ratio)
  lambda <- lambda[1:last]
  b <- b[, 1:last]
  if (ties == "breslow" && length(unique(strata)) == 1) {
    # glmnet 4.1 takes rows that are censored at the time of an event out of its risk set where times are large; here they end later.
    after <- Surv(surv[, 1] + 1e-3 * (1 - surv[, 2]), surv[, 2])
    own <- glmnet(x, after, family = "cox", alpha = alpha, lambda = lambda, thresh = 1e-14, maxit = 1e6)
    stopifnot(max(abs(as.matrix(coef(own)) - b) / se(plain)) < 1e-5)
    k <- 22
    link <- as.vector(predict(own, x[1:40, ], s = lambda[k], type = "link"))
    save(data.frame(lambda = num(lambda[k]), link = num(link), response = num(exp(link))), paste0(name, ".predicted.csv"))
  }
  save(data.frame(lambda = num(lambda), df = colSums(b != 0), dev_ratio = num(ratio[1:last])), paste0(name, ".path.csv"))
  some <- unique(c(seq(2, last, by = 10), last))
  save(data.frame(lambda = num(rep(lambda[some], each = nrow(b))), term = rep(colnames(x), length(some)),
                  estimate = num(as.vector(b[, some])), scale = num(rep(se(plain), length(some)))), paste0(name, ".coef.csv"))
  if (is.null(foldid)) return(invisible())
  # As cv.glmnet with grouped = TRUE: what a fold adds to the deviance of the others, for each event in it.
  event <- surv[, ncol(surv)]
  weight <- tapply(event, foldid, sum)
  raw <- t(sapply(sort(unique(foldid)), function(k) {
    rest <- foldid != k
    without <- cox.of(x[rest, ], surv[rest], strata[rest], ties)
    apply(without$path(lambda, alpha), 2, function(b) -2 * (all$loglik(b) - without$loglik(b))) / weight[[as.character(k)]]
  }))
  mean <- apply(raw, 2, weighted.mean, w = weight)
  error <- sqrt(apply(sweep(raw, 2, mean)^2, 2, weighted.mean, w = weight) / (nrow(raw) - 1))
  least <- which.min(mean)
  simplest <- which(mean <= mean[least] + error[least])[1]
  save(data.frame(lambda = num(lambda), mean = num(mean), error = num(error), min = as.integer(seq_along(mean) == least),
                  simplest = as.integer(seq_along(mean) == simplest)), paste0(name, ".cv.csv"))
}
folds <- function(name) read.csv(file(name, ".folds.csv"))$fold
gridded <- function(time, times) times[findInterval(time, times, left.open = TRUE) + 1]
x <- model.matrix(~ trt + age + sex + bili + albumin + protime + edema + ast + stage, pbc)[, -1]
surv <- Surv(pbc$time, pbc$status)
hazards("pbc-lasso", 1, x, surv, pbc$hospital, "breslow", folds("pbc"))
hazards("pbc-net", 0.5, x, surv, pbc$hospital, "breslow")
surv <- Surv(gridded(pbc$time, seq(400, 4800, by = 400)), pbc$status)
hazards("pbc-grid", 1, x, surv, rep(1, nrow(x)), "breslow", folds("pbc"))
hazards("pbc-efron", 0.5, x, surv, rep(1, nrow(x)), "efron")
d <- survival::lung[, c("time", "status", "age", "sex", "ph.ecog", "ph.karno", "pat.karno", "wt.loss")]
d <- d[complete.cases(d), ]
names(d) <- sub(".", "_", names(d), fixed = TRUE)
d$status <- d$status - 1
lung <- sited(shuffled(d), c(4, 3, 2), "lung")
x <- model.matrix(~ age + sex + ph_ecog + ph_karno + pat_karno + wt_loss, lung)[, -1]
surv <- Surv(gridded(lung$time, seq(100, 1100, by = 100)), lung$status)
hazards("lung-grid", 0.7, x, surv, rep(1, nrow(x)), "efron", folds("lung"))
hazards("lung-lasso", 1, x, Surv(lung$time, lung$status), lung$hospital, "efron", folds("lung"))
