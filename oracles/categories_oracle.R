# What R says of responses with more than two categories: the oracle of the families multinomial and ordered.
#
#   Rscript oracles/categories_oracle.R
#
# Needs R 4 with MASS, nnet and ordinal. Writes the data with a column `hospital` (unequal sites) to oracles/categories/NAME.csv and
# what R says of them to r.csv: case,what,name,value. multinom() and polr() end their steps early: the estimates of the first are
# taken on by Newton steps from the score and its own Hessian, those of the second are ordinal::clm's, which must agree with polr's.
suppressMessages({library(MASS); library(nnet); library(ordinal)})
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "categories")
dir.create(out, showWarnings = FALSE)
options(digits = 17)

# Copenhagen housing: counts of householders by satisfaction, in 72 lines of weights.
h <- housing[, c("Sat", "Infl", "Type", "Cont", "Freq")]
h$hospital <- paste0("h", c(1, 1, 1, 2, 2, 3, 4)[seq_len(nrow(h)) %% 7 + 1])
# The bitterness of wine, 1 to 5.
w <- data.frame(rating = as.integer(as.character(wine$rating)), temp = as.character(wine$temp), contact = ifelse(wine$contact == "yes", "skin", "none"),
                judge = as.integer(as.character(wine$judge)))
w$hospital <- paste0("h", findInterval(w$judge, c(1, 4, 6, 8)))
# Births: race as 1, 2, 3, and weight in four classes, at two sites.
b <- data.frame(race = birthwt$race, age = birthwt$age, lwt = birthwt$lwt, smoke = birthwt$smoke, ptl = pmin(birthwt$ptl, 1))
b$weight <- as.character(cut(birthwt$bwt, c(0, 2300, 2900, 3500, Inf), labels = c("very low", "low", "middle", "high")))
b$o <- round(cos(seq_len(nrow(b))), 3)
b$w <- 1 + (seq_len(nrow(b)) %% 4) / 2
b$hospital <- ifelse(seq_len(nrow(b)) %% 5 < 3, "h1", "h2")
# Students: how often they exercise, text.
s <- na.omit(data.frame(exercise = as.character(survey$Exer), sex = as.character(survey$Sex), pulse = survey$Pulse, age = survey$Age,
                        smoke = ifelse(survey$Smoke == "Never", "never", "some")))
s$hospital <- paste0("h", c(1, 1, 2, 1, 3, 1, 2)[seq_len(nrow(s)) %% 7 + 1])
HOUSING <- h; WINE <- w; BIRTHS <- b; STUDENTS <- s
for (name in c("HOUSING", "WINE", "BIRTHS", "STUDENTS")) {
  write.csv(get(name), file.path(out, paste0(tolower(name), ".csv")), row.names = FALSE, quote = FALSE)
}

lines <- character()
say <- function(case, what, name, value) lines <<- c(lines, sprintf("%s,%s,%s,%.17g", case, what, gsub(",", ";", name), value))
table <- function(case, coef, vcov, deviance, edf) {
  for (j in seq_along(coef)) {
    say(case, "coef", names(coef)[j], coef[j])
    say(case, "se", names(coef)[j], sqrt(vcov[j, j]))
  }
  for (i in seq_along(coef)) for (j in seq_len(i - 1)) say(case, "vcov", paste(names(coef)[i], names(coef)[j]), vcov[i, j])
  say(case, "deviance", "value", deviance)
  say(case, "aic", "value", deviance + 2 * edf)
  say(case, "edf", "value", edf)
}
probabilities <- function(case, p, class) {
  for (i in seq_len(nrow(p))) for (k in colnames(p)) say(case, "prob", paste(i, k), p[i, k])
  for (i in seq_len(nrow(p))) say(case, "class", i, match(class[i], colnames(p)))
}
# Baseline-category logits.
baseline <- function(formula, data, weights = rep(1, nrow(data))) {
  environment(formula) <- environment()
  data$.w <- weights
  fit <- multinom(formula, data, weights = .w, Hess = TRUE, trace = FALSE, reltol = 1e-14, abstol = 1e-14, maxit = 2000)
  X <- model.matrix(fit); y <- model.response(model.frame(fit)); y <- if (is.factor(y)) y else factor(y)
  B <- coef(fit); K <- nlevels(y); Y <- outer(as.integer(y), 2:K, "==") * 1
  for (step in 1:6) {
    P <- exp(X %*% t(B)); P <- P / (1 + rowSums(P))
    score <- crossprod(X, weights * (Y - P)) # p x (K - 1)
    H <- matrix(0, length(B), length(B)); p <- ncol(X)
    for (k in 1:(K - 1)) for (l in 1:(K - 1)) {
      H[(k - 1) * p + 1:p, (l - 1) * p + 1:p] <- crossprod(X, weights * P[, k] * ((k == l) - P[, l]) * X)
    }
    B <- B + t(matrix(solve(H, as.vector(score)), p))
  }
  stopifnot(max(abs(B - coef(fit))) < 1e-3 * max(1, abs(B)), max(abs(score)) < 1e-7)
  coefs <- as.vector(t(B)); names(coefs) <- as.vector(t(outer(rownames(B), colnames(B), paste, sep = ":")))
  stopifnot(max(abs(sqrt(diag(solve(H))) / sqrt(diag(vcov(fit))) - 1)) < 1e-3)
  P <- cbind(1 - rowSums(P), P)
  list(fit = fit, coef = coefs, vcov = solve(H), deviance = -2 * sum(weights * log(P[cbind(seq_along(y), as.integer(y))])))
}
multinomial <- function(case, formula, data, weights = rep(1, nrow(data)), newdata = NULL) {
  found <- baseline(formula, data, weights)
  table(case, found$coef, found$vcov, found$deviance, length(found$coef))
  if (!is.null(newdata)) probabilities(case, predict(found$fit, newdata, type = "probs"), as.character(predict(found$fit, newdata, type = "class")))
  invisible(found)
}
# Cumulative links.
tight <- clm.control(gradTol = 1e-12, maxIter = 200L, convergence = "silent")
cumulative <- function(formula, data, link, weights = rep(1, nrow(data))) {
  environment(formula) <- environment()
  data$.w <- weights
  clm(formula, data = data, weights = .w, link = link, control = tight)
}
# The Hessian of polr is of finite differences, which are coarse where columns are far from standardised.
ordered_case <- function(case, formula, data, link = "logit", weights = rep(1, nrow(data)), newdata = NULL, tolerance = 1e-3) {
  fit <- cumulative(formula, data, link, weights)
  environment(formula) <- environment()
  data$.w <- weights
  old <- polr(formula, data, weights = .w, Hess = TRUE, method = sub("logit", "logistic", link), control = list(reltol = 1e-15, maxit = 2000))
  order <- c(names(fit$beta), names(fit$alpha))
  coefs <- c(fit$beta, fit$alpha); V <- vcov(fit)[order, order, drop = FALSE]
  stopifnot(max(abs(coefs - c(coef(old), old$zeta))) < 1e-3 * max(1, abs(coefs)), max(abs(sqrt(diag(V)) / sqrt(diag(vcov(old))) - 1)) < tolerance)
  table(case, coefs, V, -2 * as.numeric(logLik(fit)), length(coefs))
  say(case, "polr", "deviance", deviance(old))
  if (!is.null(newdata)) probabilities(case, predict(old, newdata, type = "probs"), as.character(predict(old, newdata, type = "class")))
  invisible(fit)
}
order4 <- c("very low", "low", "middle", "high")
HOUSING$Sat <- factor(as.character(HOUSING$Sat), levels = c("Low", "Medium", "High"), ordered = TRUE)
HOUSING$Infl <- factor(as.character(HOUSING$Infl)); HOUSING$Type <- factor(as.character(HOUSING$Type)); HOUSING$Cont <- factor(as.character(HOUSING$Cont))
new <- HOUSING[c(1, 20, 50, 70), ]
for (link in c("logit", "probit", "cloglog")) {
  ordered_case(paste0("housing-", link), Sat ~ Infl + Type + Cont, HOUSING, link, HOUSING$Freq, newdata = new)
}
HM <- HOUSING; HM$Sat <- factor(as.character(HM$Sat), levels = c("High", "Low", "Medium"))
multinomial("housing-multinomial", Sat ~ Infl + Type + Cont, HM, HM$Freq, newdata = new)
WINE$rating <- factor(WINE$rating, ordered = TRUE)
for (link in c("logit", "probit", "cloglog")) ordered_case(paste0("wine-", link), rating ~ temp + contact, WINE, link)
ordered_case("wine-interaction", rating ~ temp * contact, WINE)
BIRTHS$weight <- factor(BIRTHS$weight, levels = order4, ordered = TRUE)
births_new <- BIRTHS[c(3, 60, 120, 188), ]
ordered_case("births", weight ~ age + lwt + smoke + factor(race), BIRTHS, newdata = births_new, tolerance = 0.05)
ordered_case("births-weights", weight ~ age + lwt + smoke + offset(o), BIRTHS, "probit", BIRTHS$w, tolerance = 0.05)
ordered_case("births-spline", weight ~ splines::ns(age, knots = 23, Boundary.knots = c(14, 36)) + lwt, BIRTHS, tolerance = 0.05)
BIRTHS$race <- factor(BIRTHS$race)
multinomial("race", race ~ age + lwt + smoke, BIRTHS, newdata = births_new)
multinomial("race-weights", race ~ age + log(lwt) + factor(smoke), BIRTHS, BIRTHS$w)
multinomial("race-relevel", relevel(race, ref = "3") ~ age + smoke, BIRTHS)
multinomial("race-through", race ~ 0 + lwt + smoke, BIRTHS)
STUDENTS$exercise <- factor(STUDENTS$exercise)
multinomial("students", exercise ~ sex + pulse + age, STUDENTS, newdata = STUDENTS[c(1, 40, 100), ])
multinomial("students-order", factor(exercise, levels = c("None", "Some", "Freq")) ~ sex + pulse, STUDENTS)
ordered_case("students-ordered", exercise ~ sex + pulse + smoke, transform(STUDENTS, exercise = factor(exercise, levels = c("None", "Some", "Freq"), ordered = TRUE)), tolerance = 0.05)
# Terms one after the other, and equations tested together.
steps <- list(race ~ 1, race ~ age, race ~ age + lwt, race ~ age + lwt + smoke)
d <- sapply(steps, function(f) baseline(f, BIRTHS)$deviance)
for (i in 2:4) {
  say("race-anova", "chisq", c("age", "lwt", "smoke")[i - 1], d[i - 1] - d[i])
  say("race-anova", "p", c("age", "lwt", "smoke")[i - 1], pchisq(d[i - 1] - d[i], 2, lower.tail = FALSE))
}
say("race-anova", "null", "value", d[1])
steps <- list(weight ~ 1, weight ~ age, weight ~ age + factor(race), weight ~ age + factor(race) + lwt)
d <- sapply(steps, function(f) -2 * as.numeric(logLik(cumulative(f, BIRTHS, "logit"))))
for (i in 2:4) {
  say("births-anova", "chisq", c("age", "factor(race)", "lwt")[i - 1], d[i - 1] - d[i])
  say("births-anova", "p", c("age", "factor(race)", "lwt")[i - 1], pchisq(d[i - 1] - d[i], c(1, 2, 1)[i - 1], lower.tail = FALSE))
}
say("births-anova", "null", "value", d[1])
full <- baseline(race ~ age + lwt + smoke, BIRTHS)
b2 <- full$coef[c("2:age", "3:age")]; V2 <- full$vcov; dimnames(V2) <- list(names(full$coef), names(full$coef))
say("race-test", "wald", "value", t(b2) %*% solve(V2[names(b2), names(b2)], b2))
say("race-test", "lr", "value", baseline(race ~ lwt + smoke, BIRTHS)$deviance - full$deviance)
fit <- cumulative(weight ~ age + lwt, BIRTHS, "logit")
same <- cumulative(weight ~ I(age + lwt), BIRTHS, "logit")
L <- c(age = 1, lwt = -1); V <- vcov(fit)[names(L), names(L)]
say("births-test", "wald", "value", sum(L * fit$beta)^2 / as.numeric(t(L) %*% V %*% L))
say("births-test", "lr", "value", 2 * as.numeric(logLik(fit) - logLik(same)))
writeLines(c("case,what,name,value", lines), file.path(out, "r.csv"))
