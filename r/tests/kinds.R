# Every kind of answer, asked everything that R asks of a model: numbers of other packages, or a sentence that says why not.
library(ngd)
if (!nzchar(Sys.getenv("NGD")) || !requireNamespace("MASS", quietly = TRUE)) {
  cat("skipped: needs NGD (the program) and MASS\n")
  quit(status = 0)
}
run <- function(...) suppressWarnings(suppressMessages(ngd_fit(...)))
close_to <- function(a, b, tolerance = 1e-6) stopifnot(isTRUE(all.equal(a, b, tolerance = tolerance, check.attributes = FALSE)))
fails <- function(expression, words) {
  error <- tryCatch({ force(expression); NULL }, error = identity)
  if (is.null(error) || !grepl(words, conditionMessage(error), fixed = TRUE)) {
    stop("expected an error with `", words, "`; got ", if (is.null(error)) "none" else conditionMessage(error))
  }
}
prints <- function(x, words) stopifnot(any(grepl(words, capture.output(print(x)), fixed = TRUE)))
tidy <- function(x, ...) generics::tidy(x, ...)
glance <- function(x) generics::glance(x)
births <- MASS::birthwt
sites <- split(births, rep(c("north", "south", "west"), length.out = nrow(births)))
pdf(NULL)

# Penalised: coefficients along a path, no errors.
path <- run(low ~ age + lwt + smoke, sites, binomial, penalty = "lasso", folds = 0)
fails(coef(path), "no penalty was chosen")
fails(logLik(path), "the estimates are penalised")
fails(vcov(path), "no standard errors")
prints(path, "lambda")
stopifnot(nrow(tidy(path)) == 4 * nrow(path$path), is.na(glance(path)$lambda), nrow(plot(path)) == nrow(path$path))
one <- run(low ~ age + lwt + smoke, sites, binomial, penalty = "lasso", lambda = 0.01)
prints(summary(one), "No standard errors")
stopifnot(nrow(tidy(one)) == 4, all(is.na(tidy(one)$std.error)), glance(one)$lambda == 0.01)
fails(anova(one), "the fit: must be fitted without")
if (requireNamespace("glmnet", quietly = TRUE)) {
  wanted <- glmnet::glmnet(as.matrix(births[c("age", "lwt", "smoke")]), births$low, "binomial", lambda = 0.01, thresh = 1e-14)
  close_to(unname(coef(one)), as.vector(as.matrix(coef(wanted))), 1e-5)
}

# Random effects, against lme4.
if (requireNamespace("lme4", quietly = TRUE)) {
  sleep <- lme4::sleepstudy
  mixed <- run(Reaction ~ Days + (1 | Subject), split(sleep, ifelse(as.integer(sleep$Subject) %% 2 == 0, "a", "b")))
  reference <- lme4::lmer(Reaction ~ Days + (1 | Subject), sleep)
  close_to(coef(mixed), lme4::fixef(reference), 1e-5)
  close_to(glance(mixed)$AIC, AIC(reference), 1e-5)
  prints(summary(mixed), "Residual")
  prints(summary(mixed), "Subject")
  fails(anova(mixed), "reml")
}

# Imputed and weighted: what they cost is in the summary.
gaps <- lapply(sites, function(part) { part$lwt[seq(2, nrow(part), 9)] <- NA; part })
imputed <- run(bwt ~ age + lwt, gaps, impute = 3)
prints(summary(imputed), "3 imputations; largest fraction of missing information")
fails(logLik(imputed), "no common one")
fails(deviance(imputed), "no common one")
stopifnot(nrow(tidy(imputed, conf.int = TRUE)) == 3, is.na(glance(imputed)$logLik), glance(imputed)$nobs == nrow(births))
weighted <- run(bwt ~ smoke, sites, treatment = "smoke ~ age + lwt")
prints(summary(weighted), "after weighting")
odds <- fitted(glm(smoke ~ age + lwt, binomial, births))
close_to(coef(weighted), coef(lm(bwt ~ smoke, births, weights = ifelse(smoke == 1, 1 / odds, 1 / (1 - odds)))), 1e-5)

# Noise in sums: as much as is told.
private <- run(simulate = "logistic", rows = 3000, clients = 6, privacy = "epsilon=2,delta=1e-6,noise=central,bound=4")
stopifnot(all(tidy(private)$noise.sd > 0), all(is.na(tidy(private)$std.error)), glance(private)$nobs == 3000)
fails(logLik(private), "privacy budget")

# Survival curves, against survfit() and survdiff() on times rounded up to the grid.
if (requireNamespace("survival", quietly = TRUE)) {
  Surv <- survival::Surv
  strata <- survival::strata
  lives <- na.omit(survival::lung[c("time", "status", "sex", "age")])
  lives$dead <- lives$status - 1
  grid <- c(100, 200, 300, 500, 1100)
  parts <- split(lives, rep(c("north", "south"), length.out = nrow(lives)))
  curves <- run(Surv(time, dead) ~ strata(sex), parts, times = grid)
  rounded <- transform(lives, time = grid[findInterval(time, grid, left.open = TRUE) + 1])
  reference <- survival::survfit(Surv(time, dead) ~ sex, rounded)
  found <- tidy(curves)
  close_to(found$estimate, reference$surv)
  close_to(found$n.event, reference$n.event)
  close_to(glance(curves)$statistic, survival::survdiff(Surv(time, dead) ~ sex, rounded)$chisq)
  stopifnot(nobs(curves) == nrow(lives), inherits(formula(curves), "formula"))
  prints(summary(curves), "Log-rank test")
  for (ask in list(coef, vcov, confint, logLik, AIC, anova, deviance, family)) fails(ask(curves), "survival curves have no coefficients")
  # Competing causes are drawn beside each other, with the rows at risk below: the picture holds them as text.
  lives$cause <- lives$dead * (1 + seq_len(nrow(lives)) %% 2)
  both <- run(Surv(time, cause) ~ strata(sex), split(lives, rep(c("north", "south"), length.out = nrow(lives))), times = grid)
  picture <- tempfile(fileext = ".pdf")
  grDevices::pdf(picture, compress = FALSE, useKerning = FALSE)
  plot(both)
  invisible(grDevices::dev.off())
  drawn <- readLines(picture, warn = FALSE)
  written <- function(text) sum(grepl(paste0("(", text, ") Tj"), drawn, fixed = TRUE, useBytes = TRUE))
  stopifnot(written("survival") == 1, written("incidence of cause 1") == 1, written("incidence of cause 2") == 1, written("at risk") == 3)
  # At time 0 all are at risk, in every plot.
  for (rows in table(lives$sex)) stopifnot(written(rows) == 3)
  smaller <- run(Surv(time, dead) ~ age, parts, times = grid)
  larger <- run(Surv(time, dead) ~ age + sex, parts, times = grid)
  wanted <- anova(survival::coxph(Surv(time, dead) ~ age, rounded), survival::coxph(Surv(time, dead) ~ age + sex, rounded))
  close_to(anova(smaller, larger)[["Pr(>Chi)"]][2], wanted[["Pr(>|Chi|)"]][2], 1e-5)
}

# Methods in rounds know their family; what is no fit is said to be none.
rounds <- run(simulate = "linear", rows = 200, clients = 4, alpha = 0.05, rounds = 5)
stopifnot(family(rounds)$family == "gaussian")
fails(formula(rounds), "no formula")

# The program's options are called as the arguments that they are here; what is for a terminal stays as it is.
fails(ngd_fit(mpg ~ wt), "data = FILE, sites = list(NAME = PLACE) or simulate = MODEL: one of them must be given")
fails(ngd_fit(simulate = "linear", rows = 90, clients = 3, alpha = 0.01, rounds = 5, trace_every = "often"), "trace_every: must be")
stopifnot(identical(ngd:::in_arguments(c("--local-steps: see `ngd fit --help`, `--lambda`", "a--b --- -- c")),
                    c("local_steps: see `ngd fit --help`, `lambda`", "a--b --- -- c")))

# What can be no option, family or table is refused before the program starts.
cars <- list(a = mtcars, b = mtcars)
fails(ngd_fit(mpg ~ wt, cars, familly = binomial), "familly: must be a text, a number, a truth value")
fails(ngd_fit(mpg ~ wt, cars, family = mean), "family: must be a family as glm() takes it")
fails(ngd_fit(mpg ~ wt, list(a = mtcars[0, ], b = mtcars)), "site a: must have rows and columns; got 0 and 11")
folder <- tempfile()
invisible(ngd_compare(c("ngd", "extra"), simulate = "linear", rows = 200, clients = 4, alpha = 0.05, rounds = 5, weights = "metropolis", out = folder))
fails(ngd_read(folder), "it is one of ngd compare")
cat("ok\n")
