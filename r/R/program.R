# The program: where it is, and one run of it.

#' The first of: the option `ngd.path`, the environment variable NGD, `ngd` on the PATH.
ngd_path <- function(path) {
  if (!missing(path)) {
    if (!is.character(path) || length(path) != 1 || !file.exists(path)) {
      stop("ngd_path: must be the program ngd, a file; got ", paste(format(path), collapse = " "), call. = FALSE)
    }
    options(ngd.path = normalizePath(path))
  }
  places <- c(getOption("ngd.path", ""), Sys.getenv("NGD"), unname(Sys.which("ngd")))
  given <- places[nzchar(places)]
  if (length(given) == 0) {
    stop("the program ngd was not found: put it on the PATH, set the environment variable NGD, or call ngd_path(\"/where/it/is/ngd\")",
         call. = FALSE)
  }
  if (!file.exists(given[1])) {
    stop("the program ngd must be a file; option ngd.path, NGD or PATH names ", given[1], call. = FALSE)
  }
  given[1]
}

ngd_version <- function() trimws(ngd_run("--version")$out[1])

# The program's options as the arguments that they are here: --local-steps is local_steps. Commands in backticks stay as
# they are: they are for a terminal.
in_arguments <- function(lines) {
  commands <- "`(?:\\./)?ngd [^`]*`(*SKIP)(*F)|"
  lines <- gsub(paste0(commands, "--site NAME=PLACE\\b"), "sites = list(NAME = PLACE)", lines, perl = TRUE)
  lines <- gsub(paste0(commands, "(--[a-z][a-z0-9-]*) (?=[A-Z]{2,}\\b)"), "\\1 = ", lines, perl = TRUE)
  found <- gregexpr(paste0(commands, "(?<![\\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*"), lines, perl = TRUE)
  regmatches(lines, found) <- lapply(regmatches(lines, found), function(flags) {
    names <- gsub("-", "_", sub("^--", "", flags), fixed = TRUE)
    ifelse(names == "site", "sites", names)
  })
  lines
}

# Where a data frame or a list stood for a moment is nobody's concern.
unnamed <- function(lines) {
  place <- paste0("\\Q", tempdir(), "\\E[/\\\\]+")
  lines <- gsub(paste0(place, "ngd-tables-[^/\\\\]+[/\\\\]table[0-9]+\\.jsonl"), "data frame", lines, perl = TRUE)
  gsub(paste0(place, "study-[^/\\\\]+\\.yaml"), "study", lines, perl = TRUE)
}

# Runs it with these words. A failure is an error of class `ngd_error` that says what the program said; its warnings
# are warnings, its remarks are messages.
ngd_run <- function(words) {
  out <- tempfile("ngd-out-")
  err <- tempfile("ngd-err-")
  on.exit(unlink(c(out, err)))
  status <- suppressWarnings(system2(ngd_path(), shQuote(words), stdout = out, stderr = err))
  said <- in_arguments(unnamed(lines_of(err)))
  if (status != 0) {
    if (length(said) == 0) said <- paste("ngd ended with status", status, "and said nothing")
    stop(structure(class = c("ngd_error", "error", "condition"),
                   list(message = paste(said, collapse = "\n"), call = NULL, status = status)))
  }
  for (line in said) {
    if (grepl(": warning: ", line, fixed = TRUE)) warning(line, call. = FALSE) else message(line)
  }
  list(out = unnamed(lines_of(out)))
}

lines_of <- function(file) {
  if (!file.exists(file)) return(character())
  readLines(file, warn = FALSE, encoding = "UTF-8")
}

# R's way to name options, local_steps = 5, as the program's: --local-steps=5. TRUE is a flag; a named vector repeats
# the option for each name; any other vector is a list with commas.
ngd_flags <- function(options) {
  if (length(options) == 0) return(character())
  if (is.null(names(options)) || any(!nzchar(names(options)))) {
    stop("options of the program must be named, as rounds = 100", call. = FALSE)
  }
  unlist(Map(function(name, value) {
    flag <- paste0("--", gsub("[._]", "-", name))
    if (is.null(value) || identical(value, FALSE)) return(character())
    if (isTRUE(value)) return(flag)
    if (!is.atomic(value) && !is.list(value)) {
      stop(name, ": must be a text, a number, a truth value or a vector of them; got ", class(value)[1], call. = FALSE)
    }
    text <- if (is.numeric(value)) vapply(value, format, "", digits = 15, trim = TRUE) else as.character(value)
    if (!is.null(names(value))) return(paste0(flag, "=", names(value), "=", text))
    paste0(flag, "=", paste(text, collapse = ","))
  }, names(options), options), use.names = FALSE)
}

# A new folder for the program to write; its own where none is given.
ngd_folder <- function(out) if (is.null(out)) tempfile("ngd-run-") else path.expand(out)

ngd_json <- function(text) jsonlite::fromJSON(paste(text, collapse = "\n"))
