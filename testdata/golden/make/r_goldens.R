# Writes mass_*.json: answers of R's MASS (lda, qda, leave-one-out) and of stats::cov.wt.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/r_goldens.R crates/gaussbayes-io/data testdata/golden

library(MASS)

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]

script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))
save <- function(...) write_file(out, basename(script), ...)

tool <- sprintf("R %s.%s, MASS %s", R.version$major, R.version$minor, packageVersion("MASS"))
note <- paste(
  "posterior by predict(), leave-one-out classes and posteriors by CV = TRUE. method 'moment' is ddof 1 (lda divides by n - g,",
  "qda by n_k - 1), method 'mle' is ddof 0; lda pools by class size. loo_priors 'fixed': MASS leaves the row out of means and",
  "covariances but keeps the priors of all rows. covariances by stats::cov per class, for lda their pooled sum. errors and",
  "loo_errors count rows, error_rows and loo_error_rows are 1-based. Classes are sorted by name.",
  "tolerance is what MASS reaches against 50-digit answers, with a margin: |a-b| <= tolerance*(1+|b|).")

# ---- cases ----

discriminant_case <- function(data, x, labels, model, method, prior, prior_word, tolerance) {
  x <- as.matrix(x)
  groups <- factor(labels, levels = sort(unique(labels), method = "radix"))
  classes <- levels(groups)
  counts <- as.vector(table(groups))
  if (is.null(prior)) prior <- counts / sum(counts)
  fit_by <- if (model == "lda") lda else qda
  fitted <- fit_by(x, groups, prior = prior, method = method)
  predicted <- predict(fitted, x)
  left_out <- fit_by(x, groups, prior = prior, method = method, CV = TRUE)
  ddof <- if (method == "moment") 1 else 0
  nu <- counts - ddof
  covariances <- lapply(seq_along(classes), function(k) {
    cov(x[groups == classes[k], , drop = FALSE]) * (counts[k] - 1) / nu[k]
  })
  pooled <- Reduce(`+`, Map(`*`, covariances, nu / sum(nu)))
  wrong <- which(predicted$class != groups)
  missed <- which(left_out$class != groups)
  list(
    name = text(sprintf("%s %s ddof=%d priors=%s", data, model, ddof, prior_word)),
    data = text(data), model = text(model), ddof = sprintf("%d", ddof), pooling = text("size"),
    priors = if (prior_word == "observed") text(prior_word) else numbers(prior),
    shrinkage = "null", shrink_to = "null", weights = "null", classes = texts(classes),
    tolerance = sprintf("%g", tolerance),
    means = matrix_of(fitted$means),
    covariances = if (model == "lda") matrix_of(pooled) else matrices_of(covariances),
    posterior = matrix_of(predicted$posterior),
    errors = sprintf("%d", length(wrong)), error_rows = whole(wrong),
    loo_priors = text("fixed"),
    loo_posterior = matrix_of(left_out$posterior),
    loo_labels = texts(as.character(left_out$class)),
    loo_errors = sprintf("%d", length(missed)), loo_error_rows = whole(missed))
}

weighted_case <- function(name, data, x, labels, weights) {
  classes <- sort(unique(labels), method = "radix")
  parts <- lapply(classes, function(k) {
    cov.wt(x[labels == k, ], wt = weights[labels == k] / sum(weights[labels == k]), method = "ML")
  })
  list(
    name = text(name), data = text(data), model = text("qda"), ddof = "0", pooling = text("size"),
    priors = text("observed"), shrinkage = "null", shrink_to = "null", weights = numbers(weights),
    classes = texts(classes), tolerance = "1e-13",
    means = list_of(vapply(parts, function(p) numbers(p$center), "")),
    covariances = matrices_of(lapply(parts, function(p) p$cov)))
}

iris_data <- read.csv(file.path(folder, "iris.csv"))
wine_data <- read.csv(file.path(folder, "wine.csv"))
faithful_data <- read.csv(file.path(folder, "faithful.csv"))

given <- c(0.2, 0.3, 0.5)
cases <- list()
for (model in c("lda", "qda")) {
  cases <- c(cases, list(
    discriminant_case("iris", iris_data[, 1:4], iris_data$species, model, "moment", NULL, "observed", 1e-12),
    discriminant_case("iris", iris_data[, 1:4], iris_data$species, model, "mle", NULL, "observed", 1e-12),
    discriminant_case("iris", iris_data[, 1:4], iris_data$species, model, "moment", given, "0.2,0.3,0.5", 1e-12)))
}
save("mass_iris.json", tool, note, cases)

cases <- lapply(c("lda", "qda"), function(model) {
  discriminant_case("wine", wine_data[, 1:13], wine_data$cultivar, model, "moment", NULL, "observed", 1e-12)
})
save("mass_wine.json", tool, note, cases)

split_labels <- ifelse(faithful_data$eruptions > 3, "long", "short")
cases <- lapply(c("lda", "qda"), function(model) {
  discriminant_case("faithful-split", faithful_data, split_labels, model, "moment", NULL, "observed", 1e-12)
})
save("mass_faithful.json", tool, paste(note, "faithful-split: class 'long' where eruptions > 3, else 'short'."), cases)

rows <- seq_len(nrow(faithful_data))
weights <- (1 + (37 * rows) %% 101) / 64
zeros <- (7 * rows) %% 5
cases <- list(
  weighted_case("faithful, one class, weights in 64ths", "faithful", faithful_data, rep("all", length(rows)), weights),
  weighted_case("faithful, one class, weights 0 to 4", "faithful", faithful_data, rep("all", length(rows)), zeros),
  weighted_case("faithful-split, weights in 64ths", "faithful-split", faithful_data, split_labels, weights))
save("covwt_faithful.json", sprintf("R %s.%s, stats::cov.wt", R.version$major, R.version$minor), paste(
  "means and covariances of weighted rows by cov.wt(method = 'ML'): divided by the sum of weights (ddof 0), per class.",
  "data 'faithful' is one class named 'all'; faithful-split: class 'long' where eruptions > 3, else 'short'.",
  "|a-b| <= tolerance*(1+|b|)."), cases)
