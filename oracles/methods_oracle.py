#!/usr/bin/env python3
"""Decentralized methods after their papers: every client's coefficients after 3, 10 and 57 rounds.

One function a method, a generator that yields the M x p matrix of all clients' coefficients after each round, all from 0.
Names: w the mixing matrix (row m: what client m hears, itself included), a the step size, p.g(x) the scaled gradients
c_m grad L_m(x_m) with c_m = M n_m / N, p.own(x) the unscaled ones, p.rows(x, t) those of the rows of batch t.
methods/README.md has the citations, the format and every choice a paper leaves open.

`--data` makes the data, batches and coins anew from fixed seeds; `--selfcheck` checks what the papers promise.
"""
import argparse
import csv
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent / "methods"
SIZES = [6, 9, 12, 7, 15, 20, 8, 11]
M, ROUNDS, AT, STEPS = len(SIZES), 57, (3, 10, 57), 171


# ---------------------------------------------------------------------------------------------------------------- data


def write_csv(name, header, rows):
    HERE.mkdir(exist_ok=True)
    with open(HERE / name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def read_csv(name):
    with open(HERE / name, newline="") as file:
        return list(csv.reader(file))[1:]


def write_data():
    rng = np.random.default_rng(20240)
    for model, truth in [("linear", [0.5, 1, -2, 0.75]), ("logistic", [-0.25, 0.9, -0.6, 0.4])]:
        rows = []
        for m, n in enumerate(SIZES):
            x = rng.normal(size=(n, 3)) * [1, 0.8, 1.2] + rng.normal(size=3) * 0.4
            line = truth[0] + x @ truth[1:]
            y = line + rng.normal(size=n) * 0.7 + rng.normal() * 0.3 if model == "linear" else rng.random(n) < 1 / (1 + np.exp(-line))
            rows += [[m, f"{b:.4f}" if model == "linear" else int(b), *(f"{v:.4f}" for v in r)] for b, r in zip(y, x)]
        write_csv(f"{model}.csv", ["client", "y", "x1", "x2", "x3"], rows)
    links = {(m, m - 1) for m in range(1, M)} | {(5, 1), (7, 0), (6, 2), (5, 2)}
    write_csv("mutual.csv", ["client", "hears"], sorted(links | {(k, m) for m, k in links}))
    write_csv("batches.csv", ["client", "step", "rows"], [
        [m, t, ";".join(map(str, sorted(rng.choice(n, 2, replace=False))))] for m, n in enumerate(SIZES) for t in range(STEPS)])
    write_csv("coins.csv", ["round", "coin"], [[t, int(rng.random() < 0.4)] for t in range(ROUNDS)])


class Problem:
    """Client m's mean loss: 1/2 (y - x'b)^2 a row for linear, -2 log-likelihood a row for logistic models."""

    def __init__(self, model):
        table = np.array(read_csv(f"{model}.csv"), dtype=float)
        self.linear = model == "linear"
        self.x = [np.c_[np.ones((table[:, 0] == m).sum()), table[table[:, 0] == m, 2:]] for m in range(M)]
        self.y = [table[table[:, 0] == m, 1] for m in range(M)]
        self.n = np.array([len(y) for y in self.y])
        self.c = M * self.n / self.n.sum()
        self.share = self.n / self.n.sum()
        self.batches = {}
        for m, t, rows in read_csv("batches.csv"):
            self.batches[int(m), int(t)] = [int(r) for r in rows.split(";")]

    def each(self, m, at):
        """The gradient of every row of client m's loss at `at`, n_m x p."""
        fit = self.x[m] @ at
        error = fit - self.y[m] if self.linear else 2 * (1 / (1 + np.exp(-fit)) - self.y[m])
        return error[:, None] * self.x[m]

    def hessian(self, m, at):
        mu = 1 / (1 + np.exp(-self.x[m] @ at))
        v = np.ones(self.n[m]) if self.linear else 2 * mu * (1 - mu)
        return (self.x[m].T * v) @ self.x[m] / self.n[m]

    def own(self, x):
        return np.array([self.each(m, x[m]).mean(0) for m in range(M)])

    def g(self, x):
        return self.c[:, None] * self.own(x)

    def smooth(self):
        """L_m: the Lipschitz constant of client m's scaled gradient (at any point)."""
        return np.array([self.c[m] * np.linalg.eigvalsh(x.T @ x / self.n[m])[-1] * (1 if self.linear else 0.5)
                         for m, x in enumerate(self.x)])

    def zero(self):
        return np.zeros((M, 4))

    def pooled(self):
        b = np.zeros(4)
        for _ in range(30):
            h = sum(s * self.hessian(m, b) for m, s in enumerate(self.share))
            b = b - np.linalg.solve(h, self.share @ self.own(np.tile(b, (M, 1))))
        return b


# ------------------------------------------------------------------------------------------------------------ networks


def hears(network):
    a = np.zeros((M, M))
    kind, _, hops = network.partition(":")
    if kind == "file":
        for m, k in read_csv(hops):
            a[int(m), int(k)] = 1
    elif kind == "ring":
        for m in range(M):
            for h in range(1, int(hops) + 1):
                a[m, (m + h) % M] = a[m, (m - h) % M] = 1
    elif kind == "central":
        a[0, 1:] = a[1:, 0] = 1
    else:
        a = 1 - np.eye(M)
    return a


def mixing(network, weights):
    a = hears(network)
    d = a.sum(1)
    w = a / (1 + np.maximum(d[:, None], d[None, :]))
    w += np.diag(1 - w.sum(1))
    return (np.eye(M) + w) / 2 if weights == "lazy-metropolis" else w


# ----------------------------------------------------------------------------------- gradient tracking, exact diffusion


def nids(p, w, a, own=0):
    # Li, Shi, Yan 2019, Algorithm 1 without prox: x1 = x0 - L g(x0);
    # x+ = W~ (2x - x- - L g(x) + L g(x-)), W~ = I - c L (I - W), L = diag(a_m), c = 1 / (2 max a_m)
    step = a / p.smooth() if own else np.full(M, a)
    mix = np.eye(M) - step[:, None] * (np.eye(M) - w) / (2 * step.max())
    old, gold = p.zero(), p.g(p.zero())
    x = old - step[:, None] * gold
    while True:
        yield x
        g = p.g(x)
        x, old, gold = mix @ (2 * x - old - step[:, None] * (g - gold)), x, g


def aug_dgm(p, w, a):
    # Xu, Zhu, Soh, Xie 2015, eqs (3)-(4): x+ = W (x - a y); y+ = W (y + g(x+) - g(x)); y0 = g(x0)
    x = p.zero()
    y = g = p.g(x)
    while True:
        x = w @ (x - a * y)
        y, g = w @ (y + p.g(x) - g), p.g(x)
        yield x


# ------------------------------------------------------------------------------------------------------------ momentum


def heavy_ball(p, w, a, beta):
    # NGD with Polyak's momentum: x+ = W x - a g(W x) + beta (x - x-); x-1 = x0
    x = old = p.zero()
    while True:
        mixed = w @ x
        x, old = mixed - a * p.g(mixed) + beta * (x - old), x
        yield x


def nesterov(p, w, a, beta):
    # NGD with Nesterov's momentum: v = W x + beta (W x - (W x)-); x+ = v - a g(v); (W x)- = W x in the first round
    x = p.zero()
    old = w @ x
    while True:
        mixed = w @ x
        v, old = mixed + beta * (mixed - old), mixed
        x = v - a * p.g(v)
        yield x


def abm(p, w, a, beta):
    # Xin, Khan 2020 (ABm), A = B = W: x+ = W x - a y + beta (x - x-); y+ = W y + g(x+) - g(x); y0 = g(x0), x-1 = x0
    x = old = p.zero()
    y = g = p.g(x)
    while True:
        x, old = w @ x - a * y + beta * (x - old), x
        y, g = w @ y + p.g(x) - g, p.g(x)
        yield x


def abn(p, w, a, beta):
    # Xin, Jakovetic, Khan 2019 (ABN), A = B = W: s+ = W x - a y; x+ = s+ + beta (s+ - s); y+ = W y + g(x+) - g(x)
    # s0 = x0, y0 = g(x0); theta is x
    x = s = p.zero()
    y = g = p.g(x)
    while True:
        s, before = w @ x - a * y, s
        x = s + beta * (s - before)
        y, g = w @ y + p.g(x) - g, p.g(x)
        yield x


def qg_dsgdm(p, w, a, beta, mu):
    # Lin, Karimireddy, Stich, Jaggi 2021, Algorithm 1 (QG-DSGDm), full batches: m = beta m^ + g(x); x+ = W (x - a m);
    # m^+ = mu m^ + (1 - mu) (x - x+) / a; m^ = 0 at the start
    x = hat = p.zero()
    while True:
        new = w @ (x - a * (beta * hat + p.g(x)))
        x, hat = new, mu * hat + (1 - mu) * (x - new) / a
        yield x


METHODS = {f.__name__.replace("_", "-"): f for f in (nids, aug_dgm, heavy_ball, nesterov, abm, abn, qg_dsgdm)}
PAIRS = [("ring:1", "metropolis"), ("ring:2", "lazy-metropolis"), ("complete", "metropolis"),
         ("central", "metropolis"), ("file:mutual.csv", "lazy-metropolis")]
STEP = {"linear": 0.04, "logistic": 0.09}

# method: list of (step sizes or None for STEP, parameters); exact: the paper says it finds the pooled estimate
CASES = {
    "nids": [(None, {}), ({"linear": 0.6, "logistic": 0.7}, {"own": 1})],
    "aug-dgm": [(None, {})],
    "heavy-ball": [(None, {"beta": 0.35})],
    "nesterov": [(None, {"beta": 0.35})],
    "abm": [(None, {"beta": 0.35})],
    "abn": [(None, {"beta": 0.35})],
    "qg-dsgdm": [(None, {"beta": 0.7, "mu": 0.85})],
}
EXACT = {"nids", "aug-dgm", "abm", "abn"}


def number(v):
    return f"{v:.17g}"


def cases(method):
    for step, parameters in CASES[method]:
        for network, weights in PAIRS:
            for model in STEP:
                yield network, weights, model, (step or STEP)[model], parameters


def write_method(method):
    rows = []
    for network, weights, model, a, parameters in cases(method):
        for t, x in enumerate(METHODS[method](Problem(model), mixing(network, weights), a, **parameters), 1):
            if t in AT:
                label = " ".join(f"{k}={v}" for k, v in parameters.items())
                rows += [[network, weights, model, a, label, t, m, *map(number, x[m])] for m in range(M)]
            if t == ROUNDS:
                break
    write_csv(f"{method}.csv", ["network", "weights", "model", "alpha", "parameters", "rounds", "client",
                                *(f"theta{j}" for j in range(4))], rows)


def run(method, model, network, weights, a, parameters, rounds):
    for t, x in enumerate(METHODS[method](Problem(model), mixing(network, weights), a, **parameters), 1):
        if t == rounds:
            return x


def selfcheck(names):
    for model in STEP:
        print(model, Problem(model).pooled(), "L_m", Problem(model).smooth().round(2))
    for method in names:
        for network, weights, model, a, parameters in cases(method):
            x, goal = run(method, model, network, weights, a, parameters, 3000), Problem(model).pooled()
            error = abs(x - goal).max()
            print(f"{method:12} {network:16} {weights:16} {model:9} {parameters} off {error:.1e} spread {abs(x - x.mean(0)).max():.1e}")
            assert np.isfinite(x).all() and error < (1e-9 if method in EXACT else 1), "not there"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", action="store_true")
    parser.add_argument("--selfcheck", action="store_true")
    parser.add_argument("methods", nargs="*")
    options = parser.parse_args()
    if options.data:
        write_data()
    names = options.methods or list(METHODS)
    if options.selfcheck:
        selfcheck(names)
    else:
        for method in names:
            write_method(method)


if __name__ == "__main__":
    main()
