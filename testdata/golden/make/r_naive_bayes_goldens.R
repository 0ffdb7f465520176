# Writes r_naive_bayes.json: e1071's naiveBayes on iris with a factor, and on a table of votes.
# Usage, from the repository root:
#   Rscript testdata/golden/make/r_naive_bayes_goldens.R crates/gaussbayes-io/data testdata/golden

library(e1071)
args <- commandArgs(trailingOnly = TRUE)
out <- args[2]
source("testdata/golden/make/golden_file.R")
script <- "r_naive_bayes_goldens.R"
tool <- sprintf("R %s.%s, e1071 %s", R.version$major, R.version$minor, packageVersion("e1071"))
note <- paste(
  "naiveBayes(x, y, laplace = alpha), predict(type = 'raw'). Columns by 'kinds', null is missing: e1071 leaves it out of",
  "the fit of its column and of the product, as it does a level that is not in the fit. Priors are class shares.",
  "category: (count + laplace) / (present + laplace * levels), flags are categories here. number: sd divides by n - 1",
  "('divisor': 'n - 1'); where 'divisor' is 'n' the table of the fitted object was scaled to sd * sqrt((n - 1)/n), n",
  "the present values of the class, before predict. No ridge. A probability of 0 counts as threshold = 0.001",
  "(eps = 0), so with laplace 0 answers are those of the plain formula only where no level is missing in a class",
  "('threshold': true where it matters). 'row_posterior' of the rows of the data, 'posterior' of the query.",
  "'second': largest distance of the same formulas written out in R, with log-sum-exp. |a-b| <= tolerance*(1+|b|)."
)

cell <- function(x) if (is.na(x)) "null" else if (is.numeric(x)) number(x) else text(as.character(x))
rows_of <- function(table) {
  list_of(vapply(seq_len(nrow(table)), function(i) list_of(vapply(table, function(v) cell(v[i]), "")), ""))
}

# the same formulas, without e1071
by_hand <- function(x, y, new, laplace, divisor) {
  logs <- vapply(levels(y), function(k) {
    mine <- y == k
    total <- rep(log(mean(mine)), nrow(new))
    for (name in names(x)) {
      v <- x[[name]][mine & !is.na(x[[name]])]
      if (is.numeric(v)) {
        variance <- sum((v - mean(v))^2) / (length(v) - (divisor == "n - 1"))
        term <- -log(2 * pi * variance) / 2 - (new[[name]] - mean(v))^2 / (2 * variance)
      } else {
        seen <- levels(x[[name]])
        chance <- (table(factor(v, seen)) + laplace) / (length(v) + laplace * length(seen))
        chance[chance == 0] <- 0.001
        term <- log(as.numeric(chance)[match(as.character(new[[name]]), seen)])
      }
      total <- total + ifelse(is.na(term), 0, term)
    }
    total
  }, double(nrow(new)))
  evidence <- apply(logs, 1, function(l) max(l) + log(sum(exp(l - max(l)))))
  exp(logs - evidence)
}

answered <- function(name, x, y, query, laplace, divisor = "n - 1") {
  fit <- naiveBayes(x, y, laplace = laplace)
  threshold <- FALSE
  for (column in names(x)) {
    if (is.numeric(x[[column]])) {
      n <- as.numeric(table(y[!is.na(x[[column]])]))
      if (divisor == "n") fit$tables[[column]][, 2] <- fit$tables[[column]][, 2] * sqrt((n - 1) / n)
    } else {
      threshold <- threshold || any(fit$tables[[column]] == 0)
    }
  }
  rows <- predict(fit, x, type = "raw")
  new <- predict(fit, query, type = "raw")
  second <- max(abs(rows - by_hand(x, y, x, laplace, divisor)), abs(new - by_hand(x, y, query, laplace, divisor)))
  cat(sprintf("%-50s %.1e\n", name, second))
  stopifnot(second < 1e-12)
  list(
    name = text(name), kinds = texts(ifelse(vapply(x, is.numeric, NA), "number", "category")),
    columns = texts(names(x)), data = sprintf('{"rows":%s,"labels":%s}', rows_of(x), texts(as.character(y))),
    weights = "null", alpha = number(laplace), divisor = text(divisor), threshold = tolower(threshold),
    classes = texts(levels(y)), tolerance = "1e-12", query = rows_of(query), posterior = matrix_of(new),
    row_posterior = matrix_of(rows), second = sprintf("%.1e", second)
  )
}

RNGkind("Mersenne-Twister", "Inversion", "Rejection")
set.seed(84)
flowers <- read.csv(file.path(args[1], "iris.csv"))[seq(1, 150, 3), ]
species <- factor(flowers$species)
flowers$species <- NULL
odds <- list(setosa = c(5, 2, 1), versicolor = c(2, 3, 3), virginica = c(1, 2, 5))
flowers$site <- factor(vapply(as.character(species), function(k) sample(c("east", "north", "south"), 1, prob = odds[[k]]), ""))
gaps <- flowers
for (at in sample(250, 12)) gaps[(at - 1) %/% 5 + 1, (at - 1) %% 5 + 1] <- NA
plants <- data.frame(
  sepal_length = c(5, 6.25, 6, NA, 5.5), sepal_width = c(3.5, 2.75, NA, 3, 2.5), petal_length = c(1.5, 4.75, 5, NA, 3),
  petal_width = c(0.25, 1.5, 1.75, NA, 0.75), site = factor(c("east", "south", "west", NA, "north"))
)

party <- factor(rep(c("democrat", "republican", "democrat"), length.out = 42))
lean <- list(democrat = c(.6, .5, .9, .2, .3, .8), republican = c(.2, .5, .15, .9, .95, .25))
votes <- data.frame(lapply(seq_len(6), function(j) {
  v <- vapply(as.character(party), function(k) sample(c("n", "y"), 1, prob = c(1 - lean[[k]][j], lean[[k]][j])), "")
  v[sample(42, 4)] <- NA
  factor(v, levels = c("n", "y"))
}))
names(votes) <- c("infants", "water", "budget", "fees", "aid", "schools")
strict <- votes
strict$budget[party == "republican" & !is.na(strict$budget)] <- "n"
roll <- data.frame(
  infants = c("y", "n", NA, "y", "n"), water = c("n", "y", NA, "y", "n"), budget = c("y", "n", NA, "y", NA),
  fees = c("n", "y", NA, NA, "y"), aid = c("n", "y", NA, "y", "n"), schools = c("y", "n", NA, "n", "absent")
)

cases <- list(
  answered("iris and a factor, laplace 0", flowers, species, plants, 0),
  answered("iris and a factor, laplace 1, sd by n", flowers, species, plants, 1, "n"),
  answered("iris and a factor with gaps, laplace 1", gaps, species, plants, 1),
  answered("iris and a factor with gaps, laplace 1, sd by n", gaps, species, plants, 1, "n"),
  answered("votes, laplace 0", votes, party, roll, 0),
  answered("votes, laplace 1", votes, party, roll, 1),
  answered("votes, one side never votes yes, laplace 0", strict, party, roll, 0),
  answered("votes, one side never votes yes, laplace 1", strict, party, roll, 1)
)
write_file(out, script, "r_naive_bayes.json", tool, note, cases)
