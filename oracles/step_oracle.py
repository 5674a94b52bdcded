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
    "atc": lambda w, c: 2,
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
    "nids": lambda w, c: 2,
    "aug-dgm": lambda w, c: 2 if smallest(w) >= -1 / 3 else (1 + 1 / smallest(w)) ** 2 / 2,
    "atc-tracking": lambda w, c: 2 if smallest(w) >= 0 else min(2, (1 - smallest(w) ** 2) / (-2 * smallest(w))),
    "simple-gt": lambda w, c: (3 + smallest(w)) / 2,
    "heavy-ball": lambda w, c: 2 if smallest(w) >= -1e-12 else 1,
    "nesterov": lambda w, c: 4 / 3 if smallest(w) >= -1e-12 else 1,
    "qg-dsgdm": lambda w, c: 2,
    "abm": lambda w, c: min((1 + smallest(w)) ** 2 / 2, 1),
    "abm:0.9": lambda w, c: min((1 + smallest(w)) ** 2 / 2, 0.2),
    "abn": lambda w, c: (1 + smallest(w)) * (1 + 2 * smallest(w)) / 4,
    "abn:0.9": lambda w, c: (1 + smallest(w)) * (1 + 2.8 * smallest(w)) / 5.6,
    "wang-elia": lambda w, c: 2 - (1 - smallest(w)) / 2 + (1 - smallest(w)) ** 2 / 8,
    "k-gt": lambda w, c: 2,
    "k-gt 3": lambda w, c: 2,
    "led": lambda w, c: 2,
    "led 3": lambda w, c: 2,
    "local-diging": lambda w, c: min((1 + smallest(w)) ** 2 / 2, 1),
    "local-diging 2": lambda w, c: min((1 + smallest(w)) ** 2 / 2, 1),
    "scaffold": lambda w, c: 2,
    "scaffold 3": lambda w, c: 2,
    "dlm": lambda w, c: 2,
    "lt-admm": lambda w, c: 2 - 0.075 * (links(w).sum(1).max()),
    "lt-admm 3": lambda w, c: 1.0 if 0.225 * links(w).sum(1).max() < 1 else 0.0,
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


def links(w):
    return ((w > 0) & ~np.eye(len(w), dtype=bool)).astype(float)


def local_steps(b, steps):
    """The sum of (I - b)^l over the steps, and (I - b)^steps."""
    i = np.eye(len(b))
    total, power = np.zeros_like(b), i
    for _ in range(steps):
        total, power = total + power, power @ (i - b)
    return total, power


def with_memory(name, w, b, p):
    """Methods whose state is the estimate and something it remembers; duals are in units of alpha."""
    word, steps = (name.split() + ["1"])[:2]
    word, beta = (word.split(":") + ["0.5"])[:2]
    steps, beta = int(steps), float(beta)
    i, o = np.eye(len(b)), np.zeros_like(b)
    wide = np.kron(w, np.eye(p))
    own, other = np.hstack([i, o]), np.hstack([o, i])
    total, power = local_steps(b, steps)
    if word == "nids":
        return two_steps((i + wide) / 2 @ (2 * i - b), (i + wide) / 2 @ (b - i))
    if word == "aug-dgm":
        return np.block([[wide, -wide], [wide @ b @ (wide - i), wide @ (i - b @ wide)]])
    if word == "atc-tracking":
        return np.block([[wide, -wide], [b @ (wide - i), wide - b @ wide]])
    if word == "simple-gt":
        return two_steps(i + wide - b, b - i)
    if word == "heavy-ball":
        return two_steps((i - b) @ wide + beta * i, -beta * i)
    if word == "nesterov":
        return two_steps((1 + beta) * (i - b) @ wide, -beta * (i - b) @ wide)
    if word == "qg-dsgdm":
        x = wide @ np.hstack([i - b, -0.9 * i])
        return np.vstack([x, 0.9 * other + 0.1 * (own - x)])
    if word in ("abm", "abn"):
        x = np.hstack([wide, o, -i])
        point, before, tracker = np.hstack([i, o, o]), np.hstack([o, i, o]), np.hstack([o, o, wide])
        if word == "abm":
            x, memory = x + beta * (point - before), point
        else:
            x, memory = (1 + beta) * x - beta * before, x
        return np.vstack([x, memory, tracker + b @ (x - point)])
    if word == "wang-elia":
        k = 0.5 * (i - wide)
        return np.block([[i - k - b, -k], [k, i]])
    if word == "k-gt":
        f = np.hstack([power, -total])
        return np.vstack([wide @ f, other + (wide - i) @ (own - f) / steps])
    if word == "led":
        f = np.hstack([power, -total / steps])
        return np.vstack([wide @ f, other + (i - wide) @ f])
    if word == "local-diging":
        alone = np.block([[i, -i], [o, i - b]])
        return np.linalg.matrix_power(alone, steps - 1) @ np.block([[wide, -i], [b @ (wide - i), wide - b]])
    if word == "scaffold":
        f = np.hstack([power, total])
        mean = np.kron(np.full(w.shape, 1 / len(w)), np.eye(p)) @ f
        return np.vstack([mean, other + (mean - f) / steps])
    a = links(w)
    laplacian = np.kron(np.diag(a.sum(1)) - a, np.eye(p))
    if word == "dlm":
        # In units in which L is 1, and c is 1/2; alpha is the size of b.
        alpha = np.linalg.eigvalsh(b)[-1]
        inverse = np.linalg.inv(i + alpha * np.kron(np.diag(a.sum(1)), np.eye(p)))
        x = np.hstack([i - inverse @ (b + alpha / 2 * laplacian), -inverse])
        return np.vstack([x, other + alpha / 2 * laplacian @ x])
    assert word == "lt-admm"
    pull = np.hstack([0.1 * laplacian, -0.5 * i])
    return np.vstack([np.hstack([power, o]) - 0.5 * total @ pull, other - np.hstack([0.1 * laplacian, o])])


def iteration(name, w, c, b, p):
    i = np.eye(len(b))
    wide = np.kron(w, np.eye(p))
    if name in MEMORY:
        return with_memory(name, w, b, p)
    push = np.kron(c, np.eye(p))
    v = np.repeat(len(c) * stationary(c.T), p)
    pulled = push * v[None, :] / v[:, None]
    if name == "ngd":
        return (i - b) @ wide
    if name in ("early-stopped", "atc"):
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
MEMORY = [name for name in LIMITS if name not in CONSERVED | {"ngd", "early-stopped", "atc", "cfa", "cfa-ge", "dgd", "sgp"}]
CONSERVED |= {name for name in MEMORY if name not in ("heavy-ball", "nesterov", "qg-dsgdm")}
ABOVE_A_THIRD = {"d2", "nesterov", "qg-dsgdm", "abn", "abn:0.9", "k-gt", "k-gt 3", "led", "led 3"}


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
    if name in MEMORY + ["extra", "exact-diffusion", "d2"] and kind != "symmetric":
        return False
    if name in ABOVE_A_THIRD and smallest(w) < -1 / 3 + 1e-9:
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
            if not suits(name, kind, w) or not limit(w, c) > 0:
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
