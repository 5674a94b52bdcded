#!/usr/bin/env python3
"""Which clients lie, at a rate of false discoveries: Benjamini-Hochberg and two adaptive forms, p-values in, decisions out, in fdr/ (needs SciPy).

fdr/README.md has formats and definitions. `--data` makes the cases anew; `--selfcheck` checks by other forms of the same rules and by simulation.
"""
import argparse
import csv
import pathlib

import numpy as np
from scipy.stats import chi2

HERE = pathlib.Path(__file__).parent / "fdr"
RATES, LAMBDA = (0.01, 0.05, 0.2), 0.5


def write_csv(name, header, rows):
    HERE.mkdir(exist_ok=True)
    with open(HERE / name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def write_data():
    rng = np.random.default_rng(20253)
    cases = {"none": chi2.rvs(4, size=20, random_state=rng), "all": chi2.rvs(4, size=12, random_state=rng) + 30}
    for name, m, liars, shift in (("few", 40, 4, 4.0), ("many", 40, 22, 3.5), ("faint", 60, 15, 2.2), ("small", 8, 2, 5.0)):
        z = rng.normal(size=(m, 4))
        z[rng.choice(m, liars, replace=False)] += shift * np.array([0.8, 0.6, 0, 0])
        cases[name] = (z**2).sum(1)
    cases["ties"] = np.array([25, 25, 9, 9, 9, 13, 13, 4, 2, 1, 1, 1, 15, 15, 15, 3], dtype=float)
    cases["one"] = np.array([11.0])
    write_csv("distances.csv", ["case", "client", "df", "squared"], [
        [case, m, 4, f"{v:.6f}"] for case, squared in cases.items() for m, v in enumerate(squared)])


def read():
    cases = {}
    with open(HERE / "distances.csv", newline="") as file:
        for case, _, df, squared in list(csv.reader(file))[1:]:
            cases.setdefault(case, []).append(chi2.sf(float(squared), int(df)))
    return {case: np.array(p) for case, p in cases.items()}


def step_up(p, q):
    """Benjamini, Hochberg 1995: all p <= p_(k), k the largest i with p_(i) <= i q / m."""
    m, ordered = len(p), np.sort(p)
    below = np.flatnonzero(ordered <= np.arange(1, m + 1) * q / m)
    return p <= ordered[below[-1]] if len(below) else np.zeros(m, dtype=bool)


def adjusted(p):
    """The smallest q at which step_up takes each: min over j >= i of m p_(j) / j, at most 1."""
    m, order = len(p), np.argsort(p, kind="stable")
    value = np.minimum(np.minimum.accumulate((m * p[order] / np.arange(1, m + 1))[::-1])[::-1], 1)
    out = np.empty(m)
    out[order] = value
    return out


def two_stage(p, q):
    """Benjamini, Krieger, Yekutieli 2006: step_up at q' = q / (1 + q); r taken; none or all: done; else step_up at q' m / (m - r)."""
    m, first = len(p), step_up(p, q / (1 + q))
    r = first.sum()
    return first if r in (0, m) else step_up(p, q / (1 + q) * m / (m - r))


def storey(p, q):
    """Storey, Taylor, Siegmund 2004: pi0 = (1 + #{p > lambda}) / ((1 - lambda) m), at most 1; step_up at q / pi0 among p <= lambda."""
    pi0 = min(1, (1 + (p > LAMBDA).sum()) / ((1 - LAMBDA) * len(p)))
    m, ordered = len(p), np.sort(p)
    below = np.flatnonzero((ordered <= np.arange(1, m + 1) * q / pi0 / m) & (ordered <= LAMBDA))
    return p <= ordered[below[-1]] if len(below) else np.zeros(m, dtype=bool)


METHODS = {"bh": step_up, "two-stage": two_stage, "storey": storey}


def write():
    cases = read()
    write_csv("p-values.csv", ["case", "client", "p", "adjusted"], [
        [case, m, f"{v:.15g}", f"{a:.15g}"] for case, p in cases.items() for m, (v, a) in enumerate(zip(p, adjusted(p)))])
    write_csv("decisions.csv", ["case", "method", "q", "liars"], [
        [case, name, q, ";".join(map(str, np.flatnonzero(rule(p, q))))] for case, p in cases.items() for name, rule in METHODS.items() for q in RATES])


def selfcheck():
    rng = np.random.default_rng(3)
    for _ in range(3000):
        m = int(rng.integers(1, 30))
        p = np.round(rng.random(m) ** rng.uniform(0.5, 4), int(rng.integers(2, 8)))
        q = rng.uniform(0.01, 0.4)
        taken = step_up(p, q)
        # by its estimate of the rate: the largest threshold t among the p with m t / #{p <= t} <= q
        passing = [t for t in p if m * t <= q * (p <= t).sum() + 1e-15]
        assert (taken == (p <= max(passing) if passing else np.zeros(m, dtype=bool))).all() or abs(adjusted(p) - q).min() < 1e-12
        assert (taken == (adjusted(p) <= q)).all() or abs(adjusted(p) - q).min() < 1e-12
        assert not (step_up(p, q / (1 + q)) & ~two_stage(p, q)).any()
    print("step-up by its estimate of the rate and by adjusted p-values, 3000 sets")
    for share in (0.2, 0.6):
        rates, power = np.zeros(3), np.zeros(3)
        for _ in range(2000):
            liars = np.arange(50) < 50 * share
            p = chi2.sf(((rng.normal(size=(50, 4)) + liars[:, None] * 1.8) ** 2).sum(1), 4)
            for i, rule in enumerate(METHODS.values()):
                taken = rule(p, 0.1)
                rates[i] += (taken & ~liars).sum() / max(1, taken.sum()) / 2000
                power[i] += taken[liars].mean() / 2000
        print(f"{share:.0%} liars, q = 0.1: false discoveries {rates.round(4)}, found {power.round(3)} ({', '.join(METHODS)})")
        assert (rates < 0.105).all() and power[0] <= power[1] + 0.01 and power[0] <= power[2] + 0.01


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
