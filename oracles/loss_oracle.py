#!/usr/bin/env python3
"""Losses of rows and their gradients, NGD with them, and their pooled minima, in losses/ (needs SciPy).

A loss is a function of (fit, y) a row that gives the row's value and its derivative in the fit x'b; for the multinomial loss the
fit is one number a level but the first. A client's loss is the mean over its rows. losses/README.md has the definitions.
Data and networks are those of methods_oracle.py, and losses/multinomial.csv, which `--data` makes anew.

`--selfcheck` checks derivatives by differences, limits, and pooled minima by linear programs.
"""
import argparse
import csv
import pathlib

import numpy as np
from scipy.optimize import linprog
from scipy.special import ndtr

from methods_oracle import AT, M, PAIRS, ROUNDS, SIZES, mixing, number
from methods_oracle import HERE as METHODS

HERE = pathlib.Path(__file__).parent / "losses"
LEVELS = 3


# -------------------------------------------------------------------------------------------------------------- losses


def huber(fit, y, delta):
    r = y - fit
    return np.where(abs(r) <= delta, r**2 / 2, delta * (abs(r) - delta / 2)), -np.clip(r, -delta, delta)


def check(u, tau):
    return u * (tau - (u < 0))


def quantile_gaussian(fit, y, tau, h):
    # the check loss convolved with the density of N(0, h^2): u (tau - Phi(-u / h)) + h phi(u / h)
    u = y - fit
    low = ndtr(-u / h)
    return u * (tau - low) + h * np.exp(-((u / h) ** 2) / 2) / np.sqrt(2 * np.pi), low - tau


def quantile_uniform(fit, y, tau, h):
    # the check loss convolved with the uniform density on (-h, h)
    u = y - fit
    inside = abs(u) <= h
    return np.where(inside, u**2 / (4 * h) + h / 4 + (tau - 0.5) * u, check(u, tau)), -np.where(inside, u / (2 * h) + tau - 0.5, tau - (u < 0))


def quantile_exact(fit, y, tau):
    u = y - fit
    return check(u, tau), (u < 0) - tau


def hinge(fit, y):
    s = 2 * y - 1
    return np.maximum(0, 1 - s * fit), np.where(s * fit < 1, -s, 0.0)


def hinge_smooth(fit, y, h):
    # 0 from 1 on, (1 - z)^2 / (2 h) on (1 - h, 1), 1 - z - h / 2 below, z = s x'b; h = 1 is Rennie's
    s = 2 * y - 1
    gap = 1 - s * fit
    value = np.where(gap <= 0, 0, np.where(gap < h, gap**2 / (2 * h), gap - h / 2))
    return value, -s * np.clip(gap / h, 0, 1)


def logistic(fit, y):
    return 2 * (np.logaddexp(0, fit) - y * fit), 2 * (1 / (1 + np.exp(-fit)) - y)


def multinomial(fit, y):
    """fit: rows x (levels - 1); y: 0, 1, …, of which 0 is the reference."""
    eta = np.c_[np.zeros(len(fit)), fit]
    top = eta.max(1, keepdims=True)
    total = top[:, 0] + np.log(np.exp(eta - top).sum(1))
    is_level = y[:, None] == np.arange(eta.shape[1])
    return 2 * (total - eta[is_level]), (2 * (np.exp(eta - total[:, None]) - is_level))[:, 1:]


LOSSES = {  # name: (function, data, list of parameters, step size of NGD)
    "huber": (huber, "linear", [{"delta": 0.5}, {"delta": 1.345}], 0.08),
    "quantile-gaussian": (quantile_gaussian, "linear", [{"tau": t, "h": h} for t, h in [(0.5, 0.3), (0.2, 0.4), (0.9, 0.25)]], 0.1),
    "quantile-uniform": (quantile_uniform, "linear", [{"tau": t, "h": h} for t, h in [(0.5, 0.3), (0.2, 0.4), (0.9, 0.25)]], 0.1),
    "quantile-exact": (quantile_exact, "linear", [{"tau": t} for t in (0.5, 0.2, 0.9)], None),
    "hinge": (hinge, "logistic", [{}], 0.05),
    "hinge-smooth": (hinge_smooth, "logistic", [{"h": 1.0}, {"h": 0.4}], 0.15),
    "multinomial": (multinomial, "multinomial", [{}], 0.09),
}


# ---------------------------------------------------------------------------------------------------------------- data


def write_csv(name, header, rows):
    HERE.mkdir(exist_ok=True)
    with open(HERE / name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def write_data():
    rng = np.random.default_rng(20251)
    truth = np.array([[0.3, 0.8, -0.5], [-0.2, -0.6, 0.9]])
    rows = []
    for m, n in enumerate(SIZES):
        x = rng.normal(size=(n, 2)) + rng.normal(size=2) * 0.4
        eta = np.c_[np.zeros(n), np.c_[np.ones(n), x] @ truth.T]
        p = np.exp(eta) / np.exp(eta).sum(1, keepdims=True)
        y = (rng.random(n)[:, None] > np.cumsum(p, 1)).sum(1)
        rows += [[m, int(b), *(f"{v:.4f}" for v in r)] for b, r in zip(y, x)]
    write_csv("multinomial.csv", ["client", "y", "x1", "x2"], rows)


class Data:
    def __init__(self, loss, parameters):
        self.function, name, _, _ = LOSSES[loss]
        self.parameters, self.levels = parameters, LEVELS - 1 if name == "multinomial" else None
        with open((HERE if self.levels else METHODS) / f"{name}.csv", newline="") as file:
            table = np.array(list(csv.reader(file))[1:], dtype=float)
        self.owner, self.y = table[:, 0].astype(int), table[:, 1]
        self.x = np.c_[np.ones(len(table)), table[:, 2:]]
        self.n = np.bincount(self.owner)
        self.p = self.x.shape[1] * (self.levels or 1)

    def rows(self, at):
        """The values and gradients of all rows, row i at at[i]."""
        if self.levels:
            blocks = at.reshape(len(at), self.levels, -1)
            value, slope = self.function((blocks * self.x[:, None, :]).sum(2), self.y, **self.parameters)
            return value, (slope[:, :, None] * self.x[:, None, :]).reshape(len(at), -1)
        value, slope = self.function((at * self.x).sum(1), self.y, **self.parameters)
        return value, slope[:, None] * self.x

    def clients(self, at):
        """Every client's mean loss and its gradient, client m at at[m]."""
        value, gradient = self.rows(at[self.owner])
        first = np.cumsum(self.n) - self.n
        return np.add.reduceat(value, first) / self.n, np.add.reduceat(gradient, first) / self.n[:, None]

    def pooled(self, b):
        value, gradient = self.rows(np.tile(b, (len(self.y), 1)))
        return value.mean(), gradient.mean(0)


def label(parameters):
    return " ".join(f"{k}={v}" for k, v in parameters.items())


def all_cases():
    for loss, (_, data, parameters, step) in LOSSES.items():
        for k in parameters:
            yield loss, data, k, step


# ------------------------------------------------------------------------------------------------------- NGD and minima


def ngd(data, w, a, scaled):
    """x+ = v - a g(v), v = W x; g the gradients of clients' mean losses, times M n_m / N where scaled."""
    c = M * data.n / data.n.sum() if scaled else np.ones(M)
    x = np.zeros((M, data.p))
    while True:
        v = w @ x
        x = v - a * c[:, None] * data.clients(v)[1]
        yield x


def prox_check(v, tau, gamma):
    """The r that minimises check(r) + gamma / 2 (v - r)^2."""
    return np.maximum(v - tau / gamma, 0) - np.maximum(-v - (1 - tau) / gamma, 0)


def admm_totals(data, tau, gamma):
    """ADMM on sum check(r), r = y - X b, whose b needs totals of X'X (once) and of X'(y - r + u / gamma): b; r; u = u + gamma (y - X b - r)."""
    x, y = data.x, data.y
    r, u = y.copy(), np.zeros(len(y))
    while True:
        b = np.linalg.solve(x.T @ x, x.T @ (y - r + u / gamma))
        r = prox_check(y - x @ b + u / gamma, tau, gamma)
        u = u + gamma * (y - x @ b - r)
        yield b


def admm_consensus(data, tau, gamma):
    """Yu, Lin, Wang 2017 (QPADM) without a penalty: b = mean(b_m + e_m / gamma); r_m; b_m; u_m; e_m."""
    x, y = ([v[data.owner == m] for m in range(M)] for v in (data.x, data.y))
    p = data.p
    own, e, u = np.zeros((M, p)), np.zeros((M, p)), [np.zeros(len(v)) for v in y]
    while True:
        b = (own + e / gamma).mean(0)
        for m in range(M):
            r = prox_check(y[m] - x[m] @ own[m] + u[m] / gamma, tau, gamma)
            own[m] = np.linalg.solve(x[m].T @ x[m] + np.eye(p), x[m].T @ (y[m] - r + u[m] / gamma) - e[m] / gamma + b)
            u[m] = u[m] + gamma * (y[m] - x[m] @ own[m] - r)
            e[m] = e[m] + gamma * (own[m] - b)
        yield b


def quantile_program(data, tau):
    """The pooled minimum of the check loss by a linear program."""
    n, p = data.x.shape
    cost = np.r_[np.zeros(p), np.full(n, tau), np.full(n, 1 - tau)] / n
    found = linprog(cost, A_eq=np.c_[data.x, np.eye(n), -np.eye(n)], b_eq=data.y, bounds=[(None, None)] * p + [(0, None)] * (2 * n), method="highs-ds")
    # the exact vertex: the p rows with residual zero
    rows = np.argsort(abs(data.y - data.x @ found.x[:p]))[:p]
    return np.linalg.solve(data.x[rows], data.y[rows]), found.fun


def hinge_program(data):
    """The pooled minimum of the hinge loss by a linear program (its value; the coefficients need not be the only ones)."""
    n, p = data.x.shape
    s = 2 * data.y - 1
    found = linprog(np.r_[np.zeros(p), np.ones(n) / n], A_ub=-np.c_[s[:, None] * data.x, np.eye(n)], b_ub=-np.ones(n),
                    bounds=[(None, None)] * p + [(0, None)] * n, method="highs-ds")
    rows = np.argsort(abs(1 - s * (data.x @ found.x[:p])))[:p]
    return np.linalg.solve(data.x[rows], s[rows]), found.fun


def minimum(data):
    """The pooled minimum of a loss with a continuous gradient: Newton's steps with differences of gradients, halved until the loss falls."""
    b = np.zeros(data.p)
    for _ in range(400):
        value, gradient = data.pooled(b)
        if abs(gradient).max() < 1e-15:
            break
        hessian = np.array([(data.pooled(b + 1e-6 * e)[1] - data.pooled(b - 1e-6 * e)[1]) / 2e-6 for e in np.eye(data.p)])
        step = np.linalg.solve((hessian + hessian.T) / 2 + 1e-9 * np.eye(data.p), gradient)
        size = 1.0
        while size > 1e-6 and data.pooled(b - size * step)[0] > value - 1e-4 * size * step @ gradient and abs(step).max() > 1e-7:
            size /= 2
        if abs(data.pooled(b - size * step)[1]).max() >= abs(gradient).max() and abs(gradient).max() < 1e-13:
            break
        b = b - size * step
    return b, data.pooled(b)[0]


def at_minimum(loss, data, parameters):
    if loss == "quantile-exact":
        return quantile_program(data, parameters["tau"])
    return hinge_program(data) if loss == "hinge" else minimum(data)


# -------------------------------------------------------------------------------------------------------------- writing


def points(p):
    rng = np.random.default_rng(7)
    return [np.zeros(p), *(np.round(rng.normal(size=(3, p)) * [[0.3], [1], [3]], 3))]


def semicolons(v):
    return ";".join(map(number, v))


def write():
    rows = []
    for loss, name, k, _ in all_cases():
        data = Data(loss, k)
        for b in points(data.p):
            value, gradient = data.clients(np.tile(b, (M, 1)))
            rows += [[loss, name, label(k), semicolons(b), m, number(value[m]), semicolons(gradient[m])] for m in range(M)]
    write_csv("values.csv", ["loss", "data", "parameters", "theta", "client", "value", "gradient"], rows)
    rows = []
    for loss, name, k, _ in all_cases():
        data = Data(loss, k)
        b, value = at_minimum(loss, data, k)
        rows.append([loss, name, label(k), number(value), semicolons(b)])
    write_csv("pooled.csv", ["loss", "data", "parameters", "value", "theta"], rows)
    for loss, (_, name, parameters, step) in LOSSES.items():
        if step is None:
            continue
        rows = []
        for k in [{**k, "scaled": s} for k in parameters for s in (0, 1)]:
            for network, weights in PAIRS:
                for t, x in run(loss, k, network, weights, step):
                    rows += [[network, weights, name, step, label(k), t, m, *map(number, x[m])] for m in range(M)]
        write_csv(f"ngd-{loss}.csv", ["network", "weights", "model", "alpha", "parameters", "rounds", "client",
                                      *(f"theta{j}" for j in range(len(rows[0]) - 7))], rows)
    rows = []
    for form, method in (("totals", admm_totals), ("consensus", admm_consensus)):
        for tau in (0.5, 0.2, 0.9):
            for t, b in enumerate(method(Data("quantile-exact", {}), tau, 0.6), 1):
                if t in AT:
                    rows += [["totals", "totals", "linear", "", f"form={form} tau={tau} gamma=0.6", t, m, *map(number, b)] for m in range(M)]
                if t == ROUNDS:
                    break
    write_csv("quantile-admm.csv", ["network", "weights", "model", "alpha", "parameters", "rounds", "client", *(f"theta{j}" for j in range(4))], rows)


class Noisy(Data):
    rng = np.random.default_rng(1)

    def rows(self, at):
        value, gradient = super().rows(at)
        return value, gradient * (1 + 1e-14 * self.rng.normal(size=gradient.shape))


def run(loss, k, network, weights, step, kind=Data):
    own = {j: v for j, v in k.items() if j != "scaled"}
    for t, x in enumerate(ngd(kind(loss, own), mixing(network, weights), step, k["scaled"]), 1):
        if t in AT:
            yield t, x
        if t == ROUNDS:
            return


# ------------------------------------------------------------------------------------------------------------ selfcheck


def report(what, error, limit):
    print(f"{what}: {error:.1e}")
    assert error < limit, what


def selfcheck():
    rng = np.random.default_rng(9)
    for loss, _, k, step in all_cases():
        data = Data(loss, k)
        b = rng.normal(size=data.p)
        numeric = np.array([(data.pooled(b + 1e-6 * e)[0] - data.pooled(b - 1e-6 * e)[0]) / 2e-6 for e in np.eye(data.p)])
        report(f"{loss} {k}, gradient by differences", abs(numeric - data.pooled(b)[1]).max(), 1e-7)
        at, value = at_minimum(loss, data, k)
        assert abs(value - data.pooled(at)[0]) < 1e-13
        assert all(data.pooled(at + d)[0] >= value - 1e-14 for d in rng.normal(size=(500, data.p)) * 10.0 ** rng.uniform(-6, 0, size=(500, 1)))
        if step is not None:
            noise = max(abs(x - y).max() for s in (0, 1) for pair in PAIRS for (_, x), (_, y) in zip(
                run(loss, {**k, "scaled": s}, *pair, step), run(loss, {**k, "scaled": s}, *pair, step, Noisy)))
            report(f"{loss} {k}, what rounding moves in NGD", noise, 1e-11)
        if step is not None and loss != "hinge":
            report(f"{loss} {k}, slope at the minimum", abs(data.pooled(at)[1]).max(), 1e-14)
            for t, x in enumerate(ngd(data, mixing("complete", "metropolis"), step, 1), 1):
                if t == 20000:
                    break
            report(f"{loss} {k}, mean of NGD on complete after 20000 rounds from the minimum", abs(x.mean(0) - at).max(), 1e-8)
    u = rng.normal(size=400) * 2
    for tau, h in ((0.3, 0.5), (0.8, 0.2)):  # convolutions by quadrature
        z = np.linspace(-9, 9, 200001)
        gauss = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
        error = max(abs((check(v + h * z, tau) * gauss).sum() - quantile_gaussian(0, v, tau, h)[0]) for v in u[:40])
        report(f"smoothed quantile, Gaussian, by quadrature, tau {tau}, h {h}", error, 1e-8)
        z = (np.arange(200000) + 0.5) / 100000 - 1
        error = max(abs(check(v + h * z, tau).mean() - quantile_uniform(0, v, tau, h)[0]) for v in u[:40])
        report(f"smoothed quantile, uniform, by quadrature, tau {tau}, h {h}", error, 1e-8)
        report("    and from the check loss with h = 1e-9", max(abs(f(0, u, tau, 1e-9)[0] - check(u, tau)).max() for f in (
            quantile_gaussian, quantile_uniform)), 1e-8)
        report("    uniform is Huber's loss of width h, / (2 h), + h / 4 + (tau - 1/2) u", abs(
            quantile_uniform(0, u, tau, h)[0] - huber(0, u, h)[0] / (2 * h) - h / 4 - (tau - 0.5) * u).max(), 1e-14)
    y = (u > 0.4) * 1.0
    f = rng.normal(size=400) * 2
    report("multinomial with two levels is logistic", max(abs(multinomial(f[:, None], y)[0] - logistic(f, y)[0]).max(),
                                                           abs(multinomial(f[:, None], y)[1][:, 0] - logistic(f, y)[1]).max()), 1e-13)
    report("smoothed hinge from hinge with h = 1e-9", abs(hinge_smooth(f, y, 1e-9)[0] - hinge(f, y)[0]).max(), 1e-8)
    report("Huber with a large delta is 1/2 r^2", abs(huber(f, u, 1e6)[0] - (u - f) ** 2 / 2).max(), 1e-12)
    for tau in (0.5, 0.2, 0.9):
        data = Data("quantile-exact", {"tau": tau})
        at, value = quantile_program(data, tau)
        for name, method in (("totals", admm_totals), ("consensus", admm_consensus)):
            for t, b in enumerate(method(data, tau, 0.6), 1):
                if t == 20000:
                    break
            report(f"quantile-admm {name}, tau {tau}, after 20000 rounds from the linear program", abs(b - at).max(), 1e-8)
    grid = np.linspace(-3, 3, 600001)
    report("prox of the check loss on a grid", max(abs(grid[np.argmin(check(grid, 0.3) + 0.35 * (v - grid) ** 2)] - prox_check(v, 0.3, 0.7)) for v in u[:60] * 0.6), 2e-5)


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
