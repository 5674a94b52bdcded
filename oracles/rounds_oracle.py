#!/usr/bin/env python3
"""Rounds over networks that change: NGD and DIGing by dense matrices, W_t in turn. Writes schedules/rounds.csv.

Client m of M holds n = 4 + m rows: x = (1, sin(3 m + 7 i), cos(5 m + 2 i)), y = 1 + 0.5 x_1 - 0.3 x_2 + 0.2 sin(11 m + 13 i), i = 0 .. n - 1.
The loss is half the mean squared error, so that the gradient is Sxx theta - Sxy. Everybody starts at 0; alpha = 0.1.

NGD: theta <- W_t theta - alpha grad(W_t theta). DIGing: theta <- W_t theta - alpha y, y <- W_t y + g(theta new) - g(theta old), y = g at the
start, g = M n_m / N times the gradient.

Schedules: one-peer exponential graphs and base-(k+1) graphs as schedules/*.csv has them (those by the Java program differ in their links,
so the test reads these files), and a ring with weights 1/3 in which client m takes part in round t where (m - t) mod M < 3: of the others it
hears only those who take part, keeps the weight of who does not for itself, and a client that does not take part keeps all that it has.
"""
import csv
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent / "schedules"
ALPHA = 0.1


def listed(name, clients):
    rounds = {}
    with open(HERE / f"{name}.csv") as file:
        for row in csv.DictReader(file):
            if int(row["clients"]) == clients:
                w = rounds.setdefault(int(row["period_round"]), np.zeros((clients, clients)))
                w[int(row["client"]), int(row["hears"])] = float(row["weight"])
    period = [rounds[t] for t in range(len(rounds))]
    for w in period:
        w += np.diag(1 - w.sum(axis=1))
    return lambda t: (period[t % len(period)], np.ones(clients, bool))


def turns(clients):
    def at(t):
        here = np.array([(m - t) % clients < 3 for m in range(clients)])
        w = np.zeros((clients, clients))
        for m in range(clients):
            for k in ((m + 1) % clients, (m - 1) % clients):
                w[m, k if here[m] and here[k] else m] += 1 / 3
            w[m, m] += 1 / 3
        return w, here

    return at


def moments(clients):
    sxx, sxy, sizes = [], [], []
    for m in range(clients):
        i = np.arange(4 + m)
        x = np.column_stack([np.ones(len(i)), np.sin(3 * m + 7 * i), np.cos(5 * m + 2 * i)])
        y = 1 + 0.5 * x[:, 1] - 0.3 * x[:, 2] + 0.2 * np.sin(11 * m + 13 * i)
        sxx.append(x.T @ x / len(i))
        sxy.append(x.T @ y / len(i))
        sizes.append(len(i))
    return np.array(sxx), np.array(sxy), np.array(sizes)


def ngd(at, clients, rounds):
    sxx, sxy, _ = moments(clients)
    theta = np.zeros((clients, 3))
    for t in range(rounds):
        w, here = at(t)
        mixed = w @ theta
        new = mixed - ALPHA * (np.einsum("mij,mj->mi", sxx, mixed) - sxy)
        theta = np.where(here[:, None], new, theta)
    return theta


def diging(at, clients, rounds):
    sxx, sxy, sizes = moments(clients)
    scale = (clients * sizes / sizes.sum())[:, None]

    def gradient(theta):
        return scale * (np.einsum("mij,mj->mi", sxx, theta) - sxy)

    theta = np.zeros((clients, 3))
    tracker = gradient(theta)
    for t in range(rounds):
        w, here = at(t)
        new = w @ theta - ALPHA * tracker
        follow = w @ tracker + gradient(new) - gradient(theta)
        theta, tracker = np.where(here[:, None], new, theta), np.where(here[:, None], follow, tracker)
    return theta


def main():
    cases = [
        ("one-peer-exponential", "ngd", 6, 25, listed("one-peer-exponential", 6)),
        ("one-peer-exponential", "diging", 6, 25, listed("one-peer-exponential", 6)),
        ("base-1", "ngd", 7, 32, listed("base-1", 7)),
        ("base-2", "diging", 7, 33, listed("base-2", 7)),
        ("cyclic:3", "ngd", 6, 40, turns(6)),
    ]
    with open(HERE / "rounds.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["schedule", "algorithm", "clients", "rounds", "client", "coefficient", "value"])
        for name, algorithm, clients, rounds, at in cases:
            theta = (ngd if algorithm == "ngd" else diging)(at, clients, rounds)
            for m in range(clients):
                for j in range(3):
                    out.writerow([name, algorithm, clients, rounds, m, j, repr(float(theta[m, j]))])


if __name__ == "__main__":
    main()
