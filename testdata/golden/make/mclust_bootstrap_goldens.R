# Writes mclust_bootstrap.json: standard errors of mixtures by the weighted-likelihood bootstrap of R's mclust.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mclust_bootstrap_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(mclust))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

replicates <- 999
tight <- emControl(tol = c(1e-9, 1e-12), itmax = c(20000, 20000))

parameters_of <- function(pro, mean, variance) {
  k <- length(pro)
  sprintf('{"component_weights":%s,"means":%s,"covariances":%s}', numbers(pro), matrix_of(t(mean)),
          matrices_of(lapply(1:k, function(j) variance[, , j])))
}

errors_of <- function(model, type, seed) {
  set.seed(seed)
  boot <- MclustBootstrap(model, nboot = replicates, type = type, verbose = FALSE)
  found <- summary(boot, what = "se")
  limits <- summary(boot, what = "ci", conf.level = 0.95)
  average <- summary(boot, what = "ave")
  cat(sprintf("  %-5s failed %d; errors of the weights %s; of the means %s\n", type, boot$nonfit,
              paste(sprintf("%.4f", found$pro), collapse = " "), paste(sprintf("%.4f", found$mean), collapse = " ")))
  limit <- function(i) sprintf('{"component_weights":%s,"means":%s,"variances":%s}', numbers(limits$pro[i, ]),
                               matrix_of(t(limits$mean[i, , ])), matrix_of(t(limits$variance[i, , ])))
  sprintf('{"seed":%d,"failed":%d,"errors":%s,"averages":%s,"low":%s,"high":%s}', seed, as.integer(boot$nonfit),
          parameters_of(found$pro, found$mean, found$variance),
          parameters_of(average$pro, average$mean, average$variance), limit(1), limit(2))
}

bootstrapped <- function(name, data, x, k, model_name) {
  x <- unname(as.matrix(x))
  model <- Mclust(x, G = k, modelNames = model_name, verbose = FALSE)
  cat(name, model$loglik, "\n")
  early <- errors_of(model, "wlbs", 71)
  rest <- me(data = x, modelName = model_name, z = model$z, control = emControl(tol = c(0, 1e-15), itmax = c(1e5, 1e5)))
  # what MclustBootstrap hands on to me.weighted and me
  model$parameters <- rest$parameters
  model$z <- rest$z
  model$loglik <- rest$loglik
  model$control <- tight
  list(name = text(name), data = text(data), model = text(model_name), components = sprintf("%d", k), weights = "null",
       tolerance = "1e-9", replicates = sprintf("%d", replicates), log_likelihood = number(rest$loglik),
       component_weights = numbers(rest$parameters$pro), means = matrix_of(t(rest$parameters$mean)),
       covariances = matrices_of(lapply(1:k, function(j) rest$parameters$variance$sigma[, , j])),
       weighted = errors_of(model, "wlbs", 72), weighted_again = errors_of(model, "wlbs", 73),
       resampled = errors_of(model, "bs", 74), weighted_early = early)
}

faithful_data <- read.csv(file.path(folder, "faithful.csv"))
iris_data <- read.csv(file.path(folder, "iris.csv"))[, 1:4]
cases <- list(bootstrapped("faithful VVV K=2", "faithful", faithful_data, 2, "VVV"),
              bootstrapped("faithful EEE K=3", "faithful", faithful_data, 3, "EEE"),
              bootstrapped("iris EEE K=3", "iris", iris_data, 3, "EEE"))

write_file(out, basename(script), "mclust_bootstrap.json",
  sprintf("R %s.%s, mclust %s", R.version$major, R.version$minor, packageVersion("mclust")), paste(
  "MclustBootstrap(model, nboot = 999, type = 'wlbs'): rows weighted by independent exponentials divided by their",
  "largest, EM from the memberships of the model, standard deviations (n - 1) of the replicates' parameters.",
  "The model ('component_weights', 'means', 'covariances') is where EM comes to rest from Mclust's default fit.",
  "'weighted' and 'weighted_again': two seeds, with control = emControl(tol = c(1e-9, 1e-12)): me.weighted stops when",
  "the weighted log-likelihood, its weights at most one, rises by less. 'resampled': type = 'bs', rows drawn with",
  "replacement. 'weighted_early': what MclustBootstrap does by itself, with tol = 1e-5 there and Mclust's default",
  "model; no different within chance. In each, 'errors' are standard errors, 'averages' the",
  "means of the replicates, 'low' and 'high' the 2.5 and 97.5 per cent points (R's type 7) of weights, means and",
  "diagonals of the covariances; 'failed' replicates were drawn again. Random by nature: a standard error of 999",
  "replicates has itself a relative standard error of about 1/sqrt(2*999) = 0.022 where the replicates are about",
  "normal; 'weighted' against 'weighted_again' shows it: of the first component of faithful EEE they are up to 9 per cent",
  "apart, its replicates have long tails. tolerance is for the model alone."), cases)
