# Writes r_softmax.json: likeliest softmax coefficients by R's glm (two classes) and nnet's multinom (more).
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/r_softmax_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(nnet))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

# One row per class, the intercept first; those of all classes sum to zero.
both <- function(name, x, y, w, tolerance) {
  classes <- sort(unique(y))
  if (length(classes) == 2) {
    found <- glm(factor(y, classes) ~ x, family = binomial, weights = w,
                 control = glm.control(epsilon = 1e-15, maxit = 100))
    rows <- rbind(0, coef(found))
    loss <- deviance(found) / 2
  } else {
    found <- multinom(factor(y, classes) ~ x, weights = w, maxit = 10000, reltol = 1e-16, abstol = 1e-12, trace = FALSE)
    rows <- rbind(0, coef(found))
    loss <- found$value
  }
  rows <- unname(sweep(rows, 2, colMeans(rows)))
  cat(sprintf("%-32s loss %.12f\n", name, loss))
  list(name = text(name), data = sprintf('{"rows":%s,"labels":%s}', matrix_of(unname(x)), texts(y)),
       weights = if (all(w == 1)) "null" else numbers(w), classes = texts(classes), penalty = "0.0", centred = "true",
       tolerance = tolerance, coefficients = matrix_of(rows[, -1, drop = FALSE]), intercepts = numbers(rows[, 1]),
       loss = number(loss))
}

iris_data <- read.csv(file.path(folder, "iris.csv"))
pair <- iris_data[iris_data$species != "setosa", ]
measured <- as.matrix(pair[, 1:4])
weights <- rep(c(1, 2, 0, 3), length.out = nrow(pair))
RNGversion("4.0.0")
set.seed(79)
drawn <- function(classes, count, columns) {
  centres <- matrix(round(60 * rnorm(classes * columns)), classes)
  y <- rep(letters[seq_len(classes)], each = count)
  list(x = round(centres[rep(seq_len(classes), each = count), ] + 100 * matrix(rnorm(classes * count * columns), ncol = columns)),
       y = y)
}
three <- drawn(3, 15, 2)
five <- drawn(5, 12, 3)
ones <- function(y) rep(1, length(y))
cases <- list(
  both("iris without setosa, glm", measured, pair$species, ones(pair$species), "1e-10"),
  both("iris without setosa, weights, glm", measured, pair$species, weights, "1e-10"),
  both("iris without setosa, first column, glm", measured[, 1, drop = FALSE], pair$species, ones(pair$species), "1e-10"),
  both("three classes, multinom", three$x, three$y, ones(three$y), "1e-6"),
  both("three classes, weights, multinom", three$x, three$y, rep(c(1, 3, 2), 15), "1e-6"),
  both("five classes, multinom", five$x, five$y, ones(five$y), "1e-6"))

write_file(out, basename(script), "r_softmax.json",
  sprintf("R %s.%s, nnet %s", R.version$major, R.version$minor, packageVersion("nnet")), paste(
  "Softmax regression without a penalty: glm(binomial, epsilon = 1e-15) of two classes, multinom(reltol = 1e-16) of",
  "more, whose optimiser stops at seven digits of the coefficients. 'coefficients' K by d and 'intercepts' sum to zero",
  "over the classes; 'loss' is sum of w (-ln posterior of the own class). Rows of classes a, b, ... are draws with",
  "set.seed(79). |a-b| <= tolerance*(1+|b|), coefficients times the deviation of their column."), cases)
