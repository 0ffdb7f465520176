# Writes mass_posteriors.json (predictive and debiased posteriors) and mass_canonical.json (discriminant axes)
# by R's MASS.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/posteriors_goldens.R crates/gaussbayes-io/data testdata/golden

library(MASS)

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))
tool <- sprintf("R %s.%s, MASS %s", R.version$major, R.version$minor, packageVersion("MASS"))

iris_data <- read.csv(file.path(folder, "iris.csv"))
wine_data <- read.csv(file.path(folder, "wine.csv"))
iris_x <- as.matrix(iris_data[, 1:4])
wine_x <- as.matrix(wine_data[, 1:13])

opening <- function(name, data, model, ddof, classes, tolerance, prior = NULL) {
  list(name = text(name), data = data, model = text(model), ddof = sprintf("%d", ddof), pooling = text("size"),
       priors = if (is.null(prior)) text("observed") else numbers(prior),
       shrinkage = "null", shrink_to = "null", weights = "null", classes = texts(classes),
       tolerance = sprintf("%g", tolerance))
}

# ---- posteriors ----

set.seed(1996)
centres <- rbind(c(0, 0, 0), c(1.5, 0.5, -0.5), c(-0.5, 1.5, 1), c(0.5, -1, 1.5))
spread <- matrix(c(2, 1, 0.5, 1, 2, 0.3, 0.5, 0.3, 1), 3)
equal <- round(centres[rep(1:4, each = 8), ] + matrix(rnorm(96), ncol = 3) %*% chol(spread), 1)
equal_labels <- rep(c("a", "b", "c", "d"), each = 8)
equal_data <- sprintf('{"rows":%s,"labels":%s}',
                      list_of(apply(equal, 1, function(row) list_of(sprintf("%.1f", row)))), texts(equal_labels))

# predict.qda with its two slips in "debiased" mended: digamma terms over the columns, and d + 1 for d - 1.
mended <- function() {
  text <- paste(deparse(MASS:::predict.qda), collapse = "\n")
  slips <- rbind(c("(p - 1)/(nk - 1)", "(p + 1)/(nk - 1)"), c("1L:ngroup)))", "1L:p)))"))
  for (i in 1:2) {
    stopifnot(lengths(regmatches(text, gregexpr(slips[i, 1], text, fixed = TRUE))) == 1)
    text <- sub(slips[i, 1], slips[i, 2], text, fixed = TRUE)
  }
  eval(parse(text = text), envir = asNamespace("MASS"))
}

posterior_case <- function(name, data, x, labels, model, by, rows = NULL) {
  classes <- sort(unique(labels), method = "radix")
  groups <- factor(labels, levels = classes)
  # The formula of predict.qda for "predictive" is the right one where the covariance is divided by n_k.
  method <- if (model == "qda" && by == "predictive") "mle" else "moment"
  fitted <- (if (model == "lda") lda else qda)(x, groups, method = method)
  answer <- (if (model == "qda" && by == "debiased") mended() else predict)(fitted, x, method = by)$posterior
  case <- c(opening(paste(name, model, by), data, model, if (method == "mle") 0 else 1, classes, 1e-8),
            list(posteriors_by = text(by), rows = if (!is.null(rows)) whole(rows)),
            list(posterior = matrix_of(if (is.null(rows)) answer else answer[rows, ])))
  case[!sapply(case, is.null)]
}

iris_rows <- c(1, 42, 51, 71, 78, 84, 99, 107, 120, 134, 139, 150)
wine_rows <- c(1, 22, 26, 62, 66, 74, 84, 97, 119, 122, 131, 178)
cases <- list(
  posterior_case("iris", text("iris"), iris_x, iris_data$species, "qda", "predictive", iris_rows),
  posterior_case("equal sizes", equal_data, equal, equal_labels, "qda", "predictive"),
  posterior_case("iris", text("iris"), iris_x, iris_data$species, "qda", "debiased", iris_rows),
  posterior_case("wine", text("wine"), wine_x, wine_data$cultivar, "qda", "debiased", wine_rows),
  posterior_case("equal sizes", equal_data, equal, equal_labels, "lda", "debiased"),
  posterior_case("equal sizes", equal_data, equal, equal_labels, "qda", "plug-in"),
  posterior_case("equal sizes", equal_data, equal, equal_labels, "lda", "plug-in"))
write_file(out, basename(script), "mass_posteriors.json", tool, paste(
  "posterior by predict(method = posteriors_by). Only cases where MASS agrees with the formulas of",
  "exact_posteriors.json are here: qda predictive with classes of one size and covariances divided by n_k (MASS",
  "has no gamma functions of n_k and takes any divisor for n_k; the right posterior does not depend on ddof),",
  "lda debiased with classes of one size and at least one class more than columns (MASS counts discriminants",
  "for columns and adds d/n_k where d/(2 n_k) is to be subtracted). qda debiased is by predict.qda with",
  "two slips mended (digamma terms run over classes instead of columns, factor 1 - (d-1)/(n_k-1) instead of",
  "1 - (d+1)/(n_k-1)); as printed it agrees nowhere, nor does lda predictive (rows scaled by sqrt(n/(n-g)) but",
  "not the means, directions without discriminant dropped).",
  "rows are 1-based; without them all rows. |a-b| <= tolerance*(1+|b|)."), cases)

# ---- discriminant axes ----

canonical_case <- function(data, x, labels, rows, prior = NULL) {
  classes <- sort(unique(labels), method = "radix")
  groups <- factor(labels, levels = classes)
  used <- if (is.null(prior)) as.vector(table(groups)) / length(groups) else prior
  fitted <- lda(x, groups, prior = used)
  share <- fitted$svd^2 / sum(fitted$svd^2)
  word <- if (is.null(prior)) "observed" else paste(prior, collapse = ",")
  c(opening(sprintf("%s canonical priors=%s", data, word), text(data), "lda", 1, classes, 1e-10, prior), list(
    canonical = sprintf('{"directions":%s,"ratio":%s,"svd":%s}',
                        matrix_of(fitted$scaling), numbers(share), numbers(fitted$svd)),
    rows = whole(rows), scores = matrix_of(predict(fitted, x)$x[rows, ])))
}

cases <- list(
  canonical_case("iris", iris_x, iris_data$species, c(1, 42, 51, 71, 84, 107, 134, 150)),
  canonical_case("iris", iris_x, iris_data$species, c(1, 42, 51, 71, 84, 107, 134, 150), c(0.2, 0.3, 0.5)),
  canonical_case("wine", wine_x, wine_data$cultivar, c(1, 26, 62, 74, 84, 122, 131, 178)))
write_file(out, basename(script), "mass_canonical.json", tool, paste(
  "canonical by lda(): directions d x r, one column per axis, with within-class variance 1 (divided by n - g),",
  "axes in falling order; svd squared are the eigenvalues of S^-1 B, B = sum n pi_k (m_k - m)(m_k - m)'/(g-1),",
  "m = sum pi_k m_k; ratio = svd^2/sum svd^2. scores by predict()$x of the 1-based rows: directions' (x - m).",
  "The sign of each axis is free, in directions and scores alike.",
  "|a-b| <= tolerance*(1+|b|)."), cases)
