# Writes mclust_hc.json: partitions of mclust's agglomerative start, and where EM ends from them.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mclust_hc_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(mclust))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

families <- c("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")
to_the_end <- emControl(tol = c(1e-15, 1e-15), itmax = c(20000, 20000))

fits_of <- function(x, partition, control) {
  fits <- lapply(families, function(model) {
    suppressWarnings(me(data = x, modelName = model, z = unmap(partition), control = control, warn = FALSE))
  })
  value <- sapply(fits, function(fit) fit$loglik)
  code <- sapply(fits, function(fit) attr(fit, "returnCode"))
  list(value = list_of(ifelse(is.finite(value), number(value), "null")), code = whole(code))
}

cases_of <- function(data, x) {
  x <- unname(as.matrix(x))
  partitions <- hclass(hc(modelName = "VVV", data = x, use = "SVD"), 2:9)
  lapply(2:9, function(k) {
    partition <- partitions[, as.character(k)]
    stopifnot(sort(unique(partition)) == 1:k)
    default <- fits_of(x, partition, emControl())
    rest <- fits_of(x, partition, to_the_end)
    cat(sprintf("%s, K=%d: smallest group %d, codes %s, %s\n", data, k, min(table(partition)), default$code, rest$code))
    list(name = text(sprintf("%s K=%d", data, k)), data = text(data), weights = "null", components = sprintf("%d", k),
         tolerance = "1e-9", partition = whole(partition), families = texts(families),
         log_likelihood = default$value, default_codes = default$code,
         log_likelihood_at_rest = rest$value, rest_codes = rest$code)
  })
}

cases <- c(cases_of("faithful", read.csv(file.path(folder, "faithful.csv"))),
           cases_of("iris", read.csv(file.path(folder, "iris.csv"))[, 1:4]))

write_file(out, basename(script), "mclust_hc.json",
  sprintf("R %s.%s, mclust %s", R.version$major, R.version$minor, packageVersion("mclust")), paste(
  "'partition': hclass(hc(modelName = 'VVV', data, use = 'SVD'), K), one whole number 1..K per row of the data;",
  "the start of mclust_bic.json. 'log_likelihood': one per entry of 'families', by me() from that partition with",
  "mclust's default stop (a step that changes l by no more than 1e-5*(1+|l|); the same numbers as in",
  "mclust_bic.json); 'log_likelihood_at_rest': the same with emControl(tol = c(1e-15, 1e-15), itmax = c(20000,",
  "20000)). null where mclust says NA: a covariance that is singular by its test (reciprocal condition below",
  "1.5e-8) or an empty component; default_codes and rest_codes are its return codes (0 fine, -1 singular, 1",
  "stopped by itmax, 2 an inner iteration was). For information: EM in doubles by another program ends at the",
  "same log-likelihoods (VEE and EVE by default to 2e-4, for mclust's inner steps stop early; VVE does not, for",
  "the step for its axes is no maximum in this version: iris, K=3 ends at -214.053208 with a right one;",
  "EVE was tried up to K=4). |a-b| <= tolerance*(1+|b|) for a program that stops as mclust",
  "does."), cases)
