#!/usr/bin/env python3
"""Curious sites: who can solve for whose moments from what it hears in rounds of network gradient descent.

For each case of a grid (network, weights, sites, coefficients, rounds, what else is known, coalition) this program draws data, runs
the rounds in doubles, keeps the models that the coalition hears, and attacks: Levenberg-Marquardt on all other sites'
moments, from two starts 1e-4 away from them (there may be finitely many other solutions further away: some cases have one). What is written is the largest relative error over the starts for each site. Where what is
heard determines a site's moments it is rounding times a condition number; where not, each start ends at another solution and
the error stays of the order of the start's.

Models that are heard go into the equations as they were heard; only those of sites that are not heard are predicted, from the guess.

Writes exposure/cases.json. Takes some minutes.
"""
import json
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
ROWS = 40
SEED = 10_000
STARTS = 2
WRONG = 1e-4


# ---- networks

def hears(kind, m):
    a = np.zeros((m, m), int)
    word, _, d = kind.partition(":")
    for i in range(m):
        if word == "circle":
            a[i, [(i + h) % m for h in range(1, int(d) + 1)]] = 1
        elif word == "ring":
            a[i, [(i + h) % m for h in range(-int(d), int(d) + 1) if h]] = 1
        elif word == "complete":
            a[i] = 1
        elif word == "path":
            a[i, [k for k in (i - 1, i + 1) if 0 <= k < m]] = 1
        elif word == "oneway":  # a chain that ends at a site that hears the second last one
            a[i, i - 1 if i else 1] = 1
        elif word == "random":
            rng = np.random.default_rng(1000 * m + int(d) * 7 + i)
            a[i, rng.choice([k for k in range(m) if k != i], int(d), replace=False)] = 1
    if word == "central":
        a[0] = 1
        a[:, 0] = 1
    np.fill_diagonal(a, 0)
    return a


def weights(a, word):
    d = a.sum(1)
    if word == "uniform":
        return a / d[:, None]
    w = a / (1 + np.maximum.outer(d, d))
    w += np.diag(1 - w.sum(1))
    return w


# ---- problems

def problem(rng, m, p, intercept):
    """alpha A_m and alpha b_m."""
    g = np.zeros((m, p, p))
    h = np.zeros((m, p))
    beta = rng.normal(size=p)
    for k in range(m):
        x = rng.normal(size=(ROWS, p))
        if intercept:
            x[:, 0] = 1
        y = x @ beta + rng.normal(size=ROWS)
        g[k], h[k] = x.T @ x / ROWS, x.T @ y / ROWS
    alpha = 0.5 / max(np.linalg.eigvalsh(one)[-1] for one in g)
    return alpha * g, alpha * h


def run(w, g, h, rounds, own):
    theta = np.zeros(h.shape)
    path = [theta]
    for _ in range(rounds):
        u = w @ theta
        at = theta if own else u
        theta = u - np.einsum("kij,kj->ki", g, at) + h
        path.append(theta)
    return np.array(path)


# ---- the attack

class Attack:
    def __init__(self, w, path, coalition, g, h, totals, intercept, own):
        self.w, self.path, self.own, self.intercept = w, path, own, intercept
        self.m, self.p = h.shape
        self.coalition = coalition
        self.others = [k for k in range(self.m) if k not in coalition]
        known = set(coalition) | {k for c in coalition for k in range(self.m) if w[c, k] > 0}
        self.heard = [k for k in self.others if k in known]
        self.hidden = [k for k in self.others if k not in known]
        self.tri = [(i, j) for i in range(self.p) for j in range(i + 1)]
        self.each = len(self.tri) + self.p
        self.truth = np.concatenate([self.pack(g[k], h[k]) for k in self.others])
        self.fixed = np.array([intercept and k % self.each == 0 for k in range(len(self.truth))])
        self.totals = totals
        self.rest = self.truth.reshape(len(self.others), self.each).sum(0)

    def pack(self, g, h):
        return np.concatenate([[g[i, j] for i, j in self.tri], h])

    def unpack(self, x):
        g = np.zeros((self.m, self.p, self.p))
        h = np.zeros((self.m, self.p))
        for n, k in enumerate(self.others):
            block = x[n * self.each:(n + 1) * self.each]
            for (i, j), v in zip(self.tri, block):
                g[k, i, j] = g[k, j, i] = v
            h[k] = block[len(self.tri):]
        return g, h

    def equations(self, x):
        """Residuals and their derivatives."""
        g, h = self.unpack(x)
        n = len(x)
        m, p = self.m, self.p
        theta = np.zeros((m, p))
        slope = np.zeros((m, p, n))
        residuals, rows = [], []
        for t in range(len(self.path) - 1):
            now = self.path[t].copy()
            for k in self.hidden:
                now[k] = theta[k]
            u = self.w @ now
            du = np.einsum("ml,lin->min", self.w[:, self.hidden], slope[self.hidden]) if self.hidden else np.zeros((m, p, n))
            nxt = np.zeros((m, p))
            dn = np.zeros((m, p, n))
            for b, k in enumerate(self.others):
                at, dat = (now[k], slope[k]) if self.own else (u[k], du[k])
                if self.own and k in self.heard:
                    dat = np.zeros((p, n))
                nxt[k] = u[k] - g[k] @ at + h[k]
                dn[k] = du[k] - np.einsum("ij,jn->in", g[k], dat)
                o = b * self.each
                for c, (i, j) in enumerate(self.tri):
                    dn[k, i, o + c] -= at[j]
                    if i != j:
                        dn[k, j, o + c] -= at[i]
                for i in range(p):
                    dn[k, i, o + len(self.tri) + i] += 1
            for k in self.heard:
                residuals.append(self.path[t + 1][k] - nxt[k])
                rows.append(dn[k])
            theta, slope = nxt, dn
        if self.totals:
            residuals.append(self.rest - x.reshape(-1, self.each).sum(0))
            rows.append(np.tile(np.eye(self.each), len(self.others)))
        if not residuals:
            return np.zeros(0), np.zeros((0, n))
        jacobian = np.concatenate(rows)
        jacobian[:, self.fixed] = 0
        return np.concatenate(residuals), jacobian

    def solve(self, x):
        damping, vain = 1e-3, 0
        r, j = self.equations(x)
        rounding = 2 * np.linalg.norm(self.equations(self.truth)[0])
        for _ in range(2000):
            if vain > 60 or np.linalg.norm(r) <= rounding:
                break
            stacked = np.vstack([j, np.sqrt(damping) * np.eye(len(x))])
            step = np.linalg.lstsq(stacked, np.concatenate([r, np.zeros(len(x))]), rcond=None)[0]
            step[self.fixed] = 0
            with np.errstate(all="ignore"):
                r2, j2 = self.equations(x + step)
            if np.isfinite(r2).all() and np.linalg.norm(r2) < np.linalg.norm(r):
                vain = 0 if np.linalg.norm(r2) < 0.99 * np.linalg.norm(r) else vain + 1
                x, r, j, damping = x + step, r2, j2, damping / 10
            else:
                vain, damping = vain + 1, damping * 4
        return x

    def errors(self, rng):
        worst = np.zeros(len(self.others))
        for _ in range(STARTS):
            noise = WRONG * np.abs(self.truth).max() * rng.normal(size=len(self.truth))
            noise[self.fixed] = 0
            found = self.solve(self.truth + noise)
            for b in range(len(self.others)):
                part = slice(b * self.each, (b + 1) * self.each)
                miss = np.abs(found[part] - self.truth[part]).max() / np.abs(self.truth[part]).max()
                worst[b] = max(worst[b], miss)
        return worst


# ---- the grid

def grid():
    for kind, sizes in [("circle:1", (3, 4, 5)), ("circle:2", (4, 5, 6)), ("ring:1", (3, 4, 5, 6, 8)), ("central", (3, 5, 8)),
                        ("complete", (3, 5, 8)), ("path", (3, 4, 6)), ("oneway", (4, 5)), ("random:2", (5, 7)), ("random:3", (6,))]:
        for m in sizes:
            for p in (2, 3, 4):
                if (m - 1) * p * (p + 3) // 2 > 60:
                    continue
                for word in ("uniform", "metropolis"):
                    if word == "metropolis" and (kind.partition(":")[0] in ("circle", "oneway", "random") or p == 4):
                        continue
                    few = 2 + p // 2
                    for rounds in (few, p + 2, 3 * p + 8):
                        yield dict(network=kind, weights=word, sites=m, coefficients=p, rounds=rounds, totals=False, intercept=False, own=False, coalition=[0])
                    rounds = 3 * p + 8
                    yield dict(network=kind, weights=word, sites=m, coefficients=p, rounds=rounds, totals=True, intercept=False, own=False, coalition=[0])
                    if p == 3:
                        yield dict(network=kind, weights=word, sites=m, coefficients=p, rounds=rounds, totals=False, intercept=True, own=False, coalition=[1])
                        yield dict(network=kind, weights=word, sites=m, coefficients=p, rounds=rounds, totals=True, intercept=True, own=False, coalition=[1])
                        yield dict(network=kind, weights=word, sites=m, coefficients=p, rounds=rounds, totals=False, intercept=False, own=True, coalition=[0])
                    if p == 2 and m > 3:
                        yield dict(network=kind, weights=word, sites=m, coefficients=p, rounds=rounds, totals=False, intercept=False, own=False, coalition=[0, 2])
                        yield dict(network=kind, weights=word, sites=m, coefficients=p, rounds=rounds, totals=True, intercept=False, own=False, coalition=[0, 1])


def main():
    cases = []
    for number, case in enumerate(grid()):
        rng = np.random.default_rng(SEED + number)
        w = weights(hears(case["network"], case["sites"]), case["weights"])
        g, h = problem(rng, case["sites"], case["coefficients"], case["intercept"])
        path = run(w, g, h, case["rounds"], case["own"])
        attack = Attack(w, path, case["coalition"], g, h, case["totals"], case["intercept"], case["own"])
        errors = attack.errors(rng)
        cases.append(dict(case, w=w.tolist(), others=attack.others, errors=[float("%.2g" % e) for e in errors]))
        print(number, *[case[k] for k in ("network", "weights", "sites", "coefficients", "rounds", "totals", "intercept", "own", "coalition")], cases[-1]["errors"], flush=True)
    out = HERE / "exposure"
    out.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(case) for case in cases)
    (out / "cases.json").write_text("[\n" + lines + "\n]\n")


if __name__ == "__main__":
    main()
