# Writes mclust_bic.json: BIC and log-likelihood of mclust for all fourteen families and many numbers of components.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mclust_bic_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(mclust))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

families <- c("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")

or_null <- function(x) ifelse(is.finite(x), number(x), "null")
table_of <- function(m, write) list_of(apply(m, 1, function(row) list_of(write(row))))

# The log-likelihood of every cell again, by me() from the partition that mclustBIC starts with.
by_me <- function(x, components, control) {
  tree <- hc(x, modelName = "VVV", use = "SVD")
  t(sapply(components, function(k) sapply(families, function(model) {
    if (k == 1) return(mvn(modelName = model, data = x)$loglik)
    me(data = x, modelName = model, z = unmap(hclass(tree, k)), control = control, warn = FALSE)$loglik
  })))
}

table_case <- function(data, x, components, words, control) {
  x <- unname(as.matrix(x))
  said <- suppressWarnings(mclustBIC(x, G = components, modelNames = families, control = control, verbose = FALSE))
  codes <- unclass(attr(said, "returnCodes"))
  bic <- -matrix(said, nrow = length(components), dimnames = list(components, families))
  parameters <- t(sapply(components, function(k) sapply(families, nMclustParams, d = ncol(x), G = k)))
  likelihood <- suppressWarnings(by_me(x, components, control))
  likelihood[!is.finite(bic)] <- NA
  gap <- max(abs(parameters * log(nrow(x)) - 2 * likelihood - bic), na.rm = TRUE)
  stopifnot(all(is.finite(bic) == is.finite(likelihood)), gap < 1e-9)
  order <- order(bic)[1:3]
  best <- list_of(sprintf('{"components":%d,"model":%s,"bic":%s}', components[(order - 1) %% nrow(bic) + 1],
                          text(families[(order - 1) %/% nrow(bic) + 1]), number(bic[order])))
  cat(sprintf("%s, %s: %d cells without an answer, best %s\n", data, words, sum(!is.finite(bic)), best))
  list(name = text(paste0(data, ", ", words)), data = text(data), weights = "null", tolerance = "1e-9",
       outer = number(control$tol[1]), inner = number(control$tol[2]),
       components = whole(components), families = texts(families), best = best,
       bic = table_of(bic, or_null), log_likelihood = table_of(likelihood, or_null),
       parameters = table_of(parameters, function(row) sprintf("%d", as.integer(row))),
       codes = table_of(codes, function(row) ifelse(is.na(row), "null", sprintf("%d", as.integer(row)))))
}

tight <- emControl(tol = c(1e-5, 1e-15), itmax = c(.Machine$integer.max, 1e6))
read <- function(name, columns) read.csv(file.path(folder, paste0(name, ".csv")))[, columns]
sets <- list(faithful = list(read("faithful", 1:2), 1:9), iris = list(read("iris", 1:4), 1:9),
             wine = list(read("wine", 1:13), 1:5))
cases <- unlist(lapply(names(sets), function(name) {
  set <- sets[[name]]
  list(table_case(name, set[[1]], set[[2]], "default stop", emControl()),
       table_case(name, set[[1]], set[[2]], "inner steps to 1e-15", tight))
}), recursive = FALSE)

write_file(out, basename(script), "mclust_bic.json",
  sprintf("R %s.%s, mclust %s", R.version$major, R.version$minor, packageVersion("mclust")), paste(
  "mclustBIC with its own start (hc, VVV on SVD-scaled rows; for faithful and iris in mclust_hc.json) and its own",
  "stop: EM ends when the log-likelihood l changes by no more than outer*(1+|l|), the M-step of VEI, VEE, EVE,",
  "VVE, VEV when its objective changes by no more than inner, relatively. 'bic' is in this project's sign, -2 l +",
  "p ln n, lower is better: mclust prints its negative. One row of bic, log_likelihood, parameters (p,",
  "nMclustParams) and codes (returnCodes of mclust) per entry of 'components', one column per entry of",
  "'families'; null where mclust says NA (a singular covariance or an empty component). 'log_likelihood' is that",
  "of me() from the same partition (mvn() for one component) and gives mclust's BIC to 1e-9. 'best': the three",
  "smallest. The stop is early (1e-5 of l per step): these are not fixed points. Run to one, EM ends with a",
  "log-likelihood above; how far above depends on the cell. The M-step of VVE is not a maximum over the",
  "common axes in this version: see mclust_em.json. |a-b| <= tolerance*(1+|b|) holds for a program that takes",
  "mclust's steps and stops as it does."), cases)
