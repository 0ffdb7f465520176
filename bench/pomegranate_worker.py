"""Runs pomegranate on torch: SET WORK COV ITERATIONS THREADS."""

import sys

import gen
import torch
from pomegranate.bayes_classifier import BayesClassifier
from pomegranate.distributions import Normal
from pomegranate.gmm import GeneralMixtureModel
from worker_loop import serve

data, work, cov, iters, threads = sys.argv[1:]
torch.set_num_threads(int(threads))
torch.set_default_dtype(torch.float64)
X, Y, M = (torch.as_tensor(array) for array in gen.load(data))
k, d = M.shape


def normal(shape, mean):
    """Return a component at a mean, of unit variances."""
    unit = {"full": torch.eye(d), "diag": torch.ones(d), "sphere": torch.ones(1)}[shape]
    return Normal(means=mean.clone(), covs=unit, covariance_type=shape)


def gmm():
    """Run EM from the given means."""
    shape = {"full": "full", "diag": "diag", "spherical": "sphere"}[cov]
    components = [normal(shape, M[j]) for j in range(k)]
    priors = torch.full((k,), 1 / k)
    return GeneralMixtureModel(components, priors=priors, max_iter=int(iters), tol=0).fit(X)


def classifier():
    """Fit a classifier."""
    shape = "full" if work.startswith("qda") else "diag"
    return BayesClassifier([Normal(covariance_type=shape) for _ in range(k)]).fit(X, Y)


if work == "gmm":
    serve(gmm)
elif work.endswith("fit"):
    serve(classifier)
else:
    fitted = classifier()
    serve(lambda: fitted.predict_proba(X))
