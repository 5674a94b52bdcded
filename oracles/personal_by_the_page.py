"""`collaborative` and `bayesian` by docs/algorithms.md and the conventions of methods/README.md alone, compared with the committed files of personal_oracle.py (NumPy, some seconds).

Choices where the page is open are marked CHOICE.
"""
import csv
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent / "methods"

ROUNDS = (3, 10, 57)
M = 8


# ---------------------------------------------------------------- data, networks, weights

def read_data(model):
    raw = np.loadtxt(HERE / (model + ".csv"), delimiter=",", skiprows=1)
    clients = []
    for m in range(M):
        rows = raw[raw[:, 0] == m]
        x = np.column_stack([np.ones(len(rows)), rows[:, 2:]])
        clients.append((x, rows[:, 1]))
    return clients


def heard(network):
    """heard[m]: sorted clients that m hears, itself left out."""
    kind, _, argument = network.partition(":")
    if kind == "file":
        pairs = np.loadtxt(HERE / argument, delimiter=",", skiprows=1, dtype=int)
        return [sorted({k for c, k in pairs.tolist() if c == m}) for m in range(M)]
    if kind == "ring":       # CHOICE: D on either side
        d = int(argument)
        return [sorted({(m + s * j) % M for j in range(1, d + 1) for s in (-1, 1)}) for m in range(M)]
    if kind == "circle":     # CHOICE: m hears the next D, m + 1, ..., m + D (directed)
        d = int(argument)
        return [sorted({(m + j) % M for j in range(1, d + 1)}) for m in range(M)]
    if kind == "complete":
        return [[k for k in range(M) if k != m] for m in range(M)]
    if kind == "central":
        return [list(range(1, M))] + [[0] for _ in range(1, M)]
    raise ValueError(network)


def weights(network, rule):
    hears = heard(network)
    w = np.zeros((M, M))
    if rule.startswith("lazy:"):   # CHOICE: the number is the weight on oneself, the rest in equal parts
        own = float(rule[5:])
        for m in range(M):
            w[m, m] = own
            w[m, hears[m]] = (1 - own) / len(hears[m])
        return w
    degree = [len(h) for h in hears]
    for m in range(M):
        for k in hears[m]:
            w[m, k] = 1 / (1 + max(degree[m], degree[k]))
        w[m, m] = 1 - w[m].sum()
    return (np.eye(M) + w) / 2 if rule == "lazy-metropolis" else w


def stationary(w):
    """π with π W = π, summing to 1."""
    a = np.vstack([w.T - np.eye(M), np.ones(M)])
    return np.linalg.lstsq(a, np.append(np.zeros(M), 1.0), rcond=None)[0]


# ---------------------------------------------------------------- losses (means over rows)

def gradient(model, x, y, theta):
    eta = x @ theta
    if model == "linear":
        return x.T @ (eta - y) / len(y)
    return x.T @ (2 * (1 / (1 + np.exp(-eta)) - y)) / len(y)


def curvatures(model, eta, r=0.0):
    """The largest curvature of each row's loss in its linear predictor, within r of eta."""
    if model == "linear":
        return np.ones_like(eta)
    nearest_to_zero = np.maximum(np.abs(eta) - r, 0)
    mu = 1 / (1 + np.exp(-nearest_to_zero))
    return 2 * mu * (1 - mu)


def hessian(model, x, theta, r=0.0):
    return (x.T * curvatures(model, x @ theta, r)) @ x / len(x)


# ---------------------------------------------------------------- collaborative

def exact_prox(model, x, y, c, rho, centre, theta):
    """argmin c L(θ) + ρ/2 ‖θ − centre‖², by damped Newton to the end."""
    eye = np.eye(len(theta))
    if model == "linear":
        return np.linalg.solve(c * x.T @ x / len(y) + rho * eye, c * x.T @ y / len(y) + rho * centre)

    def grad(t):
        return c * gradient(model, x, y, t) + rho * (t - centre)

    g = grad(theta)
    for _ in range(100):
        step = np.linalg.solve(c * hessian(model, x, theta) + rho * eye, g)
        scale = 1.0
        while True:
            new = theta - scale * step
            g_new = grad(new)
            if np.linalg.norm(g_new) < np.linalg.norm(g) or scale < 1e-3:
                break
            scale /= 2
        if np.linalg.norm(g_new) >= np.linalg.norm(g):
            return theta            # nothing left to gain in double precision
        theta, g = new, g_new
    return theta


def bound(model, x, c, rho, point):
    """B and r around the point."""
    p = len(point)
    now = np.trace(c * hessian(model, x, point)) + p * rho
    for r in (np.inf, 2.0, 1.0, 0.5):
        b = c * hessian(model, x, point, r)
        if np.trace(b) + p * rho <= 2 * now:
            return b, r
    return b, 0.5


def collaborative(data, model, network, coupling, rho, surrogate, count=None):
    hears = heard(network)
    total = sum(len(y) for _, y in data)
    c = [M * len(y) / total for _, y in data]      # CHOICE: c_m = M n_m / N whatever W is
    p = data[0][0].shape[1]
    theta = np.zeros((M, p))
    z = {(m, k): np.zeros(p) for m in range(M) for k in hears[m]}
    u = {(m, k): np.zeros(p) for m in range(M) for k in hears[m]}
    anchor = [None] * M        # (point, B, r) of the last exact step; CHOICE: none at first, so round 1 is exact
    out = {}
    for t in range(1, max(ROUNDS) + 1):
        for m in range(M):
            x, y = data[m]
            strength = rho * len(hears[m])
            centre = sum(z[m, k] - u[m, k] for k in hears[m]) / len(hears[m])
            if surrogate and anchor[m] is not None:
                point, b, r = anchor[m]
                g = c[m] * gradient(model, x, y, theta[m])
                end = theta[m] + np.linalg.solve(b + strength * np.eye(p), strength * (centre - theta[m]) - g)
                # CHOICE: Euclidean norms of rows with the intercept's 1
                if np.linalg.norm(end - point) <= r / np.linalg.norm(x, axis=1).max():
                    theta[m] = end
                    continue
            theta[m] = exact_prox(model, x, y, c[m], strength, centre, theta[m])
            if surrogate:
                anchor[m] = (theta[m].copy(),) + bound(model, x, c[m], strength, theta[m])
                if count is not None:
                    count.append((t, m, anchor[m][2]))
        a = {(m, k): theta[m] + u[m, k] for m, k in z}
        for m, k in z:
            half_sum, half_difference = (a[m, k] + a[k, m]) / 2, (a[m, k] - a[k, m]) / 2
            z[m, k] = half_sum + rho / (rho + 2 * coupling) * half_difference
            u[m, k] = a[m, k] - z[m, k]
        if t in ROUNDS:
            out[t] = theta.copy()
    return out


# ---------------------------------------------------------------- bayesian

def bayesian_linear(data, w, noise, prior):
    pi = stationary(w)
    p = data[0][0].shape[1]
    precision = np.array([x.T @ x / (noise * pi[m]) + prior * np.eye(p) for m, (x, _) in enumerate(data)])
    shift = np.array([x.T @ y / (noise * pi[m]) for m, (x, y) in enumerate(data)])
    out = {}
    for t in range(1, max(ROUNDS) + 1):
        if t > 1:                                   # round 1 only makes them
            precision = np.einsum("mk,kij->mij", w, precision)
            shift = w @ shift
        if t in ROUNDS:
            out[t] = np.array([np.linalg.solve(precision[m], shift[m]) for m in range(M)])
    return out


def bayesian_mean_field(data, model, w, alpha, noise, prior):
    pi = stationary(w)
    p = data[0][0].shape[1]
    e = np.array([len(y) / (2 * noise * pi[m]) for m, (_, y) in enumerate(data)])[:, None]
    out = {}
    lam = mu = None
    for t in range(1, max(ROUNDS) + 1):
        if t == 1:
            mean = np.zeros((M, p))
        else:
            lam_mean = w @ lam
            mean = (w @ (lam * mu)) / lam_mean
        diagonal = np.array([np.diag(hessian(model, x, mean[m])) for m, (x, _) in enumerate(data)])
        g = np.array([gradient(model, x, y, mean[m]) for m, (x, y) in enumerate(data)])
        bracket = prior + e * diagonal
        lam = bracket if t == 1 else (1 - alpha) * lam_mean + alpha * bracket
        mu = mean - alpha * (prior * mean + e * g) / lam
        if t in ROUNDS:
            out[t] = mu.copy()
    return out


# ---------------------------------------------------------------- all cases

def compare(method):
    """The largest difference from the committed file, over all clients, cases and rounds."""
    worst = 0
    found = {}
    with open(HERE / (method + ".csv")) as lines:
        for row in csv.DictReader(lines):
            case = (row["network"], row["weights"], row["model"], row["alpha"], row["parameters"])
            if case not in found:
                network, rule, model, alpha, parameters = case
                q = dict(item.split("=") for item in parameters.split())
                data = read_data(model)
                if method == "collaborative":
                    found[case] = collaborative(data, model, network, float(q["coupling"]), float(q["rho"]), q["prox"] == "surrogate", [])
                elif model == "linear":
                    found[case] = bayesian_linear(data, weights(network, rule), float(q["noise"]), float(q["prior"]))
                else:
                    found[case] = bayesian_mean_field(data, model, weights(network, rule), float(alpha), float(q["noise"]), float(q["prior"]))
            own = found[case][int(row["rounds"])][int(row["client"])]
            worst = max([worst] + [abs(own[j] - float(row["theta%d" % j])) for j in range(len(own))])
    print("%s: %d cases, largest difference %.1e" % (method, len(found), worst))
    return worst


if __name__ == "__main__":
    sys.exit(int(max(compare("collaborative"), compare("bayesian")) > 1e-10))
