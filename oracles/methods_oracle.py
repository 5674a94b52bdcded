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
FULL = False  # whether every batch is all rows, for the reductions of selfcheck


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
        self.all, self.response = np.concatenate(self.x), np.concatenate(self.y)
        self.owner, self.first = np.repeat(np.arange(M), self.n), np.cumsum(self.n) - self.n
        self.batches = {(int(m), int(t)): [int(r) for r in rows.split(";")] for m, t, rows in read_csv("batches.csv")}

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
        fit = (self.all * x[self.owner]).sum(1)
        error = fit - self.response if self.linear else 2 * (1 / (1 + np.exp(-fit)) - self.response)
        return np.add.reduceat(error[:, None] * self.all, self.first) / self.n[:, None]

    def g(self, x):
        return self.c[:, None] * self.own(x)

    def smooth(self):
        """L_m: the Lipschitz constant of client m's scaled gradient (at any point)."""
        return np.array([self.c[m] * np.linalg.eigvalsh(x.T @ x / self.n[m])[-1] * (1 if self.linear else 0.5)
                         for m, x in enumerate(self.x)])

    def batch(self, m, t):
        """The rows of client m's mini-batch t; read in a circle by what runs longer than the file."""
        return list(range(self.n[m])) if FULL else self.batches[m, t % STEPS]

    def rows(self, x, t):
        """The scaled gradients of batch t."""
        return np.array([self.c[m] * self.each(m, x[m])[self.batch(m, t)].mean(0) for m in range(M)])

    def coins(self):
        sequence = [int(coin) for _, coin in read_csv("coins.csv")]
        while True:
            yield from sequence

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
    if network == "totals":
        return None
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
    # Xu, Zhu, Soh, Xie 2015 (Aug-DGM): x+ = W (x - a y); y+ = W (y + g(x+) - g(x)); y0 = g(x0)
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

# ----------------------------------------------------------------------------------- methods on totals, with local steps


def everyone(x):
    return np.tile(x, (M, 1))


def scaffold(p, _, a, K, eta_g):
    # Karimireddy et al. 2020, Algorithm 1, option II, all clients: K times y = y - a (g(y) - c_m + c);
    # c_m+ = c_m - c + (x - y) / (K a); x+ = x + eta_g mean(y - x); c+ = c + mean(c_m+ - c_m); c_m = c = 0 at the start
    x, own, c = np.zeros(4), p.zero(), np.zeros(4)
    while True:
        y = everyone(x)
        for _ in range(K):
            y = y - a * (p.g(y) - own + c)
        new = own - c + (x - y) / (K * a)
        x, c, own = x + eta_g * (y - x).mean(0), c + (new - own).mean(0), new
        yield everyone(x)


def local_steps(p, x, a, steps, mu=0.0):
    """After steps[m] gradient steps of client m on its unscaled loss + mu/2 |y - x|^2."""
    y = everyone(x)
    for s in range(max(steps)):
        move = a * (p.own(y) + mu * (y - x))
        y = y - move * (s < np.array(steps))[:, None]
    return y


def fedprox(p, _, a, K, mu):
    # Li et al. 2020 (MLSys), Algorithm 2 with K gradient steps as inexact local solution; mean weighted by n_m / N
    x = np.zeros(4)
    while True:
        x = p.share @ local_steps(p, x, a, [K] * M, mu)
        yield everyone(x)


def fednova(p, _, a, tau):
    # Wang et al. 2020 (NeurIPS) with plain local steps, |a_m|_1 = tau_m: d_m = (x - y_m) / (a tau_m);
    # x+ = x - tau_eff a sum_m (n_m / N) d_m, tau_eff = sum_m (n_m / N) tau_m
    steps = np.array([int(t) for t in str(tau).split(";")]) * np.ones(M, dtype=int)
    x = np.zeros(4)
    while True:
        d = (x - local_steps(p, x, a, steps)) / steps[:, None]
        x = x - (p.share @ steps) * (p.share @ d)
        yield everyone(x)


def fed_adaptive(p, a, K, eta, beta1, beta2, tau, second):
    x, m, v = np.zeros(4), np.zeros(4), np.full(4, tau**2)
    while True:
        delta = p.share @ (local_steps(p, x, a, [K] * M) - x)
        m, v = beta1 * m + (1 - beta1) * delta, second(v, delta**2, beta2)
        x = x + eta * m / (np.sqrt(v) + tau)
        yield everyone(x)


def fedadam(p, _, a, **k):
    # Reddi et al. 2021, Algorithm 2: D = sum (n_m / N) (y_m - x); m = b1 m + (1 - b1) D; v = b2 v + (1 - b2) D^2;
    # x+ = x + eta m / (sqrt(v) + tau); m = 0, v = tau^2 at the start; no bias correction
    return fed_adaptive(p, a, **k, second=lambda v, d, b: b * v + (1 - b) * d)


def fedyogi(p, _, a, **k):
    # the same with v = v - (1 - b2) D^2 sign(v - D^2)
    return fed_adaptive(p, a, **k, second=lambda v, d, b: v - (1 - b) * d * np.sign(v - d))


# ------------------------------------------------------------------------------------ decentralized, with local steps


def k_gt(p, w, a, K, eta_s, c0):
    # Liu, Lin, Koloskova, Stich 2024, Algorithm 1: K times y = y - a (g(y) + c); z = (x - y) / (K a);
    # c+ = c - z + W z; x+ = W (x - K eta_s a z). c0=zero: c = 0; c0=mean: c = mean of all g(x0) - g(x0)
    x = p.zero()
    c = p.zero() if c0 == "zero" else p.g(x).mean(0) - p.g(x)
    while True:
        y = x
        for _ in range(K):
            y = y - a * (p.g(y) + c)
        z = (x - y) / (K * a)
        c, x = c - z + w @ z, w @ (x - K * eta_s * a * z)
        yield x


def local_diging(p, w, a, K, form, mix):
    # Nguyen, Alghunaim, Yuan, Uribe 2022: gradient tracking whose W is I in all but one of K steps.
    # form=diging: x+ = V x - a y; y+ = V y + g(x+) - g(x). form=atc: x+ = V (x - a y); y+ = V (y + g(x+) - g(x)).
    # V = W in the first or the last of a round's K steps (mix); y0 = g(x0)
    x = p.zero()
    y = g = p.g(x)
    while True:
        for s in range(K):
            v = w if s == (0 if mix == "first" else K - 1) else np.eye(M)
            x = v @ x - a * y if form == "diging" else v @ (x - a * y)
            y = v @ y + p.g(x) - g if form == "diging" else v @ (y + p.g(x) - g)
            g = p.g(x)
        yield x


def led(p, w, a, K, beta):
    # Alghunaim 2024, Algorithm 1: K times f = f - a g(f) - beta y, f = x before; x+ = W f; y+ = y + f - x+; y = 0
    x = y = p.zero()
    while True:
        f = x
        for _ in range(K):
            f = f - a * p.g(f) - beta * y
        x = w @ f
        y = y + f - x
        yield x


def proxskip(p, w, a, prob, share):
    # Mishchenko, Malinovsky, Stich, Richtarik 2022, decentralized Scaffnew: x^ = x - a (g(x) - h);
    # coin 1: x+ = (1 - s) x^ + s W x^, coin 0: x+ = x^; h+ = h + (prob / a) (x+ - x^); h = 0; s = a tau / prob in the paper
    x = h = p.zero()
    for coin in p.coins():
        hat = x - a * (p.g(x) - h)
        x = (1 - share) * hat + share * w @ hat if coin else hat
        h = h + prob / a * (x - hat)
        yield x


def scaffnew(p, _, a, prob):
    # the same, Algorithm 2: with coin 1 all clients take the mean of x^
    return proxskip(p, np.full((M, M), 1 / M), a, prob, 1.0)


# ---------------------------------------------------------------------------------------------- methods of multipliers


def links(w):
    return (w - np.diag(np.diag(w)) > 0) * 1.0


def d_admm(p, w, _, c):
    # Shi, Ling, Yuan, Wu, Yin 2014, Algorithm 1 with f_m = c_m L_m, d_m neighbours j: x+ solves
    # f_m'(x+) + q + 2 c d_m x+ - c (d_m x + sum_j x_j) = 0; q+ = q + c (d_m x+ - sum_j x+_j); q = 0
    hear, x, q = links(w), p.zero(), p.zero()
    d = hear.sum(1)[:, None]
    while True:
        right = c * (d * x + hear @ x) - q
        new = x.copy()
        for m in range(M):
            for _ in range(100):
                slope = p.c[m] * p.each(m, new[m]).mean(0) + 2 * c * d[m] * new[m] - right[m]
                step = np.linalg.solve(p.c[m] * p.hessian(m, new[m]) + 2 * c * d[m] * np.eye(4), slope)
                new[m] = new[m] - step
                if abs(step).max() < 1e-15:
                    break
        x = new
        q = q + c * (d * x - hear @ x)
        yield x


def dlm(p, w, _, c, rho):
    # Ling, Shi, Wu, Ribeiro 2015 (DLM): x+ = x - (g(x) + c sum_j (x - x_j) + q) / (2 c d_m + rho);
    # q+ = q + c sum_j (x+ - x+_j); q = 0
    hear, x, q = links(w), p.zero(), p.zero()
    d = hear.sum(1)[:, None]
    while True:
        x = x - (p.g(x) + c * (d * x - hear @ x) + q) / (2 * c * d + rho)
        q = q + c * (d * x - hear @ x)
        yield x


def lt_admm(p, w, a, beta, rho, tau, vr=None):
    # Ren, Bastianello, Johansson, Parisini 2025, Algorithm 1: f = x; tau times f = f - a g(f) - beta (rho d_m x - sum_j z_mj);
    # x+ = f; z_mj+ = (z_mj - z_jm + 2 rho x+_j) / 2; z = 0. vr: g estimated as in lt_admm_vr
    hear, x = links(w), p.zero()
    d, z = hear.sum(1)[:, None], np.zeros((M, M, 4))
    while True:
        pull, f = beta * (rho * d * x - z.sum(1)), x
        estimate = vr(x) if vr else p.g
        for _ in range(tau):
            f = f - a * estimate(f) - pull
            if vr:
                estimate.moved(f)
        x = f
        z = hear[:, :, None] * (z - z.transpose(1, 0, 2) + 2 * rho * x[None, :, :]) / 2
        yield x


def dinno(p, w, a, rho, B):
    # Yu, Vincent, Schwager 2022, Algorithm 1 with plain gradient steps: q+ = q + rho sum_j (x - x_j); f = x;
    # B times f = f - a (g(f) + q+ + 2 rho sum_j (f - (x + x_j) / 2)); x+ = f; q = 0
    hear, x, q = links(w), p.zero(), p.zero()
    d = hear.sum(1)[:, None]
    while True:
        q = q + rho * (d * x - hear @ x)
        f = x
        for _ in range(B):
            f = f - a * (p.g(f) + q + 2 * rho * (d * f - (d * x + hear @ x) / 2))
        x = f
        yield x


def wang_elia(p, w, a, beta):
    # Wang, Elia 2010, Euler steps as in Bin, Notarnicola, Parisini 2022: x+ = x - beta (I - W)(x + z) - a g(x);
    # z+ = z + beta (I - W) x; z = 0
    x = z = p.zero()
    k = beta * (np.eye(M) - w)
    while True:
        x, z = x - k @ (x + z) - a * p.g(x), z + k @ x
        yield x


# -------------------------------------------------------------------------------------------------- variance reduction


class Saga:
    """SAGA's estimate of a client's gradient: mean over the batch of (row gradient - its entry in the table) + mean of the table."""

    def __init__(self, p, x, t=0):
        self.p, self.t = p, t
        self.table = [p.each(m, x[m]) for m in range(M)]

    def __call__(self, x):
        """The scaled estimates with batch t."""
        found = []
        for m in range(M):
            b = self.p.batch(m, self.t)
            found.append(self.p.c[m] * ((self.p.each(m, x[m])[b] - self.table[m][b]).mean(0) + self.table[m].mean(0)))
        return np.array(found)

    def moved(self, x):
        """The rows of batch t have their gradients at x in the table from now on; the next batch is t + 1."""
        for m in range(M):
            b = self.p.batch(m, self.t)
            self.table[m][b] = self.p.each(m, x[m])[b]
        self.t += 1


def gt_saga(p, w, a, form):
    # form=2020: Xin, Khan, Kar, IEEE TSP, Algorithm 1: x+ = W x - a y; v+ = SAGA at x+ with batch t; y+ = W y + v+ - v;
    # the table's rows of the batch at x+; y0 = v0 = g(x0), table at x0.
    # form=2022: Xin, Khan, Kar, IEEE TAC, Algorithm 1: v = SAGA at x with batch t; y+ = W (y + v - v-); x+ = W (x - a y+);
    # the table's rows of the batch at x (not x+; the paper draws these rows anew); y0 = v-1 = 0
    x = p.zero()
    saga = Saga(p, x)
    if form == 2020:
        y = v = p.g(x)
        while True:
            x = w @ x - a * y
            new = saga(x)
            saga.moved(x)
            y, v = w @ y + new - v, new
            yield x
    y = old = p.zero()
    while True:
        v = saga(x)
        saga.moved(x)
        y, old = w @ (y + v - old), v
        x = w @ (x - a * y)
        yield x


def gt_svrg(p, w, a, T):
    # Xin, Khan, Kar 2020, Algorithm 2: x+ = W x - a y; every T-th round the snapshot s is x+;
    # v+ = b(x+) - b(s) + g(s) with b the gradient of batch t; y+ = W y + v+ - v; s = x0, y0 = v0 = g(x0)
    x = snapshot = p.zero()
    y = v = p.g(x)
    t = 0
    while True:
        x = w @ x - a * y
        snapshot = x if (t + 1) % T == 0 else snapshot
        new = p.rows(x, t) - p.rows(snapshot, t) + p.g(snapshot)
        y, v, t = w @ y + new - v, new, t + 1
        yield x


def gt_sarah(p, w, a, q):
    # Xin, Khan, Kar 2022, Algorithm 2.1, an outer loop is q + 1 rounds: v = g(x) in its first, else v = v- + b(x) - b(x-) with
    # batch t; y+ = W y + v - v-; x+ = W x - a y+; y = v- = 0 at the start
    x = y = v = old = p.zero()
    t = 0
    while True:
        new = p.g(x) if t % (q + 1) == 0 else v + p.rows(x, t) - p.rows(old, t)
        y, v, old, t = w @ y + new - v, new, x, t + 1
        x = w @ x - a * y
        yield x


def lt_admm_vr(p, w, a, beta, rho, tau, table):
    # LT-ADMM whose gradients are SAGA's, batch t tau + s in local step s of round t; the table's rows of the batch at the new f.
    # table=reset: all of it at x when a round starts (the paper); table=kept: at x0 and then kept over rounds
    saga = Saga(p, p.zero())

    def start(x):
        nonlocal saga
        saga = Saga(p, x, saga.t) if table == "reset" else saga
        return saga

    return lt_admm(p, w, a, beta, rho, tau, start)


# --------------------------------------------------------------------------------------------------------- compression


def codec(name):
    kind, _, k = name.partition(":")

    def top(v):
        keep = np.argsort(-abs(v), kind="stable")[: int(k)]
        return np.where(np.isin(np.arange(len(v)), keep), v, 0)

    one = {"top": top, "sign": lambda v: np.sign(v) * abs(v).sum() / len(v), "none": lambda v: v}[kind]
    return lambda x: np.array([one(v) for v in x])


def choco(p, w, a, gamma, code):
    # Koloskova, Stich, Jaggi 2019, Algorithm 2 (CHOCO-SGD): x' = x - a g(x); h+ = h + C(x' - h); x+ = x' + gamma (W - I) h+; h = 0
    c, x, h = codec(code), p.zero(), p.zero()
    while True:
        x = x - a * p.g(x)
        h = h + c(x - h)
        x = x + gamma * (w @ h - h)
        yield x


def beer(p, w, a, gamma, code):
    # Zhao, Li, Li, Richtarik, Chi 2022, Algorithm 1: x+ = x + gamma (W - I) h - a v; h+ = h + C(x+ - h);
    # v+ = v + gamma (W - I) k + g(x+) - g(x); k+ = k + C(v+ - k); v0 = g(x0), h = k = 0
    c, x, h, k = codec(code), p.zero(), p.zero(), p.zero()
    v = g = p.g(x)
    while True:
        x = x + gamma * (w @ h - h) - a * v
        h = h + c(x - h)
        v, g = v + gamma * (w @ k - k) + p.g(x) - g, p.g(x)
        k = k + c(v - k)
        yield x


def lead(p, w, a, gamma, mom, code):
    # Liu, Li, Wang, Tang, Yan 2021, Algorithm 1: x1 = x0 - a g(x0) (round 1), then y = x - a g(x) - a d; q = C(y - h);
    # d+ = d + gamma / (2 a) (I - W)(h + q); h+ = (1 - mom)h + mom (h + q); x+ = x - a g(x) - a d+; d = h = 0
    c, d, h = codec(code), p.zero(), p.zero()
    x = -a * p.g(p.zero())
    while True:
        yield x
        half = x - a * p.g(x)
        heard = h + c(half - a * d - h)
        d = d + gamma / (2 * a) * (heard - w @ heard)
        h = (1 - mom) * h + mom * heard
        x = half - a * d



METHODS = {f.__name__.replace("_", "-"): f for f in (
    nids, aug_dgm, heavy_ball, nesterov, abm, abn, qg_dsgdm, scaffold, fedprox, fednova, fedadam, fedyogi, k_gt, local_diging, led, d_admm,
    dlm, lt_admm, dinno, wang_elia, proxskip, scaffnew, gt_saga, gt_svrg, gt_sarah, lt_admm_vr, choco, beer, lead)}
PAIRS = [("ring:1", "metropolis"), ("ring:2", "lazy-metropolis"), ("complete", "metropolis"),
         ("central", "metropolis"), ("file:mutual.csv", "lazy-metropolis")]
STEP = {"linear": 0.04, "logistic": 0.09}
SMALL = {"linear": 0.02, "logistic": 0.045}
NONE = {"linear": "", "logistic": ""}  # methods without a step size

# method: list of (step sizes or None for STEP, parameters); exact: the paper says it finds the pooled estimate
CASES = {
    "nids": [(None, {}), ({"linear": 0.6, "logistic": 0.7}, {"own": 1})],
    "aug-dgm": [(None, {})],
    "heavy-ball": [(None, {"beta": 0.35})],
    "nesterov": [(None, {"beta": 0.35})],
    "abm": [(None, {"beta": 0.35})],
    "abn": [(None, {"beta": 0.35})],
    "qg-dsgdm": [(None, {"beta": 0.7, "mu": 0.85})],
    "scaffold": [(None, {"K": 3, "eta_g": 1.0}), (None, {"K": 4, "eta_g": 0.8})],
    "fedprox": [(None, {"K": 3, "mu": 0.3})],
    "fednova": [(None, {"tau": 3}), (None, {"tau": "1;2;3;4;1;2;3;4"})],
    "fedadam": [(None, {"K": 3, "eta": 0.12, "beta1": 0.8, "beta2": 0.95, "tau": 0.02})],
    "fedyogi": [(None, {"K": 3, "eta": 0.12, "beta1": 0.8, "beta2": 0.95, "tau": 0.02})],
    "k-gt": [(None, {"K": 3, "eta_s": s, "c0": c}) for s, c in [(0.8, "zero"), (1.0, "zero")]],
    "local-diging": [(SMALL, {"K": 3, "form": "diging", "mix": "first"})],
    "led": [(None, {"K": 3, "beta": 0.3})],
    "d-admm": [(NONE, {"c": 0.3})],
    "dlm": [(NONE, {"c": 0.3, "rho": 4})],
    "lt-admm": [(None, {"beta": 0.1, "rho": 0.25, "tau": 3})],
    "dinno": [(None, {"rho": 0.3, "B": 3})],
    "wang-elia": [(None, {"beta": 0.5}), (None, {"beta": 0.3})],
    "proxskip": [(None, {"prob": 0.4, "share": 0.5}), (None, {"prob": 0.4, "share": 1.0})],
    "scaffnew": [(None, {"prob": 0.4})],
    "gt-saga": [(SMALL, {"form": 2020}), (SMALL, {"form": 2022})],
    "gt-svrg": [(SMALL, {"T": 5})],
    "gt-sarah": [(SMALL, {"q": 4})],
    "lt-admm-vr": [(SMALL, {"beta": 0.1, "rho": 0.25, "tau": 3, "table": t}) for t in ("reset", "kept")],
    "choco": [(None, {"gamma": 0.4, "code": c}) for c in ("top:2", "sign")],
    "beer": [(SMALL, {"gamma": 0.3, "code": c}) for c in ("top:2", "sign")],
    "lead": [(None, {"gamma": 0.6, "mom": 0.6, "code": "top:3"}), (None, {"gamma": 0.6, "mom": 1, "code": "top:2"})],
}
TOTALS = {"scaffold", "fedprox", "fednova", "fedadam", "fedyogi", "scaffnew"}
EXACT = {"nids", "aug-dgm", "abm", "abn", "scaffold", "k-gt", "local-diging", "led", "d-admm", "dlm", "lt-admm", "dinno", "wang-elia",
         "proxskip", "scaffnew", "gt-saga", "gt-svrg", "gt-sarah", "lt-admm-vr", "beer", "lead"}


def number(v):
    return f"{v:.17g}"


def cases(method):
    for step, parameters in CASES[method]:
        for network, weights in [("totals", "totals")] if method in TOTALS else PAIRS:
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


def run(method, model, network, weights, a, parameters, rounds, problem=Problem):
    for t, x in enumerate(METHODS[method](problem(model), mixing(network, weights), a, **parameters), 1):
        if t == rounds:
            return x


REDUCTIONS = [  # method, parameters, another with the same answers, its parameters, network, weights, whether batches are full
    ("lead", {"gamma": 1, "mom": 0.3, "code": "none"}, "nids", {}, "ring:1", "metropolis", False),
    ("proxskip", {"prob": 0.4, "share": 1.0}, "scaffnew", {"prob": 0.4}, "complete", "metropolis", False),
    ("fedprox", {"K": 3, "mu": 0}, "fednova", {"tau": 3}, "totals", "totals", False),
    ("heavy-ball", {"beta": 0}, "nesterov", {"beta": 0}, "central", "metropolis", False),
    ("abm", {"beta": 0}, "abn", {"beta": 0}, "ring:2", "metropolis", False),
    ("abm", {"beta": 0}, "local-diging", {"K": 1, "form": "diging", "mix": "last"}, "ring:1", "metropolis", False),
    ("abm", {"beta": 0}, "gt-saga", {"form": 2020}, "file:mutual.csv", "metropolis", True),
    ("abm", {"beta": 0}, "gt-svrg", {"T": 5}, "file:mutual.csv", "metropolis", True),
    ("abm", {"beta": 0}, "gt-sarah", {"q": 4}, "file:mutual.csv", "metropolis", True),
    ("aug-dgm", {}, "local-diging", {"K": 1, "form": "atc", "mix": "first"}, "ring:1", "metropolis", False),
    ("lt-admm", {"beta": 0.1, "rho": 0.25, "tau": 3}, "lt-admm-vr", {"beta": 0.1, "rho": 0.25, "tau": 3, "table": "kept"},
     "ring:2", "metropolis", True),
    ("k-gt", {"K": 3, "eta_s": 0.8, "c0": "zero"}, "scaffold", {"K": 3, "eta_g": 0.8}, "complete", "metropolis", False),
    ("led", {"K": 3, "beta": 1 / 3}, "scaffold", {"K": 3, "eta_g": 1.0}, "complete", "metropolis", False),
    ("dinno", {"rho": 0.3, "B": 2000}, "d-admm", {"c": 0.3}, "ring:1", "metropolis", False),
    ("choco", {"gamma": 1, "code": "none"}, "qg-dsgdm", {"beta": 0, "mu": 0.5}, "ring:2", "metropolis", False),
    ("choco", {"gamma": 1, "code": "top:4"}, "scaffold", {"K": 1, "eta_g": 1.0}, "complete", "metropolis", False),
]


class Noisy(Problem):
    """The same problem with relative noise of 1e-14 in every gradient."""

    def __init__(self, model):
        super().__init__(model)
        self.rng = np.random.default_rng(1)

    def own(self, x):
        g = super().own(x)
        return g * (1 + 1e-14 * self.rng.normal(size=g.shape))

    def each(self, m, at):
        g = super().each(m, at)
        return g * (1 + 1e-14 * self.rng.normal(size=g.shape))


def selfcheck(names):
    global FULL
    for one, mine, other, theirs, network, weights, FULL in REDUCTIONS:
        for model in STEP:
            x, y = (run(name, model, network, weights, SMALL[model], k, 40) for name, k in ((one, mine), (other, theirs)))
            error = abs(x - y).max()
            print(f"{one} {mine} is {other} {theirs}, {model}: {error:.1e}")
            assert error < 1e-12
    FULL = False
    for method in names:
        worst = noise = 0
        for network, weights, model, a, parameters in cases(method):
            x, goal = run(method, model, network, weights, a, parameters, 3000), Problem(model).pooled()
            error = abs(x - goal).max()
            assert error < (1e-9 if method in EXACT else 1), (method, network, weights, model, parameters, error)
            worst = max(worst, error)
            clean, noisy = (run(method, model, network, weights, a, parameters, ROUNDS, kind) for kind in (Problem, Noisy))
            noise = max(noise, abs(clean - noisy).max())
        print(f"{method:12} after 3000 rounds at most {worst:.1e} from the pooled estimate; rounding moves round 57 by {noise:.1e}")
        assert noise < 1e-11


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
