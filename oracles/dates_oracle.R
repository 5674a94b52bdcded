# Dates and times in formulas: what R makes of the expressions that ngd knows.
#
#   Rscript oracles/dates_oracle.R
#
# Writes oracles/dates/values.csv (expression;five rows), visits.csv and lm.csv (term,estimate,se).
# year(), month() and the like are lubridate's names, defined here by base R.
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
setwd(dirname(here))
invisible(Sys.setlocale("LC_ALL", "C"))
options(digits = 17)
Sys.setenv(TZ = "UTC")

lt <- function(x) as.POSIXlt(x, tz = "UTC")
year <- function(x) lt(x)$year + 1900
month <- function(x) lt(x)$mon + 1
quarter <- function(x) lt(x)$mon %/% 3 + 1
day <- function(x) lt(x)$mday
yday <- function(x) lt(x)$yday + 1
wday <- function(x) lt(x)$wday + 1
hour <- function(x) lt(x)$hour
minute <- function(x) lt(x)$min
second <- function(x) lt(x)$sec

d <- as.Date(c("2020-02-29", "1969-12-31", NA, "2023-07-01", "1900-03-01"))
ts <- as.POSIXct(c("2020-02-29 23:59:58.5", "1969-12-31 12:00:00", NA, "2023-07-01 00:00:00",
                   "1900-03-01 06:30:15"), tz = "UTC")
n <- c(7, 3, -2, 0, 2)

expressions <- c(
  "as.numeric(d)", "as.numeric(ts)", "as.numeric(n)", "d - as.Date('2020-01-01')", "as.Date(ts) - d",
  "as.numeric(d + n)", "as.numeric(n + d)", "as.numeric(d - n)", "as.numeric(ts + 60)",
  "d > '2000-01-01'", "d >= as.Date('2020-02-29')", "d == '2020-02-29'", "d != '2020-02-29'",
  "'1969-12-31' < d", "ts < '2020-02-29 23:59:59'", "ts >= '2020-02-29'",
  "year(d)", "quarter(d)", "month(d)", "day(d)", "yday(d)", "wday(d)",
  "year(ts)", "quarter(ts)", "month(ts)", "day(ts)", "yday(ts)", "wday(ts)",
  "hour(ts)", "minute(ts)", "second(ts)", "year(d + 306)", "month(d - 60)",
  "weekdays(d)", "months(d)", "weekdays(ts)", "months(ts)",
  "ifelse(d > '2000-01-01', 1, 0)", "is.na(d)")
text <- function(v) {
  if (is.character(v)) return(ifelse(is.na(v), "NA", v))
  v <- as.numeric(v)
  ifelse(is.na(v), "NA", format(v, digits = 17, trim = TRUE, scientific = FALSE))
}
lines <- vapply(expressions, function(e)
  paste(c(e, text(eval(parse(text = e)))), collapse = ";"), "")
writeLines(lines, "dates/values.csv")

# A regression on dates: R takes a date as its days, names of weekdays as a factor.
set.seed(1)
rows <- 240
came <- as.Date("2021-03-01") + sample(0:700, rows, TRUE)
left <- came + sample(1:30, rows, TRUE)
seen <- as.POSIXct(came, tz = "UTC") + sample(0:86399, rows, TRUE)
y <- round(2 + 0.01 * as.numeric(left - came) + 0.3 * (weekdays(came) == "Sunday") +
             0.001 * as.numeric(came) + 0.05 * hour(seen) + rnorm(rows), 4)
visits <- data.frame(clinic = rep(c("a", "b", "c"), length.out = rows), y, came, left,
                     seen = format(seen, "%Y-%m-%d %H:%M:%S"))
write.csv(visits, "dates/visits.csv", row.names = FALSE, quote = FALSE)
visits$seen <- seen
fit <- lm(y ~ came + I(left - came) + weekdays(came) + hour(seen) + I(year(came) == 2022), visits)
s <- summary(fit)$coefficients
rows <- data.frame(term = rownames(s), estimate = s[, 1], se = s[, 2])
write.csv(format(rows, digits = 17), "dates/lm.csv", row.names = FALSE, quote = FALSE)
