# What R says of the same answers: ratios, sequential and nested tests, area under the curve, residuals.
#
#   Rscript oracles/reading_oracle.R
#
# Needs R 4 with MASS. Reads oracles/glm/synthetic.csv, writes oracles/reading/. The area under the curve is the rank
# statistic of Mann and Whitney, row by row, its standard error DeLong's from all pairs of rows.
suppressMessages(library(MASS))
options(digits = 17)
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
out <- file.path(dirname(here), "reading")
dir.create(out, showWarnings = FALSE)
d <- read.csv(file.path(dirname(here), "glm", "synthetic.csv"))
control <- glm.control(epsilon = 1e-14, maxit = 100)
text <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))
write <- function(name, frame) {
  numeric <- sapply(frame, is.numeric)
  frame[numeric] <- lapply(frame[numeric], text)
  write.table(frame, file.path(out, paste0(name, ".csv")), sep = ",", row.names = FALSE, quote = which(!numeric))
}

families <- list(
  gaussian = list(response = "gaussian", family = gaussian(), test = "F"),
  logit = list(response = "binary", family = binomial(), test = "Chisq"),
  probit = list(response = "binary", family = binomial("probit"), test = "Chisq"),
  poisson = list(response = "count", family = poisson(), test = "Chisq"),
  gamma = list(response = "positive", family = Gamma("log"), test = "F"),
  negative = list(response = "over", family = negative.binomial(1.5), test = "Chisq"))

for (name in names(families)) {
  one <- families[[name]]
  model <- function(right) glm(as.formula(paste(one$response, "~", right)), family = one$family, data = d, control = control)

  # Term by term. R estimates a dispersion for MASS's negative binomial family, which is 1 here.
  full <- model("x1 + factor(w) + x2 + x1:x2 + offset(0.1 * exposure)")
  dispersion <- if (one$test == "F") summary(full)$dispersion else 1
  table <- anova(full, test = NULL)
  explained <- table$Deviance
  df <- table$Df
  p <- if (one$test == "F") pf(explained / df / dispersion, df, full$df.residual, lower.tail = FALSE)
       else pchisq(explained / dispersion, df, lower.tail = FALSE)
  if (!name %in% c("negative")) {
    own <- anova(full, test = one$test)
    stopifnot(isTRUE(all.equal(own[[ncol(own)]], p)))
  }
  statistic <- if (one$test == "F") explained / df / dispersion else explained
  write(paste0(name, ".terms"), data.frame(
    term = rownames(table), df = df, deviance = explained, df_residual = table$`Resid. Df`,
    residual_deviance = table$`Resid. Dev`, statistic = statistic, p_value = p))

  # Two nested models.
  small <- model("x1 + offset(0.1 * exposure)")
  pair <- anova(small, full, test = one$test)
  write(paste0(name, ".nested"), data.frame(
    name = c("df", "deviance", "p_value"),
    value = c(pair$Df[2], pair$Deviance[2],
              if (name == "negative") pchisq(pair$Deviance[2], pair$Df[2], lower.tail = FALSE) else pair[[ncol(pair)]][2])))

  # The plain model: ratios, predictions, residuals.
  plain <- model("x1 + x2")
  se <- sqrt(diag(vcov(plain)) * (if (name == "negative") 1 / summary(plain)$dispersion else 1))
  q <- if (one$test == "F") qt(0.95, plain$df.residual) else qnorm(0.95)
  write(paste0(name, ".ratios"), data.frame(
    term = names(coef(plain)), ratio = exp(coef(plain)), low = exp(coef(plain) - q * se), high = exp(coef(plain) + q * se)))
  r <- residuals(plain, "deviance")
  m <- function(k) mean((r - mean(r))^k)
  write(paste0(name, ".residuals"), data.frame(
    name = c("mean", "deviation", "skewness", "kurtosis", "q5", "q25", "q50", "q75", "q95"),
    value = c(mean(r), sd(r), m(3) / m(2)^1.5, m(4) / m(2)^2 - 3, quantile(r, c(0.05, 0.25, 0.5, 0.75, 0.95)))))
  write(paste0(name, ".fitted"), data.frame(fitted = fitted.values(plain), y = plain$y))
}

# The area under the curve, of all pairs of rows with 0 and 1, ties a half; weights multiply.
auc <- function(name, score, y, w) {
  ones <- which(y == 1 & w > 0)
  zeros <- which(y == 0 & w > 0)
  wins <- outer(score[ones], score[zeros], function(a, b) (a > b) + 0.5 * (a == b))
  area <- sum(outer(w[ones], w[zeros]) * wins) / (sum(w[ones]) * sum(w[zeros]))
  ranks <- rank(score)
  if (all(w == 1)) {
    n1 <- length(ones); n0 <- length(zeros)
    stopifnot(isTRUE(all.equal(area, (sum(ranks[ones]) - n1 * (n1 + 1) / 2) / (n1 * n0))))
  }
  delong <- sqrt(var(rowMeans(wins)) / length(ones) + var(colMeans(wins)) / length(zeros))
  write(paste0(name, ".auc"), data.frame(
    name = c("auc", "std_error", "brier"),
    value = c(area, if (all(w == 1)) delong else NA, sum(w * (y - score)^2) / sum(w))))
}
one <- rep(1, nrow(d))
auc("logit", fitted.values(glm(binary ~ x1 + x2, binomial(), d, control = control)), d$binary, one)
auc("probit", fitted.values(glm(binary ~ x1 + x2, binomial("probit"), d, control = control)), d$binary, one)
weighted <- suppressWarnings(glm(binary ~ x1 + x2, binomial(), d, weights = w, control = control))
auc("logit-weights", fitted.values(weighted), d$binary, d$w)
