from . import datasets as datasets
from ._bayesian_mixture import BayesianGaussianMixture as BayesianGaussianMixture
from ._bernoulli import BernoulliNB as BernoulliNB
from ._categorical import CategoricalNB as CategoricalNB
from ._comparing import compare as compare
from ._file_tables import Files as Files
from ._files import load as load
from ._files import save as save
from ._gallery import figure as figure
from ._gallery import figures as figures
from ._gaussian import Gaussian as Gaussian
from ._gaussian_classifier import GaussianClassifier as GaussianClassifier
from ._judging import cross_validate as cross_validate
from ._linear import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
from ._mixed import MixedNB as MixedNB
from ._mixture import GaussianMixture as GaussianMixture
from ._mixture_classifier import MixtureClassifier as MixtureClassifier
from ._mixture_search import MixtureSearch as MixtureSearch
from ._moments import Moments as Moments
from ._multinomial import ComplementNB as ComplementNB
from ._multinomial import MultinomialNB as MultinomialNB
from ._naive_bayes import GaussianNB as GaussianNB
from ._nearest_centroid import NearestCentroid as NearestCentroid
from ._picture import Picture as Picture
from ._quadratic import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
from ._softmax import SoftmaxRegression as SoftmaxRegression

__version__: str
__all__ = [
    "BayesianGaussianMixture",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "Files",
    "Gaussian",
    "GaussianClassifier",
    "GaussianMixture",
    "GaussianNB",
    "LinearDiscriminantAnalysis",
    "MixedNB",
    "MixtureClassifier",
    "MixtureSearch",
    "Moments",
    "MultinomialNB",
    "NearestCentroid",
    "Picture",
    "QuadraticDiscriminantAnalysis",
    "SoftmaxRegression",
    "compare",
    "cross_validate",
    "datasets",
    "figure",
    "figures",
    "load",
    "save",
]
