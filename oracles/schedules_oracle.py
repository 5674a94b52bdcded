#!/usr/bin/env python3
"""Networks that change from round to round: base-(k+1) graphs and one-peer exponential graphs, in exact fractions.

Base-(k+1): Takezawa, Sato, Bao, Niwa, Yamada, NeurIPS 2023, Algorithms 1 (k-peer hyper-hypercube), 2 (simple base-(k+1)) and 3
(base-(k+1)). The product of a period's matrices is checked to be the matrix of 1/M, exactly. One-peer exponential: Ying, Yuan, Chen,
Hu, Pan, Yin, NeurIPS 2021; the product is exact where M is a power of 2. Writes schedules/; its README.md has the format.
"""
import csv
import math
import pathlib
from fractions import Fraction

HERE = pathlib.Path(__file__).parent / "schedules"

# A round is a dictionary (client, hears): weight of links to others; a client keeps the rest for itself.


def complete(group):
    return {(i, j): Fraction(1, len(group)) for i in group for j in group if i != j}


def factors(n, k):
    """n as a product of the fewest factors of at most k + 1, ascending; None where a prime factor is larger."""
    found = []
    for f in range(k + 1, 1, -1):
        while n % f == 0:
            found.append(f)
            n //= f
    return sorted(found) if n == 1 else None


def hypercube(nodes, k):
    """Algorithm 1: in round l the groups of n_l nodes whose indices differ by multiples of n_1 ... n_(l-1)."""
    rounds, stride = [], 1
    for f in factors(len(nodes), k):
        links = {}
        for start in range(0, len(nodes), stride * f):
            for i in range(start, start + stride):
                links |= complete([nodes[i + stride * s] for s in range(f)])
        rounds.append(links)
        stride *= f
    return rounds or [{}]


def simple_base(nodes, k):
    """Algorithm 2."""
    n = len(nodes)
    if factors(n, k) is not None:
        return hypercube(nodes, k)
    parts, power, rest = [], 1, list(nodes)  # V_1, V_2, ...: a_l (k + 1)^(p_l) nodes each, each a list of its a_l subsets
    while power * (k + 1) <= n:
        power *= k + 1
    while rest:
        a = len(rest) // power
        if a:
            parts.append([rest[s * power:(s + 1) * power] for s in range(a)])
            rest = rest[a * power:]
        power //= k + 1
    whole = [sum(part, []) for part in parts]
    cubes = [hypercube(v, k) for v in whole]
    # the subsets average on their own once all is exchanged; a part of single nodes as a whole
    subsets = [[hypercube(s, k) for s in part] if len(part[0]) > 1 else [hypercube(v, k)] for part, v in zip(parts, whole)]
    rounds, done, first = [], [0] * len(parts), len(cubes[0])
    while done[0] < len(subsets[0][0]):
        m, links = len(rounds), {}
        if m < first:
            for cube in cubes:
                links |= cube[m % len(cube)]
            rounds.append(links)
            continue
        at = m - first  # the part that the later ones exchange with in this round
        free = [list(s) for s in parts[at]] if at < len(parts) else []
        for l in reversed(range(len(parts))):
            if l > at:
                weight = Fraction(len(whole[at]), len(free) * sum(len(v) for v in whole[at:]))
                for v in whole[l]:
                    for s in free:
                        u = s.pop()
                        links[u, v] = links[v, u] = weight
            elif l == at and l < len(parts) - 1:
                left = [u for s in free for u in s]
                while len(left) > 1:
                    links |= complete(left[:k + 1])
                    left = left[k + 1:]
            else:
                for cube in subsets[l]:
                    links |= cube[done[l] % len(cube)]
                done[l] += 1
        rounds.append(links)
    return rounds


def together(schedules):
    """Schedules of disjoint sets of nodes, of one length, side by side."""
    return [dict(item for links in links_of for item in links.items()) for links_of in zip(*schedules, strict=True)]


def base(nodes, k):
    """Algorithm 3: n = p q, q the largest divisor with prime factors of at most k + 1: simple base graphs of q sets of p nodes, then
    hyper-hypercubes of p sets of q; the simple base graph of all where that is shorter."""
    n = len(nodes)
    q = max(d for d in range(1, n + 1) if n % d == 0 and factors(d, k) is not None)
    p = n // q
    sets = [nodes[i * p:(i + 1) * p] for i in range(q)]
    own = together([simple_base(s, k) for s in sets]) if p > 1 else []
    across = together([hypercube([s[j] for s in sets], k) for j in range(p)]) if q > 1 else []
    alone = simple_base(nodes, k)
    return alone if len(alone) < len(own) + len(across) else own + across


def exponential(nodes):
    """In round t, of ceil(log2 M), a client hears the one 2^t places on, half and half."""
    n = len(nodes)
    return [{(i, (i + 2**t) % n): Fraction(1, 2) for i in nodes} for t in range((n - 1).bit_length())]


def matrix(links, n):
    w = [[links.get((i, j), Fraction(0)) for j in range(n)] for i in range(n)]
    for i in range(n):
        w[i][i] = 1 - sum(w[i])
        assert all(v >= 0 for v in w[i])
    return w


def product(rounds, n):
    found = matrix({}, n)
    for links in rounds:
        w = matrix(links, n)
        found = [[sum(w[i][k] * found[k][j] for k in range(n) if w[i][k]) for j in range(n)] for i in range(n)]
    return found


def check(rounds, n, k, name):
    assert len(rounds) <= 2 * math.log(n, k + 1) + 2 + 1e-9, (name, n, "too long")
    for links in rounds:
        assert all(links.get((j, i)) == w for (i, j), w in links.items()), (name, n, "not symmetric")
        assert all(sum(1 for i, _ in links if i == m) <= k for m in range(n)), (name, n, "too many neighbours")
    assert all(v == Fraction(1, n) for row in product(rounds, n) for v in row), (name, n, "does not average")


def write(name, header, rows):
    with open(HERE / name, "w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([header, *rows])


def main():
    HERE.mkdir(exist_ok=True)
    lengths = []
    for k in (1, 2, 3):
        rows = {"base": [], "simple-base": []}
        for n in range(2, 31):
            for name, make in (("base", base), ("simple-base", simple_base)):
                rounds = make(list(range(n)), k)
                check(rounds, n, k, f"{name} {k}")
                lengths.append([name, k, n, len(rounds)])
                rows[name] += [[n, t, i, j, f"{float(w):.17g}"] for t, links in enumerate(rounds) for (i, j), w in sorted(links.items())]
        write(f"base-{k}.csv", ["clients", "period_round", "client", "hears", "weight"], rows["base"])
    rows = []
    for n in range(2, 31):
        rounds = exponential(list(range(n)))
        exact = all(v == Fraction(1, n) for row in product(rounds, n) for v in row)
        assert exact == (n & (n - 1) == 0)
        lengths.append(["one-peer-exponential", 1, n, len(rounds)])
        rows += [[n, t, i, j, 0.5] for t, links in enumerate(rounds) for i, j in sorted(links)]
    write("one-peer-exponential.csv", ["clients", "period_round", "client", "hears", "weight"], rows)
    write("lengths.csv", ["schedule", "k", "clients", "rounds"], lengths)


if __name__ == "__main__":
    main()
