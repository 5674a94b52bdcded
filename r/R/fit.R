# Fits: in one process, by a standing federation, or read back from a folder.

ngd_fit <- function(formula = NULL, sites = NULL, family = NULL, network = "complete", ..., data = NULL, out = NULL) {
  call <- match.call()
  tables <- tempfile("ngd-tables-")
  on.exit(unlink(tables, recursive = TRUE))
  folder <- ngd_folder(out)
  classes <- of_classes(family)
  if (classes && !is.null(sites)) sites <- unordered(as.list(sites), formula)
  if (classes && !is.null(data)) data <- unordered(list(data), formula)[[1]]
  model <- if (is.null(formula)) NULL else ngd_formula(formula, if (is.null(sites)) list(data) else sites, classes)
  options <- list(...)
  if (is.null(options$order)) options$order <- if (!is.null(model$order)) paste(model$order, collapse = "<")
  words <- c("fit", ngd_question(model, sites, data, family, network, options, tables), paste0("--out=", folder), "--progress=none")
  ended <- ngd_run(words)
  read_fit(folder, shown(ended$out), call, formula, model)
}

ngd_ask <- function(formula, member = ".", family = NULL, ..., out = NULL) {
  call <- match.call()
  folder <- ngd_folder(out)
  model <- ngd_formula(formula, list())
  ended <- ngd_run(c("federation", "ask", paste0("--formula=", model$text), paste0("--member=", path.expand(member)),
                     ngd_family(family), ngd_flags(list(...)), paste0("--out=", folder), "--progress=none"))
  read_fit(folder, ended$out, call, formula, model)
}

ngd_read <- function(folder) read_fit(folder, NULL, match.call(), NULL, NULL)

# The program's page in this package's words.
shown <- function(text) {
  in_arguments(text[!grepl("^written to ", text)])
}

# The words of a question about data: fit, check, compare and describe have them in common.
ngd_question <- function(model, sites, data, family, network, options, tables) {
  c(if (!is.null(model)) paste0("--formula=", model$text),
    if (!is.null(sites)) ngd_sites(sites, tables),
    if (!is.null(data)) ngd_table(data, "--data", NULL, tables),
    ngd_family(family),
    if (!is.null(network)) paste0("--network=", network),
    ngd_flags(options))
}

read_fit <- function(folder, text, call, formula, model) {
  renamed <- model$renamed
  files <- c("result.json", "manifest.json", "theta.csv", "trace.csv", "curves.csv", "incidence.csv", "path.csv", "cv.csv")
  files <- files[file.exists(file.path(folder, files))]
  if (!"result.json" %in% files) stop(folder, ": must be the folder of a fit, with result.json", call. = FALSE)
  contents <- lapply(setNames(files, files), function(file) lines_of(file.path(folder, file)))
  result <- ngd_json(contents$result.json)
  if (is.null(result$model) && is.null(result$coefficients)) {
    stop(folder, ": must be the folder of a fit; it is one of ngd ", ngd_json(contents$manifest.json)$command, call. = FALSE)
  }
  # An empty list in JSON has no columns.
  if (length(result$coefficients) == 0) result$coefficients <- data.frame(term = character(), estimate = numeric())
  if (!is.null(result$curves)) {
    answer <- list(call = call, formula = if (is.null(formula)) result$model$formula else formula, result = result, text = text,
                   folder = folder, files = contents, table = read_csv(contents$curves.csv))
    if ("incidence.csv" %in% files) answer$incidence <- read_csv(contents$incidence.csv)
    return(structure(answer, class = c("ngd_curves", "ngd_result")))
  }
  plain <- function(terms) {
    for (name in renamed) terms <- gsub(paste0("factor(", name, ")"), name, terms, fixed = TRUE)
    terms
  }
  result$coefficients$term <- plain(result$coefficients$term)
  if (is.data.frame(result$anova$terms)) result$anova$terms$term <- plain(result$anova$terms$term)
  # Blanks keep the columns of the page where they are.
  for (name in renamed) text <- gsub(paste0("\\Qfactor(", name, ")\\E(\\S*)"), paste0(name, "\\1        "), text, perl = TRUE)
  order <- r_order(result$coefficients$term, model$levels)
  result$coefficients <- result$coefficients[order, , drop = FALSE]
  row.names(result$coefficients) <- NULL
  if (!is.null(result$vcov)) result$vcov <- result$vcov[order, order, drop = FALSE]
  answer <- list(call = call, formula = if (is.null(formula)) result$model$formula else formula, result = result, text = text,
                 folder = folder, files = contents)
  if ("path.csv" %in% files) {
    answer$path <- read_csv(contents$path.csv)
    names(answer$path)[-(1:4)] <- plain(names(answer$path)[-(1:4)])
    if ("cv.csv" %in% files) answer$cv <- read_csv(contents$cv.csv)
    class(answer) <- c("ngd_penalised", "ngd_fit", "ngd_result")
  } else if ("trace.csv" %in% files) {
    answer$trace <- read_csv(contents$trace.csv)
    answer$theta <- read_csv(contents$theta.csv)
    names(answer$theta)[-1] <- plain(names(answer$theta)[-1])
    answer$theta <- answer$theta[c(1, 1 + order)]
    class(answer) <- c("ngd_method", "ngd_fit", "ngd_result")
  } else {
    class(answer) <- c("ngd_fit", "ngd_result")
  }
  answer
}

read_csv <- function(lines) read.csv(text = lines, check.names = FALSE, encoding = "UTF-8")

# The folder as the program wrote it, also where it is gone: the answer holds its files.
restored <- function(object) {
  folder <- tempfile("ngd-restored-")
  dir.create(folder)
  for (name in names(object$files)) writeLines(object$files[[name]], file.path(folder, name), useBytes = TRUE)
  folder
}
