# Writes mass_student.json: location and scatter of one t law with given degrees of freedom, by MASS's cov.trob.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mass_student_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(MASS))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

log_likelihood <- function(x, centre, scale, nu) {
  d <- ncol(x)
  away <- mahalanobis(x, centre, scale)
  sum(lgamma((nu + d) / 2) - lgamma(nu / 2) - d / 2 * log(nu * pi) - determinant(scale)$modulus / 2 -
    (nu + d) / 2 * log1p(away / nu))
}

robust <- function(name, x, nu) {
  x <- unname(as.matrix(x))
  found <- cov.trob(x, nu = nu, maxit = 10000, tol = 1e-12)
  value <- log_likelihood(x, found$center, found$cov, nu)
  cat(sprintf("%-12s nu %2d %.12f after %d\n", name, nu, value, found$iter))
  list(name = text(sprintf("%s, %d degrees of freedom", name, nu)),
       data = sprintf('{"rows":%s,"labels":%s}', matrix_of(x), texts(rep("all", nrow(x)))), components = "1",
       weights = "null", tolerance = "1e-11", parameter_tolerance = "1e-8", given_freedom = sprintf("%d", nu),
       log_likelihood = number(value), means = matrix_of(t(found$center)), scales = matrices_of(list(found$cov)))
}

iris_data <- read.csv(file.path(folder, "iris.csv"))
faithful_data <- read.csv(file.path(folder, "faithful.csv"))
cases <- list()
for (nu in c(4L, 10L)) {
  for (name in c("setosa", "versicolor")) {
    cases <- c(cases, list(robust(name, iris_data[iris_data$species == name, 1:4], nu)))
  }
  cases <- c(cases, list(robust("faithful", faithful_data, nu)))
}

write_file(out, basename(script), "mass_student.json",
  sprintf("R %s.%s, MASS %s", R.version$major, R.version$minor, packageVersion("MASS")), paste(
  "cov.trob(x, nu, maxit = 10000, tol = 1e-12): maximum-likelihood location ('means') and scale matrix ('scales', the",
  "covariance is nu/(nu-2) times it) of one t law with 'given_freedom' degrees of freedom; 'log_likelihood' was",
  "computed in R from them. |a-b| <= tolerance*(1+|b|), parameter_tolerance for means and scales."), cases)
