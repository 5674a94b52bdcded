#!/usr/bin/env python3
"""Fair and personal methods after their papers: every client's coefficients after 3, 10 and 57 rounds, as methods_oracle.py writes them.

One function a method, a generator that yields the M x p matrix of all clients' coefficients after each round, all from 0.
Data, networks, conventions and file format are those of methods_oracle.py; methods/README.md has the citations and every choice.

`--selfcheck` checks stationary points and reductions.
"""
import argparse

import numpy as np

import methods_oracle as base
from methods_oracle import AT, M, PAIRS, ROUNDS, STEP, Problem, hears, mixing, number, write_csv

EQUAL = 1e-6  # losses whose standard deviation is at most this times their mean are taken as equal: all weights are 1


class Fair(Problem):
    def row_losses(self, x):
        """Every row's loss at its client's x: 1/2 (y - x'b)^2, or -2 log-likelihood."""
        fit = (self.all * x[self.owner]).sum(1)
        return (self.response - fit) ** 2 / 2 if self.linear else 2 * (np.logaddexp(0, fit) - self.response * fit)

    def losses(self, x):
        """Every client's mean loss."""
        return np.add.reduceat(self.row_losses(x), self.first) / self.n

    def row_gradients(self, x):
        fit = (self.all * x[self.owner]).sum(1)
        error = fit - self.response if self.linear else 2 * (1 / (1 + np.exp(-fit)) - self.response)
        return error[:, None] * self.all


# -------------------------------------------------------------------------------------------------------- by site: KL


def dr_dsgd(p, w, a, mu):
    # Ben Issaid, Elgabli, Bennis 2022, Algorithm 1, full batches: h = exp(L(x) / mu); x+ = W (x - (a / mu) h grad L(x)), unscaled
    x = p.zero()
    while True:
        x = w @ (x - a / mu * np.exp(p.losses(x) / mu)[:, None] * p.own(x))
        yield x


# ------------------------------------------------------------------------------------------- by row: a chi-square ball


def robust_constant(share):
    return np.sqrt(2 * (1 / share - 1) ** 2 + 1)


def threshold(losses, c):
    """The eta that minimises c (mean [l - eta]_+^2)^(1/2) + eta, to the last bit of a double; None where all weights are 1."""
    mean, sd = losses.mean(), losses.std()
    if c == 1 or sd <= EQUAL * mean:
        return None
    assert c * c < len(losses), "the share is so small that only the largest loss counts"
    # one of these two is below, one above: c mean[l - lo]_+ >= (mean [l - lo]_+^2)^(1/2), no loss is above hi (Samuelson)
    lo, hi = mean - 2 * sd / np.sqrt(c * c - 1), mean + sd * np.sqrt(len(losses) - 1)
    while True:
        eta = lo + (hi - lo) / 2
        if not lo < eta < hi:
            return eta
        over = np.maximum(losses - eta, 0)
        if c * over.mean() > np.sqrt((over**2).mean()):
            lo = eta
        else:
            hi = eta


def row_weights(losses, c):
    """The weights of rows, of mean 1: c [l - eta]_+ / (mean [l - eta]_+^2)^(1/2)."""
    eta = threshold(losses, c)
    if eta is None:
        return np.ones(len(losses))
    over = np.maximum(losses - eta, 0)
    return c * over / np.sqrt((over**2).mean())


def chi2_dro(p, w, a, share):
    # Hashimoto, Srivastava, Namkoong, Liang 2018, dual of the chi-square ball, with the steps of NGD: v = W x;
    # eta minimises c (mean over all rows of [l_i(v_m) - eta]_+^2)^(1/2) + eta, c = sqrt(2 (1/share - 1)^2 + 1);
    # x+_m = v_m - a (M/N) sum over own rows of q_i grad l_i(v_m), q_i = c [l_i - eta]_+ / (mean [l - eta]_+^2)^(1/2)
    c, x = robust_constant(share), p.zero()
    while True:
        v = w @ x
        weighted = row_weights(p.row_losses(v), c)[:, None] * p.row_gradients(v)
        x = v - a * M / len(p.all) * np.add.reduceat(weighted, p.first)
        yield x


# ---------------------------------------------------------------------------------------------------- models of one's own


def relation(x, eps):
    """Omega = (B + eps (b / M) I) / ((1 + eps) b), B = (x x')^(1/2) (M x M: clients by clients), b = tr B."""
    left, d, _ = np.linalg.svd(x)  # x = left d right, so B = left d left'
    b = (left[:, : len(d)] * d) @ left[:, : len(d)].T
    return (b + eps * d.sum() / M * np.eye(M)) / ((1 + eps) * d.sum())


def mocha(p, _, a, lam, nu, eps, K):
    # Smith, Chiang, Sanjabi, Talwalkar 2017 with the prior of Zhang, Yeung 2010 on
    # sum_m c_m L_m(x_m) + lam / 2 tr(X' Omega^-1 X) + nu / 2 |X|^2 (row m of X: client m), one gradient step of all clients a round:
    # x_m+ = x_m - a (g_m(x_m) + lam sum_k (Omega^-1)_mk x_k + nu x_m); Omega = I / M at the start and relation(X) after rounds K, 2K, ...
    x, inverse, t = p.zero(), M * np.eye(M), 0
    while True:
        x, t = x - a * (p.g(x) + lam * inverse @ x + nu * x), t + 1
        if t % K == 0:
            inverse = np.linalg.inv(relation(x, eps))
        yield x


def zantedeschi(p, w, a, mu1, mu2, lam, delta, beta, K, seen=None):
    # Zantedeschi, Bellet, Tommasi 2020, problem (1) with coefficients instead of boosted models, on the links of the network:
    # sum_m d_m c_m L_m(x_m) + mu1 / 2 sum_{links} w_mk |x_m - x_k|^2 + mu2 (lam |w|^2 - sum_m log(d_m + delta)), d_m = sum_k w_mk, w >= 0
    # (|w|^2 over links, each once). A round: x_m+ = x_m - a (d_m g_m(x_m) + mu1 sum_k w_mk (x_m - x_k)); after rounds K, 2K, ...:
    # w_mk+ = max(0, w_mk - beta (l_m + l_k + mu1 / 2 |x+_m - x+_k|^2 + mu2 (2 lam w_mk - 1 / (d_m + delta) - 1 / (d_k + delta)))),
    # l_m = c_m L_m(x+_m), all w and d on the right from before; w = 1 on all links at the start
    link = base.links(w)
    x, weight, t = p.zero(), link.copy(), 0
    while True:
        d = weight.sum(1)[:, None]
        x, t = x - a * (d * p.g(x) + mu1 * (d * x - weight @ x)), t + 1
        if K and t % K == 0:
            l = p.c * p.losses(x)
            apart = ((x[:, None, :] - x[None, :, :]) ** 2).sum(2)
            pull = 1 / (d + delta)
            slope = l[:, None] + l[None, :] + mu1 / 2 * apart + mu2 * (2 * lam * weight - (pull + pull.T))
            weight = link * np.maximum(0, weight - beta * slope)
        if seen is not None:
            seen.append(weight)
        yield x


# --------------------------------------------------------------------------------------------------------------- cases

METHODS = {f.__name__.replace("_", "-"): f for f in (dr_dsgd, chi2_dro, mocha, zantedeschi)}
CASES = {  # method: list of (step sizes or None for STEP, parameters)
    "dr-dsgd": [({"linear": 0.05, "logistic": 0.12}, {"mu": 2.0}), ({"linear": 0.2, "logistic": 0.5}, {"mu": 6.0})],
    "chi2-dro": [({"linear": 0.04}, {"share": 0.5}), ({"linear": 0.02}, {"share": 0.35}),
                 ({"logistic": 0.09}, {"share": 0.8}), ({"logistic": 0.09}, {"share": 0.9})],
    "mocha": [(None, {"lam": 0.02, "nu": 0.0, "eps": 0.1, "K": 5}), (None, {"lam": 0.01, "nu": 0.05, "eps": 0.05, "K": 1})],
    "zantedeschi": [({"linear": 0.02, "logistic": 0.04}, {"mu1": 0.5, "mu2": 1.0, "lam": 0.05, "delta": d, "beta": b, "K": k})
                    for d, b, k in [(0.1, 0.01, 1), (0.3, 0.015, 5)]],
}
TOTALS = {"mocha"}


def cases(method):
    for step, parameters in CASES[method]:
        for network, weights in [("totals", "totals")] if method in TOTALS else PAIRS:
            for model in step or STEP:
                yield network, weights, model, (step or STEP)[model], parameters


def run(method, model, network, weights, a, parameters, rounds, problem=Fair):
    for t, x in enumerate(METHODS[method](problem(model), mixing(network, weights), a, **parameters), 1):
        if t == rounds:
            return x


def write_method(method):
    rows = []
    for network, weights, model, a, parameters in cases(method):
        for t, x in enumerate(METHODS[method](Fair(model), mixing(network, weights), a, **parameters), 1):
            if t in AT:
                label = " ".join(f"{k}={v}" for k, v in parameters.items())
                rows += [[network, weights, model, a, label, t, m, *map(number, x[m])] for m in range(M)]
            if t == ROUNDS:
                break
    write_csv(f"{method}.csv", ["network", "weights", "model", "alpha", "parameters", "rounds", "client",
                                *(f"theta{j}" for j in range(4))], rows)
    if method == "zantedeschi":
        write_weights()


def write_weights():
    rows = []
    for network, weights, model, a, parameters in cases("zantedeschi"):
        seen = []
        for t, _ in enumerate(zantedeschi(Fair(model), mixing(network, weights), a, **parameters, seen=seen), 1):
            if t in AT:
                label = " ".join(f"{k}={v}" for k, v in parameters.items())
                rows += [[network, weights, model, a, label, t, m, k, number(seen[-1][m, k])]
                         for m, k in np.argwhere(hears(network)) if m < k]
            if t == ROUNDS:
                break
    write_csv("zantedeschi-links.csv", ["network", "weights", "model", "alpha", "parameters", "rounds", "client", "other", "weight"], rows)


# ----------------------------------------------------------------------------------------------------------- selfcheck


class Noisy(Fair):
    """The same problem with relative noise of 1e-14 in every gradient and loss."""

    def __init__(self, model):
        super().__init__(model)
        self.rng = np.random.default_rng(1)

    def noise(self, v):
        return v * (1 + 1e-14 * self.rng.normal(size=v.shape))

    def own(self, x):
        return self.noise(super().own(x))

    def row_losses(self, x):
        return self.noise(super().row_losses(x))

    def row_gradients(self, x):
        return self.noise(super().row_gradients(x))


def report(what, error, limit):
    print(f"{what}: {error:.1e}")
    assert error < limit, what


def slope(f, at, h=1e-6):
    """The gradient of f by central differences."""
    return np.array([(f(at + h * e) - f(at - h * e)) / (2 * h) for e in np.eye(len(at))])


def check_dr_dsgd():
    for model in STEP:
        p = Fair(model)
        at = np.random.default_rng(3).normal(size=(M, 4)) * 0.3
        numeric = np.array([slope(lambda b: p.losses(np.tile(b, (M, 1)))[m], at[m]) for m in range(M)])
        report(f"dr-dsgd, gradients of clients' losses by differences, {model}", abs(numeric - p.own(at)).max(), 1e-7)
        for a, parameters in [(s[model], k) for s, k in CASES["dr-dsgd"]]:
            mu = parameters["mu"]
            x = run("dr-dsgd", model, "complete", "metropolis", a, parameters, 4000)
            report(f"dr-dsgd, complete, mu={mu}, clients apart, {model}", np.ptp(x, 0).max(), 1e-12)
            report(f"dr-dsgd, complete, mu={mu}, slope of mean exp(L/mu), {model}",
                   abs((np.exp(p.losses(x) / mu)[:, None] * p.own(x)).mean(0) / mu).max(), 1e-10)
            # KL: the weights exp(L_m / mu) / sum of them maximise sum q_m L_m - mu sum q_m log(M q_m)
            l = p.losses(x)
            q = np.exp(l / mu) / np.exp(l / mu).sum()
            report(f"dr-dsgd, value of the regularised maximum, {model}",
                   abs(q @ l - mu * q @ np.log(M * q) - mu * np.log(np.exp(l / mu).mean())), 1e-12)
        mu, w = 1e8, mixing("ring:2", "metropolis")
        plain = p.zero()
        for _ in range(40):
            plain = w @ (plain - STEP[model] * p.own(plain))
        x = run("dr-dsgd", model, "ring:2", "metropolis", STEP[model] * mu, {"mu": mu}, 40)
        report(f"dr-dsgd with mu = 1e8 and step a mu is DSGD, {model}", abs(x - plain).max(), 1e-6)


def check_chi2_dro():
    rng = np.random.default_rng(4)
    for _ in range(200):  # eta on random losses: a minimum, and the supremum over the ball
        n, share = int(rng.integers(40, 90)), rng.uniform(0.3, 0.95)
        l, c = rng.gamma(rng.uniform(0.3, 3), size=n), robust_constant(share)
        eta, q = threshold(l, c), row_weights(l, c)
        value = lambda e: c * np.sqrt((np.maximum(l - e, 0) ** 2).mean()) + e  # noqa: E731
        assert all(value(eta) <= value(eta + d) + 1e-13 for d in (-1, -0.1, -1e-3, 1e-3, 0.1, 1)) and (q >= 0).all()
        assert abs(q.mean() - 1) < 1e-11, q.mean()
        assert abs(((q - 1) ** 2).mean() / 2 - (1 / share - 1) ** 2) < 1e-10 * c**2  # on the rim of the ball
        assert abs((q * l).mean() - value(eta)) < 1e-11
        for _ in range(5):  # no other weights in the ball do worse
            other = np.maximum(rng.normal(q, 0.5), 0)
            other = other / other.mean()
            other = 1 + (other - 1) * min(1, np.sqrt(2) * (1 / share - 1) / np.sqrt(((other - 1) ** 2).mean()))
            assert (other * l).mean() <= value(eta) + 1e-12
    print("chi2-dro: eta, weights and values on 200 random sets of losses")
    for model in STEP:
        p = Fair(model)

        def value(b, c):
            l = p.row_losses(np.tile(b, (M, 1)))
            eta = threshold(l, c)
            return c * np.sqrt((np.maximum(l - eta, 0) ** 2).mean()) + eta

        for s, parameters in [(s, k) for s, k in CASES["chi2-dro"] if model in s]:
            c = robust_constant(parameters["share"])
            at = rng.normal(size=4) * 0.5
            here = np.tile(at, (M, 1))
            analytic = (row_weights(p.row_losses(here), c)[:, None] * p.row_gradients(here)).mean(0)
            report(f"chi2-dro, {parameters}, gradient by differences, {model}",
                   abs(slope(lambda b: value(b, c), at) - analytic).max(), 1e-6)
            x = run("chi2-dro", model, "complete", "metropolis", s[model], parameters, 6000).mean(0)
            report(f"chi2-dro, complete, {parameters}, slope at the end, {model}", abs(slope(lambda b: value(b, c), x)).max(), 1e-7)
            plain = p.pooled()
            assert value(x, c) < value(plain, c)
            worst = np.sort(p.row_losses(np.tile(x, (M, 1)))), np.sort(p.row_losses(np.tile(plain, (M, 1))))
            print(f"    the ten largest losses: mean {worst[0][-10:].mean():.4f} here, {worst[1][-10:].mean():.4f} at the pooled estimate")
        x = run("chi2-dro", model, "file:mutual.csv", "metropolis", STEP[model], {"share": 1.0}, 40)
        y = base.run("heavy-ball", model, "file:mutual.csv", "metropolis", STEP[model], {"beta": 0}, 40)
        report(f"chi2-dro with share 1 is NGD, {model}", abs(x - y).max(), 1e-12)


def local_minima(p, ridge=0.0):
    """Every client's own minimum of c_m L_m + ridge / 2 |b|^2."""
    found = []
    for m in range(M):
        b = np.zeros(4)
        for _ in range(100):
            h = p.c[m] * p.hessian(m, b) + ridge * np.eye(4)
            b = b - np.linalg.solve(h, p.c[m] * p.each(m, b).mean(0) + ridge * b)
        found.append(b)
    return np.array(found)


def check_mocha():
    rng = np.random.default_rng(6)
    for _ in range(20):  # without eps: no other Omega of trace 1 has a smaller tr(A Omega^-1)
        z = rng.normal(size=(M, M + 2))
        best = relation(z, 0)
        for _ in range(20):
            r = rng.normal(size=(M, 3 * M)) * rng.uniform(0.2, 2, size=(M, 1))
            other = (r @ r.T + best * rng.uniform(0, 100))
            other /= np.trace(other)
            assert np.trace(z.T @ np.linalg.solve(other, z)) >= np.trace(z.T @ np.linalg.solve(best, z)) - 1e-9
        assert abs(np.trace(best) - 1) < 1e-13 and abs(np.trace(relation(z, 0.3)) - 1) < 1e-13
    print("mocha: Omega minimises the penalty at trace 1")
    for model in STEP:
        p = Fair(model)
        for step, k in CASES["mocha"]:
            a, lam, nu, eps = STEP[model], k["lam"], k["nu"], k["eps"]
            x = run("mocha", model, "totals", "totals", a, k, 20000)
            inverse = np.linalg.inv(relation(x, eps))
            report(f"mocha {k}, slope at the end, {model}", abs(p.g(x) + lam * inverse @ x + nu * x).max(), 1e-10)
        # the same round from p x p totals: S = sum x_old x_old', T = sum x x_old' (old: when Omega was made)
        x, old = rng.normal(size=(M, 4)), rng.normal(size=(M, 4))
        d2, u = np.linalg.eigh(old.T @ old)
        d, e = np.sqrt(d2), eps * np.sqrt(d2).sum() / M
        inner = (u * ((1 / (d + e) - 1 / e) / d2)) @ u.T
        totals = (1 + eps) * d.sum() * (old @ inner @ (old.T @ x) + x / e)
        report(f"mocha from totals of p x p, {model}", abs(totals - np.linalg.solve(relation(old, eps), x)).max(), 1e-8)
        x = run("mocha", model, "totals", "totals", STEP[model], {"lam": 0.0, "nu": 0.3, "eps": 0.1, "K": 3}, 20000)
        report(f"mocha with lam = 0 gives each client's own ridge estimate, {model}", abs(x - local_minima(p, 0.3)).max(), 1e-9)
        x, y = (run("mocha", model, "totals", "totals", STEP[model], k, 40) for k in (
            {"lam": 0.02, "nu": 0.0, "eps": 0.1, "K": 99}, {"lam": 0.0, "nu": 0.02 * M, "eps": 0.1, "K": 99}))
        report(f"mocha before the first Omega is a ridge of lam M, {model}", abs(x - y).max(), 1e-13)
    x = run("mocha", "linear", "totals", "totals", STEP["linear"], {"lam": 0.0, "nu": 0.0, "eps": 0.1, "K": 3}, 200000)
    report("mocha with lam = nu = 0 gives local models, linear", abs(x - local_minima(Fair("linear"))).max(), 1e-7)


def check_zantedeschi():
    for model in STEP:
        p = Fair(model)
        for network, weights in PAIRS:
            link = hears(network)
            for step, k in CASES["zantedeschi"]:

                def value(x, w):
                    d = w.sum(1)
                    apart = ((x[:, None, :] - x[None, :, :]) ** 2).sum(2)
                    return ((d * p.c) @ p.losses(x) + k["mu1"] / 2 * (w * apart).sum() / 2
                            + k["mu2"] * (k["lam"] * (w**2).sum() / 2 - np.log(d + k["delta"]).sum()))

                seen, values = [], []
                for t, x in enumerate(zantedeschi(p, mixing(network, weights), step[model], **k, seen=seen), 1):
                    values.append(value(x, seen[-1]))
                    if t == 20000:
                        break
                w = seen[-1]
                d = w.sum(1)[:, None]
                assert (w == w.T).all() and (w >= 0).all() and max(np.diff(values)) < 1e-9, (network, model, k)
                at_x = d * p.g(x) + k["mu1"] * (d * x - w @ x)
                l, pull = p.c * p.losses(x), 1 / (d + k["delta"])
                apart = ((x[:, None, :] - x[None, :, :]) ** 2).sum(2)
                at_w = l[:, None] + l[None, :] + k["mu1"] / 2 * apart + k["mu2"] * (2 * k["lam"] * w - pull - pull.T)
                kkt = np.where(w > 0, abs(at_w), np.maximum(-at_w, 0)) * link
                h, worst = 1e-6, 0  # the two gradients by differences
                rng = np.random.default_rng(2)
                y, v = rng.normal(size=x.shape) * 0.5, link * 0.7
                dy = v.sum(1)[:, None]
                for _ in range(6):
                    m, j = rng.integers(M), rng.integers(4)
                    e = np.zeros_like(y)
                    e[m, j] = h
                    g = (dy * p.g(y) + k["mu1"] * (dy * y - v @ y))[m, j]
                    worst = max(worst, abs((value(y + e, v) - value(y - e, v)) / (2 * h) - g))
                print(f"zantedeschi {network} {model} K={k['K']}: slopes {abs(at_x).max():.1e} {kkt.max():.1e}, by differences {worst:.1e}, "
                      f"{int((w[link > 0] == 0).sum() / 2)} of {int(link.sum() / 2)} links at zero")
                assert max(abs(at_x).max(), kkt.max()) < (1e-5 if model == "linear" and k["K"] == 1 else 2e-2) and worst < 1e-6
        # with fixed weights: the minimum of a quadratic
        if model == "linear":
            link = hears("ring:2")
            lap = np.kron(np.diag(link.sum(1)) - link, np.eye(4))
            big, right = 0.5 * lap, np.zeros(4 * M)
            for m in range(M):
                s = slice(4 * m, 4 * m + 4)
                big[s, s] += 4 * p.c[m] * p.x[m].T @ p.x[m] / p.n[m]
                right[s] = 4 * p.c[m] * p.x[m].T @ p.y[m] / p.n[m]
            goal = np.linalg.solve(big, right).reshape(M, 4)
            x = run("zantedeschi", "linear", "ring:2", "metropolis", 0.02, {"mu1": 0.5, "mu2": 1, "lam": 1, "delta": 1, "beta": 0, "K": 0}, 20000)
            report("zantedeschi with fixed weights from its minimum", abs(x - goal).max(), 1e-10)


CHECKS = {"dr-dsgd": check_dr_dsgd, "chi2-dro": check_chi2_dro, "mocha": check_mocha, "zantedeschi": check_zantedeschi}


def selfcheck(names):
    for method in names:
        CHECKS[method]()
        noise = last = 0
        for network, weights, model, a, parameters in cases(method):
            clean, noisy = (run(method, model, network, weights, a, parameters, ROUNDS, kind) for kind in (Fair, Noisy))
            noise = max(noise, abs(clean - noisy).max())
            ends = [run(method, model, network, weights, a, parameters, t) for t in (3000, 3001)]
            last = max(last, abs(ends[0] - ends[1]).max())
        print(f"{method:12} rounding moves round 57 by {noise:.1e}; round 3001 moves {last:.1e}")
        assert noise < 1e-11 and last < 1e-2


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--selfcheck", action="store_true")
    parser.add_argument("methods", nargs="*")
    options = parser.parse_args()
    for names in [options.methods or list(METHODS)]:
        if options.selfcheck:
            selfcheck(names)
        else:
            for method in names:
                write_method(method)


if __name__ == "__main__":
    main()
