#!/usr/bin/env python3
"""Intervals from averaged iterates of decentralized SGD, in inference/ (needs SciPy): the Polyak-Ruppert mean, the plug-in covariance and
random scaling, and the critical values of random scaling by quadrature. inference/README.md has formats and definitions.

`--data` makes the iterates anew; `--selfcheck` checks the recursion, the critical values and the coverage.
"""
import argparse
import csv
import pathlib

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from methods_oracle import M, mixing, number

HERE = pathlib.Path(__file__).parent / "inference"
TRUTH, STEPS, LEVELS, DISCARD = np.array([0.4, -1.0, 0.7]), 1500, (0.8, 0.9, 0.95, 0.98, 0.99), (0, 150)


def write_csv(name, header, rows):
    HERE.mkdir(exist_ok=True)
    with open(HERE / name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def read_matrix(name, skip=0):
    with open(HERE / name, newline="") as file:
        return np.array([r[skip:] for r in list(csv.reader(file))[1:]], dtype=float)


def dsgd(rng, w, steps, factor, truth=TRUTH, gamma=1.2):
    """The means over clients of x+ = W (x - gamma (t + 10)^-0.51 g), g the gradient 1/2 (y - x'b)^2 of one fresh row a client."""
    x = np.zeros((len(w), len(truth)))
    for t in range(1, steps + 1):
        rows = rng.normal(size=x.shape) @ factor.T
        y = rows @ truth + rng.normal(size=len(w))
        x = w @ (x - gamma * (t + 10) ** -0.51 * ((rows * x).sum(1) - y)[:, None] * rows)
        yield x.mean(0)


def write_data():
    rng = np.random.default_rng(20252)
    factor = np.array([[1, 0, 0], [0.4, 0.9, 0], [-0.3, 0.2, 1.1]])
    path = list(dsgd(rng, mixing("ring:1", "metropolis"), STEPS, factor))
    write_csv("iterates.csv", ["t", "theta0", "theta1", "theta2"], [[t, *(f"{v:.12g}" for v in b)] for t, b in enumerate(path, 1)])
    # estimates as a program would have them, from 4000 rows: the mean Hessian, and the covariance of the mean of M clients' gradients
    rows = rng.normal(size=(4000, 3)) @ factor.T
    noise = rng.normal(size=4000)[:, None] * rows
    for name, matrix in (("hessian", rows.T @ rows / 4000), ("score", noise.T @ noise / 4000 / M)):
        write_csv(f"{name}.csv", [f"theta{j}" for j in range(3)], [[f"{v:.12g}" for v in r] for r in matrix])


def averaged(path):
    """The running means: row s - 1 is the mean of the first s iterates."""
    return np.cumsum(path, 0) / np.arange(1, len(path) + 1)[:, None]


def random_scaling(path):
    """V = T^-2 sum_s s^2 (mean_s - mean_T)(mean_s - mean_T)'."""
    means, s = averaged(path), np.arange(1, len(path) + 1)[:, None]
    d = s * (means - means[-1])
    return d.T @ d / len(path) ** 2


def plug_in(path, hessian, score):
    """The limit covariance H^-1 S H^-1 of sqrt(T) (mean_T - theta)."""
    h = np.linalg.inv(hessian)
    return h @ score @ h.T


def beyond(c):
    """P(|Z| > c sqrt(int B^2)), Z normal, B an independent Brownian bridge: Craig's integral of E exp(-s int B^2) = (x / sinh x)^(1/2), x = sqrt(2 s)."""
    def at(angle):
        x = c / np.sin(angle)
        return np.exp((np.log(2 * x) - x - np.log1p(-np.exp(-2 * x))) / 2)
    return 2 / np.pi * quad(at, 0, np.pi / 2, epsabs=1e-14, epsrel=1e-13, limit=200)[0]


def critical(level):
    return brentq(lambda c: beyond(c) - (1 - level), 1, 60, xtol=1e-13, rtol=1e-14)


def write():
    write_csv("critical.csv", ["level", "critical"], [[level, f"{critical(level):.12g}"] for level in LEVELS])
    path = read_matrix("iterates.csv", 1)
    hessian, score = read_matrix("hessian.csv"), read_matrix("score.csv")
    intervals, covariances = [], []
    for discard in DISCARD:
        kept = path[discard:]
        mean = averaged(kept)[-1]
        for method, v in (("plug-in", plug_in(kept, hessian, score)), ("random-scaling", random_scaling(kept))):
            covariances += [[method, discard, j, *map(number, v[j])] for j in range(3)]
            for level in LEVELS:
                c = norm.ppf((1 + level) / 2) if method == "plug-in" else critical(level)
                for j in range(3):
                    se = np.sqrt(v[j, j] / len(kept))
                    intervals.append([method, discard, level, j, *map(number, (mean[j], se)), f"{c:.12g}", *(f"{b:.12g}" for b in (mean[j] - c * se, mean[j] + c * se))])
    write_csv("covariance.csv", ["method", "discard", "row", "column0", "column1", "column2"], covariances)
    write_csv("intervals.csv", ["method", "discard", "level", "coefficient", "estimate", "std_error", "critical", "low", "high"], intervals)


def report(what, error, limit):
    print(f"{what}: {error:.1e}")
    assert error < limit, what


def selfcheck():
    path = read_matrix("iterates.csv", 1)
    a, b, total, mean = np.zeros((3, 3)), np.zeros(3), 0, np.zeros(3)
    for s, x in enumerate(path, 1):  # the online form: V = T^-2 (A - b m' - m b' + m m' sum s^2)
        mean = mean + (x - mean) / s
        a, b, total = a + s**2 * np.outer(mean, mean), b + s**2 * mean, total + s**2
    t = len(path)
    online = (a - np.outer(b, mean) - np.outer(mean, b) + np.outer(mean, mean) * total) / t**2
    report("online random scaling, relative", abs(online - random_scaling(path)).max() / abs(online).max(), 1e-9)
    partial = np.cumsum(path - path.mean(0), 0) / np.sqrt(t)
    report("random scaling from partial sums", abs(partial.T @ partial / t - random_scaling(path)).max(), 1e-13)
    for level, printed in ((0.8, 3.875), (0.9, 5.323), (0.95, 6.747), (0.98, 8.613)):  # Abadir, Paruolo 1997 as in Lee et al. 2022, Table 1
        report(f"critical value at {level} from the printed one", abs(critical(level) - printed), 1e-3)
    rng = np.random.default_rng(5)
    z = rng.normal(size=(20000, 400)).cumsum(1) / 20
    bridge = z - np.arange(1, 401) / 400 * z[:, -1:]
    share = (abs(z[:, -1]) <= critical(0.95) * np.sqrt((bridge**2).mean(1))).mean()
    report(f"share of random walks within the critical value {share:.4f}", abs(share - 0.95), 0.006)
    w, hits, runs = mixing("ring:2", "metropolis"), np.zeros(2), 200
    for _ in range(runs):
        path = np.array(list(dsgd(rng, w, 3500, np.eye(1), np.array([0.5]))))[500:]
        off = abs(path.mean() - 0.5)
        hits += [off <= critical(0.95) * np.sqrt(random_scaling(path)[0, 0] / 3000), off <= 1.96 * np.sqrt(1 / M / 3000)]
    print(f"coverage of 95 % intervals in {runs} runs: random scaling {hits[0] / runs:.3f}, plug-in {hits[1] / runs:.3f}")
    assert (abs(hits / runs - 0.95) < 0.05).all()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", action="store_true")
    parser.add_argument("--selfcheck", action="store_true")
    options = parser.parse_args()
    if options.data:
        write_data()
    if options.selfcheck:
        selfcheck()
    else:
        write()


if __name__ == "__main__":
    main()
