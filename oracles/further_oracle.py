#!/usr/bin/env python3
"""Further decentralized methods after their papers: every client's coefficients after 3, 10 and 57 rounds.

Data, batches, names and format are those of methods_oracle.py; methods/README.md has the citations and every choice a paper leaves open.
Of their own: c the push matrix, in which each client splits its row equally over its listeners and itself; networks with one-way links,
where gradients are scaled by (n_m / N) / pi_m, pi the stationary distribution of w; parts of rows, and who draws which.

`--data` makes links, parts and coins anew from fixed seeds; `--selfcheck` checks what the papers promise and reductions.
"""
import argparse

import numpy as np

from methods_oracle import AT, M, NONE, PAIRS, ROUNDS, SMALL, STEP, STEPS, Problem, hears, mixing, number, read_csv, write_csv
import methods_oracle as first

PARTS = 3
ONE_WAY = [("circle:2", "lazy:0.5"), ("file:directed.csv", "lazy:0.3")]


def write_data():
    rng = np.random.default_rng(7301)
    rows = {(m, (m + 1) % M) for m in range(M)} | {(0, 3), (2, 7), (4, 1), (4, 7), (6, 2), (3, 0)}
    write_csv("directed.csv", ["client", "hears"], sorted(rows))
    write_csv("parts.csv", ["client", "step", "part"], [[m, t, rng.integers(PARTS)] for m in range(M) for t in range(STEPS)])
    write_csv("client-coins.csv", ["round", "client", "coin"],
              [[t, m, int(rng.random() < 0.3)] for t in range(ROUNDS) for m in range(M)])


class Further(Problem):
    def __init__(self, model):
        super().__init__(model)
        self.drawn = {(int(m), int(t)): int(part) for m, t, part in read_csv("parts.csv")}

    def count_by(self, pi):
        self.c = self.share / pi
        return self

    def part(self, m, i):
        """Rows of part i of client m: its rows in their order, cut into PARTS of near equal size."""
        return range(self.n[m] * i // PARTS, self.n[m] * (i + 1) // PARTS)

    def of_part(self, m, i, at):
        """Part i's share of client m's scaled gradient: the sum of all parts is the whole."""
        return self.c[m] * self.each(m, at)[self.part(m, i)].sum(0) / self.n[m]

    def client_coins(self):
        table = np.zeros((ROUNDS, M), dtype=int)
        for t, m, coin in read_csv("client-coins.csv"):
            table[int(t), int(m)] = int(coin)
        while True:
            yield from table


def listens(network):
    if network == "circle:2":
        a = np.zeros((M, M))
        for m in range(M):
            a[m, (m + 1) % M] = a[m, (m + 2) % M] = 1
        return a
    return hears(network)


def averaging(network, weights):
    """w: row m is what client m hears, with its own weight."""
    if not weights.startswith("lazy:"):
        return mixing(network, weights)
    a, own = listens(network), float(weights.partition(":")[2])
    return own * np.eye(M) + (1 - own) * a / a.sum(1, keepdims=True)


def pushing(network):
    """Column k: client k's row in equal parts for its listeners and itself."""
    c = listens(network) + np.eye(M)
    return c / c.sum(0, keepdims=True)


def stationary(w):
    values, vectors = np.linalg.eig(w.T)
    pi = np.real(vectors[:, np.argmin(abs(values - 1))])
    return pi / pi.sum()


# -------------------------------------------------------------------------------------------------------------- descent


def ngd(p, w, a):
    x = p.zero()
    while True:
        v = w @ x
        x = v - a * p.g(v)
        yield x


def dgd(p, w, a):
    x = p.zero()
    while True:
        x = w @ x - a * p.g(x)
        yield x


def d_psgd(p, w, a):
    x, t = p.zero(), 0
    while True:
        x, t = w @ x - a * p.rows(x, t), t + 1
        yield x


def atc(p, w, a):
    x = p.zero()
    while True:
        x = w @ (x - a * p.g(x))
        yield x


def early_stopped(p, w, a, T):
    x, t = p.zero(), 0
    while True:
        if t < T:
            x = w @ (x - a * p.g(x))
        t += 1
        yield x


def cfa(p, w, a, eps):
    x = p.zero()
    while True:
        psi = x + eps * (w @ x - x)
        x = psi - a * p.g(psi)
        yield x


def cfa_ge(p, w, a, eps, rho):
    x, old = p.zero(), None  # old[m, k]: the smoothed gradient of client k's loss at client m's point
    while True:
        psi = x + eps * (w @ x - x)
        new = np.array([p.g(np.tile(psi[m], (M, 1))) for m in range(M)])
        old = new if old is None else rho * new + (1 - rho) * old
        half = psi - a * np.einsum("mk,mkj->mj", w, old)
        x = half - a * p.g(half)
        yield x


def dual_averaging(p, w, a):
    x, z, total, t = p.zero(), p.zero(), p.zero(), 0
    while True:
        z = w @ z + p.g(x)
        x = -a * z
        total, t = total + x, t + 1
        yield total / t


# ---------------------------------------------------------------------------------------------------------------- exact


def d2(p, w, a):
    x, g = p.zero(), p.g(p.zero())
    x, old, old_g = w @ (x - a * g), x, g
    while True:
        yield x
        g = p.g(x)
        x, old, old_g = w @ (2 * x - old - a * g + a * old_g), x, g


def extra(p, w, a):
    x, g = p.zero(), p.g(p.zero())
    x, old, old_g = w @ x - a * g, x, g
    while True:
        yield x
        g = p.g(x)
        x, old, old_g = x + w @ x - (old + w @ old) / 2 - a * g + a * old_g, x, g


def exact_diffusion(p, w, a):
    x, psi = p.zero(), p.zero()
    while True:
        new = x - a * p.g(x)
        phi = new + x - psi
        x, psi = (phi + w @ phi) / 2, new
        yield x


def simple_gt(p, w, a):
    x, psi = p.zero(), p.zero()
    while True:
        new = x - a * p.g(x)
        x, psi = w @ x + new - psi, new
        yield x


def diging(p, w, a):
    x, g = p.zero(), p.g(p.zero())
    y = g
    while True:
        x = w @ x - a * y
        new = p.g(x)
        y, g = w @ y + new - g, new
        yield x


def atc_tracking(p, w, a):
    x, g = p.zero(), p.g(p.zero())
    y = g
    while True:
        x = w @ (x - a * y)
        new = p.g(x)
        y, g = w @ y + new - g, new
        yield x


def gt_vr(p, w, a):
    x, g = p.zero(), p.g(p.zero())
    at, full, y, v = x.copy(), g.copy(), g, g
    for t, coins in enumerate(p.client_coins()):
        x = w @ (x - a * y)
        here = p.g(x)
        for m in range(M):
            if coins[m]:
                at[m], full[m] = x[m], here[m]
        new = p.rows(x, t) - p.rows(at, t) + full
        y, v = w @ (y + new - v), new
        yield x


def saga_part(p, m, i, at, table):
    """SAGA on part i: an estimate of the gradient at `at` whose mean over equally likely parts is right; the table has the part's new share."""
    new = p.of_part(m, i, at)
    estimate = PARTS * (new - table[m, i]) + table[m].sum(0)
    table[m, i] = new
    return estimate


def gt_saga(p, w, a):
    x = p.zero()
    table = np.array([[p.of_part(m, i, x[m]) for i in range(PARTS)] for m in range(M)])
    y = v = table.sum(1)
    t = 0
    while True:
        x = w @ x - a * y
        new = np.array([saga_part(p, m, p.drawn[m, t % STEPS], x[m], table) for m in range(M)])
        y, v, t = w @ y + new - v, new, t + 1
        yield x


# ----------------------------------------------------------------------------------------------------------------- push


def push_diging(p, c, a):
    u, v, x, g = p.zero(), np.ones((M, 1)), p.zero(), p.g(p.zero())
    y = g
    while True:
        u, v = c @ (u - a * y), c @ v
        x = u / v
        new = p.g(x)
        y, g = c @ y + new - g, new
        yield x


def sgp(p, c, a):
    u, v = p.zero(), np.ones((M, 1))
    while True:
        u, v = c @ (u - a * p.g(u / v)), c @ v
        yield u / v


def push_pull(p, w, c, a):
    x, g = p.zero(), p.g(p.zero())
    y = g
    while True:
        x = w @ x - a * y
        new = p.g(x)
        y, g = c @ y + new - g, new
        yield x


# ----------------------------------------------------------------------------------------------------------------- ADMM


def neighbours(w):
    return [[j for j in range(M) if j != m and w[m, j] > 0] for m in range(M)]


def minimum(p, m, weight, shift):
    """argmin c_m L_m(x) + weight/2 |x|^2 - shift'x, to the last bits."""
    x = np.zeros(4)
    for _ in range(60):
        gradient = p.c[m] * p.each(m, x).mean(0) + weight * x - shift
        step = np.linalg.solve(p.c[m] * p.hessian(m, x) + weight * np.eye(4), gradient)
        x = x - step
        if abs(step).max() < 1e-15:
            break
    return x


def relaxed_admm(p, w, _, rho, relax):
    ends, x = neighbours(w), p.zero()
    z = {(m, j): np.zeros(4) for m in range(M) for j in ends[m]}
    while True:
        for m in range(M):
            x[m] = minimum(p, m, rho * len(ends[m]), sum(z[m, j] for j in ends[m]))
        z = {(m, j): (1 - relax) * z[m, j] - relax * z[j, m] + 2 * relax * rho * x[j] for m, j in z}
        yield x.copy()


def atg(p, w, a, rho, relax, gamma):
    ends, x = neighbours(w), p.zero()
    at = p.g(x)
    z = {(m, j): rho * np.array([x[m], at[m]]) for m in range(M) for j in ends[m]}
    while True:
        g = p.g(x)
        ys = [(np.array([x[m], g[m]]) + sum(z[m, j] for j in ends[m])) / (1 + rho * len(ends[m])) for m in range(M)]
        x = np.array([(1 - gamma) * x[m] + gamma * (ys[m][0] - a * ys[m][1]) for m in range(M)])
        z = {(m, j): (1 - relax) * z[m, j] + relax * (-z[j, m] + 2 * rho * ys[j]) for m, j in z}
        yield x


def lt_admm_vr(p, w, a, beta, rho, tau):
    """LT-ADMM of methods_oracle.py with SAGA on parts; the table anew at x in every round."""
    ends, x, t = neighbours(w), p.zero(), 0
    z = {(m, j): np.zeros(4) for m in range(M) for j in ends[m]}
    while True:
        new = p.zero()
        for m in range(M):
            shares = np.array([p.of_part(m, i, x[m]) for i in range(PARTS)])
            pull, f = rho * len(ends[m]) * x[m] - sum(z[m, j] for j in ends[m]), x[m]
            for s in range(tau):
                i = p.drawn[m, (t * tau + s) % STEPS]
                estimate = PARTS * (p.of_part(m, i, f) - shares[i]) + shares.sum(0)
                f = f - a * estimate - beta * pull
                shares[i] = p.of_part(m, i, f)
            new[m] = f
        x, t = new, t + 1
        z = {(m, j): (z[m, j] - z[j, m]) / 2 + rho * x[j] for m, j in z}
        yield x


# ------------------------------------------------------------------------------------------------------------- personal


def model_propagation(p, w, _, own, ridge):
    """own: the share of what is heard; the paper's alpha."""
    solitary = np.array([solitary_model(p, m, ridge) for m in range(M)])
    c = (p.n / p.n.max())[:, None]
    x = solitary
    yield x  # the round that fits them
    while True:
        x = (own * w @ x + (1 - own) * c * solitary) / (own + (1 - own) * c)
        yield x


def solitary_model(p, m, ridge):
    x = np.zeros(4)
    for _ in range(80):
        gradient = p.each(m, x).mean(0) + ridge * x
        x = x - np.linalg.solve(p.hessian(m, x) + ridge * np.eye(4), gradient)
    return x


# --------------------------------------------------------------------------------------------------------------- program

BOTH = PAIRS + ONE_WAY
METHODS = {
    "balanced-ngd": (ngd, BOTH, [(None, {})]),
    "ngd": (ngd, BOTH, [(None, {})]),
    "dgd": (dgd, BOTH, [(None, {})]),
    "d-psgd": (d_psgd, BOTH, [(None, {})]),
    "atc": (atc, BOTH, [(None, {})]),
    "early-stopped": (early_stopped, BOTH, [(None, {"T": 20})]),
    "cfa": (cfa, BOTH, [(None, {"eps": 0.4})]),
    "cfa-ge": (cfa_ge, PAIRS, [(SMALL, {"eps": 0.4, "rho": 0.9})]),
    "dual-averaging": (dual_averaging, PAIRS, [(None, {})]),
    "d2": (d2, [pair for pair in PAIRS if pair[1] == "lazy-metropolis"] + [(n, "lazy-metropolis") for n in ("ring:1", "complete", "central")],
           [(None, {})]),
    "extra": (extra, PAIRS, [(None, {})]),
    "exact-diffusion": (exact_diffusion, PAIRS, [(None, {})]),
    "simple-gt": (simple_gt, PAIRS, [(None, {})]),
    "diging": (diging, PAIRS, [(SMALL, {})]),
    "atc-tracking": (atc_tracking, PAIRS, [(SMALL, {})]),
    "gt-vr": (gt_vr, PAIRS, [(SMALL, {})]),
    "gt-saga-parts": (gt_saga, PAIRS, [(SMALL, {"parts": PARTS})]),
    "push-diging": (push_diging, BOTH, [(SMALL, {})]),
    "sgp": (sgp, BOTH, [(None, {})]),
    "push-pull": (push_pull, BOTH, [(SMALL, {})]),
    "relaxed-admm": (relaxed_admm, PAIRS, [(NONE, {"rho": 0.6, "relax": r}) for r in (0.5, 0.8)]),
    "atg": (atg, PAIRS, [(STEP, {"rho": 0.3, "relax": 0.6, "gamma": 0.3})]),
    "lt-admm-vr-parts": (lt_admm_vr, PAIRS, [(SMALL, {"beta": 0.1, "rho": 0.25, "tau": 3, "parts": PARTS})]),
    "model-propagation": (model_propagation, BOTH, [(NONE, {"own": 0.8, "ridge": 0.05})]),
}
PLAIN = {"ngd", "model-propagation"}  # unscaled gradients
PUSHED = {"push-diging", "sgp"}
EXACT = {"d2", "extra", "exact-diffusion", "simple-gt", "diging", "atc-tracking", "gt-vr", "gt-saga-parts", "push-diging", "push-pull",
         "relaxed-admm", "atg", "lt-admm-vr-parts"}

# What clients disagree about shrinks by their own curvature alone; a step of atg is a share gamma of another's.
SLOW = {"simple-gt": 1e-3, "atg": 1e-6}


def start(name, network, weights, model, a, parameters, problem=Further):
    p, w = problem(model), averaging(network, weights)
    parameters = {k: v for k, v in parameters.items() if k != "parts"}
    if name in PLAIN:
        p.c = np.ones(M)
    elif name not in PUSHED and name != "push-pull":
        p.count_by(stationary(w))
    method = METHODS[name][0]
    if name == "push-pull":
        return method(p, w, pushing(network), a)
    return method(p, pushing(network) if name in PUSHED else w, a, **parameters)


def cases(name):
    _, pairs, all_parameters = METHODS[name]
    for step, parameters in all_parameters:
        for network, weights in pairs:
            for model in STEP:
                yield network, weights, model, (step or STEP)[model], parameters


def run(name, case, rounds, problem=Further):
    for t, x in enumerate(start(name, *case, problem=problem), 1):
        if t == rounds:
            return x


def write_method(name):
    rows = []
    for case in cases(name):
        network, weights, model, a, parameters = case
        label = " ".join(f"{k}={v}" for k, v in parameters.items())
        for t, x in enumerate(start(name, *case), 1):
            if t in AT:
                rows += [[network, weights, model, a, label, t, m, *map(number, x[m])] for m in range(M)]
            if t == ROUNDS:
                break
    write_csv(f"{name}.csv", ["network", "weights", "model", "alpha", "parameters", "rounds", "client",
                              *(f"theta{j}" for j in range(4))], rows)


class NoisyFurther(Further):
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


def same(what, one, other, limit=1e-12):
    error = abs(one - other).max()
    print(f"{what}: {error:.1e}")
    assert error < limit, what


def check_reductions():
    for model in STEP:
        for network, weights in PAIRS:
            w, a = averaging(network, weights), SMALL[model]

            def after(generator, rounds=40):
                for t, x in enumerate(generator, 1):
                    if t == rounds:
                        return x

            def old(name, **k):
                return first.METHODS[name](Problem(model), w, a, **k)

            same("relaxed ADMM with a half is D-ADMM", after(relaxed_admm(Further(model), w, "", 0.6, 0.5)), after(old("d-admm", c=0.3)))
            same("DIGing is ABm without momentum", after(diging(Further(model), w, a)), after(old("abm", beta=0)))
            same("EXTRA is exact diffusion's sibling: both find the same point",
                 after(extra(Further(model), w, a), 3000), after(exact_diffusion(Further(model), w, a), 3000), 1e-9)
            same("CFA that takes the whole average is NGD", after(cfa(Further(model), w, a, 1.0)), after(ngd(Further(model), w, a)))
        c = np.full((M, M), 1 / M)
        same("push-DIGing and AB on the complete network are ATC tracking and DIGing",
             after(push_pull(Further(model), c, c, a)), after(diging(Further(model), c, a)))
        same("push-DIGing there is ATC tracking", after(push_diging(Further(model), c, a)), after(atc_tracking(Further(model), c, a)))
        same("SGP there is ATC", after(sgp(Further(model), c, a)), after(atc(Further(model), c, a)))
        first.FULL = True
        same("GT-VR with full batches is Aug-DGM", after(gt_vr(Further(model), w, a)), after(old("aug-dgm")))
        same("D-PSGD with full batches is DGD", after(d_psgd(Further(model), w, a)), after(dgd(Further(model), w, a)))
        first.FULL = False


def selfcheck(names):
    check_reductions()
    for name in names:
        worst = noise = 0
        for case in cases(name):
            clean, noisy = (run(name, case, ROUNDS, kind) for kind in (Further, NoisyFurther))
            noise = max(noise, abs(clean - noisy).max())
            if name != "model-propagation":
                worst = max(worst, abs(run(name, case, 4000) - Problem(case[2]).pooled()).max())
        print(f"{name:18} after 4000 rounds at most {worst:.1e} from the pooled estimate; rounding moves round 57 by {noise:.1e}")
        assert noise < 1e-11 and worst < (SLOW.get(name, 1e-9) if name in EXACT else 2), name


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
        for name in names:
            write_method(name)


if __name__ == "__main__":
    main()
