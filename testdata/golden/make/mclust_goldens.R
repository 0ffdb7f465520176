# Writes mclust_families.json: the M-step of R's mclust for the fourteen covariance families.
#
# Usage, from the repository root:
#     Rscript testdata/golden/make/mclust_goldens.R crates/gaussbayes-io/data testdata/golden

suppressMessages(library(mclust))

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
out <- arguments[2]
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "golden_file.R"))

families <- c("EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV")
iterative <- c("VEI", "VEE", "EVE", "VVE", "VEV")
control <- emControl(tol = c(1e-5, 1e-15), itmax = c(1e6, 1e6))
settled <- 1e-14

# ---- moments and the objective ----

moments_of <- function(x, z) {
  total <- colSums(z)
  means <- t(z) %*% x / total
  scatter <- lapply(seq_along(total), function(k) {
    centred <- sweep(x, 2, means[k, ]) * sqrt(z[, k])
    crossprod(centred)
  })
  list(total = total, means = means, scatter = scatter)
}

# Rows by classes: ln(pi_k N(x_i)).
log_joints <- function(x, means, covariances, prior) {
  sapply(seq_along(prior), function(k) {
    factor <- chol(covariances[[k]])
    white <- backsolve(factor, t(x) - means[k, ], transpose = TRUE)
    log(prior[k]) - ncol(x) * log(2 * pi) / 2 - sum(log(diag(factor))) - colSums(white^2) / 2
  })
}

log_joint_of <- function(x, z, covariances) {
  m <- moments_of(x, z)
  sum(z * log_joints(x, m$means, covariances, m$total / sum(m$total)))
}

log_evidence_of <- function(joint) {
  top <- apply(joint, 1, max)
  sum(top + log(rowSums(exp(joint - top))))
}

moved <- function(a, b) max(abs(unlist(a) - unlist(b)) / (1 + abs(unlist(b))))

# ---- fixed points of VEI, VEE and VEV ----

unit_volume <- function(m) m / det(m)^(1 / nrow(m))

# Alternates shape and volumes: C ~ sum of scatter_k / lambda_k, lambda_k = tr(scatter_k C^-1) / (d n_k).
common_shape <- function(scatter, total, volumes) {
  repeat {
    shape <- unit_volume(Reduce(`+`, Map(`/`, scatter, volumes)))
    before <- volumes
    volumes <- mapply(function(w, n) sum(w * solve(shape)) / (nrow(w) * n), scatter, total)
    if (moved(volumes, before) < settled / 10) break
  }
  lapply(volumes, function(v) v * shape)
}

polish_shape <- function(model, m, covariances) {
  volumes <- sapply(covariances, function(s) det(s)^(1 / nrow(s)))
  if (model == "VEE") return(common_shape(m$scatter, m$total, volumes))
  if (model == "VEI") return(common_shape(lapply(m$scatter, function(w) diag(diag(w))), m$total, volumes))
  parts <- lapply(m$scatter, eigen, symmetric = TRUE)
  spread <- common_shape(lapply(parts, function(e) diag(e$values)), m$total, volumes)
  Map(function(e, s) e$vectors %*% s %*% t(e$vectors), parts, spread)
}

# ---- common orientation: EVE and VVE ----

# The least of sum n_k ln(prod_j q_kj) (VVE) or sum n_k (prod_j q_kj)^(1/d) (EVE), q_kj = d_j' S_k d_j, by rotations in
# one plane at a time. In a plane q = m + t and m - t with t = u cos 2a + b sin 2a: slope and curvature are exact.
plane <- function(model, scatter, total, D, i, j) {
  d <- ncol(D)
  q <- mapply(function(w, n) {
    s <- crossprod(D, w %*% D) / n
    c(s[i, i] + s[j, j], s[i, i] - s[j, j], 2 * s[i, j], prod(diag(s)[-c(i, j)]))
  }, scatter, total)
  m <- q[1, ] / 2
  weight <- if (model == "EVE") total * q[4, ]^(1 / d) else total
  function(angle) {
    t <- (q[2, ] * cos(2 * angle) + q[3, ] * sin(2 * angle)) / 2
    t1 <- q[3, ] * cos(2 * angle) - q[2, ] * sin(2 * angle)
    p <- m^2 - t^2
    p1 <- -2 * t * t1
    p2 <- -2 * (t1^2 - 4 * t^2)
    if (model == "VVE") {
      c(sum(weight * log(p)), sum(weight * p1 / p), sum(weight * (p2 / p - (p1 / p)^2)))
    } else {
      e <- 1 / d
      c(sum(weight * p^e), sum(weight * e * p^(e - 1) * p1),
        sum(weight * e * (p^(e - 1) * p2 + (e - 1) * p^(e - 2) * p1^2)))
    }
  }
}

rotate <- function(D, i, j, angle) {
  turned <- D
  turned[, i] <- cos(angle) * D[, i] + sin(angle) * D[, j]
  turned[, j] <- cos(angle) * D[, j] - sin(angle) * D[, i]
  turned
}

# Sweeps from D until nothing moves. `wide` looks at angles all round before it takes Newton's step.
descend <- function(model, m, D, wide) {
  grid <- seq(0, pi / 2, length.out = 65)[-65]
  for (sweep in 1:2000) {
    largest <- 0
    for (i in seq_len(ncol(D) - 1)) for (j in (i + 1):ncol(D)) {
      f <- plane(model, m$scatter, m$total, D, i, j)
      angle <- 0
      if (wide && sweep <= 10) {
        values <- sapply(grid, function(a) f(a)[1])
        if (min(values) < f(0)[1] - 1e-9 * abs(f(0)[1])) angle <- grid[which.min(values)]
      }
      for (step in 1:3) {
        at <- f(angle)
        if (at[3] > 0) angle <- angle - max(-0.02, min(0.02, at[2] / at[3]))
        else if (abs(at[2]) > 0) angle <- angle - 0.02 * sign(at[2])
      }
      D <- rotate(D, i, j, angle)
      largest <- max(largest, abs(angle))
    }
    if (largest < settled) break
  }
  D
}

from_orientation <- function(model, m, D) {
  d <- ncol(D)
  spread <- lapply(m$scatter, function(w) diag(crossprod(D, w %*% D)))
  scaled <- if (model == "VVE") Map(`/`, spread, m$total) else {
    roots <- sapply(spread, function(q) prod(q)^(1 / d))
    Map(function(q, r) q / r * sum(roots) / sum(m$total), spread, roots)
  }
  lapply(scaled, function(q) D %*% (q * t(D)))
}

random_orientation <- function(d) qr.Q(qr(matrix(rnorm(d * d), d)))

# ---- one case ----

family_case <- function(name, data, x, z, classes, model, labels = NULL, memberships = NULL) {
  x <- unname(as.matrix(x))
  fitted <- mstep(data = x, modelName = model, z = z, control = control)
  sigma <- fitted$parameters$variance$sigma
  covariances <- lapply(seq_along(classes), function(k) sigma[, , k])
  m <- moments_of(x, z)
  told_covariances <- covariances
  told <- log_joint_of(x, z, covariances)
  best <- NULL
  if (model %in% iterative) {
    polished <- if (model %in% c("EVE", "VVE")) {
      from_orientation(model, m, descend(model, m, fitted$parameters$variance$orientation, FALSE))
    } else polish_shape(model, m, covariances)
    far <- moved(covariances, polished)
    gain <- log_joint_of(x, z, polished) - told
    cat(sprintf("%-24s mclust stops %.1e short, log joint %+.1e\n", name, far, gain))
    stopifnot(far < 1e-5 || model == "VVE", gain > -1e-11 * abs(told))
    covariances <- polished
  }
  log_joint <- log_joint_of(x, z, covariances)
  if (model %in% c("EVE", "VVE")) {
    set.seed(50)
    found <- replicate(50, {
      D <- descend(model, m, random_orientation(ncol(x)), TRUE)
      log_joint_of(x, z, from_orientation(model, m, D))
    })
    best <- max(found, log_joint)
    cat(sprintf("%-24s log joint %.9f, best of 50 random starts %.9f\n", name, log_joint, max(found)))
  }
  prior <- m$total / sum(m$total)
  joint <- log_joints(x, m$means, covariances, prior)
  chosen <- classes[max.col(joint, ties.method = "first")]
  if (!is.null(labels)) {
    edda <- MclustDA(x, labels, modelType = "EDDA", modelNames = model, control = control, verbose = FALSE)
    gap <- abs(edda$loglik / log_evidence_of(log_joints(x, m$means, told_covariances, prior)) - 1)
    stopifnot(gap < 1e-12, as.character(predict(edda, x)$classification) == chosen)
  }
  case <- list(
    name = text(name), data = data, model = text(model), ddof = "0", pooling = text("size"),
    priors = text("observed"), shrinkage = "null", shrink_to = "null", weights = "null", classes = texts(classes),
    memberships = memberships, tolerance = if (model %in% iterative) "1e-8" else "1e-10",
    parameters = sprintf("%d", as.integer(nVarParams(model, ncol(x), length(classes)))),
    means = matrix_of(m$means), covariances = matrices_of(covariances),
    log_joint = number(log_joint), best_log_joint = if (!is.null(best)) number(best))
  if (!is.null(labels)) {
    case <- c(case, list(log_evidence_sum = number(log_evidence_of(joint)), labels = texts(chosen),
                         errors = sprintf("%d", sum(chosen != labels))))
  }
  case[!sapply(case, is.null)]
}

# ---- data ----

iris_data <- read.csv(file.path(folder, "iris.csv"))
iris_x <- as.matrix(iris_data[, 1:4])
species <- sort(unique(iris_data$species), method = "radix")

set.seed(1995)
sizes <- c(a = 60, b = 45, c = 40, d = 55)
centres <- rbind(c(0, 0, 0), c(3, 1, -1), c(-1, 3, 2), c(1, -2, 3))
spreads <- list(c(1, 0.5, 0.2), c(2, 0.8, 0.3), c(0.4, 1.2, 0.9), c(1.5, 0.3, 0.7))
seeded <- round(do.call(rbind, lapply(1:4, function(k) {
  turned <- matrix(rnorm(sizes[k] * 3), ncol = 3) %*% (spreads[[k]] * t(random_orientation(3)))
  sweep(turned, 2, centres[k, ], `+`)
})), 3)
seeded_labels <- rep(names(sizes), sizes)
seeded_data <- sprintf('{"rows":%s,"labels":%s}',
                       list_of(apply(seeded, 1, function(row) list_of(sprintf("%.3f", row)))), texts(seeded_labels))

# Memberships in ten-thousandths; the last class takes the rest, so that a row adds up to one exactly.
pull <- sapply(c(1.5, 4.2, 5.6), function(centre) {
  exp(-(iris_x[, 3] - centre)^2 / 2 + 0.3 * sin(centre * iris_x[, 2]))
})
parts <- round(1e4 * pull / rowSums(pull))
parts[, 3] <- 1e4 - parts[, 1] - parts[, 2]
stopifnot(parts >= 0)
soft <- unname(parts / 1e4)
soft_text <- list_of(apply(soft, 1, function(row) list_of(sprintf("%.4f", row))))

cases <- c(
  lapply(families, function(model) {
    family_case(paste("iris", model), text("iris"), iris_x, unmap(match(iris_data$species, species)), species, model,
                labels = iris_data$species)
  }),
  lapply(families, function(model) {
    family_case(paste("four classes", model), seeded_data, seeded, unmap(match(seeded_labels, names(sizes))),
                names(sizes), model, labels = seeded_labels)
  }),
  lapply(families, function(model) {
    family_case(paste("iris, memberships", model), text("iris"), iris_x, soft, species, model, memberships = soft_text)
  }))

write_file(out, basename(script), "mclust_families.json",
  sprintf("R %s.%s, mclust %s", R.version$major, R.version$minor, packageVersion("mclust")), paste(
  "means and covariances (one per class, also where they are equal) by mstep(modelName, data, z) with inner",
  "tolerance 1e-15; z are the labels, or 'memberships', one row of K numbers per row of the data (then the",
  "labels of the data are not used, and the K columns belong to 'classes' in order). VEI, VEE, EVE, VVE, VEV",
  "iterate and stop on a small change of the objective: what is stored was taken on from mclust's answer in",
  "plain R until nothing moved by 1e-14 (VEI, VEE, VEV by alternating shape and volumes; EVE, VVE by Newton",
  "steps in plane rotations of D), stays within 1e-5 of mclust's matrices (except VVE) and has its likelihood",
  "or more. mclust starts EVE and VVE with D = I and unit shapes, whose first step leaves the axes in place: it",
  "climbs from the EVI or VVI answer. Its VVE leaves the volumes out of the step for D and so ends at the D of",
  "EVE, short of the maximum: stored is the maximum that the rotations reach from there. best_log_joint: the",
  "best of this and of 50 random orthogonal starts. log_joint = sum over rows and classes of z ln(pi N), pi =",
  "n_k/n; log_evidence_sum = sum over rows of ln(sum_k pi N), which is loglik of MclustDA(modelType = 'EDDA'),",
  "checked; labels: class of largest pi N for every row, checked against predict(); errors against the labels",
  "of the data. parameters = nVarParams(model, d, K).",
  "|a-b| <= tolerance*(1+|b|)."), cases)
