# Responses of several levels over sites against nnet::multinom() and MASS::polr() on the pooled rows, right here.
#
# Without the program nothing is tested, and it says so.
library(ngd)
if (!nzchar(Sys.getenv("NGD")) || !requireNamespace("MASS", quietly = TRUE) || !requireNamespace("nnet", quietly = TRUE)) {
  cat("skipped: needs NGD (the program), MASS and nnet\n")
  quit(status = 0)
}
run <- function(...) suppressWarnings(suppressMessages(ngd_fit(...)))
close_to <- function(found, wanted, within) {
  stopifnot(identical(names(found), names(wanted)), identical(dimnames(found), dimnames(wanted)), max(abs(found - wanted)) < within)
}
housing <- MASS::housing
sites <- split(housing, rep(c("a", "b", "c"), length.out = nrow(housing)))
new <- housing[c(1, 20, 50), ]

# Steps of polr() end early. The order of the factor goes with the question.
reference <- MASS::polr(Sat ~ Infl + Type, housing, weights = Freq, Hess = TRUE, control = list(reltol = 1e-15, maxit = 1000))
fit <- run(Sat ~ Infl + Type + weights(Freq), sites, "ordered")
close_to(coef(fit), c(coef(reference), reference$zeta), 1e-5)
close_to(sqrt(diag(vcov(fit))), sqrt(diag(vcov(reference))), 1e-4)
stopifnot(abs(deviance(fit) - deviance(reference)) < 1e-6, abs(AIC(fit) - AIC(reference)) < 1e-6)
stopifnot(identical(as.character(predict(fit, new)), as.character(predict(reference, new))))
close_to(predict(fit, new, "probs"), predict(reference, new, "probs"), 1e-5)

reference <- nnet::multinom(Sat ~ Infl, housing, weights = Freq, trace = FALSE, reltol = 1e-14, maxit = 1000)
fit <- run(Sat ~ Infl + weights(Freq), sites, "multinomial")
wanted <- as.vector(t(coef(reference)))
names(wanted) <- as.vector(t(outer(rownames(coef(reference)), colnames(coef(reference)), paste, sep = ":")))
close_to(coef(fit), wanted, 1e-5)
close_to(predict(fit, new, "probs"), predict(reference, new, "probs"), 1e-5)
stopifnot(abs(deviance(fit) - deviance(reference)) < 1e-6)

refused <- tryCatch(predict(fit, new, "response"), error = conditionMessage)
stopifnot(grepl("type: must be class or probs", refused))
cat("ok\n")
