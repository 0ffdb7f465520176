"""Computes the tails of exact_tails.json a second time, by scipy and by Plackett's integral."""

import numpy as np
from scipy import integrate, special


def orthant(h, k, rho):
    """Q(h) Q(k) and the integral of the density over the correlation, from 0 to rho."""

    def density(angle):
        sin, cos = np.sin(angle), np.cos(angle)
        return np.exp(-(h * h + k * k - 2 * h * k * sin) / (2 * cos * cos)) / (2 * np.pi)

    part, _ = integrate.quad(density, 0, np.arcsin(rho), epsabs=1e-15, epsrel=1e-13, limit=400)
    return special.ndtr(-h) * special.ndtr(-k) + part


def distance(case):
    """Largest |a-b|/(1+|b|). Forms have their second way in exact_forms.py, and others in the tests of the library."""
    far = [0.0]
    for x, upper, log in case.get("normal", []):
        far += [abs(special.ndtr(-x) - upper), abs(special.log_ndtr(-x) - log) / (1 + abs(log))]
    for dim, r, below, above, *_ in case.get("chi", []):
        far += [abs(special.gammainc(dim / 2, r * r / 2) - below), abs(special.gammaincc(dim / 2, r * r / 2) - above)]
    for h, k, rho, chance in case.get("orthant", []):
        far.append(abs(orthant(h, k, rho) - chance))
    return float(max(far))
