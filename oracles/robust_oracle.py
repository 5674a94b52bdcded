#!/usr/bin/env python3
"""Robust aggregation rules on small sets of vectors, each by its definition.

Writes robust/vectors.csv (the sets, with weights and outliers) and robust/rules.csv (what each rule makes of each set).
robust/README.md has the definitions and the format. NumPy; takes a second.
"""
import csv
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent / "robust"


def sets():
    """name: (vectors, weights). Weights sum to 1; client 0 is the one that aggregates where a rule has an own vector."""
    rng = np.random.default_rng(77)
    found = {}
    for name, n, p, bad in [("seven", 7, 3, 2), ("ten", 10, 4, 2), ("even", 6, 4, 1), ("plane", 9, 2, 1)]:
        v = rng.normal(size=(n, p)).round(3)
        v[n - bad:] = (v[n - bad:] + rng.normal(size=p) * 20).round(3)
        w = rng.integers(1, 9, n)
        found[name] = v, w / w.sum()
    found["one"] = np.array([[0.5], [-1.0], [2.0], [0.25], [90.0]]), np.full(5, 0.2)
    found["vertex"] = np.array([[0.0, 0], [1, 0], [0, 1], [-1, -1], [-7, 0.5]]), np.full(5, 0.2)  # the geometric median is a vector
    found["ties"] = np.array([[0.0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [3, 3], [3, 3]]), np.full(7, 1 / 7)
    return found


def geometric_median(v, w):
    """argmin_x sum_j w_j |x - v_j|: a vector v_k where |sum_{j != k} w_j (v_k - v_j) / |v_k - v_j|| <= w_k, else where the
    gradient sum_j w_j (x - v_j) / |x - v_j| is 0, by Newton's steps halved until the sum falls."""
    total = lambda x: (w * np.linalg.norm(x - v, axis=1)).sum()
    for at in v:
        away = np.linalg.norm(at - v, axis=1)
        far = away > 0
        pull = (w[far] / away[far]) @ (at - v[far])
        if np.linalg.norm(pull) <= w[~far].sum() + 1e-15:
            return at
    x = w @ v
    for _ in range(200):
        u = x - v
        d = np.linalg.norm(u, axis=1)
        slope = (w / d) @ u
        if np.linalg.norm(slope) < 1e-15:
            break
        bend = sum(wj / dj * (np.eye(len(x)) - np.outer(uj, uj) / dj**2) for wj, dj, uj in zip(w, d, u))
        step = np.linalg.solve(bend, slope)
        while total(x - step) > total(x) and np.linalg.norm(step) > 1e-16:
            step = step / 2
        x = x - step
    assert np.linalg.norm((w / np.linalg.norm(x - v, axis=1)) @ (x - v)) < 1e-13
    return x


def square(v):
    return ((v[:, None, :] - v[None, :, :]) ** 2).sum(2)


def krum_order(v, f):
    """Vectors by score, the sum of squared distances to the n - f - 2 closest others; the lower index first among equals."""
    d = square(v) + np.diag(np.full(len(v), np.inf))
    score = np.sort(d, axis=1)[:, : len(v) - f - 2].sum(1)
    return np.argsort(score, kind="stable")


def nearest_mixing(v, f):
    """Each vector replaced by the mean of its n - f nearest, itself one of them; the lower index first among equals."""
    return np.array([v[np.argsort(row, kind="stable")[: len(v) - f]].mean(0) for row in square(v)])


def clipped_gossip(v, w, radius, own=0):
    """own + sum_j w_j clip(v_j - own), clip(u) = u min(1, radius / |u|)."""
    u = v - v[own]
    length = np.linalg.norm(u, axis=1)
    return v[own] + (w * np.minimum(1, radius / np.where(length > 0, length, 1))) @ u


def bridge(v, b, own=0):
    """In each coordinate the others' b largest and b smallest are left out, the rest and the own one averaged."""
    others = np.sort(np.delete(v, own, axis=0), axis=0)
    return (others[b: len(others) - b].sum(0) + v[own]) / (len(others) - 2 * b + 1)


def trimmed_mean(v, b):
    """In each coordinate the b largest and b smallest of all, the own one among them, are left out, the rest averaged."""
    return np.sort(v, axis=0)[b: len(v) - b].mean(0)


def rules(v, w):
    n = len(v)
    yield "geometric-median", "", 0, geometric_median(v, np.full(n, 1 / n))
    yield "geometric-median", "weighted", 0, geometric_median(v, w)
    yield "median", "", 0, np.median(v, axis=0)
    for f in range(1, (n - 1) // 2):
        if n - f - 2 >= 1:
            order = krum_order(v, f)
            yield "krum", f"f={f}", 0, v[order[0]]
            yield "multi-krum", f"f={f} m={n - f}", 0, v[order[: n - f]].mean(0)
        for m, y in enumerate(nearest_mixing(v, f)):
            yield "nearest-mixing", f"f={f}", m, y
    for b in range(1, (n - 1) // 2 + 1):
        yield "trimmed-mean", f"b={b}", 0, trimmed_mean(v, b)
        for own in (0, n - 1):
            if n - 1 - 2 * b >= 0:
                yield "bridge", f"b={b}", own, bridge(v, b, own)
    for radius in (0.3, 1.7, 1000):
        for own in (0, n - 1):
            yield "clipped-gossip", f"radius={radius}", own, clipped_gossip(v, w, radius, own)


def main():
    HERE.mkdir(exist_ok=True)
    vectors, found = [], []
    for name, (v, w) in sets().items():
        vectors += [[name, m, repr(float(w[m])), *map(float, v[m])] for m in range(len(v))]
        found += [[name, rule, parameters, own, *(f"{x:.17g}" for x in y)] for rule, parameters, own, y in rules(v, w)]
    for file, header, rows in [("vectors", ["set", "client", "weight"], vectors), ("rules", ["set", "rule", "parameters", "client"], found)]:
        with open(HERE / f"{file}.csv", "w", newline="") as out:
            rows = [r + [""] * (len(header) + 4 - len(r)) for r in rows]
            csv.writer(out, lineterminator="\n").writerows([header + [f"v{j}" for j in range(4)], *rows])


if __name__ == "__main__":
    main()
