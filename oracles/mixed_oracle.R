# What R's lme4 says: the oracle of linear mixed models.
#
#   Rscript oracles/mixed_oracle.R
#
# Needs R 4 with lme4 and nlme. Writes the data with a column `hospital` (unequal sites) to oracles/mixed/NAME.csv and what lmer says
# of them to lmer.csv: case,what,name,value. Groups of two sites that have one name are made two here, by pasting the site's name.
suppressMessages({library(lme4); library(nlme)})
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "mixed")
dir.create(out, showWarnings = FALSE)
options(digits = 17)

# Subjects of sleepstudy at four sites of 7, 5, 4 and 2 subjects; the subjects of a site are numbered from 1, so that names recur.
data(sleepstudy, package = "lme4")
s <- data.frame(Reaction = sleepstudy$Reaction, Days = sleepstudy$Days)
k <- as.integer(sleepstudy$Subject)
site <- findInterval(k, c(1, 8, 13, 17))
s$subject <- k - c(0, 7, 12, 16)[site]
s$w <- 1 + (seq_len(nrow(s)) %% 3) / 2
s$o <- round(sin(seq_len(nrow(s))), 3) * 10
s$hospital <- paste0("h", site)
SLEEP <- s[seq_len(nrow(s)) != 5 & seq_len(nrow(s)) != 117, ] # unbalanced
# Orthodont: 27 children, 4 ages; the site is by child.
o <- as.data.frame(Orthodont)
child <- as.integer(factor(as.character(o$Subject)))
o <- data.frame(distance = o$distance, age = o$age, Sex = as.character(o$Sex), child = as.character(o$Subject),
                hospital = paste0("h", findInterval(child, c(1, 12, 19, 24))))
ORTHODONT <- o
# Machines: workers crossed with machines, within sites by worker.
m <- as.data.frame(Machines)
MACHINES <- data.frame(score = m$score, worker = as.character(m$Worker), machine = as.character(m$Machine),
                       hospital = ifelse(as.character(m$Worker) %in% c("1", "2", "6"), "h1", ifelse(as.character(m$Worker) %in% c("3", "4"), "h2", "h3")))
# Pastes: casks within batches.
data(Pastes, package = "lme4")
PASTES <- data.frame(strength = Pastes$strength, batch = as.character(Pastes$batch), cask = as.character(Pastes$cask),
                     hospital = ifelse(as.integer(Pastes$batch) <= 5, "h1", ifelse(as.integer(Pastes$batch) <= 8, "h2", "h3")))
# Oxide: wafers within lots within two sources.
x <- as.data.frame(Oxide)
OXIDE <- data.frame(thickness = x$Thickness, source = paste0("s", x$Source), lot = as.character(x$Lot), wafer = as.character(x$Wafer),
                    hospital = ifelse(as.integer(as.character(x$Lot)) <= 4, "h1", ifelse(as.integer(as.character(x$Lot)) <= 6, "h2", "h3")))
for (name in c("SLEEP", "ORTHODONT", "MACHINES", "PASTES", "OXIDE")) {
  write.csv(get(name), file.path(out, paste0(tolower(name), ".csv")), row.names = FALSE, quote = FALSE)
}

lines <- character()
say <- function(case, what, name, value) {
  lines <<- c(lines, sprintf("%s,%s,%s,%.17g", case, what, gsub(",", ";", name), value))
}
# Derivative-free steps end early; these are repeated from where they ended, with tight limits.
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhoend = 1e-10, maxfun = 1e5),
                     check.conv.singular = "ignore", check.nobs.vs.nRE = "stop")
fitted <- function(formula, data, reml, weighted = FALSE) {
  data$.w <- if (weighted) data$w else rep(1, nrow(data))
  environment(formula) <- environment()
  fit <- lmer(formula, data, REML = reml, control = tight, weights = .w)
  for (again in 1:3) fit <- lmer(formula, data, REML = reml, control = tight, start = getME(fit, "theta"), weights = .w)
  fit
}
lmm <- function(case, formula, data, reml, newdata = NULL, effects = FALSE, weighted = FALSE) {
  fit <- fitted(formula, data, reml, weighted)
  for (j in names(fixef(fit))) {
    say(case, "coef", j, fixef(fit)[[j]])
    say(case, "se", j, sqrt(diag(as.matrix(vcov(fit))))[[j]])
    say(case, "t", j, summary(fit)$coefficients[j, "t value"])
  }
  ci <- suppressMessages(confint(fit, method = "Wald"))
  for (j in names(fixef(fit))) say(case, "low", j, ci[j, 1])
  v <- as.data.frame(VarCorr(fit))
  for (i in seq_len(nrow(v))) {
    # Terms that share a factor are named factor, factor.1 and so on.
    group <- sub("\\.[0-9]+$", "", v$grp[i])
    say(case, "sdcor", paste(group, ifelse(is.na(v$var1[i]), "", v$var1[i]), ifelse(is.na(v$var2[i]), "", v$var2[i]), sep = "|"), v$sdcor[i])
  }
  say(case, "criterion", "value", if (reml) REMLcrit(fit) else deviance(fit))
  say(case, "loglik", "value", as.numeric(logLik(fit)))
  say(case, "aic", "value", AIC(fit))
  say(case, "bic", "value", BIC(fit))
  say(case, "singular", "value", as.numeric(isSingular(fit)))
  for (g in names(ngrps(fit))) say(case, "groups", g, ngrps(fit)[[g]])
  if (!is.null(newdata)) {
    lp <- predict(fit, newdata, re.form = NA)
    for (i in seq_along(lp)) say(case, "predict", i, lp[[i]])
  }
  if (effects) {
    for (g in names(ranef(fit))) {
      r <- ranef(fit)[[g]]
      for (i in rownames(r)) for (j in names(r)) say(case, "ranef", paste(g, i, j, sep = "|"), r[i, j])
    }
  }
  invisible(fit)
}
within <- function(d, column) paste(d$hospital, d[[column]], sep = ".")
S <- SLEEP; S$subject <- within(S, "subject"); S$site <- S$hospital
for (reml in c(TRUE, FALSE)) {
  how <- if (reml) "reml" else "ml"
  case <- function(name) paste0(name, "-", how)
  lmm(case("sleep-slope"), Reaction ~ Days + (Days | subject), S, reml, newdata = data.frame(Days = c(0, 3.5, 20)), effects = TRUE)
  lmm(case("sleep-apart"), Reaction ~ Days + (Days || subject), S, reml)
  lmm(case("sleep-weights"), Reaction ~ Days + (1 | subject) + offset(o), S, reml, weighted = TRUE)
  lmm(case("sleep-site"), Reaction ~ Days + (1 | subject) + (1 | site), S, reml)
  lmm(case("sleep-siteslope"), Reaction ~ Days + (1 | subject) + (0 + Days | site), S, reml)
  lmm(case("orthodont"), distance ~ age * Sex + (age | child), ORTHODONT, reml, newdata = ORTHODONT[c(2, 40, 100), ])
  lmm(case("orthodont-level"), distance ~ age + Sex + (1 | child), ORTHODONT, reml, effects = TRUE)
  lmm(case("machines"), score ~ machine + (1 | worker) + (1 | worker:machine), MACHINES, reml)
  lmm(case("machines-factor"), score ~ machine + (0 + machine | worker), MACHINES, reml)
  lmm(case("machines-crossed"), score ~ 1 + (1 | worker) + (1 | hm), transform(MACHINES, hm = paste(hospital, machine)), reml)
  lmm(case("pastes"), strength ~ 1 + (1 | batch / cask), PASTES, reml)
  lmm(case("oxide"), thickness ~ source + (1 | lot / wafer), OXIDE, reml)
}
# Terms one after the other, by maximum likelihood.
a <- fitted(distance ~ 1 + (1 | child), ORTHODONT, FALSE)
b <- fitted(distance ~ age + (1 | child), ORTHODONT, FALSE)
d <- fitted(distance ~ age + Sex + (1 | child), ORTHODONT, FALSE)
t <- anova(a, b, d)
for (i in 2:3) {
  say("orthodont-anova", "chisq", c("", "age", "Sex")[i], t[i, "Chisq"])
  say("orthodont-anova", "p", c("", "age", "Sex")[i], t[i, "Pr(>Chisq)"])
}
e <- fitted(distance ~ age + Sex + (age | child), ORTHODONT, FALSE)
t <- anova(d, e)
say("orthodont-anova", "chisq", "slope", t[2, "Chisq"])
say("orthodont-anova", "df", "slope", t[2, "Df"])
# Singular: no variance between groups that were dealt out at random; and a slope perfectly correlated with the level.
Z <- SLEEP; Z$deal <- paste(Z$hospital, seq_len(nrow(Z)) %% 6); Z$Reaction <- SLEEP$Reaction - ave(SLEEP$Reaction, within(SLEEP, "subject"))
for (reml in c(TRUE, FALSE)) lmm(paste0("singular-", if (reml) "reml" else "ml"), Reaction ~ Days + (1 | deal), Z, reml)
write.csv(data.frame(Reaction = Z$Reaction, Days = Z$Days, deal = seq_len(nrow(Z)) %% 6, hospital = Z$hospital), file.path(out, "singular.csv"), row.names = FALSE, quote = FALSE)
writeLines(c("case,what,name,value", lines), file.path(out, "lmer.csv"))
