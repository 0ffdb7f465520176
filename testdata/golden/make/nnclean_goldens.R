# Writes nnclean.json: rows of noise by the distance to their k-th neighbour (Byers & Raftery), by R's prabclus.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/nnclean_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages({
  library(mclust)
  library(prabclus)
})

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

# log density of the distance to the k-th neighbour at intensity 'lambda'
log_density <- function(r, lambda, k, d) {
  ball <- pi^(d / 2) / gamma(d / 2 + 1)
  log(d) + k * log(lambda * ball) + (d * k - 1) * log(r) - lambda * ball * r^d - lgamma(k)
}

answer <- function(found, k, d) {
  inside <- log(found$p) + log_density(found$kthNND, found$lambda1, k, d)
  outside <- log1p(-found$p) + log_density(found$kthNND, found$lambda2, k, d)
  top <- pmax(inside, outside)
  sprintf(paste0('{"intensity_inside":%s,"intensity_outside":%s,"share_inside":%s,"log_likelihood":%s,"noise":%s,',
                 '"noise_by_posterior":%s}'),
          number(found$lambda1), number(found$lambda2), number(found$p),
          number(sum(top + log(exp(inside - top) + exp(outside - top)))), whole(which(found$z == 0)),
          whole(which(outside > inside)))
}

cleaned <- function(name, x, ks) {
  x <- unname(as.matrix(x))
  d <- ncol(x)
  fits <- vapply(ks, function(k) {
    early <- NNclean(x, k)
    rest <- NNclean(x, k, convergence = 1e-15)
    cat(sprintf("%-30s k %2d p %.4f -> %.4f noise rows %d -> %d\n", name, k, early$p, rest$p, sum(early$z == 0),
                sum(rest$z == 0)))
    sprintf('{"neighbour":%d,"distances":%s,"default":%s,"rest":%s}', k, numbers(rest$kthNND[1:20]),
            answer(early, k, d), answer(rest, k, d))
  }, "")
  list(name = text(name), data = sprintf('{"rows":%s,"labels":%s}', matrix_of(x), texts(rep("all", nrow(x)))),
       weights = "null", tolerance = "1e-8", neighbours = paste0("[\n  ", paste(fits, collapse = ",\n  "), "]"))
}

faithful_data <- read.csv(file.path(folder, "faithful.csv"))
iris_data <- read.csv(file.path(folder, "iris.csv"))
data(chevron)
# the rows of mclust_noise.json
set.seed(0)
noise <- apply(faithful_data, 2, function(x) runif(100, min = min(x) - .1, max = max(x) + .1))
noisy <- as.matrix(rbind(faithful_data, noise))
scaled <- round(scale(noisy), 4)
set.seed(0)
noise <- apply(apply(iris_data[, 1:4], 2, range), 2, function(x, n) runif(n, min = x[1] - .1, max = x[2] + .1), n = 450)
cases <- list(cleaned("faithful and 100 rows of noise", noisy, c(5L, 12L)),
              cleaned("the same, columns scaled", scaled, c(5L, 12L)),
              cleaned("iris and 450 rows of noise", rbind(iris_data[, 1:4], noise), c(5L, 12L, 20L)),
              cleaned("chevron", chevron[, 2:3], c(5L, 15L)))

write_file(out, basename(script), "nnclean.json",
  sprintf("R %s.%s, prabclus %s, mclust %s", R.version$major, R.version$minor, packageVersion("prabclus"),
          packageVersion("mclust")), paste(
  "NNclean(data, k): the distance of each row to its k-th neighbour, in the columns as they are, is a mixture of two",
  "laws: lambda v r^d is gamma with shape k, v the volume of the unit ball, lambda the intensity inside (rows of",
  "interest) or outside (noise). EM starts with rows beyond the smallest distance + a third of the range as noise and",
  "shares of one half. 'default': NNclean's stop (1e-3 of a quantity that is not the log-likelihood); 'rest':",
  "convergence = 1e-15. 'share_inside' is p; 'log_likelihood' of the mixture of the distances, computed in R; 'noise':",
  "1-based rows with z = 0, for which NNclean leaves p out and compares the two densities alone;",
  "'noise_by_posterior': those whose posterior of noise, with p, is above one half. 'distances': of the first 20 rows.",
  "Rows: those of mclust_noise.json; the first of them with scale() and four digits; 'chevron' of mclust, the example",
  "of NNclean's help page. tolerance is for intensities (relative), shares and log-likelihoods of 'rest', 1e-12 for",
  "distances: |a-b| <= tolerance*(1+|b|)."), cases)
