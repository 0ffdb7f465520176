# Writes proc_judging.json: areas under ROC with DeLong's variance by pROC; corrected t-tests and Holm's p values by R.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/proc_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(pROC))

arguments <- commandArgs(trailingOnly = TRUE)
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

note <- paste("area of 'scores' (one per row, some tied) for 'positive' rows (1 or 0), by pROC's roc; variance by pROC's var, method delong; interval: the",
              "area and its standard error on the scale of qlogis, back by plogis. copies: how often each row is repeated before (a weight).",
              "contrast: errors by fold (a row for each turn) of two classifiers; Nadeau and Bengio's t with variance times 1/J + 1/(folds - 1), p value by pt.",
              "holm: p values and p.adjust of them.")

curve <- function(name, scores, positive, copies = rep(1, length(scores))) {
  s <- rep(scores, copies)
  y <- rep(positive, copies)
  found <- roc(y, s, levels = c(0, 1), direction = "<", quiet = TRUE)
  area <- as.numeric(auc(found))
  variance <- var(found, method = "delong")
  interval <- plogis(qlogis(area) + c(-1, 1) * qnorm(0.975) * sqrt(variance) / (area * (1 - area)))
  list(name = text(name), tolerance = "1e-12", scores = numbers(scores), positive = whole(positive), copies = whole(copies),
       area = number(area), variance = number(variance), interval = numbers(interval))
}

contrast <- function(name, a, b) {
  d <- as.vector(t(a - b))
  j <- length(d)
  error <- sqrt((1 / j + 1 / (ncol(a) - 1)) * var(d))
  value <- mean(d) / error
  list(name = text(name), tolerance = "1e-12", a = matrix_of(a), b = matrix_of(b), difference = number(mean(d)), standard_error = number(error),
       t = number(value), p_value = number(2 * pt(-abs(value), j - 1)))
}

set.seed(1)
n <- 40
positive <- rep(c(0L, 1L, 0L), length.out = n)
plain <- round(rnorm(n) + positive, 6)
tied <- round(2 * (rnorm(n) + 0.8 * positive)) / 2
cases <- list(
  curve("no ties", plain, positive),
  curve("ties", tied, positive),
  curve("below chance", -plain, positive),
  curve("copies", tied, positive, rep(1:3, length.out = n)),
  contrast("one turn", matrix(c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3) / 20, 1), matrix(c(2, 1, 2, 1, 3, 6, 1, 3, 4, 2) / 20, 1)),
  contrast("three turns", matrix(rbinom(15, 20, 0.3) / 20, 3), matrix(rbinom(15, 20, 0.2) / 20, 3)),
  list(name = text("holm"), tolerance = "1e-14", p_values = numbers(c(0.01, 0.04, 0.03, 0.005, 0.9, 0.04)),
       holm = numbers(p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.9, 0.04), "holm")))
)
write_file(out, "proc_goldens.R", "proc_judging.json", paste0("R ", getRversion(), ", pROC ", packageVersion("pROC")), note, cases)
