# Writes mclust_em.json: EM of R's mclust from the labels of the data, run until the log-likelihood stands still.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mclust_em_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(mclust))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

families <- c("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")
control <- emControl(tol = c(0, 1e-15), itmax = c(20000, 20000))

em_case <- function(data, x, labels, model) {
  x <- unname(as.matrix(x))
  classes <- sort(unique(labels), method = "radix")
  z <- unmap(match(labels, classes))
  fitted <- suppressWarnings(me(data = x, modelName = model, z = z, control = control, warn = FALSE))
  case <- list(name = text(paste0(data, " ", model, " K=", length(classes))), data = text(data), model = text(model),
               components = sprintf("%d", length(classes)), start = text("labels"), weights = "null",
               tolerance = if (model == "VVE") "1e-10" else "1e-12", parameter_tolerance = "1e-6",
               code = sprintf("%d", as.integer(attr(fitted, "returnCode"))))
  if (!is.finite(fitted$loglik)) {
    cat(sprintf("%-24s NA\n", paste(data, model)))
    return(c(case, list(log_likelihood = "null")))
  }
  info <- unlist(attr(fitted, "info"))
  cat(sprintf("%-24s %.12f after %d iterations\n", paste(data, model), fitted$loglik, as.integer(info[1])))
  sigma <- fitted$parameters$variance$sigma
  c(case, list(
    iterations = sprintf("%d", as.integer(info[1])),
    log_likelihood = number(fitted$loglik), component_weights = numbers(fitted$parameters$pro),
    means = matrix_of(t(fitted$parameters$mean)),
    covariances = matrices_of(lapply(seq_along(classes), function(k) sigma[, , k]))))
}

iris_data <- read.csv(file.path(folder, "iris.csv"))
faithful_data <- read.csv(file.path(folder, "faithful.csv"))
parts <- ifelse(faithful_data$eruptions > 3, "long", "short")
cases <- c(lapply(families, function(model) em_case("iris", iris_data[, 1:4], iris_data$species, model)),
           lapply(families, function(model) em_case("faithful-split", faithful_data, parts, model)))

write_file(out, basename(script), "mclust_em.json",
  sprintf("R %s.%s, mclust %s", R.version$major, R.version$minor, packageVersion("mclust")), paste(
  "me(modelName, data, z, control = emControl(tol = c(0, 1e-15), itmax = c(20000, 20000))): EM from the labels as",
  "memberships ('iris': the species; 'faithful-split': eruptions > 3; components in the order of the labels",
  "sorted by name) until the log-likelihood does not change in its last digit; the M-step of VEI, VEE, EVE, VVE,",
  "VEV iterates until its objective changes by less than 1e-15, relatively. 'code' is mclust's return code,",
  "'iterations' its count; 'log_likelihood' is null where mclust says NA. 'component_weights', 'means' and",
  "'covariances' (one per component) belong to the last M-step. Every family but VVE ends at the fixed point of",
  "exact_em.json. VVE does not: this version leaves the volumes out of the step for the common axes, so its",
  "M-step is no maximum, and it rests at a lower log-likelihood (iris -215.2409 against -214.0532, faithful",
  "-1132.1874 against -1132.1126); a right VVE must end above. tolerance is for log-likelihoods,",
  "parameter_tolerance for the rest: where the log-likelihood is flat to its last digit the parameters still have",
  "about 1e-7 to go. |a-b| <= tolerance*(1+|b|)."), cases)
