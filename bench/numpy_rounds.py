"""Microseconds of a vectorised NumPy iteration of each method that is named: 100 clients of 10 rows with 3 features, logistic, ring:2.

All clients are one M x p block; W is dense, which at this size is faster than a sparse one. Best of stretches of about 20 ms.
"""
import sys
import time

import numpy as np

M, N, P, A, K = 100, 10, 3, 0.01, 1
rng = np.random.default_rng(1)
X = rng.normal(size=(M, N, P))
Y = (rng.random((M, N)) < 1 / (1 + np.exp(-X[:, :, 0]))).astype(float)
XT = np.ascontiguousarray(X.transpose(0, 2, 1))
LINKS = np.zeros((M, M))
for hop in (1, 2):
    LINKS[np.arange(M), (np.arange(M) + hop) % M] = LINKS[(np.arange(M) + hop) % M, np.arange(M)] = 1
D = LINKS.sum(1)[:, None]
W = LINKS * 0.5 / 5
W += np.diag(1 - W.sum(1))
WT = (np.eye(M) + W) / 2
ALL = np.arange(M)


def g(x):
    fit = (X @ x[:, :, None])[:, :, 0]
    return (XT @ (2 / N * (1 / (1 + np.exp(-fit)) - Y))[:, :, None])[:, :, 0]


def g_row(x, i):
    """Each client's gradient on its row i_m."""
    row = X[ALL, i]
    return (2 * (1 / (1 + np.exp(-(row * x).sum(1))) - Y[ALL, i]))[:, None] * row


def dgd():
    x = np.zeros((M, P))
    while True:
        x = W @ x - A * g(x)
        yield x


def early_stopped():
    x = np.zeros((M, P))
    while True:
        x = W @ (x - A * g(x))
        yield x


def diging():
    x = np.zeros((M, P))
    old = y = g(x)
    while True:
        x = W @ x - A * y
        new = g(x)
        y, old = W @ y + new - old, new
        yield x


def aug_dgm():
    x = np.zeros((M, P))
    old = y = g(x)
    while True:
        x = W @ (x - A * y)
        new = g(x)
        y, old = W @ (y + new - old), new
        yield x


def atc_tracking():
    x = np.zeros((M, P))
    old = y = g(x)
    while True:
        x = W @ (x - A * y)
        new = g(x)
        y, old = W @ y + new - old, new
        yield x


def simple_gt():
    x = before = np.zeros((M, P))
    while True:
        psi = x - A * g(x)
        x, before = W @ x + psi - before, psi
        yield x


def extra():
    before = np.zeros((M, P))
    old = g(before)
    x = W @ before - A * old
    while True:
        new = g(x)
        x, before, old = x + W @ x - WT @ before - A * (new - old), x, new
        yield x


def exact_diffusion():
    x = before = np.zeros((M, P))
    while True:
        psi = x - A * g(x)
        x, before = WT @ (psi + x - before), psi
        yield x


def nids():
    before = np.zeros((M, P))
    old = g(before)
    x = before - A * old
    while True:
        new = g(x)
        x, before, old = WT @ (2 * x - before - A * (new - old)), x, new
        yield x


def wang_elia():
    x = z = np.zeros((M, P))
    while True:
        both = np.concatenate([x + z, x], axis=1)
        apart = 0.5 * (both - W @ both)
        x, z = x - apart[:, :P] - A * g(x), z + apart[:, P:]
        yield x


def k_gt():
    x = c = np.zeros((M, P))
    while True:
        y = x
        for _ in range(K):
            y = y - A * (g(y) + c)
        z = (x - y) / (K * A)
        mixed = W @ np.concatenate([z, x - K * A * z], axis=1)
        c, x = c - z + mixed[:, :P], mixed[:, P:]
        yield x


def led():
    x = y = np.zeros((M, P))
    while True:
        f = x
        for _ in range(K):
            f = f - A * g(f) - y
        x = W @ f
        y = y + f - x
        yield x


def proxskip():
    x = h = np.zeros((M, P))
    while True:
        hat = x - A * (g(x) - h)
        x = 0.5 * hat + 0.5 * (W @ hat) if rng.random() < 0.5 else hat
        h = h + 0.5 / A * (x - hat)
        yield x


def dlm():
    x = q = np.zeros((M, P))
    c = 0.5
    while True:
        apart = D * x - LINKS @ x
        q = q + c * apart
        x = x - (g(x) + q + c * apart) / (1 / A + 2 * c * D)
        yield x


def dinno():
    x = q = np.zeros((M, P))
    rho = 0.1
    while True:
        heard = LINKS @ x
        q = q + rho * (D * x - heard)
        f = x
        for _ in range(K):
            f = f - A * (g(f) + q + rho * (2 * D * f - D * x - heard))
        x = f
        yield x


def minimum(start, shift, weight):
    """argmin of all clients' losses + weight/2 |x|^2 - shift'x by Newton steps at once, until the largest is what ngd takes for the last."""
    new, eye = start, np.eye(P)
    while True:
        mean = 1 / (1 + np.exp(-(X @ new[:, :, None])[:, :, 0]))
        slope = (XT @ (2 / N * (mean - Y))[:, :, None])[:, :, 0] + weight * new - shift
        hessian = (XT * (2 / N * mean * (1 - mean))[:, None, :]) @ X + weight[:, :, None] * eye
        move = np.linalg.solve(hessian, slope[:, :, None])[:, :, 0]
        new = new - move
        if abs(move).max() <= 1e-9 * (1 + abs(new).max()):
            return new


def d_admm():
    x = q = np.zeros((M, P))
    c = 0.5
    while True:
        x = minimum(x, c * (D * x + LINKS @ x) - q, 2 * c * D)
        q = q + c * (D * x - LINKS @ x)
        yield x


def relaxed_admm():
    # of a client's links only the sums of z_mk + z_km and of z_mk - z_km are needed
    x = both = apart = np.zeros((M, P))
    rho, r = 1, 0.8
    while True:
        x = minimum(x, (both + apart) / 2, rho * D)
        heard = LINKS @ x
        both = (1 - 2 * r) * both + 2 * r * rho * (D * x + heard)
        apart = apart + 2 * r * rho * (heard - D * x)
        yield x


def atg():
    x = np.zeros((M, P))
    both = apart = np.zeros((M, 2 * P))
    rho, r, share = 0.5, 0.5, 0.1
    while True:
        held = (np.concatenate([x, g(x)], axis=1) + (both + apart) / 2) / (1 + rho * D)
        heard = LINKS @ held
        x = x + share * (held[:, :P] - A * held[:, P:] - x)
        both = (1 - 2 * r) * both + 2 * r * rho * (D * held + heard)
        apart = apart + 2 * r * rho * (heard - D * held)
        yield x


def lt_admm():
    # of a client's links only sums are needed: total of z_mk, apart of z_mk - z_km
    x = total = apart = np.zeros((M, P))
    rho, beta = 0.1, 0.5
    while True:
        pull = beta * (rho * D * x - total)
        f = x
        for _ in range(K):
            f = f - A * g(f) - pull
        x = f
        heard = rho * (LINKS @ x)
        total, apart = apart / 2 + heard, apart + heard - rho * D * x
        yield x


def gt_saga():
    x = np.zeros((M, P))
    table = np.stack([g_row(x, np.full(M, i)) for i in range(N)], axis=1)
    mean = table.mean(1)
    old = y = mean
    while True:
        x = W @ x - A * y
        i = rng.integers(N, size=M)
        new = g_row(x, i)
        change = new - table[ALL, i]
        v = change + mean
        table[ALL, i] = new
        mean = mean + change / N
        y, old = W @ y + v - old, v
        yield x


def gt_svrg():
    x = np.zeros((M, P))
    anchor, full, t = x, g(x), 0
    old = y = full
    while True:
        x, t = W @ x - A * y, t + 1
        if t % 10 == 0:
            anchor, full = x, g(x)
        i = rng.integers(N, size=M)
        v = g_row(x, i) - g_row(anchor, i) + full
        y, old = W @ y + v - old, v
        yield x


def gt_vr():
    x = np.zeros((M, P))
    anchor, full = x.copy(), g(x)
    old = y = full.copy()
    while True:
        x = W @ (x - A * y)
        hit = np.flatnonzero(rng.random(M) < 0.1)
        fit = (X[hit] @ x[hit, :, None])[:, :, 0]
        anchor[hit] = x[hit]
        full[hit] = (XT[hit] @ (2 / N * (1 / (1 + np.exp(-fit)) - Y[hit]))[:, :, None])[:, :, 0]
        i = rng.integers(N, size=M)
        v = g_row(x, i) - g_row(anchor, i) + full
        y, old = W @ (y + v - old), v
        yield x


def gt_sarah():
    x = np.zeros((M, P))
    old = y = g(x)
    t = 0
    while True:
        before, x, t = x, W @ x - A * y, t + 1
        if t % 10 == 0:
            v = g(x)
        else:
            i = rng.integers(N, size=M)
            v = g_row(x, i) - g_row(before, i) + old
        y, old = W @ y + v - old, v
        yield x


def fedavg():
    x = np.zeros(P)
    while True:
        own = np.broadcast_to(x, (M, P))
        own = own - A * g(own)
        x = own.mean(0)
        yield x


def fedprox():
    x = np.zeros(P)
    while True:
        own = np.broadcast_to(x, (M, P))
        own = own - A * (g(own) + 0.1 * (own - x))
        x = own.mean(0)
        yield x


def fednova():
    x = np.zeros(P)
    while True:
        own = np.broadcast_to(x, (M, P))
        own = own - A * g(own)
        x = x - A * ((x - own) / A).mean(0)
        yield x


def adaptive(yogi):
    x, m, v = np.zeros(P), np.zeros(P), np.full(P, 1e-6)
    while True:
        own = np.broadcast_to(x, (M, P))
        step = (own - A * g(own)).mean(0) - x
        m = 0.9 * m + 0.1 * step
        square = step * step
        v = v - 0.01 * square * np.sign(v - square) if yogi else 0.99 * v + 0.01 * square
        x = x + 0.1 * m / (np.sqrt(v) + 0.001)
        yield x


def scaffold():
    x, c, own_c = np.zeros(P), np.zeros(P), np.zeros((M, P))
    while True:
        y = np.broadcast_to(x, (M, P))
        y = y - A * (g(y) - own_c + c)
        new = own_c - c + (x - y) / A
        x, c, own_c = y.mean(0), c + (new - own_c).mean(0), new
        yield x


METHODS = {
    "dgd": dgd, "early-stopped": early_stopped, "diging": diging, "aug-dgm": aug_dgm, "extra": extra,
    "exact-diffusion": exact_diffusion, "nids": nids, "wang-elia": wang_elia, "k-gt": k_gt, "led": led, "proxskip": proxskip,
    "dlm": dlm, "dinno": dinno, "d-admm": d_admm, "lt-admm": lt_admm, "gt-saga": gt_saga, "gt-svrg": gt_svrg, "gt-sarah": gt_sarah,
    "atc-tracking": atc_tracking, "simple-gt": simple_gt, "gt-vr": gt_vr, "relaxed-admm": relaxed_admm, "atg": atg,
    "fedavg": fedavg, "fedprox": fedprox, "fednova": fednova, "fedadam": lambda: adaptive(False), "fedyogi": lambda: adaptive(True),
    "scaffold": scaffold,
}


def micros(rounds):
    def stretch(count):
        before = time.perf_counter()
        for _ in range(count):
            next(rounds)
        return (time.perf_counter() - before) / count

    count = max(1, int(0.02 / stretch(20)))
    return 1e6 * min(stretch(count) for _ in range(20))


for name in sys.argv[1:] or METHODS:
    print("numpy", name, f"{micros(METHODS[name]()):.3f}", flush=True)
