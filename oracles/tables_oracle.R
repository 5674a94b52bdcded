# Tables of a description over unequal sites, against R on all rows together: means, standard deviations,
# counts, Welch's t, analysis of variance, chi-squared, Fisher's exact test, correlations, standardized differences.
# Run in this folder: Rscript tables_oracle.R. Writes tables/*.csv.
suppressMessages({library(survival); library(MASS)})
options(digits = 17)
dir.create("tables", showWarnings = FALSE)
lines <- list()
say <- function(case, one, two, what, level, value)
  lines[[length(lines) + 1]] <<- data.frame(case, one, two, what, level, value = sprintf("%.17g", value))

# The odds ratio and its interval as fisher.test finds them, but to rounding: its roots stop at 1e-4.
exact_odds <- function(x) {
  m <- sum(x[, 1]); n <- sum(x[, 2]); k <- sum(x[1, ]); x <- x[1, 1]
  support <- max(0, k - n):min(k, m)
  base <- dhyper(support, m, n, k, log = TRUE)
  shares <- function(t) { d <- base + t * support; d <- exp(d - max(d)); d / sum(d) }
  root <- function(f) exp(uniroot(f, c(-40, 40), tol = 1e-14, maxiter = 10000)$root)
  c(ratio = if (x == min(support)) 0 else if (x == max(support)) Inf else root(function(t) sum(support * shares(t)) - x),
    low = if (x == min(support)) 0 else root(function(t) sum(shares(t)[support >= x]) - 0.025),
    high = if (x == max(support)) Inf else root(function(t) sum(shares(t)[support <= x]) - 0.025))
}

cross <- function(case, d, one, two) {
  t <- table(d[[one]], d[[two]])
  for (r in rownames(t)) for (c in colnames(t)) {
    say(case, one, two, "count", paste(r, c, sep = "|"), t[r, c])
    say(case, one, two, "row_percent", paste(r, c, sep = "|"), 100 * t[r, c] / sum(t[r, ]))
    say(case, one, two, "column_percent", paste(r, c, sep = "|"), 100 * t[r, c] / sum(t[, c]))
  }
  chi <- suppressWarnings(chisq.test(t, correct = FALSE))
  say(case, one, two, "chi-squared", "statistic", chi$statistic)
  say(case, one, two, "chi-squared", "df", chi$parameter)
  say(case, one, two, "chi-squared", "p_value", chi$p.value)
  if (all(dim(t) == 2)) {
    yates <- suppressWarnings(chisq.test(t))
    say(case, one, two, "chi-squared, continuity-corrected", "statistic", yates$statistic)
    say(case, one, two, "chi-squared, continuity-corrected", "p_value", yates$p.value)
    odds <- exact_odds(t)
    rough <- fisher.test(t)
    stopifnot(abs(log(rough$estimate / odds["ratio"])) < 1e-3, abs(log(rough$conf.int / odds[2:3])) < 1e-3)
    say(case, one, two, "Fisher exact", "estimate", odds["ratio"])
    say(case, one, two, "Fisher exact", "low", odds["low"])
    say(case, one, two, "Fisher exact", "high", odds["high"])
  }
  say(case, one, two, "Fisher exact", "p_value", fisher.test(t, workspace = 2e7)$p.value)
  if (nrow(t) == 2) {
    shares <- prop.table(t, 1)[, -ncol(t), drop = FALSE]
    spread <- function(p) diag(p, length(p)) - outer(p, p)
    away <- shares[1, ] - shares[2, ]
    s <- (spread(shares[1, ]) + spread(shares[2, ])) / 2
    say(case, one, two, "standardized difference", "estimate", sqrt(drop(t(away) %*% solve(s, away))))
  }
}

by_group <- function(case, d, by, columns) {
  g <- factor(d[[by]])
  for (x in columns) {
    for (l in levels(g)) {
      v <- d[[x]][which(g == l)]
      say(case, by, x, "n", l, sum(!is.na(v)))
      say(case, by, x, "missing", l, sum(is.na(v)))
      say(case, by, x, "mean", l, mean(v, na.rm = TRUE))
      say(case, by, x, "sd", l, sd(v, na.rm = TRUE))
      say(case, by, x, "q50", l, quantile(v, 0.5, type = 1, na.rm = TRUE))
    }
    test <- if (nlevels(g) == 2) t.test(d[[x]] ~ g) else oneway.test(d[[x]] ~ g, var.equal = TRUE)
    name <- if (nlevels(g) == 2) "Welch t" else "ANOVA F"
    say(case, by, x, name, "statistic", test$statistic)
    say(case, by, x, name, "df", test$parameter[1])
    if (nlevels(g) > 2) say(case, by, x, name, "df2", test$parameter[2])
    say(case, by, x, name, "p_value", test$p.value)
    if (nlevels(g) == 2) {
      m <- tapply(d[[x]], g, mean, na.rm = TRUE); v <- tapply(d[[x]], g, var, na.rm = TRUE)
      say(case, by, x, "standardized difference", "estimate", abs(m[1] - m[2]) / sqrt(sum(v) / 2))
    }
  }
}

correlations <- function(case, d, columns) {
  r <- cor(d[columns], use = "complete.obs")
  for (a in columns) for (b in columns) say(case, a, b, "correlation", "", r[a, b])
  say(case, columns[1], "", "correlation", "n", sum(complete.cases(d[columns])))
}

sites <- function(name, d, shares) {
  d$site <- rep(names(shares), shares)
  for (s in names(shares)) write.csv(subset(d, site == s, select = -site), sprintf("tables/%s-%s.csv", name, s), row.names = FALSE, quote = FALSE, na = "")
}

set.seed(7)
w <- birthwt[sample(nrow(birthwt)), ]
w$race <- c("white", "black", "other")[w$race]
w$ptl <- NULL
w$ftv <- pmin(w$ftv, 2)
sites("birthwt", w, c(a = 120, b = 69))
by_group("birthwt", w, "smoke", c("age", "lwt", "bwt"))
cross("birthwt", w, "smoke", "race")
cross("birthwt", w, "smoke", "low")
cross("birthwt", w, "race", "low")
by_group("birthwt-race", w, "race", c("age", "lwt", "bwt"))
correlations("birthwt", w, c("age", "lwt", "bwt"))

p <- pbc[sample(nrow(pbc)), c("trt", "sex", "age", "stage", "bili", "albumin", "chol", "edema", "spiders")]
p$trt <- c("penicillamine", "placebo")[p$trt]
p <- p[!is.na(p$trt), ]
p$edema <- c("none", "treated", "yes")[match(p$edema, c(0, 0.5, 1))]
p$stage <- paste0("s", pmax(2, p$stage))
p$sex <- as.character(p$sex)
sites("pbc", p, c(a = 90, b = 222))
by_group("pbc", p, "trt", c("age", "bili", "albumin", "chol"))
cross("pbc", p, "trt", "sex")
cross("pbc", p, "trt", "stage")
cross("pbc", p, "stage", "spiders")
by_group("pbc-stage", p, "stage", c("age", "bili", "albumin"))
cross("pbc-stage", p, "stage", "trt")
complete <- p[!is.na(p$chol), ]
by_group("pbc-complete", complete, "stage", c("age", "bili", "albumin", "chol"))
cross("pbc-complete", complete, "stage", "trt")
correlations("pbc", p, c("age", "bili", "albumin", "chol"))

write.csv(do.call(rbind, lines), "tables/expected.csv", row.names = FALSE, quote = TRUE)
