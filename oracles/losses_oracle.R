# Pooled estimates by losses that are no likelihoods, in losses/r.csv, with the data they are fitted to (losses/stackloss.csv).
# Huber: MASS::rlm at the scale it comes to, so that DELTA = k * scale, and sandwich::sandwich of it. Smoothed quantiles: the
# definition of losses/README.md minimised by nlm and Newton's steps, with the sandwich written out.
suppressMessages({library(MASS); library(sandwich)})
options(digits = 17)
rows <- data.frame()
add <- function(data, words, formula, term, estimate, error)
  rows <<- rbind(rows, data.frame(data, words, formula, term, estimate = sprintf("%.17g", estimate), std_error = sprintf("%.17g", error)))

linear <- read.csv("methods/linear.csv")
stack <- cbind(client = rep(0:2, each = 7), stackloss)
names(stack) <- c("client", "air", "water", "acid", "loss")
write.csv(stack, "losses/stackloss.csv", row.names = FALSE, quote = FALSE)
cases <- list(list("linear", linear, y ~ x1 + x2 + x3), list("stackloss", stack, loss ~ air + water + acid))

for (case in cases) for (k in c(1.345, 0.7)) {
  m <- rlm(case[[3]], data = case[[2]], psi = psi.huber, k = k, acc = 1e-15, maxit = 5000)
  v <- sandwich(m)
  delta <- k * m$s
  # rlm stops at its own tolerance: the last digits by Newton's steps on its own equation at its own scale
  x <- model.matrix(m); y <- model.response(model.frame(m)); b <- coef(m)
  for (i in 1:20) {
    r <- drop(y - x %*% b)
    b <- b + solve(crossprod(x * (abs(r) <= delta), x), crossprod(x, pmax(-delta, pmin(delta, r))))[, 1]
  }
  stopifnot(max(abs(b - coef(m))) < 1e-6)
  r <- drop(y - x %*% b)
  bread <- solve(crossprod(x * (abs(r) <= delta), x))
  v2 <- bread %*% crossprod(x * pmax(-delta, pmin(delta, r))) %*% bread
  cat(case[[1]], k, "rlm moved", max(abs(b - coef(m))), "sandwich off", max(abs(sqrt(diag(v)) / sqrt(diag(v2)) - 1)), "\n")
  add(case[[1]], sprintf("huber:%.17g", delta), deparse(case[[3]]), names(b), b, sqrt(diag(v2)))
}

for (case in cases) for (q in list(c(0.5, 0.6), c(0.25, 0.8), c(0.8, 1.1))) {
  tau <- q[1]; h <- q[2] * if (case[[1]] == "stackloss") 3 else 1
  x <- model.matrix(case[[3]], case[[2]]); y <- model.response(model.frame(case[[3]], case[[2]]))
  value <- function(b) {u <- drop(y - x %*% b); sum(ifelse(abs(u) <= h, u^2 / (4 * h) + h / 4 + (tau - 0.5) * u, u * (tau - (u < 0))))}
  score <- function(u) -ifelse(abs(u) <= h, u / (2 * h) + tau - 0.5, tau - (u < 0))
  b <- nlm(value, coef(lm.fit(x, y)), gradtol = 1e-10, iterlim = 10000, stepmax = 10)$estimate
  for (i in 1:50) {
    u <- drop(y - x %*% b)
    b <- b - solve(crossprod(x * ((abs(u) <= h) / (2 * h)), x), crossprod(x, score(u)))[, 1]
  }
  u <- drop(y - x %*% b)
  stopifnot(max(abs(crossprod(x, score(u)))) < 1e-10)
  bread <- solve(crossprod(x * ((abs(u) <= h) / (2 * h)), x))
  v <- bread %*% crossprod(x * score(u)) %*% bread
  add(case[[1]], sprintf("quantile:%g:%g", tau, h), deparse(case[[3]]), colnames(x), b, sqrt(diag(v)))
}
write.csv(rows, "losses/r.csv", row.names = FALSE, quote = FALSE)
