# Tables of the sites: places pass through as they are; data frames become files of JSON lines, which keep text, numbers,
# truth values and missing ones apart as CSV does not.

# The words that name the sites, with the model's formula as the program must read it.
ngd_sites <- function(sites, folder) {
  if (is.data.frame(sites) || !is.list(sites) && !is.character(sites) || length(sites) == 0 ||
      is.null(names(sites)) || any(!nzchar(names(sites)))) {
    stop("sites: must be a named list of data frames and places, as list(north = \"north.csv\", south = d)", call. = FALSE)
  }
  if (any(grepl("=", names(sites), fixed = TRUE))) {
    stop("sites: a name must not hold `=`; got `", grep("=", names(sites), fixed = TRUE, value = TRUE)[1], "`", call. = FALSE)
  }
  words <- character()
  for (name in names(sites)) words <- c(words, ngd_table(sites[[name]], "--site", name, folder))
  words
}

ngd_table <- function(table, flag, name, folder) {
  of <- if (is.null(name)) "" else paste0(name, "=")
  if (is.character(table) && length(table) == 1) return(paste0(flag, "=", of, path.expand(table)))
  if (!is.data.frame(table)) {
    stop("site ", if (is.null(name)) "data" else name, ": must be a data frame or a place, such as a file; got ", class(table)[1], call. = FALSE)
  }
  if (!dir.exists(folder)) dir.create(folder, mode = "0700")
  file <- file.path(folder, paste0("table", length(dir(folder)) + 1, ".jsonl"))
  dated <- write_table(table, file, if (is.null(name)) "the data" else paste("site", name))
  query <- if (length(dated) > 0) {
    column <- paste0("\"", gsub("\"", "\"\"", dated, fixed = TRUE), "\"")
    paste0("--query=", of, "select * replace (", paste0("cast(", column, " as varchar) as ", column, collapse = ", "), ") from data")
  }
  c(paste0(flag, "=", of, file), query)
}

# Writes the rows; names the columns of text that would be read as dates.
write_table <- function(table, file, of) {
  if (nrow(table) == 0 || ncol(table) == 0) stop(of, ": must have rows and columns; got ", nrow(table), " and ", ncol(table), call. = FALSE)
  values <- Map(json_values, table, paste0(of, ", column ", names(table)))
  keys <- paste0(json_text(names(table)), ":")
  lines <- paste0("{", do.call(paste, c(Map(paste0, keys, values), list(sep = ","))), "}")
  to <- file(file, "w", encoding = "UTF-8")
  on.exit(close(to))
  writeLines(enc2utf8(lines), to, useBytes = TRUE)
  Sys.chmod(file, "0600")
  names(table)[vapply(table, function(x) {
    (is.character(x) || is.factor(x)) && any(grepl("^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}", as.character(x)))
  }, NA)]
}

json_values <- function(x, of) {
  missing <- is.na(x)
  if (is.ordered(x)) {
    stop(of, ": ordered factors have polynomial contrasts, which the program does not have; use factor(x, ordered = FALSE)", call. = FALSE)
  }
  text <- if (is.factor(x) || is.character(x)) {
    json_text(as.character(x))
  } else if (is.logical(x)) {
    ifelse(x, "true", "false")
  } else if (inherits(x, "Date")) {
    json_text(format(x, "%Y-%m-%d"))
  } else if (inherits(x, "POSIXct")) {
    json_text(format(x, "%Y-%m-%dT%H:%M:%OS6Z", tz = "UTC"))
  } else if (is.numeric(x) && is.null(dim(x)) && !is.object(x)) {
    if (any(is.infinite(x))) stop(of, ": numbers must be finite; row ", which(is.infinite(x))[1], " has ", x[is.infinite(x)][1], call. = FALSE)
    sprintf("%.17g", x)
  } else {
    stop(of, ": must be numbers, text, a factor, truth values, dates (Date) or times (POSIXct); got ", class(x)[1], call. = FALSE)
  }
  ifelse(missing, "null", text)
}

json_text <- function(text) {
  text <- enc2utf8(text)
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  for (code in c(1:31, 127)) {
    text <- gsub(intToUtf8(code), sprintf("\\u%04x", code), text, fixed = TRUE)
  }
  paste0("\"", text, "\"")
}

# The formula as the program reads it: where a factor's first level is not the first by code point, factor(g, ref = 'b')
# says so; a factor as 0/1 response is "not its first level", as in glm(). `renamed` are the factors whose coefficients
# are to be called as R calls them, `levels` those whose coefficients are to be put in R's order. Where the response is one
# of several levels, `order` are those of a factor, which the program is told.
ngd_formula <- function(formula, sites, classes = FALSE) {
  if (is.character(formula)) return(list(text = formula, renamed = character(), levels = list(), order = NULL))
  if (!inherits(formula, "formula") || length(formula) != 3) {
    stop("formula: must have a response, as y ~ x; got ", paste(format(formula), collapse = " "), call. = FALSE)
  }
  frames <- Filter(is.data.frame, as.list(sites))
  used <- all.vars(formula)
  response <- if (is.symbol(formula[[2]])) as.character(formula[[2]]) else ""
  first <- list()
  ordered <- list()
  order <- NULL
  renamed <- character()
  for (name in unique(unlist(lapply(frames, function(d) names(d)[vapply(d, is.factor, NA)])))) {
    holding <- Filter(function(d) is.factor(d[[name]]), frames)
    all <- unique(unlist(lapply(holding, function(d) levels(d[[name]]))))
    met <- unique(unlist(lapply(holding, function(d) {
      known <- d[intersect(union(used, name), names(d))]
      complete <- stats::complete.cases(known[vapply(known, is.atomic, NA)])
      as.character(d[[name]][complete])
    })))
    kept <- all[all %in% met]
    if (length(kept) == 0) next
    if (name == response && classes) {
      order <- kept
      next
    }
    if (!identical(kept, sort(kept, method = "radix"))) ordered[[name]] <- kept
    if (name == response) {
      formula[[2]] <- call("!=", as.symbol(name), kept[1])
    } else if (kept[1] != sort(kept, method = "radix")[1]) {
      first[[name]] <- kept[1]
    }
  }
  if ("." %in% used && length(first) > 0) {
    stop("formula: `.` stands for the columns as the program orders their levels, and the first level of ", names(first)[1],
         " is `", first[[1]], "`: name the predictors instead of `.`", call. = FALSE)
  }
  walk <- function(e, plain) {
    if (is.symbol(e)) {
      name <- as.character(e)
      if (plain && !is.null(first[[name]])) {
        renamed <<- union(renamed, name)
        return(call("factor", e, ref = first[[name]]))
      }
      return(e)
    }
    if (!is.call(e)) return(e)
    operator <- as.character(e[[1]])[1]
    if (operator == "factor" && length(e) == 2 && is.symbol(e[[2]]) && !is.null(first[[as.character(e[[2]])]])) {
      e$ref <- first[[as.character(e[[2]])]]
      return(e)
    }
    if (!operator %in% c("+", "-", "*", ":", "^", "(")) return(e)
    as.call(c(e[[1]], lapply(as.list(e)[-1], walk, plain)))
  }
  formula[[3]] <- walk(formula[[3]], TRUE)
  attributes(formula) <- NULL
  list(text = paste(deparse(formula, width.cutoff = 500L), collapse = " "), renamed = renamed, levels = ordered, order = order)
}

# The order of R for terms in the order of the program, which differ in the levels of these factors alone: terms that are
# equal but for levels change places among themselves, the levels of the first factor varying fastest.
r_order <- function(terms, levels) {
  order <- seq_along(terms)
  pieces <- strsplit(terms, ":", fixed = TRUE)
  found <- lapply(pieces, function(own) {
    keys <- integer()
    for (k in seq_along(own)) {
      for (name in names(levels)) {
        for (written in c(name, paste0("factor(", name, ")"))) {
          at <- match(own[k], paste0(written, levels[[name]]))
          if (!is.na(at)) {
            own[k] <- paste0(written, "=")
            keys <- c(keys, at)
            break
          }
        }
      }
    }
    list(shape = paste(own, collapse = ":"), keys = keys)
  })
  shapes <- vapply(found, `[[`, "", "shape")
  for (shape in unique(shapes)) {
    places <- which(shapes == shape)
    keys <- lapply(found[places], `[[`, "keys")
    if (length(places) > 1 && length(keys[[1]]) > 0) {
      table <- do.call(rbind, keys)
      order[places] <- places[do.call(base::order, rev(as.data.frame(table)))]
    }
  }
  order
}

# Whether a family's response is one of several levels.
of_classes <- function(family) is.character(family) && family %in% c("multinomial", "ordered")

# The tables with an ordered response as a plain factor: its order goes with the question.
unordered <- function(tables, formula) {
  response <- if (inherits(formula, "formula") && is.symbol(formula[[2]])) as.character(formula[[2]]) else ""
  lapply(tables, function(d) {
    if (is.data.frame(d) && is.ordered(d[[response]])) d[[response]] <- factor(d[[response]], ordered = FALSE)
    d
  })
}

# R's family, by its object, function or name, as the program's words.
ngd_family <- function(family) {
  if (is.null(family)) return(character())
  if (is.character(family)) return(paste0("--family=", family))
  if (is.function(family)) family <- tryCatch(family(), error = function(e) family)
  if (!inherits(family, "family")) {
    stop("family: must be a family as glm() takes it, or the program's word for one; got ", class(family)[1], call. = FALSE)
  }
  name <- family$family
  if (grepl("^Negative Binomial\\(", name)) {
    # The name is rounded to four digits: theta itself is where the functions were made.
    theta <- get0(".Theta", environment(family$variance), ifnotfound = NULL)
    if (is.null(theta)) theta <- as.numeric(sub("^Negative Binomial\\((.*)\\)$", "\\1", name))
    name <- paste0("negative-binomial:", format(theta, digits = 15))
  }
  words <- c(gaussian = "gaussian", binomial = "binomial", poisson = "poisson", Gamma = "gamma", quasibinomial = "quasi-binomial",
             quasipoisson = "quasi-poisson", inverse.gaussian = "inverse-gaussian")
  word <- if (startsWith(name, "negative-binomial")) name else unname(words[name])
  if (is.na(word)) {
    stop("family: must be one of ", paste(names(words), collapse = ", "), " or MASS::negative.binomial(theta); got ", name, call. = FALSE)
  }
  # Which links a family has is the program's to say.
  c(paste0("--family=", word), paste0("--link=", family$link))
}
