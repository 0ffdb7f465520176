# Coefficients and deviance of R's glm for two classes: reads a CSV of weights, labels 0/1, columns.
# Usage: Rscript logistic_glm.R table.csv; prints the intercept, the coefficients, the deviance.

given <- read.csv(commandArgs(trailingOnly = TRUE)[1], header = FALSE)
weights <- given[[1]]
y <- given[[2]]
x <- as.matrix(given[, -(1:2)])
control <- glm.control(epsilon = 1e-15, maxit = 200)
fit <- suppressWarnings(glm(y ~ x, family = binomial, weights = weights, control = control))
cat(sprintf("%.17g", c(coef(fit), fit$deviance)), sep = "\n")
cat("\n", R.version$major, ".", R.version$minor, "\n", sep = "")
