# What R's metafor says of the sites' own fits: the oracle of `ngd fit --meta`.
#
#   Rscript oracles/meta_oracle.R
#
# Needs R 4 with metafor. Fits glm() to each site's rows of oracles/mixed/orthodont.csv (gaussian) and oracles/survival/mgus.csv
# (binomial), and writes what rma() makes of the coefficients to oracles/meta/rma.csv: case,term,method,what,value.
suppressMessages(library(metafor))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
dir.create(file.path(here, "meta"), showWarnings = FALSE)
lines <- character()
meta <- function(case, formula, family, data) {
  fits <- lapply(split(data, data$hospital), function(d) glm(formula, family, d, control = list(epsilon = 1e-15, maxit = 100)))
  tight <- list(threshold = 1e-15, maxiter = 100000)
  for (term in names(coef(fits[[1]]))) {
    y <- sapply(fits, function(f) coef(f)[[term]])
    v <- sapply(fits, function(f) vcov(f)[term, term])
    for (method in c("fixed", "DL", "REML", "REML-HK")) {
      m <- switch(method, fixed = rma(y, v, method = "FE"), DL = rma(y, v, method = "DL"), REML = rma(y, v, method = "REML", control = tight),
                  `REML-HK` = rma(y, v, method = "REML", test = "knha", control = tight))
      found <- c(estimate = m$beta[1], se = m$se, statistic = m$zval, p = m$pval, low = m$ci.lb, tau2 = m$tau2, i2 = m$I2, h2 = m$H2, q = m$QE, qp = m$QEp)
      lines <<- c(lines, sprintf("%s,%s,%s,%s,%.17g", case, term, method, names(found), found))
    }
  }
}
meta("orthodont", distance ~ age, gaussian(), read.csv(file.path(here, "mixed", "orthodont.csv")))
meta("mgus", death ~ age + sex, binomial(), read.csv(file.path(here, "survival", "mgus.csv")))
meta("sleep", Reaction ~ Days, gaussian(), read.csv(file.path(here, "mixed", "sleep.csv")))
writeLines(c("case,term,method,what,value", lines), file.path(here, "meta", "rma.csv"))
