# Pictures by base graphics.

# A forest plot: each coefficient with its interval, the intercept left out.
plot.ngd_fit <- function(x, level = 0.95, exponentiate = FALSE, ...) {
  limits <- confint(x, level = level)
  estimate <- coef(x)
  shown <- names(estimate) != "(Intercept)"
  if (!any(shown)) shown[] <- TRUE
  values <- cbind(estimate, limits)[shown, , drop = FALSE]
  if (exponentiate) values <- exp(values)
  rows <- rev(seq_len(nrow(values)))
  old <- par(mar = c(4, 2 + 0.55 * max(nchar(rownames(values))), 2, 1))
  on.exit(par(old))
  plot(values[, 1], rows, xlim = range(values), ylim = c(0.5, max(rows) + 0.5), yaxt = "n", ylab = "", pch = 15,
       xlab = if (exponentiate) x$result$ratio else "coefficient", log = if (exponentiate) "x" else "", ...)
  axis(2, rows, rownames(values), las = 1, tick = FALSE)
  abline(v = if (exponentiate) 1 else 0, lty = 3)
  segments(values[, 2], rows, values[, 3], rows)
  invisible(values)
}

# Coefficients along a path of penalties.
plot.ngd_penalised <- function(x, ...) {
  values <- as.matrix(x$path[setdiff(names(x$path), c("lambda", "nonzero", "deviance", "explained", "(Intercept)"))])
  matplot(log(x$path$lambda), values, type = "l", xlab = "log(lambda)", ylab = "coefficient", ...)
  if (!is.null(x$result$penalty$lambda)) abline(v = log(x$result$penalty$lambda), lty = 3)
  invisible(x$path)
}

# Survival curves as steps from 1 and beside them, of competing causes, the cumulative incidence of each as steps from 0: a line for
# each group, and below the axis its rows at risk.
plot.ngd_curves <- function(x, xlab = "time", ylab = "survival", ...) {
  strata <- unique(x$table$stratum)
  groups <- ifelse(is.na(strata) | strata == "", "all", as.character(strata))
  causes <- unique(x$incidence$cause)
  old <- par(c(list(mar = c(5.5 + length(strata), max(4.1, 1.5 + 0.5 * max(nchar(c(groups, "at risk")))), 1.5, 1)),
               if (length(causes) > 0) list(mfrow = c(1, 1 + length(causes)))))
  on.exit(par(old))
  draw <- function(table, column, start, ylab, corner) {
    plot(c(0, max(table$time)), c(0, 1), type = "n", xlab = xlab, ylab = ylab, ...)
    at <- axTicks(1)
    below <- function(text, line, at, ...) mtext(text, 1, line, at = at, cex = 0.8 * par("cex"), ...)
    edge <- par("usr")[1] - 0.03 * diff(par("usr")[1:2])
    below("at risk", 4, edge, adj = 1, font = 2)
    for (k in seq_along(strata)) {
      own <- table[table$stratum %in% strata[k], ]
      lines(c(0, own$time), c(start, own[[column]]), type = "s", col = k, lty = k)
      below(groups[k], 4 + k, edge, adj = 1, col = k)
      # Who is at risk at a time leaves there or later.
      below(vapply(at, function(time) c(round(own$at_risk[own$time >= time]), 0)[1], 0), 4 + k, at, col = k)
    }
    if (length(strata) > 1) legend(corner, groups, col = seq_along(strata), lty = seq_along(strata), bty = "n")
  }
  draw(x$table, "survival", 1, ylab, "bottomleft")
  for (cause in causes) draw(x$incidence[x$incidence$cause == cause, ], "incidence", 0, paste("incidence of cause", cause), "topleft")
  invisible(x$table)
}

# How far the clients are from the pooled estimate, and from each other, round by round.
plot.ngd_method <- function(x, ...) {
  columns <- intersect(c("distance", "consensus", "gradient_norm"), names(x$trace))
  values <- as.matrix(x$trace[columns])
  values[values <= 0] <- NA
  matplot(x$trace$round, values, type = "l", log = "y", lty = seq_along(columns), col = seq_along(columns), xlab = "round",
          ylab = "", ...)
  legend("topright", columns, lty = seq_along(columns), col = seq_along(columns), bty = "n")
  invisible(x$trace)
}

plot.ngd_compare <- function(x, against = c("round", "messages", "bytes", "gradients", "simulated_seconds"), ...) {
  against <- match.arg(against)
  trace <- x$trace[x$trace$distance > 0, ]
  algorithms <- unique(trace$algorithm)
  plot(range(trace[[against]]), range(trace$distance), type = "n", log = "y", xlab = against, ylab = "distance to the pooled estimate", ...)
  for (k in seq_along(algorithms)) {
    own <- trace[trace$algorithm == algorithms[k], ]
    lines(own[[against]], own$distance, col = k, lty = k)
  }
  legend("topright", algorithms, col = seq_along(algorithms), lty = seq_along(algorithms), bty = "n")
  invisible(trace)
}

plot.ngd_network <- function(x, ...) {
  clients <- x$result$clients
  angle <- 2 * pi * (seq_len(clients) - 1) / clients
  at <- cbind(sin(angle), cos(angle))
  plot(at, asp = 1, axes = FALSE, xlab = "", ylab = "", xlim = c(-1.1, 1.1), ylim = c(-1.1, 1.1), type = "n", ...)
  edges <- x$edges[x$edges$client != x$edges$hears, ]
  if (nrow(edges) > 0) {
    from <- at[edges$hears + 1, , drop = FALSE]
    to <- at[edges$client + 1, , drop = FALSE]
    arrows(from[, 1], from[, 2], to[, 1] - 0.06 * (to[, 1] - from[, 1]), to[, 2] - 0.06 * (to[, 2] - from[, 2]), length = 0.06, col = "grey60")
  }
  points(at, pch = 21, bg = "white", cex = 2.4)
  text(at, labels = seq_len(clients) - 1, cex = 0.7)
  invisible(at)
}
