"""Oracle of the noise in an estimate from noised sums (noise=central): the fit again, in NumPy, thousands of times.

Rows are made by a formula that a test has too. Steps, clipping and the account are written from docs/privacy.md; noise is
drawn from the normal distribution. For each budget: the share of noise of each of 4 sites in units of what a row can move,
and the standard deviation over the runs of each coefficient. Writes privacy/central_noise.json. Needs NumPy and SciPy.
"""

import json
import math
import pathlib

import numpy as np
from scipy import optimize

HERE = pathlib.Path(__file__).parent
SITES, COLLUDERS, ROWS, RUNS = 4, 1, 4000, 1500

CASES = [
    ("gaussian", "epsilon=4,delta=1e-6,clip=8,noise=central,bound=4,steps=10"),
    ("gaussian", "epsilon=1,delta=1e-6,clip=8,noise=central,bound=4,steps=4"),
    ("gaussian", "epsilon=4,delta=1e-6,clip=1,noise=central,bound=4,steps=5"),
    ("binomial", "epsilon=4,delta=1e-6,clip=4,noise=central,bound=4,steps=5"),
    ("binomial", "epsilon=1,delta=1e-6,clip=4,noise=central,bound=4,steps=4"),
    ("binomial", "epsilon=4,delta=1e-6,clip=1,noise=central,bound=4,steps=6"),
]


def rows(family):
    i = np.arange(1, ROWS + 1)
    x = np.column_stack([np.ones(ROWS), 1.4 * np.sin(i), 1.2 * np.cos(1.7 * i) + 0.3])
    eta = -0.4 + 0.8 * x[:, 1] - 0.6 * x[:, 2]
    uniform = (np.sin(12.9898 * i) * 43758.5453) % 1
    return x, (uniform < 1 / (1 + np.exp(-eta))) * 1.0 if family == "binomial" else eta + 3 * (uniform - 0.5)


def budget_rho(epsilon, delta):
    """The largest rho of zero-concentrated privacy that (epsilon, delta) allows."""

    def log_delta(rho):
        f = lambda u: math.exp(u) * ((1 + math.exp(u)) * rho - epsilon) + math.exp(u) * math.log1p(-1 / (1 + math.exp(u))) - math.log1p(math.exp(u))
        return optimize.minimize_scalar(f, bounds=(-10, 12), method="bounded", options={"xatol": 1e-12}).fun

    return optimize.brentq(lambda rho: log_delta(rho) - math.log(delta), 1e-6, 50, xtol=1e-13)


def shorten(vectors, most):
    return vectors * np.minimum(1, most / np.maximum(np.linalg.norm(vectors, axis=1), 1e-300))[:, None]


def main():
    written = []
    for family, budget in CASES:
        words = dict(word.split("=") for word in budget.split(","))
        clip, bound, steps = float(words["clip"]), float(words["bound"]), int(words["steps"])
        rho = budget_rho(float(words["epsilon"]), float(words["delta"])) / (steps + 1)
        share = 1 / math.sqrt(2 * rho * (SITES - COLLUDERS))
        of_moments = math.sqrt(SITES) * share * math.sqrt(2) * bound**2
        of_gradients = math.sqrt(SITES) * share * 2 * clip
        x, y = rows(family)
        p = x.shape[1]
        curved, factor = (1, 1) if family == "gaussian" else (0.25, 2)
        short = shorten(x, bound)
        moments = short.T @ short
        random = np.random.default_rng(20261116)
        found = []
        for _ in range(RUNS):
            noise = random.standard_normal((p, p)) * of_moments / math.sqrt(2)
            noise = np.tril(noise, -1) + np.tril(noise, -1).T + np.diag(random.standard_normal(p) * of_moments)
            values, vectors = np.linalg.eigh(moments + noise)
            inverse = vectors / (curved * factor * np.maximum(values, math.sqrt(2 * p) * of_moments)) @ vectors.T
            theta, points = np.zeros(p), []
            for _ in range(steps):
                mean = x @ theta if family == "gaussian" else 1 / (1 + np.exp(-x @ theta))
                gradient = shorten(factor * (mean - y)[:, None] * x, clip).sum(0) + of_gradients * random.standard_normal(p)
                theta = theta - inverse @ gradient
                points.append(theta)
            found.append(np.mean(points[steps - (steps + 1) // 2 :], 0))
        written.append({"family": family, "budget": budget, "share": share, "sd": np.std(found, 0, ddof=1).tolist()})
        print(json.dumps(written[-1]), flush=True)
    (HERE / "privacy" / "central_noise.json").write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    main()
