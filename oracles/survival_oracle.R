# What R's survival package says: the oracle of Cox models.
#
#   Rscript oracles/survival_oracle.R
#
# Needs R 4 with survival 3. Writes the data with a column `hospital` (unequal sites) to oracles/survival/NAME.csv and what coxph,
# cox.zph, basehaz, concordance and predict say of them to cox.csv: case,what,name,value.
# Gridded times are made here by findInterval, and not as ngd makes them.
suppressMessages(library(survival))
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "survival")
dir.create(out, showWarnings = FALSE)
options(digits = 17)
sites <- function(n, shares) rep(paste0("h", seq_along(shares)), round(n * shares / sum(shares)))[1:n]

d <- lung[complete.cases(lung[, c("time", "status", "age", "sex", "ph.ecog")]), c("time", "status", "age", "sex", "ph.ecog")]
names(d)[5] <- "ecog"
d$hospital <- sites(nrow(d), c(90, 67, 45, 25.5))
d$hospital[is.na(d$hospital)] <- "h1"
d$w <- 1 + (seq_len(nrow(d)) %% 3) / 2
d$z <- round(sin(seq_len(nrow(d))), 3) / 5
LUNG <- d
v <- veteran
v$celltype <- factor(as.character(v$celltype)) # levels in the order of their names, as ngd has them
v$w <- 1 + (seq_len(nrow(v)) %% 3) / 2
v$z <- round(cos(seq_len(nrow(v))), 3) / 5
v$hospital <- sites(nrow(v), c(5, 3, 2, 1.5))
v$hospital[is.na(v$hospital)] <- "h4"
VETERAN <- v
h <- heart
h$hospital <- c("h1", "h1", "h1", "h1", "h2", "h2", "h2", "h3", "h3", "h4")[h$id %% 10 + 1]
h$transplant <- as.integer(as.character(h$transplant))
HEART <- h[, c("start", "stop", "event", "age", "surgery", "transplant", "id", "hospital")]
m <- mgus2[complete.cases(mgus2[, c("futime", "death", "age", "sex")]), ]
m$hospital <- sites(nrow(m), c(6, 3, 2, 1))
m$hospital[is.na(m$hospital)] <- "h1"
MGUS <- m[, c("futime", "death", "age", "sex", "hospital")]
for (name in c("LUNG", "VETERAN", "HEART", "MGUS")) {
  write.csv(get(name), file.path(out, paste0(tolower(name), ".csv")), row.names = FALSE, quote = FALSE)
}

lines <- character()
say <- function(case, what, name, value) {
  lines <<- c(lines, sprintf("%s,%s,%s,%.17g", case, what, gsub(",", ";", name), value))
}
# A stop between two times is at the later one, a start at the earlier one; who is left after the last has no event.
up <- function(t, g) g[pmin(findInterval(t, g, left.open = TRUE) + 1, length(g))]
down <- function(t, g) c(0, g)[findInterval(t, g) + 1]
tight <- coxph.control(eps = 1e-14, toler.chol = 1e-15, iter.max = 60)

cox <- function(case, formula, data, ties = "efron", weights = NULL, cluster = NULL, robust = FALSE, transform = NULL,
                haz = FALSE, within = NULL) {
  data$.w <- if (is.null(weights)) rep(1, nrow(data)) else weights
  DATA <<- data
  fit <- coxph(formula, DATA, ties = ties, weights = .w, control = tight, robust = FALSE, x = TRUE, y = TRUE, model = TRUE)
  fit$call$formula <- formula
  fit$call$ties <- ties
  terms <- names(coef(fit))
  for (j in terms) {
    say(case, "coef", j, coef(fit)[[j]])
    say(case, "se", j, sqrt(diag(vcov(fit)))[[j]])
  }
  say(case, "loglik", "null", fit$loglik[1])
  say(case, "loglik", "fit", fit$loglik[2])
  say(case, "events", "n", sum(fit$y[, ncol(fit$y)]))
  s <- summary(fit)
  say(case, "test", "lr", s$logtest[["test"]])
  say(case, "test", "score", s$sctest[["test"]])
  say(case, "test", "wald", as.numeric(t(coef(fit)) %*% solve(vcov(fit), coef(fit))))
  say(case, "aic", "aic", AIC(fit))
  if (robust) {
    dfb <- residuals(fit, "dfbeta", weighted = TRUE)
    if (is.null(dim(dfb))) dfb <- matrix(dfb)
    v <- crossprod(dfb)
    for (j in seq_along(terms)) say(case, "robust", terms[j], sqrt(v[j, j]))
    g <- rowsum(dfb, data$hospital)
    v <- crossprod(g)
    for (j in seq_along(terms)) say(case, "cluster", terms[j], sqrt(v[j, j]))
  }
  lp <- predict(fit, type = "lp", reference = "zero")
  # With an offset R says it less the mean offset.
  if (grepl("efron", case) && is.null(attr(terms(fit), "offset"))) for (i in seq_along(lp)) say(case, "lp", i, lp[i])
  data$.lp <- lp
  data$.s <- if (is.null(within)) data$hospital else interaction(data$hospital, data[[within]])
  ctl <- concordance(reformulate(c(".lp", "strata(.s)"), formula[[2]]), data, weights = .w, reverse = TRUE)
  say(case, "concordance", "within", ctl$concordance)
  for (tr in transform) {
    z <- cox.zph(fit, transform = tr)
    for (j in rownames(z$table)) say(case, paste0("zph-", tr), j, z$table[j, "chisq"])
  }
  if (haz) {
    b <- basehaz(fit, centered = FALSE)
    # R says it at the mean offset, ngd at offset 0.
    if (!is.null(fit$offset) || !is.null(attr(terms(fit), "offset"))) b$hazard <- b$hazard / exp(weighted.mean(data$z, data$.w))
    st <- if (is.null(b$strata)) rep("", nrow(b)) else as.character(b$strata)
    for (i in seq_len(nrow(b))) say(case, "hazard", paste0(st[i], "@", b$time[i]), b$hazard[i])
  }
}

S <- Surv(time, status == 2) ~ age + sex + ecog + strata(hospital)
for (ties in c("efron", "breslow")) {
  cox(paste0("lung-site-", ties), S, LUNG, ties, robust = TRUE, transform = c("identity", "log"))
  cox(paste0("lung-site-weights-", ties), update(S, . ~ . + offset(z)), LUNG, ties, weights = LUNG$w, robust = TRUE)
  cox(paste0("veteran-site-", ties), Surv(time, status) ~ trt + celltype + karno + strata(hospital), VETERAN, ties, robust = TRUE,
      transform = "identity")
  cox(paste0("veteran-site-weights-", ties), Surv(time, status) ~ trt + karno + offset(z) + strata(hospital), VETERAN, ties,
      weights = VETERAN$w, robust = TRUE)
  cox(paste0("heart-site-", ties), Surv(start, stop, event) ~ age + surgery + transplant + strata(hospital), HEART, ties, robust = TRUE)
  cox(paste0("lung-site-sex-", ties), Surv(time, status == 2) ~ age + ecog + strata(hospital, sex), LUNG, ties, within = "sex")

  g <- c(60, 120, 180, 240, 300, 365, 450, 600, 900)
  L <- LUNG
  L$status <- ifelse(L$time > 900, 1, L$status)
  L$time <- up(L$time, g)
  cox(paste0("lung-grid-", ties), Surv(time, status == 2) ~ age + sex + ecog, L, ties, robust = TRUE, haz = TRUE,
      transform = c("km", "identity", "log"))
  cox(paste0("lung-grid-weights-", ties), Surv(time, status == 2) ~ age + ecog + offset(z) + strata(sex), L, ties, weights = L$w,
      robust = TRUE, haz = TRUE, within = "sex")
  g <- c(10, 20, 30, 50, 80, 100, 150, 200, 300, 1000)
  V <- VETERAN
  V$time <- up(V$time, g)
  cox(paste0("veteran-grid-", ties), Surv(time, status) ~ trt + celltype + karno, V, ties, robust = TRUE, haz = TRUE,
      transform = c("km", "identity"))
  g <- c(10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500, 1000, 2000)
  H <- HEART
  H$stop <- up(H$stop, g)
  H$start <- down(H$start, g)
  cox(paste0("heart-grid-", ties), Surv(start, stop, event) ~ age + surgery + transplant, H, ties, robust = TRUE, haz = TRUE)
}
writeLines(c("case,what,name,value", lines), file.path(out, "cox.csv"))
