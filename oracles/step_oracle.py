#!/usr/bin/env python3
"""Safe step sizes: every algorithm's limit against the spectral radius of its exact linear iteration.

With quadratic losses client m's scaled gradient is B_m (x_m - x*_m), 0 <= B_m <= L, and every algorithm in rounds is a
linear iteration. For each random problem (network, weights, Hessians) this program forms its matrix at a step size
just below the limit and takes all eigenvalues: none may lie outside the unit circle. It also finds, for the same
Hessians, the step size at which one first does, which says how much a limit gives away.

Writes steps/cases.json: problems whose limits the tests of `ngd` must find, and a summary of all problems tried.
"""
import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
SIZE = 9  # clients, less one
OUTSIDE = 1e-7  # a multiple eigenvalue is found with the root of the rounding error


# ---- networks: hears[m][k] is 1 where m hears k

def connected(hears):
    return (np.linalg.matrix_power(np.eye(len(hears)) + hears, len(hears)) > 0).all()


def mutual(rng, m):
    kind = rng.choice(["random", "ring", "star", "path", "tree"])
    while True:
        a = np.zeros((m, m))
        if kind == "random":
            a = np.triu(rng.random((m, m)) < rng.uniform(0.2, 0.8), 1).astype(float)
        elif kind == "star":
            a[0, 1:] = 1
        else:
            for i in range(1, m):
                a[i, rng.integers(i) if kind == "tree" else i - 1] = 1
            if kind == "ring":
                a[0, m - 1] = 1
        a = np.maximum(a, a.T)
        if connected(a):
            return a


def directed(rng, m):
    kind = rng.choice(["circle", "fixed", "random"])
    while True:
        a = np.zeros((m, m))
        degree = int(rng.integers(1, min(4, m)))
        for i in range(m):
            if kind == "circle":
                a[i, [(i + hop) % m for hop in range(1, degree + 1)]] = 1
            elif kind == "fixed":
                a[i, rng.choice([k for k in range(m) if k != i], degree, replace=False)] = 1
            else:
                a[i] = rng.random(m) < 0.4
        np.fill_diagonal(a, 0)
        if (a.sum(1) > 0).all() and connected(a):
            return a


def uniform(hears):
    return hears / hears.sum(1, keepdims=True)


def metropolis(hears):
    degree = hears.sum(1)
    w = hears / (1 + np.maximum(degree[:, None], degree[None, :]))
    return w + np.diag(1 - w.sum(1))


def lazy(w, share):
    return share * np.eye(len(w)) + (1 - share) * w


def doubly_stochastic(rng, m):
    shares = rng.dirichlet(np.full(int(rng.integers(2, 5)), rng.choice([0.3, 1, 3])))
    w = shares[0] * np.eye(m)
    for share in shares[1:]:
        w[np.arange(m), rng.permutation(m)] += share
    return w


def pushing(hears):
    c = hears + np.eye(len(hears))
    return c / c.sum(0, keepdims=True)


def stationary(p):
    m = len(p)
    return np.linalg.lstsq(np.vstack([p.T - np.eye(m), np.ones(m)]), np.r_[np.zeros(m), 1], rcond=None)[0]


def reversible(p):
    flow = stationary(p)[:, None] * p
    return np.abs(flow - flow.T).max() < 1e-12


def others(p):
    """All eigenvalues but one that is 1."""
    values = np.linalg.eigvals(p)
    return np.delete(values, np.abs(values - 1).argmin())


def smallest(p):
    return others(p).real.min() if len(p) > 1 else 1.0


# ---- the limits of alpha * L

def descent(w):
    """x <- (W - alpha B) x."""
    if reversible(w):
        return 1 + smallest(w)
    a, r = others(w).real, np.abs(others(w))
    return max(2 * w.diagonal().min(), 0.5 * min(2, (a + np.sqrt(np.maximum(a * a + 1 - r * r, 0))).min()))


def mode(value, by=1):
    """The largest s up to which (z - value)^2 + by s (z - 1) has no root outside the unit circle, to 5 %."""
    inside = 1 - abs(value)
    s = inside**2 / (inside + abs(1 - value))

    def stable(s):
        b, c = by * s - 2 * value, value**2 - by * s
        return abs(c) < 1 and abs(b - np.conj(b) * c) < 1 - abs(c) ** 2

    while s < 2 and stable(1.05 * s):
        s *= 1.05
    return min(s, 2)


def tracking(w):
    """x <- W x - alpha y; y <- W y + B (x+ - x)."""
    if reversible(w):
        return (1 + smallest(w)) ** 2 / 2
    return 0.5 * min(mode(value) for value in others(w))


def push_tracking(c):
    weight = (len(c) * stationary(c.T)).min()
    if reversible(c.T):
        return weight * (min(2, 4 * (1 + smallest(c)) ** 2) if smallest(c) < 0 else 2)
    return weight * 0.5 * min(mode(value, value) for value in others(c))


def push_pull(w, c):
    """No bound is known: half of what clients with one common Hessian were seen to bear."""
    overlap = max(1, len(w) * stationary(w) @ stationary(c.T))
    if reversible(w) and reversible(c.T):
        return (1 + smallest(w)) * (1 + smallest(c)) / 4 / overlap
    return 0.5 * min(mode(value) for value in np.r_[others(w), others(c)]) / overlap


LIMITS = {
    "ngd": lambda w, c: 2,
    "early-stopped": lambda w, c: 2,
    "cfa": lambda w, c: 2,
    "cfa-ge": lambda w, c: 2,
    "dgd": lambda w, c: descent(w),
    "extra": lambda w, c: (5 + 3 * smallest(w)) / 4,
    "exact-diffusion": lambda w, c: 2,
    "d2": lambda w, c: 2,
    "diging": lambda w, c: tracking(w),
    "push-diging": lambda w, c: push_tracking(c),
    "push-pull": push_pull,
    "sgp": lambda w, c: 2 * (len(c) * stationary(c.T)).min(),
}


# ---- the iterations: b is alpha times the block diagonal of all B_m

def two_steps(one, before):
    n = len(one)
    return np.block([[one, before], [np.eye(n), np.zeros((n, n))]])


def cfa_ge(w, c, b, p, rng_free=(0.5, 0.99)):
    epsilon, rho = rng_free
    n, i = len(b), np.eye(len(b))
    psi = (1 - epsilon) * i + epsilon * np.kron(w, np.eye(p))
    heard = np.zeros((n, n))  # each client's average, by W, of all clients' Hessians
    for m in range(len(w)):
        at = slice(m * p, (m + 1) * p)
        heard[at, at] = sum(w[m, k] * b[k * p:(k + 1) * p, k * p:(k + 1) * p] for k in range(len(w)))
    s = np.hstack([rho * heard @ psi, (1 - rho) * i])
    phi = np.hstack([psi, np.zeros((n, n))]) - s
    return np.vstack([(i - b) @ phi, s])


def iteration(name, w, c, b, p):
    i = np.eye(len(b))
    wide = np.kron(w, np.eye(p))
    push = np.kron(c, np.eye(p))
    v = np.repeat(len(c) * stationary(c.T), p)
    pulled = push * v[None, :] / v[:, None]
    if name == "ngd":
        return (i - b) @ wide
    if name == "early-stopped":
        return wide @ (i - b)
    if name == "cfa":
        return (i - b) @ (i + wide) / 2
    if name == "cfa-ge":
        return cfa_ge(w, c, b, p)
    if name == "dgd":
        return wide - b
    if name == "extra":
        return two_steps(i + wide - b, b - (i + wide) / 2)
    if name in ("exact-diffusion", "d2"):
        mixing = wide if name == "d2" else (i + wide) / 2
        return two_steps(mixing @ (2 * i - b), mixing @ (b - i))
    if name in ("diging", "push-pull"):
        second = wide if name == "diging" else push
        return np.block([[wide, -i], [b @ (wide - i), second - b]])
    if name == "push-diging":
        share = pulled / v[None, :]
        return np.block([[pulled, -share], [b @ (pulled - i), push - b @ share]])
    assert name == "sgp"
    return pulled @ (i - b / v[:, None])


# What the sum of all clients conserves is an eigenvalue 1 that says nothing.
CONSERVED = {"extra", "exact-diffusion", "d2", "diging", "push-pull", "push-diging"}


def radius(name, w, c, b, p):
    values = np.linalg.eigvals(iteration(name, w, c, b, p))
    if name in CONSERVED:
        values = values[np.argsort(np.abs(values - 1))[p:]]
    return np.abs(values).max(initial=0)


def critical(name, w, c, hessians, p):
    """The first alpha on a grid at which an eigenvalue lies outside, refined; 8 where none does."""
    before = 0.0
    for alpha in np.geomspace(1e-5, 8, 70):
        if radius(name, w, c, alpha * hessians, p) > 1 + OUTSIDE:
            low, high = before, alpha
            for _ in range(18):
                middle = (low + high) / 2
                if radius(name, w, c, middle * hessians, p) > 1 + OUTSIDE:
                    high = middle
                else:
                    low = middle
            return low
        before = alpha
    return 8.0


def hessians(rng, m, p):
    """A block diagonal of random B_m with max of their largest eigenvalues 1; some are singular."""
    kind = rng.choice(["common", "random", "extreme", "steep"])
    blocks = []
    for _ in range(m):
        rows = rng.normal(size=(int(rng.integers(1, p + 2)), p))
        own = rows.T @ rows
        own /= np.linalg.eigvalsh(own)[-1]
        scale = {"common": 1, "random": rng.random(), "extreme": rng.integers(2), "steep": rng.random() ** 6}[kind]
        blocks.append(np.eye(p) if kind == "common" else scale * own)
    largest = max(np.linalg.eigvalsh(own)[-1] for own in blocks)
    if largest <= 0:
        return hessians(rng, m, p)
    b = np.zeros((m * p, m * p))
    for k, own in enumerate(blocks):
        b[k * p:(k + 1) * p, k * p:(k + 1) * p] = own / largest
    return b


def problem(rng):
    m, p = int(rng.integers(2, SIZE)), int(rng.integers(1, 4))
    kind = rng.choice(["symmetric", "mutual", "directed", "doubly"])
    if kind == "symmetric":
        hears = mutual(rng, m)
        w = metropolis(hears)
        w = lazy(w, rng.random()) if rng.random() < 0.4 else w
    elif kind == "mutual":
        hears = mutual(rng, m)
        w = lazy(uniform(hears), rng.uniform(0.02, 0.7))
    elif kind == "directed":
        hears = directed(rng, m)
        w = uniform(hears * rng.random((m, m)) ** 2 if rng.random() < 0.3 else hears)
        w = lazy(w, rng.uniform(0, 0.7)) if rng.random() < 0.6 else w
    else:
        w = doubly_stochastic(rng, m)
        hears = ((w > 0) & ~np.eye(m, dtype=bool)).astype(float)
        if not connected(hears):
            return problem(rng)
    if np.abs(others(w)).max() > 0.99:  # periodic, or as slow as that
        return problem(rng)
    return kind, p, w, hears, hessians(rng, m, p)


def suits(name, kind, w):
    if name in ("extra", "exact-diffusion", "d2") and kind != "symmetric":
        return False
    if name == "d2" and smallest(w) < -1 / 3 + 1e-9:
        return False
    if name == "cfa-ge" and kind not in ("symmetric", "mutual"):
        return False
    return name != "diging" or kind in ("symmetric", "doubly")


def main(count):
    rng = np.random.default_rng(20)
    tried = {name: 0 for name in LIMITS}
    gaps = {name: [] for name in LIMITS}
    worst = {name: 0.0 for name in LIMITS}
    cases = []
    for t in range(count):
        kind, p, w, hears, b = problem(rng)
        c = pushing(hears)
        case = {"kind": kind, "w": w.tolist(), "limits": {}, "critical": {}}
        for name, limit in LIMITS.items():
            if not suits(name, kind, w):
                continue
            value = float(limit(w, c))
            found = radius(name, w, c, 0.999 * value * b, p)
            tried[name] += 1
            worst[name] = max(worst[name], found)
            if found > 1 + OUTSIDE:
                print(f"unsafe: problem {t} {kind} {name}: limit {value}, radius {found}", file=sys.stderr)
            case["limits"][name] = value
            if t % 20 == 0:
                first = critical(name, w, c, b, p)
                gaps[name].append(first / value)
                case["critical"][name] = first
        if t % 20 == 0 and len(cases) < 60:
            case["hessians"] = [b[m * p:(m + 1) * p, m * p:(m + 1) * p].ravel().tolist() for m in range(len(w))]
            cases.append(case)
    summary = {
        name: {
            "problems": tried[name],
            "largestRadiusBelowTheLimit": worst[name],
            "criticalOverLimit": {
                "smallest": min(gaps[name]), "median": float(np.median(gaps[name])), "largest": max(gaps[name])},
        }
        for name in LIMITS
    }
    (HERE / "steps").mkdir(exist_ok=True)
    (HERE / "steps" / "cases.json").write_text(json.dumps({"summary": summary, "problems": cases}, indent=1) + "\n")
    for name, line in summary.items():
        print(f"{name:16}", line)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)
