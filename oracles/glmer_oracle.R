# What R's lme4 says: the oracle of generalised linear mixed models.
#
#   Rscript oracles/glmer_oracle.R
#
# Needs R 4 with lme4, MASS and numDeriv. Writes the data with a column `hospital` (unequal sites) to oracles/glmer/NAME.csv and what glmer says
# of them to glmer.csv: case,what,name,value. Groups of two sites that have one name are made two here, by pasting the site's name.
#
# glmer's derivative-free steps end early, and its deviance function knows the modes of random effects, and with them Laplace's determinant, to some seven digits only. So glmer is fitted
# with tight limits, and the deviance is minimised on from there by Newton's method with numDeriv's derivatives: with nAGQ > 1 glmer's own deviance function (devFunOnly = TRUE), which hardly depends on the
# modes; Laplace's as written out below, its modes found to the last digit, which must be glmer's to 1e-5. Standard errors are of numDeriv's Hessian of that function, which vcov(use.hessian = TRUE), the default, takes by simple
# differences. With nAGQ > 1 glmer's deviance lacks the saturated model's log-likelihood, which is added here, so that all criteria are minus twice log-likelihoods.
suppressMessages({library(lme4); library(MASS); library(numDeriv)})
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "glmer")
dir.create(out, showWarnings = FALSE)
options(digits = 17)

# cbpp: cases of pleuropneumonia among the animals of 15 herds, in four periods; sites of 6, 4, 3 and 2 herds, numbered from 1 in each.
data(cbpp, package = "lme4")
k <- as.integer(cbpp$herd)
site <- findInterval(k, c(1, 7, 11, 14))
CBPP <- data.frame(incidence = cbpp$incidence, well = cbpp$size - cbpp$incidence, period = paste0("p", cbpp$period), herd = k - c(0, 6, 10, 13)[site],
                   obs = seq_len(nrow(cbpp)), hospital = paste0("h", site))
# bacteria: presence of H. influenzae in 50 children over weeks.
k <- as.integer(factor(as.character(bacteria$ID)))
BACTERIA <- data.frame(y = as.integer(bacteria$y == "y"), trt = as.character(bacteria$trt), week = bacteria$week, child = as.character(bacteria$ID),
                       hospital = paste0("h", findInterval(k, c(1, 22, 35, 44))))
# epil: seizure counts of 59 patients in four periods.
EPIL <- data.frame(y = epil$y, trt = as.character(epil$trt), lbase = round(epil$lbase, 6), lage = round(epil$lage, 6), visit = epil$period - 2.5,
                   patient = epil$subject, days = round(log(14), 6), hospital = paste0("h", findInterval(epil$subject, c(1, 22, 38, 50))))
# grouseticks: ticks on red grouse chicks, in broods at locations; the site is by location.
data(grouseticks, package = "lme4")
k <- as.integer(grouseticks$LOCATION)
GROUSE <- data.frame(ticks = grouseticks$TICKS, year = paste0("y", grouseticks$YEAR), height = round(as.numeric(scale(grouseticks$HEIGHT)), 6),
                     location = as.character(grouseticks$LOCATION), brood = as.character(grouseticks$BROOD), chick = as.character(grouseticks$INDEX),
                     hospital = paste0("h", findInterval(k, c(1, 31, 47, 58))))
# VerbAgg: 45 persons crossed with 24 items, within sites by person.
data(VerbAgg, package = "lme4")
v <- VerbAgg[as.integer(VerbAgg$id) <= 45, ]
k <- as.integer(v$id)
VERBAL <- data.frame(yes = as.integer(v$r2 == "Y"), anger = v$Anger, gender = as.character(v$Gender), btype = as.character(v$btype), person = k,
                     item = as.integer(v$item), hospital = paste0("h", findInterval(k, c(1, 20, 33, 41))))
for (name in c("CBPP", "BACTERIA", "EPIL", "GROUSE", "VERBAL"))
  write.csv(get(name), file.path(out, paste0(tolower(name), ".csv")), row.names = FALSE, quote = FALSE)

lines <- character()
say <- function(case, what, name, value) {
  lines <<- c(lines, sprintf("%s,%s,%s,%.17g", case, what, gsub(",", ";", name), value))
}
tight <- glmerControl(optimizer = "bobyqa", calc.derivs = FALSE, tolPwrss = 1e-13, optCtrl = list(rhoend = 1e-9, maxfun = 1e5),
                      check.conv.singular = "ignore")
# Minus twice the log-likelihood of the model that fits every row.
saturated <- function(fit) {
  y <- getME(fit, "y"); w <- weights(fit, type = "prior")
  if (family(fit)$family == "binomial") -2 * sum(dbinom(round(w * y), w, y, log = TRUE)) else -2 * sum(w * dpois(y, y, log = TRUE))
}
# Laplace's approximation: 2 h(u) + log|1 + Lambda' Z' W Z Lambda|, W of the expected information, at the u where h is least.
laplace <- function(fit) {
  X <- getME(fit, "X"); Zt <- getME(fit, "Zt"); y <- getME(fit, "y"); w <- weights(fit, type = "prior"); off <- getME(fit, "offset")
  Lt <- getME(fit, "Lambdat"); Lind <- getME(fit, "Lind"); q <- length(getME(fit, "theta")); fam <- family(fit); u <- rep(0, nrow(Zt))
  function(par) {
    Lt@x <- par[seq_len(q)][Lind]
    A <- Lt %*% Zt
    fixed <- off + as.vector(X %*% par[-seq_len(q)])
    for (step in 1:200) {
      eta <- fixed + as.vector(crossprod(A, u)); mu <- fam$linkinv(eta); d <- fam$mu.eta(eta); v <- fam$variance(mu)
      L <- Cholesky(tcrossprod(A %*% Diagonal(x = sqrt(w * d^2 / v))), LDL = FALSE, Imult = 1)
      move <- as.vector(solve(L, A %*% (w * (y - mu) * d / v) - u))
      u <<- u + move
      if (max(abs(move)) < 1e-13) break
    }
    mu <- fam$linkinv(fixed + as.vector(crossprod(A, u)))
    density <- if (fam$family == "binomial") dbinom(round(w * y), w, mu, log = TRUE) else w * dpois(y, mu, log = TRUE)
    -2 * sum(density) + sum(u^2) + 2 * sum(log(diag(as(L, "CsparseMatrix"))))
  }
}
fitted <- function(formula, data, family, points = 1) {
  environment(formula) <- environment()
  fit <- suppressMessages(glmer(formula, data, family = family, nAGQ = points, control = tight))
  f <- if (points == 1) laplace(fit) else suppressMessages(glmer(formula, data, family = family, nAGQ = points, control = tight, devFunOnly = TRUE))
  par <- c(getME(fit, "theta"), fixef(fit))
  if (points == 1) stopifnot(abs(f(par) + 2 * as.numeric(logLik(fit))) < 1e-5)
  theta <- seq_along(getME(fit, "theta"))
  singular <- isSingular(fit)
  # A variance of 0 stays there: the function is even in it.
  free <- if (singular) setdiff(seq_along(par), theta[abs(par[theta]) < 1e-4]) else seq_along(par)
  if (singular) par[setdiff(theta, free)] <- 0
  part <- function(p) { all <- par; all[free] <- p; f(all) }
  H <- hessian(part, par[free])
  for (step in 1:3) par[free] <- par[free] - solve(H, grad(part, par[free]))
  H <- hessian(part, par[free])
  g <- grad(part, par[free])
  last <- seq(length(free) - length(fixef(fit)) + 1, length(free))
  V <- 2 * solve(H)[last, last, drop = FALSE]
  moved <- max(abs(par[-theta] - fixef(fit)) / sqrt(diag(V)))
  cat(sprintf("%-60s left %.1e, moved by %.1e SE\n", deparse(formula)[1], sqrt(sum(g * solve(H, g)) / 2), moved))
  stopifnot(sqrt(sum(g * solve(H, g)) / 2) < 1e-7, moved < 1e-3)
  list(fit = fit, theta = unname(par[theta]), beta = setNames(par[-theta], names(fixef(fit))), vcov = V,
       criterion = f(par) + if (points > 1) saturated(fit) else 0, singular = singular)
}
glmm <- function(case, formula, data, family, points = 1, newdata = NULL, effects = FALSE) {
  m <- fitted(formula, data, family, points)
  se <- sqrt(diag(m$vcov))
  for (j in seq_along(m$beta)) {
    name <- names(m$beta)[j]
    say(case, "coef", name, m$beta[[j]])
    say(case, "se", name, se[[j]])
    say(case, "z", name, m$beta[[j]] / se[[j]])
    say(case, "p", name, 2 * pnorm(-abs(m$beta[[j]] / se[[j]])))
    say(case, "low", name, m$beta[[j]] + qnorm(0.025) * se[[j]])
  }
  # The factors of each term, column by column, and what VarCorr() makes of them.
  at <- 0
  for (k in seq_along(getME(m$fit, "cnms"))) {
    group <- sub("\\.[0-9]+$", "", names(getME(m$fit, "cnms"))[k])
    names <- getME(m$fit, "cnms")[[k]]
    L <- matrix(0, length(names), length(names))
    L[lower.tri(L, diag = TRUE)] <- m$theta[at + seq_len(sum(lower.tri(L, diag = TRUE)))]
    at <- at + sum(lower.tri(L, diag = TRUE))
    S <- L %*% t(L)
    for (i in seq_along(names)) {
      say(case, "sdcor", paste(group, names[i], "", sep = "|"), sqrt(S[i, i]))
      for (j in seq_along(names)) if (j > i) say(case, "sdcor", paste(group, names[i], names[j], sep = "|"), S[i, j] / sqrt(S[i, i] * S[j, j]))
    }
  }
  parameters <- length(m$theta) + length(m$beta)
  say(case, "criterion", "value", m$criterion)
  say(case, "loglik", "value", -m$criterion / 2)
  say(case, "aic", "value", m$criterion + 2 * parameters)
  say(case, "bic", "value", m$criterion + log(nobs(m$fit)) * parameters)
  say(case, "singular", "value", as.numeric(m$singular))
  for (g in names(ngrps(m$fit))) say(case, "groups", g, ngrps(m$fit)[[g]])
  if (!is.null(newdata)) {
    for (type in c("link", "response")) {
      lp <- predict(m$fit, newdata, re.form = NA, type = type)
      for (i in seq_along(lp)) say(case, type, i, lp[[i]])
    }
  }
  if (effects) {
    for (g in names(ranef(m$fit))) {
      r <- ranef(m$fit)[[g]]
      for (i in rownames(r)) for (j in names(r)) say(case, "ranef", paste(g, i, j, sep = "|"), r[i, j])
    }
  }
  invisible(m)
}
within <- function(d, column) paste(d$hospital, d[[column]], sep = ".")
C <- CBPP; C$herd <- within(C, "herd"); C$site <- C$hospital
B <- BACTERIA; B$child <- within(B, "child")
E <- EPIL; E$site <- E$hospital
V <- VERBAL; V$item <- within(V, "item"); V$site <- V$hospital
glmm("cbpp", cbind(incidence, well) ~ period + (1 | herd), C, binomial, newdata = data.frame(period = c("p1", "p3", "p4")), effects = TRUE)
glmm("cbpp-agq10", cbind(incidence, well) ~ period + (1 | herd), C, binomial, 10)
glmm("cbpp-obs", cbind(incidence, well) ~ period + (1 | herd) + (1 | obs), C, binomial)
glmm("cbpp-site", cbind(incidence, well) ~ period + (1 | site), C, binomial)
glmm("cbpp-cloglog-agq7", cbind(incidence, well) ~ period + (1 | herd), C, binomial("cloglog"), 7)
glmm("bacteria", y ~ trt + I(week > 2) + (1 | child), B, binomial, newdata = B[c(2, 90, 200), ])
glmm("bacteria-agq25", y ~ trt + I(week > 2) + (1 | child), B, binomial, 25)
glmm("bacteria-probit", y ~ trt + I(week > 2) + (1 | child), B, binomial("probit"))
glmm("bacteria-cloglog", y ~ trt + week + (1 | child), B, binomial("cloglog"))
glmm("epil", y ~ lbase * trt + lage + visit + offset(days) + (1 | patient), E, poisson, newdata = E[c(2, 90, 200), ])
glmm("epil-agq9", y ~ lbase * trt + lage + visit + offset(days) + (1 | patient), E, poisson, 9)
glmm("epil-slope", y ~ lbase * trt + lage + visit + (visit | patient), E, poisson, newdata = E[c(2, 90, 200), ], effects = TRUE)
glmm("epil-apart", y ~ lbase + trt + (1 | patient) + (0 + visit | site), E, poisson)
glmm("grouse", ticks ~ year + height + (1 | location / brood), GROUSE, poisson)
glmm("grouse-chick", ticks ~ year + height + (1 | location) + (1 | brood) + (1 | chick), GROUSE, poisson)
glmm("verbal", yes ~ anger + gender + btype + (1 | person) + (1 | item), V, binomial)
# Singular: no variance between groups that were dealt out in turn.
SINGULAR <- data.frame(y = BACTERIA$y, week = BACTERIA$week, deal = seq_len(nrow(BACTERIA)) %% 7, hospital = BACTERIA$hospital)
Z <- SINGULAR; Z$deal <- within(Z, "deal")
glmm("singular", y ~ week + (1 | deal), Z, binomial)
# No estimate: the responses of each group are all alike.
ALIKE <- data.frame(y = rep(c(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0), each = 4), x = round(sin(1:48), 3), group = rep(1:12, each = 4),
                    hospital = rep(c("h1", "h2", "h3", "h4"), c(20, 12, 8, 8)))
for (name in c("SINGULAR", "ALIKE")) write.csv(get(name), file.path(out, paste0(tolower(name), ".csv")), row.names = FALSE, quote = FALSE)
# Terms one after the other.
a <- fitted(y ~ 1 + (1 | child), B, binomial)
b <- fitted(y ~ trt + (1 | child), B, binomial)
d <- fitted(y ~ trt + I(week > 2) + (1 | child), B, binomial)
say("bacteria-anova", "chisq", "trt", a$criterion - b$criterion)
say("bacteria-anova", "p", "trt", pchisq(a$criterion - b$criterion, 2, lower.tail = FALSE))
say("bacteria-anova", "chisq", "I(week > 2)", b$criterion - d$criterion)
say("bacteria-anova", "p", "I(week > 2)", pchisq(b$criterion - d$criterion, 1, lower.tail = FALSE))
writeLines(c("case,what,name,value", lines), file.path(out, "glmer.csv"))
