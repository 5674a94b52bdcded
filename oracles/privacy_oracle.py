"""Oracle of the privacy accounts of ngd: correlated, distributed and shuffled noise, by other means than ngd's.

Correlated noise: every noise variable by itself, the messages as a matrix of them, what a coalition knows taken out by
conditioning; T rounds stacked into one normal distribution; delta(epsilon) by integrating the privacy loss numerically.
Distributed discrete Gaussian noise: probabilities of the sum of the shares by convolution, delta(epsilon) by enumeration.
Shuffled bits: all outcomes enumerated, for every number of ones among the others.

Writes privacy/cases.json. Needs NumPy and SciPy.
"""

import itertools
import json
import math
import pathlib

import numpy as np
from scipy import integrate, optimize, stats

HERE = pathlib.Path(__file__).parent


def ring(m):
    return [(i, (i + 1) % m) for i in range(m)]


def complete(m):
    return list(itertools.combinations(range(m), 2))


def star(m):
    return [(0, i) for i in range(1, m)]


GRAPHS = {
    "ring of 6": (6, ring(6)),
    "complete of 5": (5, complete(5)),
    "two squares and a bridge": (8, ring(4) + [(4 + a, 4 + b) for a, b in ring(4)] + [(0, 4)]),
    "circulant of 9": (9, sorted({tuple(sorted((i, (i + d) % 9))) for i in range(9) for d in (1, 2)})),
    "star of 5": (5, star(5)),
}


def distance(m, edges, coalition, victim, own, pair, rounds):
    """mu of all rounds: messages = [own noise | pair noise], what the coalition has a part in known."""
    noise = np.zeros((m, m + len(edges)))
    sd = np.zeros(m + len(edges))
    for i in range(m):
        noise[i, i] = 1
        sd[i] = own
    for e, (a, b) in enumerate(edges):
        noise[a, m + e] = 1
        noise[b, m + e] = -1
        sd[m + e] = pair
    known = [i for i in range(m) if i in coalition] + [
        m + e for e, (a, b) in enumerate(edges) if a in coalition or b in coalition
    ]
    known = [k for k in known if sd[k] > 0]
    cov = (noise * sd**2) @ noise.T
    if known:
        cross = (noise * sd**2)[:, known]
        cov = cov - cross @ np.diag(1 / sd[known] ** 2) @ cross.T  # conditioning on them
    shift = np.zeros(m)
    shift[victim] = 1
    stacked = np.kron(np.eye(rounds), cov)
    moves = np.tile(shift, rounds)
    solution = np.linalg.lstsq(stacked, moves, rcond=1e-12)[0]
    assert np.allclose(stacked @ solution, moves, atol=1e-8), "the victim's noise must not be known"
    return math.sqrt(moves @ solution)


def delta_gauss(mu, eps):
    """The integral of (p - e^eps q)+ for N(mu, 1) and N(0, 1)."""
    start = eps / mu + mu / 2
    value, _ = integrate.quad(
        lambda x: stats.norm.pdf(x - mu) - math.exp(eps) * stats.norm.pdf(x), start, start + 60, epsabs=1e-14, limit=400
    )
    return value


def correlated():
    cases = []
    for name, (m, edges) in GRAPHS.items():
        for colluders in (0, 1, 2):
            for own, pair, rounds in ((1.0, 0.0, 1), (0.8, 2.0, 3), (2.5, 10.0, 4)):
                worst = max(
                    distance(m, edges, set(c), v, own, pair, rounds)
                    for c in itertools.combinations(range(m), colluders)
                    for v in range(m)
                    if v not in c
                )
                eps = 1.0
                cases.append(
                    {
                        "graph": name,
                        "clients": m,
                        "edges": [list(e) for e in edges],
                        "colluders": colluders,
                        "own": own,
                        "pair": pair,
                        "rounds": rounds,
                        "mu": worst,
                        "epsilon": eps,
                        "delta": delta_gauss(worst, eps),
                    }
                )
    return cases


def discrete(sigma2, reach):
    x = np.arange(-reach, reach + 1)
    p = np.exp(-(x.astype(float) ** 2) / (2 * sigma2))
    return p / p.sum()


def hockey_stick(p, shift, eps):
    """delta(eps) between p and p moved by shift places, by enumeration."""
    a = np.concatenate([p, np.zeros(shift)])
    b = np.concatenate([np.zeros(shift), p])
    return max(np.maximum(a - math.exp(eps) * b, 0).sum(), np.maximum(b - math.exp(eps) * a, 0).sum())


def zcdp_delta(rho, eps):
    """Canonne, Kamath and Steinke 2020, corollary 13: the least over orders a, found numerically."""

    def logged(log_a1):
        a = 1 + math.exp(log_a1)
        return (a - 1) * (a * rho - eps) + (a - 1) * math.log1p(-1 / a) - math.log(a)

    grid = np.linspace(-12, 12, 4001)
    at = grid[np.argmin([logged(g) for g in grid])]
    best = optimize.minimize_scalar(logged, bounds=(at - 0.01, at + 0.01), method="bounded", options={"xatol": 1e-12})
    return min(1.0, math.exp(best.fun))


def distributed():
    cases = []
    for shares, sigma2, shift in ((1, 9.0, 1), (3, 4.0, 2), (5, 2.0, 3), (4, 30.0, 10)):
        p = discrete(sigma2, int(40 * math.sqrt(sigma2)) + 5)
        total = p
        for _ in range(shares - 1):
            total = np.convolve(total, p)
        for eps in (0.25, 1.0, 2.0):
            cases.append(
                {
                    "shares": shares,
                    "sigma2": sigma2,
                    "shift": shift,
                    "epsilon": eps,
                    "delta": hockey_stick(total, shift, eps),
                }
            )
    conversions = [
        {"rho": rho, "epsilon": eps, "delta": zcdp_delta(rho, eps)}
        for rho in (0.005, 0.05, 0.5, 2.0)
        for eps in (0.5, 1.0, 4.0, 10.0)
    ]
    return cases, conversions


def bits(n_one, n_zero, flip):
    """Probabilities of the number of ones after each bit was turned over with this probability."""
    p = np.ones(1)
    for _ in range(n_one):
        p = np.convolve(p, [flip, 1 - flip])
    for _ in range(n_zero):
        p = np.convolve(p, [1 - flip, flip])
    return p


def shuffled():
    cases = []
    for people, each, flip in ((5, 1, 0.25), (20, 1, 0.1), (40, 1, 0.25), (12, 3, 0.2), (25, 2, 0.05)):
        others = (people - 1) * each
        for eps in (0.5, 1.0, 2.0):
            worst = 0.0
            for ones in range(others + 1):
                base = bits(ones, others - ones, flip)
                none = np.convolve(base, bits(0, each, flip))
                full = np.convolve(base, bits(each, 0, flip))
                for a, b in ((none, full), (full, none)):
                    worst = max(worst, np.maximum(a - math.exp(eps) * b, 0).sum())
            cases.append({"people": people, "bits": each, "flip": flip, "epsilon": eps, "delta": worst})
    return cases


def main():
    dist, conversions = distributed()
    out = {
        "correlated": correlated(),
        "distributed": dist,
        "conversions": conversions,
        "shuffled": shuffled(),
    }
    (HERE / "privacy" / "cases.json").write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()
