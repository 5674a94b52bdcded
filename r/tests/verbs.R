# The other commands, each against what R computes from the same rows or weights.
library(ngd)
if (!nzchar(Sys.getenv("NGD"))) {
  cat("skipped: needs NGD, the program\n")
  quit(status = 0)
}
close_to <- function(a, b, tolerance = 1e-6) stopifnot(isTRUE(all.equal(a, b, tolerance = tolerance)))
quiet <- function(...) suppressWarnings(suppressMessages(...))
sites <- split(mtcars, rep(c("a", "b"), each = 16))

circle <- ngd_network("circle:2", 6)
w <- matrix(0, 6, 6)
for (m in 0:5) w[m + 1, (m + 1:2) %% 6 + 1] <- 0.5
close_to(circle$weights, w)
close_to(circle$result$sigmaMax, max(svd(w)$d))
stopifnot(isTRUE(circle$result$irreducible), any(grepl("circle:2", capture.output(print(circle)))))
pdf(NULL)
plot(circle)

summed <- quiet(ngd_describe(sites))
close_to(summed$table$mean[summed$table$variable == "mpg"], mean(mtcars$mpg))
stopifnot(summed$result$rows == 32)
grouped <- quiet(ngd_describe(split(mtcars, rep(c("a", "b"), 16)), columns = c("mpg", "wt"), by = "am", correlation = c("mpg", "wt")))$tables
welch <- t.test(mpg ~ am, mtcars)
close_to(grouped$tests$p_value[grouped$tests$variable == "mpg"][1], welch$p.value)
close_to(grouped$groups$mean[grouped$groups$variable == "mpg"], unname(welch$estimate))
close_to(grouped$correlations$wt[1], cor(mtcars$mpg, mtcars$wt))

# The safe limit of the theory: 2 over the largest eigenvalue of any client's second moments.
checked <- quiet(ngd_check(mpg ~ wt, sites, alpha = 0.01))
largest <- max(vapply(sites, function(d) max(eigen(crossprod(cbind(1, d$wt)) / 16)$values), 0))
close_to(checked$result$safeAlpha, 2 / largest)
stopifnot("name" %in% names(as.data.frame(checked)))

compared <- quiet(ngd_compare(c("ngd", "extra"), mpg ~ wt, sites, alpha = 0.01, rounds = 50, weights = "lazy:0.5"))
stopifnot(identical(compared$table$algorithm, c("ngd", "extra")), all(compared$trace$round <= 50))
plot(compared, "bytes")

study <- quiet(ngd_study(list(networks = c("complete", "circle:1"), clients = 4, rows = 80, alphas = 0.02, rounds = 20), replicates = 2))
stopifnot(all(c("complete", "circle:1") %in% study$tables$study$network), file.exists(file.path(study$folder, "report.html")))

# A federation that is not there: the program's own words.
error <- tryCatch(ngd_ask(y ~ x, member = tempfile()), error = identity)
stopifnot(inherits(error, "ngd_error"), grepl("ngd federation ask: ", conditionMessage(error), fixed = TRUE))
