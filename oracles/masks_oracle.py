"""How probable it is that colluding sites part the others on a circle of masks.

M sites stand on a circle in random order, each shares masks with the k/2 next on either side, and C of
them collude. The others are parted where at least two runs of at least k/2 colluding sites stand between
them. Exact, by counting compositions (inclusion and exclusion); small cases also by trying every
arrangement and searching the graph of the others, which knows nothing of runs.

    python3 oracles/masks_oracle.py > oracles/masks/parted.csv
"""
from fractions import Fraction
from itertools import combinations
from math import comb


def parted(sites, colluding, partners):
    """P(at least two gaps of at least k/2) of a random composition of C into H parts."""
    others, run = sites - colluding, partners // 2
    if others < 2:
        return Fraction(0)
    whole = comb(colluding + others - 1, others - 1)

    def at_least(j):
        left = colluding - j * run
        return comb(others, j) * comb(left + others - 1, others - 1) if left >= 0 else 0

    none = sum((-1) ** j * at_least(j) for j in range(others + 1) if j * run <= colluding)
    one = sum((-1) ** (j - 1) * j * at_least(j) for j in range(1, others + 1) if j * run <= colluding)
    return 1 - Fraction(none + one, whole)


def connected(sites, partners, bad):
    good = [m for m in range(sites) if m not in bad]
    seen, todo = {good[0]}, [good[0]]
    while todo:
        m = todo.pop()
        for step in range(1, partners // 2 + 1):
            for k in ((m + step) % sites, (m - step) % sites):
                if k not in bad and k not in seen:
                    seen.add(k)
                    todo.append(k)
    return len(seen) == len(good)


def tried(sites, colluding, partners):
    every = list(combinations(range(sites), colluding))
    return Fraction(sum(not connected(sites, partners, set(bad)) for bad in every), len(every))


print("sites,colluding,partners,probability")
for sites, colluding, partners in [(8, 4, 2), (9, 5, 4), (12, 6, 4), (12, 8, 4), (14, 8, 6), (16, 7, 2)]:
    exact = parted(sites, colluding, partners)
    assert exact == tried(sites, colluding, partners), (sites, colluding, partners)
    print(f"{sites},{colluding},{partners},{float(exact):.17g}")
for sites in (101, 300, 1000, 3000, 10000):
    for share in (10, 3, 2):
        for partners in (20, 30, 40, 50):
            print(f"{sites},{sites // share},{partners},{float(parted(sites, sites // share, partners)):.17g}")
