#!/usr/bin/env python3
"""Personal models and beliefs after their papers: every client's coefficients after 3, 10 and 57 rounds.

Data, networks, names and format are those of methods_oracle.py and further_oracle.py; methods/README.md has the citations and every choice a
paper leaves open. `--selfcheck` checks what the papers promise.
"""
import argparse

import numpy as np

from further_oracle import AT, BOTH, M, NONE, PAIRS, ROUNDS, STEP, Further, averaging, listens, number, stationary, write_csv

REACHES = (np.inf, 2.0, 1.0, 0.5)


# --------------------------------------------------------------------------------------------------------- collaborative


def proximal(p, m, centre, rho, x):
    """argmin L_m(x) + rho/2 |x - centre|^2 by Newton's method with halved steps, to the last bits."""

    def value(at):
        fit = p.x[m] @ at
        rows = (fit - p.y[m]) ** 2 / 2 if p.linear else 2 * (np.logaddexp(0, fit) - p.y[m] * fit)
        return rows.mean() + rho / 2 * ((at - centre) ** 2).sum()

    for _ in range(100):
        gradient = p.each(m, x).mean(0) + rho * (x - centre)
        step = np.linalg.solve(p.hessian(m, x) + rho * np.eye(4), gradient)
        share = 1.0
        while value(x - share * step) > value(x) + 1e-14 * abs(value(x)) and share > 1e-6:
            share /= 2
        x = x - share * step
        if abs(step).max() < 1e-14:
            break
    return x


def above(p, m, point, reach):
    """A matrix above every Hessian of client m's logistic loss where no predictor is further than `reach` from that at `point`."""
    nearest = np.maximum(abs(p.x[m] @ point) - reach, 0)  # the curvature is largest at 0 and falls on both sides
    mu = 1 / (1 + np.exp(-nearest))
    return (p.x[m].T * (2 * mu * (1 - mu))) @ p.x[m] / p.n[m]


class Surrogate:
    """Steps to the minimiser of a quadratic above the loss; to the end where that would leave the ball in which it lies above."""

    def __init__(self, p):
        self.p, self.solved, self.reaches, self.ends = p, [None] * M, [], 0

    def __call__(self, m, centre, rho, x):
        p = self.p
        if self.solved[m] is not None:
            point = self.solved[m]
            most = 2 * (np.trace(above(p, m, point, 0)) + 4 * rho)
            reach = next((r for r in REACHES if np.trace(above(p, m, point, r)) + 4 * rho <= most), REACHES[-1])
            self.reaches.append(reach)
            gradient = p.each(m, x).mean(0) + rho * (x - centre)
            new = x - np.linalg.solve(above(p, m, point, reach) + rho * np.eye(4), gradient)
            if np.linalg.norm(new - point) * np.sqrt((p.x[m] ** 2).sum(1).max()) <= reach:
                return new
        self.ends += 1
        self.solved[m] = proximal(p, m, centre, rho, x)
        return self.solved[m]


def collaborative(p, w, _, coupling, rho, prox, network):
    """sum c_m L_m(x_m) + coupling/2 sum over links |x_m - x_k|^2: each end of a link has a copy z of its model and a scaled dual u."""
    ends = [[k for k in range(M) if listens(network)[m, k]] for m in range(M)]
    x = p.zero()
    z = {(m, k): x[m] for m in range(M) for k in ends[m]}
    u = {link: np.zeros(4) for link in z}
    step = prox if isinstance(prox, Surrogate) else Surrogate(p) if prox == "surrogate" else lambda *k: proximal(p, *k)
    while True:
        new = p.zero()
        for m in range(M):
            centre = sum(z[m, k] - u[m, k] for k in ends[m]) / len(ends[m])
            new[m] = step(m, centre, rho * len(ends[m]) / p.c[m], x[m])
        x = new
        a = {(m, k): x[m] + u[m, k] for m, k in z}
        # argmin over the two copies of a link of coupling/2 |z - z'|^2 + rho/2 (|z - a|^2 + |z' - a'|^2)
        z = {(m, k): ((rho + coupling) * a[m, k] + coupling * a[k, m]) / (rho + 2 * coupling) for m, k in z}
        u = {link: a[link] - z[link] for link in z}
        yield x


def partial_consensus(p, network, coupling, rho):
    """The paper's own splitting, all links in every round, for quadratic losses: clients keep a copy of each neighbour's model too."""
    ends = [[k for k in range(M) if listens(network)[m, k]] for m in range(M)]
    theta = {(m, j): np.zeros(4) for m in range(M) for j in [m, *ends[m]]}  # m's copy of j's model
    z = {(m, k, j): np.zeros(4) for m in range(M) for k in ends[m] for j in (m, k)}  # link m-k's copy of j's model
    dual = {key: np.zeros(4) for key in z}
    while True:
        for m in range(M):
            d = len(ends[m])
            # A neighbour's copy: coupling/2 (x_j - x_m) + rho (x_j - z) + dual = 0, put into the equation of the own model. Each end has half of a link.
            half = coupling / 2
            left = p.c[m] * p.hessian(m, np.zeros(4)) + d * (rho + half - half**2 / (half + rho)) * np.eye(4)
            right = p.c[m] * p.x[m].T @ p.y[m] / p.n[m]
            for k in ends[m]:
                known = rho * z[m, k, k] - dual[m, k, k]
                right = right + rho * z[m, k, m] - dual[m, k, m] + half * known / (half + rho)
            theta[m, m] = np.linalg.solve(left, right)
            for k in ends[m]:
                theta[m, k] = (half * theta[m, m] + rho * z[m, k, k] - dual[m, k, k]) / (half + rho)
        z = {(m, k, j): ((dual[m, k, j] + dual[k, m, j]) / rho + theta[m, j] + theta[k, j]) / 2 for m, k, j in z}
        dual = {(m, k, j): dual[m, k, j] + rho * (theta[m, j] - z[m, k, j]) for m, k, j in z}
        yield np.array([theta[m, m] for m in range(M)])


def joint_minimum(p, network, coupling):
    links = listens(network)
    laplacian = np.kron(coupling * (np.diag(links.sum(1)) - links), np.eye(4))
    x = np.zeros(4 * M)
    for _ in range(100):
        gradient = p.g(x.reshape(M, 4)).ravel() + laplacian @ x
        hessian = laplacian.copy()
        for m in range(M):
            hessian[4 * m:4 * m + 4, 4 * m:4 * m + 4] += p.c[m] * p.hessian(m, x[4 * m:4 * m + 4])
        x = x - np.linalg.solve(hessian, gradient)
    return x.reshape(M, 4)


# --------------------------------------------------------------------------------------------------------------- beliefs


def bayesian(p, w, _, noise, prior, network):
    """Normal beliefs of a linear model: the prior and the own likelihood to the power 1 / pi_m; then logarithms of densities averaged by w."""
    pi = stationary(w)
    precision = np.array([p.x[m].T @ p.x[m] / noise / pi[m] + prior * np.eye(4) for m in range(M)])
    shift = np.array([p.x[m].T @ p.y[m] / noise / pi[m] for m in range(M)])
    while True:
        yield np.array([np.linalg.solve(precision[m], shift[m]) for m in range(M)])
        precision, shift = np.einsum("mk,kij->mij", w, precision), w @ shift


def mean_field(p, w, a, noise, prior, network):
    """Independent normal beliefs: logarithms of densities averaged by w, then a natural-gradient step on the own evidence, taken at the mean."""
    power = 1 / (2 * noise * stationary(w))[:, None] * p.n[:, None]
    mu, precision = p.zero(), None
    while True:
        if precision is not None:
            precision, shift = w @ precision, w @ (precision * mu)
            mu = shift / precision
        curvature = prior + power * np.array([np.diag(p.hessian(m, mu[m])) for m in range(M)])
        precision = curvature if precision is None else (1 - a) * precision + a * curvature
        mu = mu - a * (prior * mu + power * p.own(mu)) / precision
        yield mu


# --------------------------------------------------------------------------------------------------------------- program

METHODS = {
    "collaborative": [
        (collaborative, PAIRS, {"linear": "", "logistic": ""}, {"coupling": 0.3, "rho": 0.5, "prox": "exact"}),
        (collaborative, PAIRS, {"linear": "", "logistic": ""}, {"coupling": 4.0, "rho": 1.5, "prox": "exact"}),
        (collaborative, PAIRS, {"logistic": ""}, {"coupling": 0.3, "rho": 0.5, "prox": "surrogate"}),
        (collaborative, PAIRS, {"logistic": ""}, {"coupling": 0.05, "rho": 0.02, "prox": "surrogate"}),
    ],
    "bayesian": [
        (bayesian, BOTH, {"linear": ""}, {"noise": 0.5, "prior": 0.2}),
        (bayesian, BOTH, {"linear": ""}, {"noise": 1.0, "prior": 1e-6}),
        (mean_field, BOTH, {"logistic": 0.1}, {"noise": 1.0, "prior": 0.4}),
        (mean_field, BOTH, {"logistic": 0.5}, {"noise": 2.0, "prior": 1e-6}),
    ],
}


def cases(name):
    for method, pairs, models, parameters in METHODS[name]:
        for network, weights in pairs:
            for model, a in models.items():
                yield method, network, weights, model, a, parameters


def start(method, network, weights, model, a, parameters, problem=Further):
    return method(problem(model), averaging(network, weights), a, network=network, **parameters)


def write_method(name):
    rows = []
    for method, network, weights, model, a, parameters in cases(name):
        label = " ".join(f"{k}={v}" for k, v in parameters.items())
        for t, x in enumerate(start(method, network, weights, model, a, parameters), 1):
            if t in AT:
                rows += [[network, weights, model, a, label, t, m, *map(number, x[m])] for m in range(M)]
            if t == ROUNDS:
                break
    write_csv(f"{name}.csv", ["network", "weights", "model", "alpha", "parameters", "rounds", "client", *(f"theta{j}" for j in range(4))], rows)


def after(generator, rounds):
    for t, x in enumerate(generator, 1):
        if t == rounds:
            return x


def check(what, error, limit):
    print(f"{what}: {error:.1e}")
    assert error < limit, what


def selfcheck():
    for network, weights in PAIRS:
        for model in STEP:
            p = Further(model)
            for coupling, rho, prox in [(0.3, 0.5, "exact"), (4.0, 1.5, "exact"), (0.3, 0.5, "surrogate")]:
                if model == "logistic" or prox == "exact":
                    end = after(collaborative(p, None, None, coupling, rho, prox, network), 800 if coupling < 1 else 2500)
                    check(f"collaborative, {prox}: the minimum", abs(end - joint_minimum(p, network, coupling)).max(), 1e-9)
        p = Further("linear")
        check("the paper's splitting has the same minimum",
              abs(after(partial_consensus(p, network, 0.3, 0.5), 3000) - joint_minimum(p, network, 0.3)).max(), 1e-9)
        apart = abs(after(partial_consensus(p, network, 0.3, 0.5), 10) - after(collaborative(p, None, None, 0.3, 0.5, "exact", network), 10)).max()
        print(f"the paper's splitting takes another way there: {apart:.1e} away after 10 rounds")
        assert apart > 1e-3
        check("with strong coupling the pooled estimate", abs(joint_minimum(p, network, 1e5) - p.pooled()).max(), 1e-3)
    reaches, ends = [], 0
    for network, weights in PAIRS:
        p = Further("logistic")
        kept = Surrogate(p)
        after(collaborative(p, None, None, 0.05, 0.02, kept, network), ROUNDS)
        reaches, ends = reaches + kept.reaches, ends + kept.ends
    print("steps with a reach of", {r: reaches.count(r) for r in REACHES}, "steps to the end", ends)
    for network, weights in BOTH:
        w = averaging(network, weights)
        p = Further("linear")
        for noise, prior in [(0.5, 0.2), (1.0, 1e-6)]:
            posterior = np.linalg.solve(p.all.T @ p.all / noise + prior * np.eye(4), p.all.T @ p.response / noise)
            check("bayesian, linear: the posterior mean", abs(after(bayesian(p, w, None, noise, prior, network), 3000) - posterior).max(), 1e-9)
        p = Further("logistic")
        mode = np.zeros(4)
        for _ in range(50):
            gradient = 0.4 * mode + p.n.sum() / 2 * (p.share @ p.own(np.tile(mode, (M, 1))))
            hessian = 0.4 * np.eye(4) + sum(p.n[m] / 2 * p.hessian(m, mode) for m in range(M))
            mode = mode - np.linalg.solve(hessian, gradient)
        far = [abs(after(mean_field(p, w, a, 1.0, 0.4, network), int(400 / a)) - mode).max() for a in (0.1, 0.01)]
        check(f"mean-field: the mode, but for a bias of order alpha (from {far[0]:.1e})", far[1], far[0] / 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--selfcheck", action="store_true")
    parser.add_argument("methods", nargs="*")
    options = parser.parse_args()
    if options.selfcheck:
        selfcheck()
    else:
        for name in options.methods or METHODS:
            write_method(name)


if __name__ == "__main__":
    main()
