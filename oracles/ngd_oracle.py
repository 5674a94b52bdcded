"""Network gradient descent (NGD) and its theory in plain NumPy: the oracle of `ngd fit`, `ngd check` and `ngd network`.

    python3 oracles/ngd_oracle.py               writes data/, fit/ and theory/ beside this file, always the same
    python3 oracles/ngd_oracle.py --selfcheck   checks this program against finite differences, closed forms, other paths

Nothing here is fast. Every formula stands as the paper and docs/theory.md write it:

  mixed_m = sum_k w_mk theta_k,  theta_m = mixed_m - alpha * grad L_m(mixed_m),  from theta = 0, all clients at once.

  gaussian  L_m = |y - X theta|^2 / (2 n_m)                        gradient  X'(X theta - y) / n_m
  binomial  L_m = -2/n_m sum(y eta - log(1 + e^eta))               gradient  2/n_m X'(1/(1 + e^-eta) - y)
  poisson   L_m = -2/n_m sum(y eta - e^eta)   (log y! left out)    gradient  2/n_m X'(e^eta - y)

What these definitions leave open is settled in README.md, beside the schema of the JSON files. Needs NumPy only.
"""

import argparse
import csv
import json
from math import gcd
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
CLIENTS = 20


# ---------------------------------------------------------------------------------------------------------------- data

THETA0 = {
    "gaussian": np.array([3, 1.5, 0, 0, 2, 0, 0, 0]),
    "binomial": np.array([0.5, 0.5, 0.5, 0.5, 0.5, -1.25]),
    "poisson": np.array([1.2, 0.6, 0, 0, 0.8, 0, 0, 0]),
}


def autoregressive(rng, rows, columns, rho):
    """Standard normal columns with covariance rho^|i - j|."""
    z = rng.standard_normal((rows, columns))
    x = np.empty_like(z)
    x[:, 0] = z[:, 0]
    for j in range(1, columns):
        x[:, j] = rho * x[:, j - 1] + np.sqrt(1 - rho**2) * z[:, j]
    return x


def equicorrelated(rng, rows, columns, covariance):
    """Standard normal columns with the same covariance between any two."""
    common = rng.standard_normal((rows, 1))
    return np.sqrt(covariance) * common + np.sqrt(1 - covariance) * rng.standard_normal((rows, columns))


def generate(family, rows, seed):
    """The paper's generators, section 3."""
    rng = np.random.default_rng(seed)
    theta = THETA0[family]
    if family == "gaussian":
        x = autoregressive(rng, rows, 8, 0.5)
        return x, (x * theta).sum(axis=1) + rng.standard_normal(rows)
    if family == "binomial":
        x = equicorrelated(rng, rows, 6, 0.5)
        return x, (rng.random(rows) < 1 / (1 + np.exp(-(x * theta).sum(axis=1)))).astype(int)
    coins = rng.integers(0, 2, size=(rows, 2))
    x = np.hstack([autoregressive(rng, rows, 6, 0.2), (coins - 0.5) / 0.5])
    return x, rng.poisson(np.exp((x * theta).sum(axis=1)))


def number(value):
    """The shortest text that reads back as the same number."""
    return repr(value.item() if hasattr(value, "item") else value)


def write_csv(path, header, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([number(value) for value in row] for row in rows)


def write_table(name, x, y):
    write_csv(HERE / name, [f"x{j + 1}" for j in range(x.shape[1])] + ["y"], [[*xi, yi] for xi, yi in zip(x, y)])


def read_csv(name):
    with (HERE / name).open(newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


class Shards:
    """The rows of all clients, client after client; `n[m]` of them belong to client m."""

    def __init__(self, x, y, family, names, clients):
        order = np.argsort(y, kind="stable")
        self.x, self.y = x[order], y[order]
        self.family, self.names = family, names
        self.n = np.full(clients, len(y) // clients)
        self.n[: len(y) % clients] += 1
        self.first = np.concatenate([[0], np.cumsum(self.n)[:-1]])
        self.owner = np.repeat(np.arange(clients), self.n)

    @property
    def clients(self):
        return len(self.n)

    @property
    def p(self):
        return self.x.shape[1]

    def of(self, m):
        rows = slice(self.first[m], self.first[m] + self.n[m])
        return self.x[rows], self.y[rows]

    def gradient(self, at):
        """Row m: the gradient of client m's loss at row m of `at`."""
        eta = (self.x * at[self.owner]).sum(axis=1)
        pull = self.x * (scale(self.family) * (mean(self.family, eta) - self.y))[:, None]
        return np.add.reduceat(pull, self.first, axis=0) / self.n[:, None]

    def hessians(self, at):
        """Block m: the Hessian of client m's loss at row m of `at`."""
        return np.array([hessian(self.family, *self.of(m), at[m]) for m in range(self.clients)])


def read_shards(data, family, intercept, clients=CLIENTS):
    """The sorted partition: by response, ascending, stable; contiguous, the first N mod M clients one row more."""
    header, rows = read_csv(data)
    table = np.array(rows, dtype=float)
    x, y, names = table[:, :-1], table[:, -1], header[:-1]
    if intercept:
        x, names = np.hstack([np.ones((len(y), 1)), x]), ["(Intercept)", *names]
    return Shards(x, y, family, names, clients)


# -------------------------------------------------------------------------------------------------------------- models


def scale(family):
    """Half the mean squared error against minus twice the log-likelihood over n: the factor of the gradient."""
    return 1.0 if family == "gaussian" else 2.0


def mean(family, eta):
    if family == "gaussian":
        return eta
    return 1 / (1 + np.exp(-eta)) if family == "binomial" else np.exp(eta)


def loss(family, x, y, theta):
    eta = x @ theta
    if family == "gaussian":
        return ((y - eta) ** 2).sum() / (2 * len(y))
    cumulant = np.logaddexp(0, eta) if family == "binomial" else np.exp(eta)
    return -2 * (y * eta - cumulant).sum() / len(y)


def gradient(family, x, y, theta):
    return scale(family) * x.T @ (mean(family, x @ theta) - y) / len(y)


def hessian(family, x, y, theta):
    mu = mean(family, x @ theta)
    curvature = {"gaussian": np.ones_like(mu), "binomial": mu * (1 - mu), "poisson": mu}[family]
    return scale(family) * (x.T * curvature) @ x / len(y)


def global_estimate(family, x, y):
    """OLS or MLE of the pooled rows; Newton halves a step that raises the loss."""
    if family == "gaussian":
        theta = np.linalg.lstsq(x, y, rcond=None)[0]
    else:
        theta = np.zeros(x.shape[1])
        for _ in range(100):
            step = np.linalg.solve(hessian(family, x, y, theta), gradient(family, x, y, theta))
            here = loss(family, x, y, theta)
            while loss(family, x, y, theta - step) > here + 1e-12 * abs(here):
                step = step / 2
            theta = theta - step
            if abs(step).max() < 1e-15:
                break
    score = abs(gradient(family, x, y, theta)).max()
    assert score < 1e-12, f"global estimate of {family}: score {score}"
    return theta


# ------------------------------------------------------------------------------------------------------------ networks


def adjacency(network, clients):
    """a[m][k] = 1 when client m hears client k."""
    a = np.zeros((clients, clients))
    kind, _, argument = network.partition(":")
    for m in range(clients):
        if kind == "central":
            hears = range(1, clients) if m == 0 else [0]
        elif kind == "circle":
            hears = [m + hop for hop in range(1, int(argument) + 1)]
        elif kind == "ring":
            hears = [m + sign * hop for hop in range(1, int(argument) + 1) for sign in (-1, 1)]
        elif kind == "complete":
            hears = [k for k in range(clients) if k != m]
        else:
            hears = [int(row[1]) for row in read_csv(argument)[1] if int(row[0]) == m]
        for k in hears:
            a[m, k % clients] = 1
    return a


def weight_matrix(network, weights, clients=CLIENTS):
    if weights == "file":
        w = np.zeros((clients, clients))
        for client, hears, weight in read_csv(network.partition(":")[2])[1]:
            w[int(client), int(hears)] = float(weight)
        return w
    a = adjacency(network, clients)
    degree = a.sum(axis=1)
    uniform = a / degree[:, None]
    if weights == "uniform":
        return uniform
    if weights.startswith("lazy:"):
        share = float(weights.partition(":")[2])
        return share * np.eye(clients) + (1 - share) * uniform
    assert (a == a.T).all(), "Metropolis weights need mutual links"
    w = a / (1 + np.maximum(degree[:, None], degree[None, :]))
    w += np.diag(1 - w.sum(axis=1))
    return (np.eye(clients) + w) / 2 if weights == "lazy-metropolis" else w


def communicating_classes(w):
    """The classes of clients that reach each other, and those of them that nobody leaves."""
    reach = (w > 0) | np.eye(len(w), dtype=bool)
    for k in range(len(w)):
        reach |= np.outer(reach[:, k], reach[k, :])
    classes = sorted({tuple(np.flatnonzero(reach[m] & reach[:, m]).tolist()) for m in range(len(w))})
    closed = [c for c in classes if set(np.flatnonzero(reach[c[0]]).tolist()) == set(c)]
    return classes, closed


def period(w):
    """The greatest common divisor of the lengths of all cycles, of an irreducible W."""
    depth, queue, divisor = {0: 0}, [0], 0
    for m in queue:
        for k in np.flatnonzero(w[m]).tolist():
            if k not in depth:
                depth[k] = depth[m] + 1
                queue.append(k)
            divisor = gcd(divisor, depth[m] + 1 - depth[k])
    return divisor


def stationary(w):
    """pi W = pi, sum 1, where there is but one such pi: the left null vector of W - I on the one closed class, else 0."""
    closed = communicating_classes(w)[1]
    if len(closed) > 1:
        return None
    inside = list(closed[0])
    _, _, v = np.linalg.svd(w[np.ix_(inside, inside)].T - np.eye(len(inside)))
    pi = np.zeros(len(w))
    pi[inside] = v[-1] / v[-1].sum()
    return pi


def balance(w):
    """SE(W)."""
    return np.sqrt(((w.sum(axis=0) - 1) ** 2).sum() / len(w))


def smallest_positive_singular(matrix):
    singular = np.linalg.svd(matrix, compute_uv=False)
    return singular[singular > 1e-12 * singular[0]].min()


def diagnosis(w):
    m = len(w)
    classes, closed = communicating_classes(w)
    pi = stationary(w)
    others = w - np.diag(np.diag(w))
    in_degree, out_degree = (others > 0).sum(axis=1), (others > 0).sum(axis=0)
    in_closed = {client for c in closed for client in c}
    return {
        "selfWeights": int((np.diag(w) > 0).sum()),
        "edges": int((others > 0).sum()),
        "inDegree": {"min": int(in_degree.min()), "max": int(in_degree.max())},
        "outDegree": {"min": int(out_degree.min()), "max": int(out_degree.max())},
        "unheard": np.flatnonzero(out_degree == 0).tolist(),
        "transient": [client for client in range(m) if client not in in_closed],
        "closedClasses": [list(c) for c in closed],
        "irreducible": len(classes) == 1,
        "period": period(w) if len(classes) == 1 else None,
        "seW": balance(w),
        "sigmaMax": np.linalg.svd(w, compute_uv=False)[0],
        "sigmaMinPlus": smallest_positive_singular(np.eye(m) - w),
        "rhoSigmaW": np.linalg.svd(w - w.mean(axis=0), compute_uv=False)[0],
        "secondEigenvalue": np.sort(abs(np.linalg.eigvals(w)))[-2],
        "stationary": None if pi is None else pi.tolist(),
    }


# ----------------------------------------------------------------------------------------------------------------- NGD


def step_size(alpha, t):
    """The step of round t = 0, 1, ...: in `a,b@r` rounds 0 to r - 1 use a, round r and those after it use b."""
    value = None
    for piece in alpha.split(","):
        size, _, since = piece.partition("@")
        if t >= int(since or 0):
            value = float(size)
    return value


def ngd(shards, w, alpha, rounds):
    """Yields theta before the first round and after each."""
    theta = np.zeros((shards.clients, shards.p))
    yield theta
    for t in range(rounds):
        mixed = w @ theta
        theta = mixed - step_size(alpha, t) * shards.gradient(mixed)
        yield theta


def distance(theta, target):
    """|theta* - 1 (x) target| / sqrt(M)."""
    return np.sqrt(((theta - target) ** 2).sum() / len(theta))


def consensus(theta):
    return distance(theta, theta.mean(axis=0))


# -------------------------------------------------------------------------------------------------------------- theory


def contraction(hessians, w, alpha):
    """Delta* (W (x) I), dense."""
    m, p = len(w), hessians.shape[1]
    delta = np.zeros((m * p, m * p))
    for k in range(m):
        delta[k * p : (k + 1) * p, k * p : (k + 1) * p] = np.eye(p) - alpha * hessians[k]
    return delta @ np.kron(w, np.eye(p))


def radius(matrix):
    return abs(np.linalg.eigvals(matrix)).max()


def certificate(shards, w, alpha, safe_alpha):
    """docs/theory.md, 2: below the safe alpha, every closed class has pooled rows of full rank. None where it does not apply."""
    if not alpha < safe_alpha:
        return None
    ranks = [np.linalg.matrix_rank(np.vstack([shards.of(m)[0] for m in c])) for c in communicating_classes(w)[1]]
    return bool(min(ranks) == shards.p)


def stable_linear(shards, w, alpha):
    """alpha Omega^-1 Sigma*_xy, a row a client."""
    hessians = shards.hessians(np.zeros((shards.clients, shards.p)))
    sigma_xy = np.concatenate([x.T @ y / len(y) for x, y in map(shards.of, range(shards.clients))])
    omega = np.eye(len(sigma_xy)) - contraction(hessians, w, alpha)
    return np.linalg.solve(omega, alpha * sigma_xy).reshape(shards.clients, shards.p)


def stable_general(shards, w, alpha, limit=1_000_000):
    """The limit of NGD from 0: iterated until no entry moves by 1e-14, then two Newton steps on the fixed point.

    Returns it with how many rounds that took and how far the Newton steps went.
    """
    theta = np.zeros((shards.clients, shards.p))
    for rounds in range(1, limit + 1):
        mixed = w @ theta
        after = mixed - alpha * shards.gradient(mixed)
        moved = abs(after - theta).max()
        theta = after
        if moved < 1e-14:
            break
    else:
        raise AssertionError(f"still moving by {moved} after {limit} rounds")
    iterated = theta
    for _ in range(2):
        mixed = w @ theta
        residual = theta - mixed + alpha * shards.gradient(mixed)
        jacobian = np.eye(theta.size) - contraction(shards.hessians(mixed), w, alpha)
        theta = theta - np.linalg.solve(jacobian, residual.ravel()).reshape(theta.shape)
    return theta, rounds, abs(theta - iterated).max()


def problem(case, shards, w):
    """All that theory says of one problem, and its stable solution (None where there is not one)."""
    alpha, family = case["alpha"], shards.family
    estimate = global_estimate(family, shards.x, shards.y)
    at_global = np.tile(estimate, (shards.clients, 1))
    hessians = shards.hessians(at_global)
    eigenvalues = np.linalg.eigvalsh(hessians)
    net = diagnosis(w)
    spectral_radius = radius(contraction(hessians, w, alpha))
    safe_alpha = 2 / eigenvalues.max()
    score = np.sqrt((shards.gradient(at_global) ** 2).sum() / shards.clients)
    facts = {
        "names": shards.names,
        "global": estimate.tolist(),
        "spectralRadius": spectral_radius,
        "safeAlpha": safe_alpha,
        "certificate": certificate(shards, w, alpha, safe_alpha),
        "converges": bool(spectral_radius < 1 - 1e-10),
        "seW": net["seW"],
        "seScore": score,
    }
    if family == "gaussian":
        sigma_xx = shards.x.T @ shards.x / len(shards.y)
        sigma_xy = shards.x.T @ shards.y / len(shards.y)
        own_xy = np.array([x.T @ y / len(y) for x, y in map(shards.of, range(shards.clients))])
        kappa1, kappa2 = np.linalg.eigvalsh(sigma_xx)[0], eigenvalues.max()
        se_xx = np.sqrt(((hessians - sigma_xx) ** 2).sum() / shards.clients)
        se_xy = np.sqrt(((own_xy - sigma_xy) ** 2).sum() / shards.clients)
        facts |= {
            "seSigmaXX": se_xx,
            "seSigmaXY": se_xy,
            "boundFactor": (net["seW"] + alpha) * (se_xx + se_xy),
            "theorem2": {
                "irreducible": net["irreducible"],
                "kappa1": kappa1,
                "kappa2": kappa2,
                "left": alpha * kappa2 * net["sigmaMax"] + net["seW"],
                "right": kappa1 / kappa2 * net["sigmaMinPlus"] / (4 * net["sigmaMax"]),
            },
        }
        stable = None if facts["certificate"] is False else stable_linear(shards, w, alpha)
    else:
        kappa3, kappa4 = eigenvalues.min(), eigenvalues.max()
        second_moments = np.array([x.T @ x / len(x) for x, _ in map(shards.of, range(shards.clients))])
        facts |= {
            "safeAlphaEverywhere": 4 / np.linalg.eigvalsh(second_moments).max() if family == "binomial" else None,
            "boundFactor": (net["seW"] + alpha) * score,
            "theorem3": {
                "kappa3": kappa3,
                "kappa4": kappa4,
                "rho": net["rhoSigmaW"],
                "left": alpha * net["sigmaMax"] * kappa4 + net["seW"],
                "right": 0.5 / kappa4 * kappa3 * (1 - net["rhoSigmaW"]),
            },
        }
        stable, facts["stableRounds"], facts["stableNewton"] = stable_general(shards, w, alpha)
    facts["stableDistanceToGlobal"] = None if stable is None else distance(stable, estimate)
    facts["stableConsensus"] = None if stable is None else consensus(stable)
    return facts, stable


# --------------------------------------------------------------------------------------------------------------- files


def random_edges(rng, order, most):
    """A cycle through the clients of `order`, and further links up to a random degree of at most `most`."""
    order = [int(m) for m in order]
    edges = []
    for place, m in enumerate(order):
        heard = [order[(place + 1) % len(order)]]
        others = [k for k in order if k not in (m, heard[0])]
        more = min(int(rng.integers(0, most)), len(others))
        heard += [int(k) for k in rng.choice(others, size=more, replace=False)] if more else []
        edges += [(m, k) for k in heard]
    return edges


def write_data():
    for name, family, rows, seed in [
        ("linear", "gaussian", 240, 101),
        ("logistic", "binomial", 240, 102),
        ("poisson", "poisson", 240, 103),
        ("unequal", "gaussian", 251, 104),
        ("over", "gaussian", 60, 105),
    ]:
        write_table(f"data/{name}.csv", *generate(family, rows, seed))

    rng = np.random.default_rng(201)
    edges = sorted(random_edges(rng, rng.permutation(CLIENTS), 4))
    write_csv(HERE / "data/edges.csv", ["client", "hears"], edges)

    rng = np.random.default_rng(202)
    weighted = []
    for m in range(CLIENTS):
        heard = [k for client, k in edges if client == m]
        if rng.random() < 0.5 or len(heard) == 1 and rng.random() < 0.5:
            heard.append(m)
        cuts = np.sort(rng.choice(np.arange(1, 20), size=len(heard) - 1, replace=False))
        shares = np.diff([0, *cuts.tolist(), 20]) * 5  # in hundredths
        weighted += [(m, k, int(share) / 100) for k, share in zip(heard, shares)]
    weighted = [weighted[i] for i in rng.permutation(len(weighted))]  # the order of lines means nothing
    write_csv(HERE / "data/weighted.csv", ["client", "hears", "weight"], weighted)

    rng = np.random.default_rng(203)
    links = {(int(rng.integers(0, m)), m) for m in range(1, CLIENTS)}
    while len(links) < CLIENTS + 8:
        links.add(tuple(sorted(rng.choice(CLIENTS, size=2, replace=False).tolist())))
    mutual = sorted(links | {(k, m) for m, k in links})
    write_csv(HERE / "data/mutual.csv", ["client", "hears"], mutual)

    for name, seed, sizes in [("reducible", 204, (9, 5)), ("deficient", 205, (9, 2)), ("transient", 206, (14,))]:
        rng = np.random.default_rng(seed)
        *closed, rest = np.split(rng.permutation(CLIENTS), np.cumsum(sizes))
        edges = [edge for members in closed for edge in random_edges(rng, members, 3)]
        for m in rest:
            others = [k for k in range(CLIENTS) if k != m]
            heard = {int(rng.choice(members)) for members in [*closed, others]}
            edges += [(int(m), k) for k in heard]
        write_csv(HERE / f"data/{name}.csv", ["client", "hears"], sorted(edges))


NETWORKS = {
    "central": ("central", "uniform"),
    "circle2": ("circle:2", "uniform"),
    "edges": ("file:data/edges.csv", "uniform"),
    "weighted": ("file:data/weighted.csv", "file"),
}
FAMILIES = {"linear": "gaussian", "logistic": "binomial", "poisson": "poisson", "unequal": "gaussian", "over": "gaussian"}


def fit_cases():
    """(name, data, intercept, network, weights, alpha, rounds)"""
    alphas = {"linear": "0.05", "logistic": "0.1", "poisson": "0.0005"}
    for i, (data, alpha) in enumerate(alphas.items()):
        for j, (label, (network, weights)) in enumerate(NETWORKS.items()):
            yield f"{data}-{label}", data, (i + j) % 2 == 0, network, weights, alpha, 300
    schedule = "0.05,0.02@100,0.005@200"
    mutual = "file:data/mutual.csv"
    yield "linear-schedule", "linear", True, "circle:2", "uniform", schedule, 300
    yield "linear-circle1", "linear", True, "circle:1", "uniform", "0.02", 400
    yield "linear-complete", "linear", False, "complete", "uniform", "0.05", 50
    yield "linear-ring2-metropolis", "linear", True, "ring:2", "metropolis", "0.05", 300
    yield "logistic-ring2-lazy-metropolis", "logistic", True, "ring:2", "lazy-metropolis", "0.2", 300
    yield "logistic-mutual-metropolis", "logistic", False, mutual, "metropolis", "0.1", 300
    yield "linear-mutual-lazy-metropolis", "linear", False, mutual, "lazy-metropolis", "0.05", 300
    yield "linear-central-lazy", "linear", False, "central", "lazy:0.25", "0.05", 300
    yield "unequal-edges", "unequal", True, "file:data/edges.csv", "uniform", "0.05", 300
    yield "unequal-circle2", "unequal", False, "circle:2", "uniform", "0.02", 300
    yield "logistic-edges-7-rounds", "logistic", True, "file:data/edges.csv", "uniform", "0.2", 7
    yield "poisson-schedule", "poisson", False, "circle:2", "uniform", "0.0008,0.0002@150", 300
    yield "over-circle2", "over", False, "circle:2", "uniform", "0.05", 500


def theory_cases():
    """(name, data, intercept, network, weights, alpha)"""
    edges, reducible, deficient = "file:data/edges.csv", "file:data/reducible.csv", "file:data/deficient.csv"
    for label, network in [("central", "central"), ("circle1", "circle:1"), ("circle2", "circle:2"), ("edges", edges)]:
        yield f"linear-{label}", "linear", False, network, "uniform", 0.05
        yield f"over-{label}", "over", False, network, "uniform", 0.02
    yield "linear-weighted-intercept", "linear", True, "file:data/weighted.csv", "file", 0.02
    yield "unequal-edges-intercept", "unequal", True, edges, "uniform", 0.02
    yield "unequal-circle2", "unequal", False, "circle:2", "uniform", 0.005
    yield "linear-reducible", "linear", False, reducible, "uniform", 0.05
    yield "over-reducible", "over", False, reducible, "uniform", 0.02
    yield "over-deficient", "over", False, deficient, "uniform", 0.02
    yield "linear-deficient", "linear", False, deficient, "uniform", 0.05
    yield "linear-transient", "linear", False, "file:data/transient.csv", "uniform", 0.05
    yield "logistic-transient", "logistic", False, "file:data/transient.csv", "uniform", 0.2
    yield "linear-beyond-safe-converges", "linear", False, "circle:2", "uniform", 0.5
    yield "linear-beyond-safe-diverges", "linear", False, "circle:2", "uniform", 2.0
    for label, network in [("central", "central"), ("circle1", "circle:1"), ("circle2", "circle:2"), ("edges", edges)]:
        yield f"logistic-{label}", "logistic", False, network, "uniform", 0.1
    yield "logistic-edges-intercept", "logistic", True, edges, "uniform", 0.2
    yield "poisson-circle2", "poisson", False, "circle:2", "uniform", 0.0005
    yield "poisson-edges-intercept", "poisson", True, edges, "uniform", 0.0005


def network_cases():
    """(name, network, weights, clients)"""
    mutual = "file:data/mutual.csv"
    for m in (2, 3, 10, 20):
        yield f"central-{m}", "central", "uniform", m
    for m, d in [(2, 1), (5, 1), (10, 1), (10, 2), (20, 1), (20, 2), (20, 5), (200, 2)]:
        yield f"circle{d}-{m}", f"circle:{d}", "uniform", m
    yield "complete-20", "complete", "uniform", 20
    yield "ring1-20", "ring:1", "uniform", 20
    yield "ring2-20", "ring:2", "uniform", 20
    yield "ring2-metropolis", "ring:2", "metropolis", 20
    yield "ring2-lazy-metropolis", "ring:2", "lazy-metropolis", 20
    yield "central-metropolis", "central", "metropolis", 20
    yield "central-lazy", "central", "lazy:0.25", 20
    yield "edges", "file:data/edges.csv", "uniform", 20
    yield "weighted", "file:data/weighted.csv", "file", 20
    yield "mutual", mutual, "uniform", 20
    yield "mutual-metropolis", mutual, "metropolis", 20
    yield "mutual-lazy-metropolis", mutual, "lazy-metropolis", 20
    yield "reducible", "file:data/reducible.csv", "uniform", 20
    yield "deficient", "file:data/deficient.csv", "uniform", 20
    yield "transient", "file:data/transient.csv", "uniform", 20


def write_theta(name, shards, theta):
    write_csv(HERE / name, ["client", *shards.names], [[m, *row] for m, row in enumerate(theta)])


def write_json(name, value):
    (HERE / name).parent.mkdir(parents=True, exist_ok=True)
    (HERE / name).write_text(json.dumps(value, indent=1, default=lambda scalar: scalar.item()) + "\n")


def write_fit():
    cases = []
    for name, data, intercept, network, weights, alpha, rounds in fit_cases():
        shards = read_shards(f"data/{data}.csv", FAMILIES[data], intercept)
        estimate = global_estimate(shards.family, shards.x, shards.y)
        path = list(ngd(shards, weight_matrix(network, weights), alpha, rounds))
        assert np.isfinite(path[-1]).all(), name
        write_theta(f"fit/{name}.theta.csv", shards, path[-1])
        at = sorted({t for t in (0, 1, 2, 10, 99, 100, 101, 200, rounds) if t <= rounds})
        cases.append({
            "name": name,
            "data": f"data/{data}.csv",
            "response": "y",
            "family": shards.family,
            "intercept": intercept,
            "network": network,
            "weights": weights,
            "partition": "sorted",
            "placement": "in-order",
            "clients": CLIENTS,
            "alpha": alpha,
            "rounds": rounds,
            "theta": f"fit/{name}.theta.csv",
            "names": shards.names,
            "global": estimate.tolist(),
            "distanceToGlobal": distance(path[-1], estimate),
            "consensus": consensus(path[-1]),
            "lastMove": abs(path[-1] - path[-2]).max(),
            "trace": [
                {"round": t, "distanceToGlobal": distance(path[t], estimate), "consensus": consensus(path[t])} for t in at
            ],
        })
    write_json("fit/cases.json", cases)


def write_theory():
    networks = [
        {"name": name, "network": network, "weights": weights, "clients": clients}
        | diagnosis(weight_matrix(network, weights, clients))
        for name, network, weights, clients in network_cases()
    ]
    problems = []
    for name, data, intercept, network, weights, alpha in theory_cases():
        shards = read_shards(f"data/{data}.csv", FAMILIES[data], intercept)
        case = {
            "name": name,
            "data": f"data/{data}.csv",
            "response": "y",
            "family": shards.family,
            "intercept": intercept,
            "network": network,
            "weights": weights,
            "partition": "sorted",
            "placement": "in-order",
            "clients": CLIENTS,
            "alpha": alpha,
        }
        facts, stable = problem(case, shards, weight_matrix(network, weights))
        file = None
        if stable is not None:
            file = f"theory/{name}.stable.csv"
            write_theta(file, shards, stable)
        problems.append(case | {"stable": file} | facts)
    write_json("theory/cases.json", {"networks": networks, "problems": problems})


# ---------------------------------------------------------------------------------------------------------- selfcheck


def close(what, got, want, tolerance):
    error = np.max(np.abs(np.asarray(got) - np.asarray(want)))
    assert error <= tolerance, f"{what}: {error:.3g} apart, at most {tolerance:.3g} allowed"
    print(f"  {what}: {error:.1e}")


def gth(w):
    """The stationary distribution of an irreducible W by elimination without subtraction (Grassmann, Taksar, Heyman)."""
    a = w.copy()
    for n in range(len(a) - 1, 0, -1):
        a[:n, n] /= a[n, :n].sum()
        a[:n, :n] += np.outer(a[:n, n], a[n, :n])
    pi = np.zeros(len(a))
    pi[0] = 1
    for n in range(1, len(a)):
        pi[n] = pi[:n] @ a[:n, n]
    return pi / pi.sum()


def check_models():
    print("gradients and Hessians against central differences, Shards.gradient against the gradient of each client")
    rng = np.random.default_rng(301)
    for data in ("linear", "logistic", "poisson", "unequal"):
        family = FAMILIES[data]
        shards = read_shards(f"data/{data}.csv", family, True)
        at = rng.normal(size=(shards.clients, shards.p)) * 0.3
        block = shards.gradient(at)
        gradients, hessians, h = [], [], 1e-5
        for m in range(shards.clients):
            x, y = shards.of(m)
            assert len(y) == shards.n[m] and (shards.owner == m).sum() == len(y)
            gradients.append([(loss(family, x, y, at[m] + e) - loss(family, x, y, at[m] - e)) / (2 * h)
                              for e in h * np.eye(shards.p)])
            hessians.append([(gradient(family, x, y, at[m] + e) - gradient(family, x, y, at[m] - e)) / (2 * h)
                             for e in h * np.eye(shards.p)])
        own = [gradient(family, *shards.of(m), at[m]) for m in range(shards.clients)]
        size = abs(block).max()
        close(f"{data} gradient", block, gradients, 1e-7 * size)
        close(f"{data} gradient in one block", block, own, 1e-13 * size)
        close(f"{data} Hessian", shards.hessians(at), hessians, 1e-7 * abs(shards.hessians(at)).max())
        assert (np.diff(shards.y) >= 0).all() and shards.n.sum() == len(shards.y)
        estimate = global_estimate(family, shards.x, shards.y)
        close(f"{data} global score", gradient(family, shards.x, shards.y, estimate), 0, 1e-12)


def check_networks():
    print("networks against closed forms")
    for m in (2, 3, 10, 20):
        close(f"SE2(W) of central, M = {m}", balance(weight_matrix("central", "uniform", m)) ** 2, (m - 2) ** 2 / (m - 1), 1e-12)
        star = weight_matrix("central", "uniform", m)
        close(f"pi of central, M = {m}", stationary(star), [0.5] + [0.5 / (m - 1)] * (m - 1), 1e-14)
    for d in (1, 2, 5):
        w = weight_matrix(f"circle:{d}", "uniform", 20)
        turns = abs(np.exp(2j * np.pi * np.outer(np.arange(20), np.arange(1, d + 1)) / 20).mean(axis=1))
        close(f"second eigenvalue of circle:{d}", diagnosis(w)["secondEigenvalue"], np.sort(turns)[-2], 1e-13)
        close(f"SE(W) of circle:{d}", balance(w), 0, 1e-15)
    for name, network, weights, clients in network_cases():
        w = weight_matrix(network, weights, clients)
        close(f"rows of {name}", w.sum(axis=1), 1, 1e-15)
        assert (w >= 0).all()
        facts = diagnosis(w)
        centred = w.T @ (np.eye(clients) - 1 / clients) @ w
        close(f"rho of {name}", facts["rhoSigmaW"] ** 2, np.linalg.eigvalsh(centred)[-1], 1e-13)
        kernel = (np.linalg.svd(np.eye(clients) - w, compute_uv=False) < 1e-12).sum()
        assert kernel == len(facts["closedClasses"]), f"{name}: {kernel} null vectors"
        if facts["stationary"] is not None:
            close(f"pi W = pi of {name}", facts["stationary"] @ w, facts["stationary"], 1e-14)
        if facts["irreducible"]:
            close(f"pi of {name} by GTH", gth(w), facts["stationary"], 1e-13)
            on_circle = (abs(abs(np.linalg.eigvals(w)) - 1) < 1e-9).sum()
            assert on_circle == facts["period"], f"{name}: period {facts['period']}, {on_circle} eigenvalues of modulus 1"
    for name in ("ring:2", "file:data/mutual.csv", "central"):
        w = weight_matrix(name, "metropolis")
        close(f"Metropolis on {name} is symmetric", w, w.T, 0)
    degrees = adjacency("file:data/edges.csv", CLIENTS).sum(axis=1)
    assert set(degrees) == {1, 2, 3, 4}, degrees
    assert diagnosis(weight_matrix("file:data/edges.csv", "uniform"))["irreducible"]


def check_theory():
    print("theory: long iteration against the stable solution, radius against products, certificate against radius")
    for name, data, intercept, network, weights, alpha in theory_cases():
        shards = read_shards(f"data/{data}.csv", FAMILIES[data], intercept)
        w = weight_matrix(network, weights)
        facts, stable = problem({"alpha": alpha}, shards, w)
        assert facts["certificate"] in (None, facts["converges"]), name
        if shards.family != "gaussian":
            close(f"{name}: Newton beside {facts['stableRounds']} rounds", facts["stableNewton"], 0, 1e-10)
            continue
        hessians = shards.hessians(np.zeros((CLIENTS, shards.p)))
        delta = np.eye(shards.p) - alpha * hessians
        if network == "circle:1":
            close(f"{name}: radius", facts["spectralRadius"], radius(np.linalg.multi_dot(delta)) ** (1 / CLIENTS), 1e-12)
        if network == "central":
            close(f"{name}: radius", facts["spectralRadius"], radius(delta[0] @ delta[1:].mean(axis=0)) ** 0.5, 1e-12)
        if facts["certificate"] is False:
            close(f"{name}: radius is 1", facts["spectralRadius"], 1, 1e-12)
        if not facts["converges"]:
            continue
        rounds = int(np.ceil(-33 / np.log(facts["spectralRadius"])))
        assert rounds < 300_000, f"{name}: {rounds} rounds"
        theta = np.random.default_rng(302).normal(size=stable.shape)  # one limit from every start
        for _ in range(rounds):
            mixed = w @ theta
            theta = mixed - alpha * shards.gradient(mixed)
        close(f"{name}: {rounds} rounds", theta, stable, 1e-10)

    rng, verdicts = np.random.default_rng(303), []
    for _ in range(400):
        m, p, n = (int(rng.integers(2, 8)), int(rng.integers(1, 5)), int(rng.integers(1, 4)))
        a = rng.random((m, m)) < rng.choice([0.15, 0.3, 0.6])
        a[a.sum(axis=1) == 0, int(rng.integers(0, m))] = True
        w = a / a.sum(axis=1)[:, None]
        shards = Shards(rng.normal(size=(m * n, p)), rng.normal(size=m * n), "gaussian", None, m)
        hessians = shards.hessians(np.zeros((m, p)))
        safe = 2 / np.linalg.eigvalsh(hessians).max()
        alpha = safe * rng.uniform(0.1, 0.9)
        rho, verdict = radius(contraction(hessians, w, alpha)), certificate(shards, w, alpha, safe)
        assert verdict == (rho < 1 - 1e-9) and (verdict or abs(rho - 1) < 1e-7), (rho, verdict)
        verdicts.append(verdict)
    print(f"  certificate agrees with the radius on {len(verdicts)} random cases, {sum(verdicts)} of them convergent")


def check_fit():
    print("fit: what a case can tell apart")
    shards = read_shards("data/linear.csv", "gaussian", True)
    w = weight_matrix("circle:2", "uniform")
    late = list(ngd(shards, w, "0.05,0.02@101,0.005@201", 300))[-1]
    right = list(ngd(shards, w, "0.05,0.02@100,0.005@200", 300))[-1]
    print(f"  a schedule one round late: {abs(late - right).max():.1e}")
    other = list(ngd(shards, w.T, "0.05,0.02@100,0.005@200", 300))[-1]
    print(f"  W transposed: {abs(other - right).max():.1e}")
    for name, data, intercept, network, weights, alpha, rounds in fit_cases():
        theta = np.array([row[1:] for row in read_csv(f"fit/{name}.theta.csv")[1]], dtype=float)
        shards = read_shards(f"data/{data}.csv", FAMILIES[data], intercept)
        w = weight_matrix(network, weights)
        by_hand = np.zeros_like(theta)
        for t in range(rounds):
            by_hand = np.array([
                mixed - step_size(alpha, t) * gradient(shards.family, *shards.of(m), mixed)
                for m, mixed in enumerate(sum(w[m, k] * by_hand[k] for k in np.flatnonzero(w[m])) for m in range(CLIENTS))
            ])
        close(f"{name}: file against client by client", theta, by_hand, 1e-12)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--selfcheck", action="store_true", help="check this program and the files it wrote")
    if parser.parse_args().selfcheck:
        check_models()
        check_networks()
        check_theory()
        check_fit()
        print("all held")
    else:
        write_data()
        write_fit()
        write_theory()


if __name__ == "__main__":
    main()
