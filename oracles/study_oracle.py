"""The paper's figures 2 to 4 at R = 20 in plain NumPy: the oracle of `ngd study`.

    python3 oracles/study_oracle.py               writes study/medians.csv beside this file, some two minutes
    python3 oracles/study_oracle.py --selfcheck   checks gradients, networks and the global estimate

Written from the paper's section 3 and docs/theory.md alone, with random numbers of its own: it agrees with `ngd`
within Monte-Carlo error and not better. N = 10,000 rows, M = 200 clients, theta(0) = 0, a new data set and a new
fixed-degree network in each replicate; log MSE(t) = log(|theta*(t) - theta0*|^2 / M); medians over replicates, with a
bootstrap standard error. Needs NumPy only.
"""

import argparse
import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
N, M, R, SEED = 10_000, 200, 20, 20260
THETA0 = {
    "linear": np.array([3, 1.5, 0, 0, 2, 0, 0, 0]),
    "logistic": np.array([0.5, 0.5, 0.5, 0.5, 0.5, -1.25]),
    "poisson": np.array([1.2, 0.6, 0, 0, 0.8, 0, 0, 0]),
}
CELLS = {  # model: step sizes, iterations to record
    "linear": (["0.005", "0.01", "0.02", "0.05"], [100, 400]),
    "logistic": (["0.1", "0.2"], [40, 200]),
    "poisson": (["0.0008"], [200, 800]),
}
ARRANGEMENTS = [("random", "in-order"), ("sorted", "in-order"), ("sorted", "random")]
NETWORKS = ["circle:1", "fixed:2", "central"]


def normal(rng, rows, covariance):
    """Normal rows with this covariance."""
    return rng.standard_normal((rows, len(covariance))) @ np.linalg.cholesky(covariance).T


def power(columns, rho):
    index = np.arange(columns)
    return rho ** np.abs(index[:, None] - index[None, :])


def generate(model, rng):
    theta = THETA0[model]
    if model == "linear":
        x = normal(rng, N, power(8, 0.5))
        return x, x @ theta + rng.standard_normal(N)
    if model == "logistic":
        x = normal(rng, N, 0.5 + 0.5 * np.eye(6))
        return x, (rng.random(N) < 1 / (1 + np.exp(-x @ theta))).astype(float)
    bernoulli = (rng.integers(0, 2, (N, 2)) - 0.5) / 0.5
    x = np.hstack([normal(rng, N, power(6, 0.2)), bernoulli])
    return x, rng.poisson(np.exp(x @ theta)).astype(float)


def mean(model, eta):
    return {"linear": lambda e: e, "logistic": lambda e: 1 / (1 + np.exp(-e)), "poisson": np.exp}[model](eta)


def arrange(x, y, partition, placement, rng):
    """Rows as (client, row, column): cut into M equal pieces, then dealt to the clients."""
    order = rng.permutation(N) if partition == "random" else np.argsort(y, kind="stable")
    pieces = order.reshape(M, N // M)
    if placement == "random":
        pieces = pieces[rng.permutation(M)]
    return x[pieces], y[pieces]


def network(words, rng):
    """W, row-stochastic: w[m, k] = 1/d_m where m hears k."""
    a = np.zeros((M, M))
    if words == "central":
        a[0, 1:] = 1
        a[1:, 0] = 1
    elif words == "circle:1":
        a[np.arange(M), (np.arange(M) + 1) % M] = 1
    else:
        for m in range(M):
            others = np.delete(np.arange(M), m)
            a[m, rng.choice(others, 2, replace=False)] = 1
    return a / a.sum(axis=1, keepdims=True)


def gradient(model, xs, ys, moments, at):
    """Every client's gradient at its own row: Sxx theta - Sxy (2.1), or of minus twice the log-likelihood over n."""
    if model == "linear":
        sxx, sxy = moments
        return np.einsum("mij,mj->mi", sxx, at) - sxy
    residual = mean(model, np.matmul(xs, at[:, :, None])[:, :, 0]) - ys
    return 2 / ys.shape[1] * np.matmul(residual[:, None, :], xs)[:, 0, :]


def moments_of(xs, ys):
    n = ys.shape[1]
    return np.einsum("mni,mnj->mij", xs, xs) / n, np.einsum("mni,mn->mi", xs, ys) / n


def log_mse(model, theta):
    return np.log(((theta - THETA0[model]) ** 2).sum() / M)


def global_estimate(model, x, y):
    """OLS or MLE of the pooled rows, by Newton's method."""
    theta = np.zeros(x.shape[1])
    for _ in range(100):
        eta = x @ theta
        mu = mean(model, eta)
        weight = {"linear": np.ones_like, "logistic": lambda m: m * (1 - m), "poisson": lambda m: m}[model](mu)
        step = np.linalg.solve((x * weight[:, None]).T @ x, x.T @ (y - mu))
        # Poisson from 0 can overshoot: never move further than 1.
        theta = theta + step / max(1, np.linalg.norm(step))
        if np.linalg.norm(step) < 1e-12:
            return theta
    raise ArithmeticError("Newton's method did not settle")


def replicate(model, rng):
    """log MSE of all cells of a model, and of the global estimate."""
    alphas, iterations = CELLS[model]
    x, y = generate(model, rng)
    values = {("global", "", "", "", 0): np.log(((global_estimate(model, x, y) - THETA0[model]) ** 2).sum())}
    drawn = {words: network(words, rng) for words in NETWORKS}
    for partition, placement in ARRANGEMENTS:
        xs, ys = arrange(x, y, partition, placement, rng)
        moments = moments_of(xs, ys)
        for words, w in drawn.items():
            for alpha in alphas:
                theta = np.zeros((M, x.shape[1]))
                for t in range(1, max(iterations) + 1):
                    mixed = w @ theta
                    theta = mixed - float(alpha) * gradient(model, xs, ys, moments, mixed)
                    if t in iterations:
                        values[words, partition, placement, alpha, t] = log_mse(model, theta)
    return values


def median_error(values, rng):
    """The standard error of the median, by bootstrap."""
    draws = rng.choice(values, (2000, len(values)))
    return np.median(draws, axis=1).std()


def write():
    rows = []
    for model in CELLS:
        rng = np.random.default_rng([SEED, len(model)])
        runs = [replicate(model, rng) for _ in range(R)]
        for key in runs[0]:
            values = np.array([run[key] for run in runs])
            rows.append([model, *key, repr(float(np.median(values))), repr(float(median_error(values, rng)))])
    folder = HERE / "study"
    folder.mkdir(exist_ok=True)
    with open(folder / "medians.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow("model,network,partition,placement,alpha,iteration,median_log_mse,standard_error".split(","))
        writer.writerows(rows)


def selfcheck():
    rng = np.random.default_rng(1)
    for words, expected in (("central", (M - 2) ** 2 / (M - 1)), ("circle:1", 0)):
        w = network(words, rng)
        assert np.allclose(w.sum(axis=1), 1) and np.isclose(((w.sum(axis=0) - 1) ** 2).mean(), expected)
    balance = [((network("fixed:2", rng).sum(axis=0) - 1) ** 2).mean() for _ in range(200)]
    assert abs(np.mean(balance) - (1 / 2 - 1 / (M - 1))) < 0.01
    for model in CELLS:
        x, y = generate(model, rng)
        xs, ys = arrange(x, y, "sorted", "in-order", rng)
        assert all(ys[m].max() <= ys[m + 1].min() for m in range(M - 1))
        at = rng.standard_normal((M, x.shape[1])) / 4
        g = gradient(model, xs, ys, moments_of(xs, ys), at)

        def loss(m, theta):
            eta = xs[m] @ theta
            if model == "linear":
                return ((ys[m] - eta) ** 2).mean() / 2
            inner = {"logistic": lambda: np.log1p(np.exp(eta)), "poisson": lambda: np.exp(eta)}[model]()
            return -2 * (ys[m] * eta - inner).mean()

        for m in (0, 99, M - 1):
            for j in range(x.shape[1]):
                h = np.zeros(x.shape[1])
                h[j] = 1e-6
                slope = (loss(m, at[m] + h) - loss(m, at[m] - h)) / 2e-6
                assert abs(slope - g[m, j]) < 1e-5 * (1 + abs(slope)), (model, m, j)
        theta = global_estimate(model, x, y)
        score = x.T @ (y - mean(model, x @ theta))
        assert np.abs(score).max() < 1e-6 * N
    print("all checks passed")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--selfcheck", action="store_true")
    selfcheck() if arguments.parse_args().selfcheck else write()
