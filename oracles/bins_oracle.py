#!/usr/bin/env python3
"""How often a cut of a column, such as I(age < 50), would leave one or two rows of a bin on one side, if a description counted the column in bins of none or at least three rows before.

  python3 oracles/bins_oracle.py      prints the shares for tables of several sizes

Bins as docs/sources.md describes them: whole numbers by themselves, other numbers in 64 to a standard deviation, neighbours put together until they have three rows.
Ages are whole and around 55, cut at 40, 50, 60 and 65; body mass indices have many decimals, cut at 20, 25, 30 and 35.
"""

import numpy

FEWEST = 3
TABLES = 60
SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 20000)


def gathered(bins):
    """For each row the number of the bins put together that it is counted in."""
    values, counts = numpy.unique(bins, return_counts=True)
    groups, group, held = [], 0, 0
    for count in counts:
        groups.append(group)
        held += count
        if held >= FEWEST:
            group, held = group + 1, 0
    groups = numpy.array(groups)
    if held > 0 and group > 0:
        groups[groups == group] = group - 1
    return groups[numpy.searchsorted(values, bins)]


def shows(x, bins, cut):
    """Whether some of the bins put together has one or two rows on a side of the cut, and others on the other."""
    groups = gathered(bins)
    below = numpy.bincount(groups[x < cut], minlength=groups.max() + 1)
    above = numpy.bincount(groups[x >= cut], minlength=groups.max() + 1)
    return bool(numpy.any((below > 0) & (above > 0) & (numpy.minimum(below, above) < FEWEST)))


def share(rows, whole, random):
    found = []
    for _ in range(TABLES):
        if whole:
            x = numpy.clip(numpy.round(random.normal(55, 12, rows)), 18, 95)
            found += [shows(x, x, cut) for cut in (40, 50, 60, 65)]
        else:
            x = random.normal(27, 4.5, rows)
            bins = numpy.floor((x - x.mean() + 8 * x.std(ddof=1)) / (x.std(ddof=1) / 64))
            found += [shows(x, bins, cut) for cut in (20, 25, 30, 35)]
    return numpy.mean(found)


if __name__ == "__main__":
    random = numpy.random.default_rng(20261116)
    for rows in SIZES:
        print(f"{rows:6} rows: ages {share(rows, True, random):.2f}, body mass indices {share(rows, False, random):.2f}")
