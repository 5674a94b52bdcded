# What R's survival package says of curves: the oracle of Kaplan-Meier and Aalen-Johansen estimates.
#
#   Rscript oracles/curves_oracle.R
#
# Needs R 4 with survival 3 and etm, and the data that survival_oracle.R writes. Adds oracles/survival/competing.csv (mgus2: 1 plasma cell
# malignancy, 2 death) and transplant.csv (pbc: 1 transplant, 2 death), and writes what survfit, print(rmean =) and survdiff say to curves.csv: case,what,name,value, where a missing
# value is empty. Gridded times are made here by findInterval, and not as ngd makes them.
suppressMessages(library(survival))
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "survival")
read <- function(name) read.csv(file.path(out, paste0(name, ".csv")), stringsAsFactors = TRUE)

m <- mgus2[complete.cases(mgus2[, c("ptime", "pstat", "futime", "death", "sex")]), ]
m$etime <- with(m, ifelse(pstat == 0, futime, ptime))
m$event <- with(m, ifelse(pstat == 0, 2 * death, 1))
m$hospital <- rep(paste0("h", 1:4), c(6, 3, 2, 1))[(seq_len(nrow(m)) * 7) %% 12 + 1]
COMPETING <- m[, c("etime", "event", "sex", "hospital")]
write.csv(COMPETING, file.path(out, "competing.csv"), row.names = FALSE, quote = FALSE)

lines <- character()
say <- function(case, what, name, value) {
  name <- gsub(",", ";", trimws(gsub(" +(,|@|$)", "\\1", name)))
  lines <<- c(lines, sprintf("%s,%s,%s,%s", case, what, name, ifelse(is.na(value), "", sprintf("%.17g", value))))
}
up <- function(t, g) g[pmin(findInterval(t, g, left.open = TRUE) + 1, length(g))]
down <- function(t, g) c(0, g)[findInterval(t, g) + 1]
named <- function(fit) if (is.null(fit$strata)) rep("", length(fit$time)) else rep(names(fit$strata), fit$strata)

curves <- function(case, formula, data, taus, cases = rep(1, nrow(data))) {
  environment(formula) <- environment()
  for (type in c("log", "log-log", "plain")) {
    fit <- survfit(formula, data, weights = cases, conf.type = type, conf.int = if (type == "plain") 0.9 else 0.95)
    s <- summary(fit, censored = TRUE)
    at <- paste0(named(fit), "@", fit$time)
    if (type == "log") {
      say(case, "atRisk", at, fit$n.risk)
      say(case, "events", at, fit$n.event)
      say(case, "survival", at, fit$surv)
      say(case, "stdError", at, s$std.err)
    }
    say(case, paste0("low-", type), at, fit$lower)
    say(case, paste0("high-", type), at, fit$upper)
    for (tau in taus) {
      t <- rbind(survival:::survmean(fit, rmean = tau)$matrix)
      if (is.null(rownames(t))) rownames(t) <- ""
      if (type == "log") {
        say(case, paste0("mean-", tau), rownames(t), t[, "rmean"])
        say(case, paste0("meanError-", tau), rownames(t), t[, "se(rmean)"])
      }
      say(case, "median", rownames(t), t[, "median"])
      say(case, paste0("medianLow-", type), rownames(t), t[, grep("LCL", colnames(t))])
      say(case, paste0("medianHigh-", type), rownames(t), t[, grep("UCL", colnames(t))])
    }
  }
}
test <- function(case, formula, data, what = "logRank") {
  d <- survdiff(formula, data)
  say(case, what, "statistic", d$chisq)
  say(case, what, "df", length(d$n) - 1)
  say(case, what, "pValue", pchisq(d$chisq, length(d$n) - 1, lower.tail = FALSE))
  say(case, paste0(what, "-observed"), names(d$n), d$obs)
  say(case, paste0(what, "-expected"), names(d$n), d$exp)
}
# survdiff takes no late entries: the hypergeometric sums themselves, time by time.
late <- function(case, start, stop, event, group) {
  g <- sort(unique(group))
  o <- e <- numeric(length(g))
  v <- matrix(0, length(g), length(g))
  for (t in sort(unique(stop[event == 1]))) {
    risk <- start < t & t <= stop
    n <- sapply(g, function(k) sum(risk & group == k))
    d <- sapply(g, function(k) sum(stop == t & event == 1 & group == k))
    o <- o + d
    e <- e + sum(d) * n / sum(n)
    if (sum(n) > 1) v <- v + sum(d) * (sum(n) - sum(d)) / (sum(n) - 1) * (diag(n / sum(n)) - tcrossprod(n / sum(n)))
  }
  say(case, "logRank", "statistic", drop(t((o - e)[-1]) %*% solve(v[-1, -1, drop = FALSE], (o - e)[-1])))
}

g <- c(60, 120, 180, 240, 300, 365, 450, 600, 900)
L <- read("lung")
L$status <- ifelse(L$time > 900, 1, L$status)
L$time <- up(L$time, g)
curves("lung", Surv(time, status == 2) ~ 1, L, c(900, 500))
curves("lung-sex", Surv(time, status == 2) ~ sex, L, c(900, 30))
test("lung-sex", Surv(time, status == 2) ~ sex, L)
# Of each site, on times that leave small sites some rows.
W <- read("lung")
w <- c(180, 365, 900)
W$status <- ifelse(W$time > 900, 1, W$status)
W$time <- up(W$time, w)
W$site <- W$hospital
curves("lung-site", Surv(time, status == 2) ~ site, W, 900)
test("lung-site", Surv(time, status == 2) ~ site, W)
curves("lung-site-sex", Surv(time, status == 2) ~ site + sex, W, 900)
g <- c(10, 20, 30, 50, 80, 100, 150, 200, 300, 1000)
V <- read("veteran")
V$time <- up(V$time, g)
curves("veteran-celltype", Surv(time, status) ~ celltype, V, c(1000, 150))
test("veteran-celltype", Surv(time, status) ~ celltype, V)
curves("veteran-both", Surv(time, status) ~ trt + celltype, V, 1000)
test("veteran-both", Surv(time, status) ~ trt + celltype, V)
g <- c(10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500, 1000, 2000)
H <- read("heart")
H$stop <- up(H$stop, g)
H$start <- down(H$start, g)
curves("heart", Surv(start, stop, event) ~ transplant, H, c(2000, 365))
late("heart", H$start, H$stop, H$event, H$transplant)

g <- c(12, 24, 36, 60, 84, 120, 180, 240, 300)
M <- read("competing")
M$event <- ifelse(M$etime > 300, 0, M$event)
M$etime <- up(M$etime, g)
curves("competing", Surv(etime, event > 0) ~ sex, M, c(300, 100))
for (cause in 1:2) {
  M$own <- M$event == cause
  test("competing", Surv(etime, own) ~ sex, M, paste0("logRank-", cause))
}
test("competing", Surv(etime, event > 0) ~ sex, M)
M$kind <- factor(M$event, 0:2, c("none", "1", "2"))
for (type in c("log", "log-log", "plain")) {
  fit <- survfit(Surv(etime, kind) ~ sex, M, conf.type = type, conf.int = if (type == "plain") 0.9 else 0.95)
  at <- paste0(named(fit), "@", fit$time)
  for (cause in c("1", "2")) {
    k <- match(cause, fit$states)
    if (type == "log") {
      say("competing", paste0("incidence-", cause), at, fit$pstate[, k])
      say("competing", paste0("incidenceError-", cause), at, fit$std.err[, k])
    }
    say("competing", paste0("incidenceLow-", cause, "-", type), at, fit$lower[, k])
    say("competing", paste0("incidenceHigh-", cause, "-", type), at, fit$upper[, k])
  }
}
t <- survival:::survmean2(fit, rmean = 300)
s <- t$matrix
for (cause in c("1", "2")) for (sex in c("F", "M")) {
  say("competing", paste0("timeLost-", cause), paste0("sex=", sex), s[paste0("sex=", sex, ", ", cause), "rmean"])
}

# Weights: whole numbers are counts of equal rows, to which survdiff is given; with others survfit takes the infinitesimal jackknife.
# That of competing causes is of weighted rows in both.
curves("lung-whole", Surv(time, status == 2) ~ sex, L, c(900, 500), L$age)
test("lung-whole", Surv(time, status == 2) ~ sex, L[rep(seq_len(nrow(L)), L$age), ])
curves("lung-fractions", Surv(time, status == 2) ~ sex, L, c(900, 500), L$age / 50)
curves("veteran-fractions", Surv(time, status) ~ celltype, V, c(1000, 150), V$karno / 50)
incidences <- function(case, fit) {
  at <- paste0(named(fit), "@", fit$time)
  for (cause in c("1", "2")) {
    k <- match(cause, fit$states)
    say(case, paste0("incidence-", cause), at, fit$pstate[, k])
    say(case, paste0("incidenceError-", cause), at, fit$std.err[, k])
    say(case, paste0("incidenceLow-", cause), at, fit$lower[, k])
  }
}
M$weight <- COMPETING$etime + 1
for (scale in c(1, 2.5)) {
  case <- if (scale == 1) "competing-whole" else "competing-fractions"
  incidences(case, survfit(Surv(etime, kind) ~ sex, M, weights = weight / scale))
  curves(case, Surv(etime, event > 0) ~ sex, M, 300, M$weight / scale)
}
P <- survival::pbc[!is.na(survival::pbc$trt), ]
P <- data.frame(etime = P$time, event = P$status, trt = P$trt, hospital = rep(paste0("h", 1:4), c(6, 3, 2, 1))[(seq_len(nrow(P)) * 7) %% 12 + 1])
write.csv(P, file.path(out, "transplant.csv"), row.names = FALSE, quote = FALSE)
P$etime <- up(P$etime, seq(400, 4800, by = 400))
P$kind <- factor(P$event, 0:2, c("none", "1", "2"))
incidences("transplant", survfit(Surv(etime, kind) ~ trt, P))
curves("transplant", Surv(etime, event > 0) ~ trt, P, 4800)

# Competing causes with late entries, on the scale of age: the errors are Greenwood's, of the product integral (etm). survfit would take the
# jackknife over persons, which no counts have.
ages <- function(data, start, stop, group) {
  A <- data.frame(start = start, stop = round(stop, 4), event = data$event, group = group, hospital = data$hospital)
  A[A$stop > A$start, ]
}
greenwood <- function(case, data, g) {
  data$event <- ifelse(data$stop > max(g), 0, data$event)
  data$stop <- up(data$stop, g)
  data$start <- down(data$start, g)
  curves(case, Surv(start, stop, event > 0) ~ group, data, max(g))
  for (k in sort(unique(data$group))) {
    own <- data[data$group == k, ]
    tra <- matrix(FALSE, 3, 3)
    tra[1, 2:3] <- TRUE
    fit <- etm::etm(data.frame(id = seq_len(nrow(own)), from = "0", to = c("cens", "1", "2")[own$event + 1], entry = own$start, exit = own$stop),
      c("0", "1", "2"), tra, "cens", s = 0)
    for (cause in c("1", "2")) {
      p <- fit$est["0", cause, ]
      error <- sqrt(etm::trcov(fit, paste("0", cause)))
      at <- paste0("group=", k, "@", fit$time)
      say(case, paste0("incidence-", cause), at, p)
      say(case, paste0("incidenceError-", cause), at, error)
      say(case, paste0("incidenceLow-", cause), at, survival:::survfit_confint(p, error, logse = FALSE, "log", 0.95, ulimit = TRUE)$lower)
    }
  }
}
AGES <- ages(m, m$age, m$age + m$etime / 12, m$sex)
write.csv(AGES, file.path(out, "late.csv"), row.names = FALSE, quote = FALSE)
g <- c(50, 60, 65, 70, 75, 80, 85, 90, 105)
greenwood("late", AGES, g)
greenwood("late-whole", AGES[rep(seq_len(nrow(AGES)), AGES$event + 1), ], g)
B <- survival::pbc[!is.na(survival::pbc$trt), ]
B <- data.frame(event = B$status, hospital = rep(paste0("h", 1:4), c(6, 3, 2, 1))[(seq_len(nrow(B)) * 7) %% 12 + 1], age = round(B$age, 4), time = B$time, trt = B$trt)
LATE <- ages(B, B$age, B$age + B$time / 365.25, B$trt)
write.csv(LATE, file.path(out, "late_transplant.csv"), row.names = FALSE, quote = FALSE)
greenwood("late_transplant", LATE, c(35, 40, 45, 50, 55, 60, 65, 70, 85))
writeLines(c("case,what,name,value", lines), file.path(out, "curves.csv"))
