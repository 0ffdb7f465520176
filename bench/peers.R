# MASS (LDA, QDA) and mclust (mixtures) as a worker: one run of the work for every line.
# Rscript peers.R DATA SET N D K WORK ITERATIONS COV TOLERANCE
suppressPackageStartupMessages({library(MASS); library(mclust)})
a <- commandArgs(TRUE)
set <- a[2]; n <- as.integer(a[3]); d <- as.integer(a[4]); k <- as.integer(a[5])
work <- a[6]; iters <- as.integer(a[7]); tol <- as.numeric(a[9])
numbers <- function(ending, what, count, size) {
  con <- file(file.path(a[1], paste0(set, ending)), "rb"); on.exit(close(con))
  readBin(con, what, count, size)
}
X <- matrix(numbers(".f64", "double", n * d, 8), n, d, byrow = TRUE)
y <- factor(numbers(".i32", "integer", n, 4))
M <- matrix(numbers(".means.f64", "double", k * d, 8), k, d, byrow = TRUE)
model <- c(full = "VVV", diag = "VVI", tied = "EEE", spherical = "VII")[a[8]]
start <- function() {               # memberships of the common start
  S <- if (model %in% c("VVV", "EEE")) 0.9 * diag(d) + 0.1 else diag(d)
  q <- -0.5 * sapply(seq_len(k), function(j) mahalanobis(X, M[j, ], S))
  q <- exp(q - apply(q, 1, max)); q / rowSums(q)
}
z <- if (work %in% c("gmm", "converge_relative")) start() else NULL
m <- switch(work, lda_proba = lda(X, y), qda_proba = qda(X, y), NULL)
em <- function(control) me(X, modelName = model, z = z, control = control)
go <- switch(work,
  lda_fit = function() lda(X, y),
  qda_fit = function() qda(X, y),
  lda_proba = function() predict(m, X)$posterior,
  qda_proba = function() predict(m, X)$posterior,
  gmm = function() em(emControl(tol = c(0, 0), itmax = c(iters, iters))),
  converge_relative = function() em(emControl(tol = c(tol, tol))),
  bic = function() mclustBIC(X, G = 1:9, verbose = FALSE, control = emControl(tol = c(tol, sqrt(.Machine$double.eps)))))
note <- function(r) switch(work,
  gmm = , converge_relative = paste(abs(attr(r, "info")["iterations"]), "iterations"),
  bic = names(summary(r))[1],
  "")
now <- function() as.numeric(Sys.time())
cat("{\"ready\": true}\n"); flush(stdout())
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  gc(FALSE)
  t <- now(); for (i in seq_len(as.integer(line))) r <- go(); t <- now() - t
  cat(sprintf("{\"seconds\": %.9f, \"note\": \"%s\"}\n", t / as.integer(line), note(r))); flush(stdout())
}
