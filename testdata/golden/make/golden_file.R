# JSON with 17 digits, and one golden file as golden_file.py writes it.
# Values of a case are texts that are JSON already.

number <- function(x) ifelse(x == round(x) & abs(x) < 1e15, sprintf("%.1f", x), sprintf("%.17g", x))
text <- function(x) encodeString(x, quote = '"')
list_of <- function(items) paste0("[", paste(items, collapse = ","), "]")
numbers <- function(x) list_of(number(x))
texts <- function(x) list_of(text(x))
whole <- function(x) list_of(sprintf("%d", as.integer(x)))
matrix_of <- function(m) list_of(apply(m, 1, numbers))
matrices_of <- function(ms) list_of(vapply(ms, matrix_of, ""))

write_file <- function(out, script, name, tool, note, cases) {
  provenance <- sprintf('{"provenance": {\n "tool": %s,\n "script": "testdata/golden/make/%s",\n "note": %s\n},',
                        text(tool), script, text(note))
  blocks <- vapply(cases, function(case) {
    paste0("{", paste0(text(names(case)), ": ", unlist(case), collapse = ",\n "), "}")
  }, "")
  path <- file.path(out, name)
  cat(provenance, "\n\"cases\": [\n", paste(blocks, collapse = ",\n\n"), "\n]}\n", sep = "", file = path)
  cat(path, ": ", length(cases), " cases, ", file.size(path), " bytes\n", sep = "")
}
