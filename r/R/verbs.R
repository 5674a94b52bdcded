# The other commands, each an object that prints as the program does.

ngd_network <- function(network, clients, ..., out = NULL) {
  folder <- ngd_folder(out)
  ended <- ngd_run(c("network", paste0("--network=", network), paste0("--clients=", format(clients)), ngd_flags(list(...)),
                     paste0("--out=", folder)))
  edges <- read_csv(lines_of(file.path(folder, "edges.csv")))
  weights <- matrix(0, clients, clients)
  weights[cbind(edges$client + 1, edges$hears + 1)] <- edges$weight
  structure(list(result = ngd_json(lines_of(file.path(folder, "network.json"))), edges = edges, weights = weights, folder = folder,
                 table = edges, text = ended$out[!grepl("^written to ", ended$out)]), class = c("ngd_network", "ngd_result"))
}

ngd_check <- function(formula = NULL, sites = NULL, family = NULL, network = "complete", ..., data = NULL, out = NULL) {
  asked <- ask_of_data("check", formula, sites, family, network, list(...), data, out)
  result <- ngd_json(lines_of(file.path(asked$folder, "check.json")))
  structure(list(result = result, table = result$conditions, folder = asked$folder, text = asked$text),
            class = c("ngd_check", "ngd_result"))
}

ngd_compare <- function(algorithms, formula = NULL, sites = NULL, family = NULL, network = "complete", ..., data = NULL, out = NULL) {
  asked <- ask_of_data("compare", formula, sites, family, network, c(list(algorithms = algorithms), list(...)), data, out)
  structure(list(table = read_csv(lines_of(file.path(asked$folder, "compare.csv"))),
                 trace = read_csv(lines_of(file.path(asked$folder, "trace.csv"))), folder = asked$folder, text = asked$text),
            class = c("ngd_compare", "ngd_result"))
}

ngd_describe <- function(sites = NULL, ..., data = NULL, out = NULL) {
  asked <- ask_of_data("describe", NULL, sites, NULL, NULL, list(...), data, out)
  structure(list(result = ngd_json(lines_of(file.path(asked$folder, "description.json"))),
                 table = read_csv(lines_of(file.path(asked$folder, "numbers.csv"))),
                 levels = read_csv(lines_of(file.path(asked$folder, "levels.csv"))), tables = tables_in(asked$folder), folder = asked$folder,
                 text = asked$text),
            class = c("ngd_describe", "ngd_result"))
}

# `study` names one of the program's, a YAML file, or is a list with what such a file holds.
ngd_study <- function(study, ..., out = NULL) {
  folder <- ngd_folder(out)
  if (is.list(study)) {
    file <- tempfile("study-", fileext = ".yaml")
    on.exit(unlink(file))
    # JSON is YAML.
    writeLines(jsonlite::toJSON(study, auto_unbox = TRUE, digits = NA), file)
    study <- file
  }
  ended <- ngd_run(c("study", study, ngd_flags(list(...)), paste0("--out=", folder), "--progress=none"))
  tables <- tables_in(folder)
  structure(list(tables = tables, table = if (length(tables) > 0) tables[[1]], folder = folder, text = ended$out),
            class = c("ngd_study", "ngd_result"))
}

tables_in <- function(folder) {
  tables <- list.files(folder, "\\.csv$")
  lapply(setNames(tables, sub("\\.csv$", "", tables)), function(file) read_csv(lines_of(file.path(folder, file))))
}

ask_of_data <- function(command, formula, sites, family, network, options, data, out) {
  tables <- tempfile("ngd-tables-")
  on.exit(unlink(tables, recursive = TRUE))
  folder <- ngd_folder(out)
  model <- if (is.null(formula)) NULL else ngd_formula(formula, if (is.null(sites)) list(data) else sites)
  ended <- ngd_run(c(command, ngd_question(model, sites, data, family, network, options, tables), paste0("--out=", folder), "--progress=none"))
  list(folder = folder, text = shown(ended$out))
}
