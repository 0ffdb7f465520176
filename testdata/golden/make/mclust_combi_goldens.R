# Writes mclust_combi.json: components of a mixture joined by entropy, as R's mclust does it (clustCombi).
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mclust_combi_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(mclust))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

xlog <- function(z) ifelse(z > 0, z * log(z), 0)

combined <- function(name, data, x, ...) {
  x <- unname(as.matrix(x))
  model <- Mclust(x, verbose = FALSE, ...)
  k <- model$G
  again <- do.call("estep", c(list(data = x), model[c("modelName", "parameters")]))
  before <- clustCombi(model)
  # Mclust keeps the memberships that its last M-step came from; these belong to the parameters
  model$z <- again$z
  joined <- clustCombi(model)
  stopifnot(identical(before$combiM, joined$combiM),
            clustCombiOptim(before)$numClusters.combi == clustCombiOptim(joined)$numClusters.combi)
  entropy <- vapply(joined$combiz, function(z) -sum(xlog(z)), 0)
  merges <- lapply((k - 1):1, function(j) which(joined$combiM[[j]][rowSums(joined$combiM[[j]]) == 2, ] == 1))
  whole_map <- diag(k)
  groups <- vector("list", k)
  for (j in k:1) {
    whole_map <- joined$combiM[[j]] %*% whole_map
    groups[[j]] <- apply(whole_map == 1, 2, which)
  }
  rows <- vapply((k - 1):1, function(j) {
    sum(map(joined$combiz[[j + 1]]) %in% which(joined$combiM[[j]][rowSums(joined$combiM[[j]]) == 2, ] == 1))
  }, 0)
  choice <- clustCombiOptim(joined)
  three <- if (k > 3) clustCombiOptim(joined, reg = 3)$numClusters.combi else NA
  cumulated <- cumsum(c(0, rev(rows)))
  normalized <- if (k > 2) mclust:::pcws2_reg(cumulated, entropy)$c else NA
  cat(sprintf("%-24s %s K=%d chosen %d, three lines %s, normalized %s\n", name, model$modelName, k,
              choice$numClusters.combi, three, normalized))
  sigma <- model$parameters$variance$sigma
  list(name = text(name), data = data, model = text(model$modelName), components = sprintf("%d", k), weights = "null",
       tolerance = "1e-9",
       component_weights = numbers(model$parameters$pro), means = matrix_of(t(model$parameters$mean)),
       covariances = matrices_of(lapply(1:k, function(j) sigma[, , j])),
       merges = list_of(vapply(merges, whole, "")), entropies = numbers(entropy),
       groups = list_of(vapply(groups, whole, "")), merged_rows = whole(rows),
       chosen = sprintf("%d", choice$numClusters.combi),
       chosen_three_lines = if (is.na(three)) "null" else sprintf("%d", three),
       chosen_normalized = if (is.na(normalized)) "null" else sprintf("%d", normalized),
       classification = whole(choice$cluster.combi))
}

object_of_rows <- function(x) {
  sprintf('{"rows":%s,"labels":%s}', matrix_of(unname(as.matrix(x))), texts(rep("all", nrow(x))))
}

data(Baudry_etal_2010_JCGS_examples)
iris_data <- read.csv(file.path(folder, "iris.csv"))[, 1:4]
faithful_data <- read.csv(file.path(folder, "faithful.csv"))

set.seed(70)
turn <- runif(160, 0, 2 * pi)
ring <- cbind(cos(turn), sin(turn)) * (5 + rnorm(160) / 4)
cross <- rbind(cbind(rnorm(60, 12, 3), rnorm(60) / 3), cbind(12 + rnorm(60) / 3, rnorm(60, 0, 3)))
bend <- round(rbind(ring, cross), 3)

cases <- list(
  combined("ex4.1 of Baudry et al.", object_of_rows(ex4.1), ex4.1),
  combined("faithful, mclust's choice", text("faithful"), faithful_data),
  combined("faithful, VVV 6", text("faithful"), faithful_data, G = 6, modelNames = "VVV"),
  combined("iris, mclust's choice", text("iris"), iris_data),
  combined("iris, EEE 5", text("iris"), iris_data, G = 5, modelNames = "EEE"),
  combined("iris, VII 9", text("iris"), iris_data, G = 9, modelNames = "VII"),
  combined("ring and cross", object_of_rows(bend), bend, G = 1:12))

write_file(out, basename(script), "mclust_combi.json",
  sprintf("R %s.%s, mclust %s", R.version$major, R.version$minor, packageVersion("mclust")), paste(
  "clustCombi(Mclust(data, ...)): the mixture is Mclust's, at its own stop. Mclust's z (and its log-likelihood) may be",
  "of the E-step before its last M-step: the memberships here are those of the stored parameters, by estep; with",
  "Mclust's the same components are joined in the same order and the choice is the same. From K clusters the two are",
  "joined, and their memberships added, whose joining",
  "lowers the entropy -sum z ln z most. 'merges': pairs in the order of joining, 1-based and in the numbering of that",
  "step: the joined cluster keeps the smaller number, larger ones move down by one. 'entropies': for 1, 2, ..., K",
  "clusters (entPlot). 'groups': for 1, 2, ..., K clusters the cluster of each component. 'merged_rows', in the",
  "order of joining: rows whose largest membership is in one of the two, just before. 'chosen': clustCombiOptim, the",
  "breakpoint of the best two lines through (number, entropy) that share the point at the break, by least squares,",
  "between 2 and K - 1; K itself if K = 2. 'chosen_three_lines': reg = 3, its first break. 'chosen_normalized': two",
  "lines over the cumulated merged_rows (from the last join on: 0, then rows of 2 to 1, ...), as entPlot draws them.",
  "'classification' of the rows into 'chosen' clusters. 'ring and cross': 280 rows, set.seed(70), three digits.",
  "|a-b| <= tolerance*(1+|b|)."), cases)
