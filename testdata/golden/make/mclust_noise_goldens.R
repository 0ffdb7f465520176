# Writes mclust_noise.json: Gaussian components and one of uniform noise by R's mclust, on the data of its help pages.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mclust_noise_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(mclust))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

families <- c("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")
control <- emControl(tol = c(0, 1e-15), itmax = c(20000, 20000))

object_of <- function(items) paste0("{", paste0(text(names(items)), ":", unlist(items), collapse = ","), "}")
or_null <- function(x, write) ifelse(is.na(x), "null", write(x))

volumes_of <- function(x) {
  spans <- function(m) prod(apply(m, 2, function(column) diff(range(column))))
  object_of(list(raw = number(spans(x)), principal = number(spans(princomp(x)$scores)), hypvol = number(hypvol(x))))
}

parameters_of <- function(fitted) {
  k <- fitted$G
  pro <- fitted$parameters$pro
  sigma <- fitted$parameters$variance$sigma
  list(noise_share = number(pro[k + 1]), component_weights = numbers(pro[1:k]),
       means = matrix_of(t(matrix(fitted$parameters$mean, ncol = k))),
       covariances = matrices_of(lapply(1:k, function(j) sigma[, , j])))
}

# partition: 0 is noise, 1 to K the components
fit_from <- function(x, partition, model) {
  k <- max(partition)
  z <- matrix(0, nrow(x), k + 1)
  z[cbind(seq_len(nrow(x)), ifelse(partition == 0, k + 1, partition))] <- 1
  fitted <- suppressWarnings(me(data = x, modelName = model, z = z, Vinv = hypvol(x, reciprocal = TRUE),
                                control = control, warn = FALSE))
  count <- nMclustParams(model, d = ncol(x), G = k, noise = TRUE)
  entry <- list(model = text(model), code = sprintf("%d", as.integer(attr(fitted, "returnCode"))),
                parameters = sprintf("%d", as.integer(count)))
  if (!is.finite(fitted$loglik)) return(object_of(c(entry, list(log_likelihood = "null"))))
  iterations <- as.integer(unlist(attr(fitted, "info"))[1])
  cat(sprintf("  %s K=%d %.10f after %d, noise %.4f\n", model, k, fitted$loglik, iterations,
              fitted$parameters$pro[k + 1]))
  object_of(c(entry, list(iterations = sprintf("%d", iterations), log_likelihood = number(fitted$loglik),
                          bic = number(count * log(nrow(x)) - 2 * fitted$loglik)), parameters_of(fitted)))
}

start_of <- function(x, name, partition, models) {
  cat(name, "\n")
  fits <- vapply(models, function(model) fit_from(x, partition, model), "")
  object_of(list(name = text(name), components = sprintf("%d", max(partition)), partition = whole(partition),
                 fits = paste0("[\n  ", paste(fits, collapse = ",\n  "), "]")))
}

help_partition <- function(x, noise, k) {
  partition <- rep(0, nrow(x))
  partition[!noise] <- hclass(hc(x[!noise, ], modelName = mclust.options("hcModelName"),
                                 use = mclust.options("hcUse")), k)
  partition
}

example <- function(name, x, noise, sizes, starts) {
  x <- unname(as.matrix(x))
  n <- nrow(x)
  table <- mclustBIC(x, G = sizes, initialization = list(noise = noise), verbose = FALSE)
  best <- Mclust(x, G = sizes, initialization = list(noise = noise), verbose = FALSE)
  cat(name, best$modelName, best$G, best$loglik, best$bic, "\n")
  values <- -unclass(table)[, families]
  list(name = text(name),
       data = object_of(list(rows = matrix_of(x), labels = texts(rep("all", n)))), weights = "null",
       tolerance = "1e-11", parameter_tolerance = "1e-6", noise_guess = whole(which(noise)), volumes = volumes_of(x),
       vinv = number(hypvol(x, reciprocal = TRUE)),
       noise_only = object_of(list(log_likelihood = number(n * log(hypvol(x, reciprocal = TRUE))), parameters = "1",
                                   bic = number(log(n) - 2 * n * log(hypvol(x, reciprocal = TRUE))))),
       starts = paste0("[\n ", paste(vapply(starts, function(start) start_of(x, start[[1]], start[[2]], start[[3]]), ""),
                                    collapse = ",\n "), "]"),
       default = object_of(c(
         list(components = whole(sizes), families = texts(families),
              bic = list_of(apply(values, 1, function(row) list_of(or_null(row, number)))),
              model = text(best$modelName), best_components = sprintf("%d", best$G),
              log_likelihood = number(best$loglik), parameters = sprintf("%d", as.integer(best$df)),
              best_bic = number(-best$bic), classification = whole(best$classification)), parameters_of(best))))
}

some <- c("VVV", "EEE", "VVI", "VII", "EEV")
iris_data <- read.csv(file.path(folder, "iris.csv"))
faithful_data <- read.csv(file.path(folder, "faithful.csv"))
wine_data <- read.csv(file.path(folder, "wine.csv"))

# help page of Mclust
noise_rows <- 100
set.seed(0)
noise <- apply(faithful_data, 2, function(x) runif(noise_rows, min = min(x) - .1, max = max(x) + .1))
noisy <- as.matrix(rbind(faithful_data, noise))
set.seed(0)
guess <- sample(c(TRUE, FALSE), size = nrow(noisy), replace = TRUE, prob = c(3, 1) / 4)
true_parts <- c(ifelse(faithful_data$eruptions > 3, 1, 2), rep(0, noise_rows))
first <- example("faithful and 100 rows of noise", noisy, guess, 1:9, list(
  list("as made: eruptions > 3 is 1, else 2, noise 0", true_parts, families),
  list("the guess of the help page, two groups", help_partition(noisy, guess, 2), families),
  list("the guess of the help page, three groups", help_partition(noisy, guess, 3), some),
  list("the guess of the help page, one group", help_partition(noisy, guess, 1), some)))

# help page of mclustBIC
set.seed(0)
noise <- apply(apply(iris_data[, 1:4], 2, range), 2, function(x, n) runif(n, min = x[1] - .1, max = x[2] + .1), n = 450)
set.seed(0)
guess <- sample(c(TRUE, FALSE), size = nrow(iris_data) + 450, replace = TRUE, prob = c(3, 1))
noisy <- as.matrix(rbind(iris_data[, 1:4], noise))
species <- match(iris_data$species, sort(unique(iris_data$species), method = "radix"))
second <- example("iris and 450 rows of noise", noisy, guess, 1:5, list(
  list("as made: the species sorted by name, noise 0", c(species, rep(0, 450)), some)))

boxes <- function(name, x) {
  x <- unname(as.matrix(x))
  list(name = text(paste("box of", name)), data = text(name), weights = "null",
       tolerance = if (name == "wine") "1e-10" else "1e-11", volumes = volumes_of(x), vinv = number(hypvol(x, reciprocal = TRUE)))
}

cases <- list(first, second, boxes("iris", iris_data[, 1:4]), boxes("faithful", faithful_data),
              boxes("wine", wine_data[, names(wine_data) != "cultivar"]))

write_file(out, basename(script), "mclust_noise.json",
  sprintf("R %s.%s, mclust %s", R.version$major, R.version$minor, packageVersion("mclust")), paste(
  "The data are those of mclust's help pages: of Mclust (faithful, then 100 uniform rows, set.seed(0)) and of",
  "mclustBIC (iris, then 450). 'noise_guess': 1-based rows that the help page calls noise at first (three in four,",
  "at random, not those that are). 'volumes': of the box along the columns ('raw'), along the principal axes of",
  "the covariance ('principal', the scores of princomp), and hypvol, the smaller of the two; 'vinv' is its",
  "reciprocal, the density of the noise, which stays as it is. The same density holds at every row, also outside",
  "the principal box. 'starts': partition has 0 for noise and 1 to K for the components, as memberships of one;",
  "the guess of the help page groups the other rows by hc with mclust's own start (VVV on the scaled principal",
  "components, SVD). 'fits': me(modelName, data, z, Vinv, control = emControl(tol = c(0, 1e-15), itmax =",
  "c(20000, 20000))), EM until the log-likelihood does not change in its last digit. 'component_weights' and",
  "'noise_share' sum to one together; 'parameters' is nMclustParams(noise = TRUE): two more than without noise, the",
  "share and the volume; 'bic' = -2 log-likelihood + parameters ln n, lower is better. 'code' as mclust returns it;",
  "log_likelihood null where mclust says NA. VVE is no maximum in this version (see mclust_em.json): a right one",
  "ends above, or elsewhere. 'noise_only': G = 0, one parameter. 'default': Mclust and mclustBIC with the guess of",
  "the help page and their own stop (1e-5, relatively); bic rows by components, columns by family, null where",
  "mclust has no answer; then the best one; classification 0 is noise. EII and VII have several maxima here: the two",
  "starts end at different ones. princomp is 2e-11 off for wine: with 40 digits its principal box has",
  "19632528296.3430485. |a-b| <= tolerance*(1+|b|) for log-likelihoods and volumes,",
  "parameter_tolerance for the rest."), cases)
