#!/usr/bin/env python3
"""Step sizes of feddyn, fedpd and fedlt: the largest spectral radius of their exact iterations on random quadratic problems (L = 1), at
multiples of 1/(1 + mu), 1/(1 + 1/eta) and 1/(1 + 1/rho). Prints it; writes nothing.

One function a method: the linear map of a round on the state, as one vector, of clients with Hessians `hessians`, K steps of size `a` and the
method's parameter. A radius above 1 is an iteration that may diverge; 1 itself belongs to directions in which no client has curvature.
"""
import numpy as np

TRIALS = 150


def problem(rng, clients, width):
    """Hessians of unlike clients, some singular, the largest eigenvalue of all of them 1."""
    hessians = []
    for _ in range(clients):
        rank = rng.integers(1, width + 1)
        a = rng.normal(size=(rank, width)) * 10 ** rng.uniform(-1.5, 1, size=width)
        hessians.append(a.T @ a / rank * 10 ** rng.uniform(-1, 1))
    return np.array(hessians) / max(np.linalg.eigvalsh(h)[-1] for h in hessians)


def radius(step, blocks, width):
    """The spectral radius of a linear map of `blocks` vectors."""
    columns = [np.concatenate(step(e.reshape(blocks, width))) for e in np.eye(blocks * width)]
    return abs(np.linalg.eigvals(np.array(columns).T)).max()


def times(hessians, x):
    """Each client's Hessian times its own row."""
    return np.einsum("mij,mj->mi", hessians, x)


def feddyn(hessians, a, K, mu):
    clients, width = hessians.shape[:2]

    def step(v):
        x, own = v[0], v[1:]
        h = own.mean(0)  # what the server keeps is the mean of what clients keep
        y = np.tile(x, (clients, 1))
        for _ in range(K):
            y = y - a * (times(hessians, y) - own + mu * (y - x))
        own, h = own - mu * (y - x), h - mu * (y - x).mean(0)
        return [y.mean(0) - h / mu, *own]

    return radius(step, clients + 1, width)


def fedpd(hessians, a, K, eta):
    clients, width = hessians.shape[:2]

    def step(v):
        z, x, dual = v[0], v[1 : clients + 1], v[clients + 1 :]
        for _ in range(K):
            x = x - a * (times(hessians, x) + dual + (x - z) / eta)
        dual = dual + (x - z) / eta
        return [(x + eta * dual).mean(0), *x, *dual]

    return radius(step, 2 * clients + 1, width)


def fedlt(hessians, a, K, rho):
    clients, width = hessians.shape[:2]

    def step(v):
        x, z = v[:clients], v[clients:]
        y = z.mean(0)
        for _ in range(K):
            x = x - a * (times(hessians, x) + (x - 2 * y + z) / rho)
        return [*x, *(z + 2 * (x - y))]

    return radius(step, 2 * clients, width)


# method: (its round, what its parameter adds to L, multiples of 1 / (L + that))
METHODS = {
    "feddyn": (feddyn, lambda mu: mu, (1, 4 / 3, 1.9)),
    "fedpd": (fedpd, lambda eta: 1 / eta, (0.5, 1, 1.9)),
    "fedlt": (fedlt, lambda rho: 1 / rho, (0.5, 1, 1.9)),
}


def step_size(name, K, factor, parameter, adds):
    if name == "feddyn" and K == 1 and factor == 4 / 3:
        return 4 / (3 + 2 * parameter)  # where one step becomes unstable by its formula
    return factor / (1 + adds(parameter))


def main():
    rng = np.random.default_rng(1)
    for name, (method, adds, factors) in METHODS.items():
        for K in (1, 2, 3, 5, 10, 30):
            for factor in factors:
                worst, at = 0, None
                for _ in range(TRIALS):
                    hessians = problem(rng, rng.integers(1, 5), rng.integers(1, 4))
                    parameter = 10 ** rng.uniform(-1.5, 1.5)
                    found = method(hessians, 0.999 * step_size(name, K, factor, parameter, adds), K, parameter)
                    if found > worst:
                        worst, at = found, f"parameter {parameter:.3g}, {len(hessians)} clients"
                print(f"{name} K={K} factor {factor:.2f}: radius {worst:.6f} ({at})")


if __name__ == "__main__":
    main()
