#!/usr/bin/env python3
"""Methods without rounds after their papers: every client's coefficients after 3, 10 and 57 simulated seconds.

What happens is read from asynchronous-trace.csv: who wakes, to whom it writes, which letter arrives where and when, and what never arrives.
What a letter says, what becomes of it and what a client does when it wakes is this program's own; where a method itself decides to whom it
writes, the trace is held against that. Data, names and format are those of methods_oracle.py; methods/README.md has the citations and every
choice a paper leaves open.

`--data` writes the cases anew, for which OracleAsynchronousMethodsTest then writes the trace (-Dngd.trace=FILE); `--selfcheck` checks what
the papers promise on events of its own making.
"""
import argparse
import heapq

import numpy as np

from further_oracle import Further, averaging, listens, ngd, stationary
from methods_oracle import AT, M, STEP, STEPS, Problem, number, read_csv, write_csv


class World:
    """The clients' data, and the network: who hears whom, who listens to whom."""

    def __init__(self, model, network, weights):
        self.p = Problem(model)
        self.w = averaging(network, weights)
        links = listens(network)
        self.listeners = [[k for k in range(M) if links[k, m]] for m in range(M)]
        self.heard = [[k for k in range(M) if links[m, k]] for m in range(M)]

    def gradient(self, m, at, step=None):
        """The gradient of client m's mean loss at `at`, over its rows or those of batch `step`."""
        rows = slice(None) if step is None else self.p.batches[m, step % STEPS]
        return self.p.each(m, at)[rows].mean(0)


class AsyncNgd:
    """NGD on own clocks: the freshest that was heard of each; who is too far ahead of one that it hears repeats itself until that has changed.

    All begin by saying where they stand. Who was never heard is left out of the average.
    """

    def __init__(self, world, a, stale=0):
        self.world, self.a, self.stale = world, a, stale
        self.x, self.updates = np.zeros((M, 4)), [0] * M
        self.freshest = [{k: (-1, None) for k in world.heard[m]} for m in range(M)]

    def told(self, m):
        return [(self.updates[m], self.x[m].copy()) for _ in self.world.listeners[m]]

    def draw(self, m, rng):
        return self.world.listeners[m]

    def begin(self, m, sent):
        assert sent == self.world.listeners[m], "every listener is told"
        return self.told(m)

    def wake(self, m, sent):
        ahead = self.updates[m] - min(count for count, _ in self.freshest[m].values())
        if not self.stale or ahead <= self.stale:
            w = self.world.w[m]
            rows = [(w[m], self.x[m])] + [(w[k], x) for k, (count, x) in self.freshest[m].items() if count >= 0]
            v = sum(weight * x for weight, x in rows) / sum(weight for weight, _ in rows)
            self.x[m] = v - self.a * self.world.gradient(m, v)
            self.updates[m] += 1
        assert sent == self.world.listeners[m], "every listener is told"
        return self.told(m)

    def letter(self, m, sender, content, sent):
        assert not sent
        if content[0] > self.freshest[m][sender][0]:
            self.freshest[m][sender] = content
        return []


class AdPsgd:
    """A step on the own model, and the mean with one neighbour: what one of the two gains the other loses.

    Clocks are averaged like models, and set forward by 1 by who wakes. A step is as long as the time not yet used, but at most 2.
    """

    def __init__(self, world, a, batch=0):
        self.world, self.a, self.batch = world, a, batch
        self.x, self.clock, self.used, self.updates = np.zeros((M, 4)), np.zeros(M), np.zeros(M), [0] * M

    def draw(self, m, rng):
        return [rng.choice(self.world.heard[m])]

    def begin(self, m, sent):
        assert not sent
        return []

    def wake(self, m, sent):
        self.clock[m] += 1
        length = min(2, max(0, self.clock[m] - self.used[m]))
        self.used[m] += length
        before = self.x[m].copy()
        step = self.updates[m] if self.batch else None
        self.x[m] -= self.a * length * self.world.p.c[m] * self.world.gradient(m, before, step)
        self.updates[m] += 1
        assert len(sent) == 1 and sent[0] in self.world.heard[m], "one neighbour"
        return [("ask", before, self.clock[m])]

    def letter(self, m, sender, content, sent):
        kind, x, clock = content
        if kind == "ask":
            assert sent == [sender], "who is asked answers"
            way, time = (x - self.x[m]) / 2, (clock - self.clock[m]) / 2
            self.x[m] += way
            self.clock[m] += time
            return [("answer", way, time)]
        assert not sent
        self.x[m] -= x
        self.clock[m] -= clock
        return []


class GoSgd:
    """A step on the own model, and now and then half of the weight to a listener; letters hold the sums of all that went that way."""

    def __init__(self, world, a, P=0.5, batch=0):
        self.world, self.a, self.push, self.batch = world, a, P, batch
        self.x, self.weight, self.updates = np.zeros((M, 4)), np.ones(M), [0] * M
        self.pushed = {(m, k): np.zeros(5) for m in range(M) for k in world.listeners[m]}
        self.taken = {(m, k): np.zeros(5) for m, k in self.pushed}
        walk = np.zeros((M, M))
        for m in range(M):
            walk[m, world.listeners[m]] = 1 / len(world.listeners[m])
        self.c = world.p.share / stationary(walk)

    def draw(self, m, rng):
        return [rng.choice(self.world.listeners[m])] if rng.random() < self.push else []

    def begin(self, m, sent):
        assert not sent
        return []

    def wake(self, m, sent):
        step = self.updates[m] if self.batch else None
        self.x[m] -= self.a * self.c[m] * self.world.gradient(m, self.x[m], step)
        self.updates[m] += 1
        if not sent:
            return []
        assert len(sent) == 1 and sent[0] in self.world.listeners[m], "one listener"
        self.weight[m] /= 2
        self.pushed[m, sent[0]] += self.weight[m] * np.r_[self.x[m], 1]
        return [self.pushed[m, sent[0]].copy()]

    def letter(self, m, sender, content, sent):
        assert not sent
        new = content - self.taken[sender, m]
        if new[4] > 0:
            self.taken[sender, m] = content
            self.x[m] = (self.weight[m] * self.x[m] + new[:4]) / (self.weight[m] + new[4])
            self.weight[m] += new[4]
        return []


# ---------------------------------------------------------------------------------------------------------------- cases

EQUAL, POISSON, UNEQUAL = "equal", "poisson", "unequal"
METHODS = {"async-ngd": AsyncNgd, "ad-psgd": AdPsgd, "gosgd": GoSgd}
IMPAIRMENTS = ["clocks", "delay", "loss", "up", "down"]


def case(network, weights, clocks=EQUAL, delay=0, loss=0, up=0, down=0, **parameters):
    return network, weights, {"clocks": clocks, "delay": delay, "loss": loss, "up": up, "down": down} | parameters


CASES = {
    "async-ngd": [
        case("file:mutual.csv", "metropolis"),
        case("file:mutual.csv", "lazy-metropolis", POISSON, delay=0.8, stale=2),
        case("central", "metropolis", UNEQUAL, delay=0.4, loss=0.2),
        case("complete", "metropolis", POISSON, delay=0.5, loss=0.1, up=6, down=3, stale=4),
        case("ring:2", "metropolis", UNEQUAL, up=10, down=4),
        case("circle:2", "lazy:0.5", UNEQUAL, delay=0.3, stale=1),
        case("file:directed.csv", "lazy:0.3", POISSON, delay=1.5, loss=0.3, up=8, down=2),
    ],
    "ad-psgd": [
        case("file:mutual.csv", "metropolis"),
        case("file:mutual.csv", "metropolis", POISSON, delay=0.8, batch=2),
        case("central", "metropolis", UNEQUAL, delay=0.4),
        case("complete", "metropolis", POISSON, delay=0.5, loss=0.1, up=6, down=3),
        case("ring:1", "metropolis", UNEQUAL, loss=0.3, batch=2),
        case("ring:2", "metropolis", POISSON, delay=1.5, up=8, down=4),
    ],
    "gosgd": [
        case("file:mutual.csv", "metropolis", P=0.5),
        case("file:mutual.csv", "metropolis", POISSON, delay=0.8, P=0.9, batch=2),
        case("central", "metropolis", UNEQUAL, delay=0.4, loss=0.2, P=0.5),
        case("complete", "metropolis", POISSON, delay=0.5, loss=0.1, up=6, down=3, P=0.3),
        case("ring:1", "metropolis", EQUAL, delay=0.6, loss=0.3, P=1.0, batch=2),
        case("circle:2", "lazy:0.5", UNEQUAL, delay=0.3, P=0.7),
        case("file:directed.csv", "lazy:0.3", POISSON, delay=1.5, loss=0.3, up=8, down=2, P=0.5),
    ],
}


def label(parameters):
    return " ".join(f"{k}={v}" for k, v in parameters.items())


def write_data():
    write_csv("asynchronous.csv", ["case", "method", "network", "weights", "parameters"],
              [[f"{name}-{i}", name, network, weights, label(parameters)]
               for name, cases in CASES.items() for i, (network, weights, parameters) in enumerate(cases)])


def start(name, model, network, weights, parameters, a):
    own = {k: v for k, v in parameters.items() if k not in IMPAIRMENTS}
    return METHODS[name](World(model, network, weights), a, **own)


def replay(method, events):
    """Goes through (time, client, letter, to whom it then writes), and yields the time before each event and every client's coefficients."""
    written = []
    for time, m, letter, sent in events:
        yield time, method.x
        if letter is None:
            contents = method.begin(m, sent) if time == 0 else method.wake(m, sent)
        else:
            sender, to, content = written[letter]
            assert to == m, "a letter arrives where it was sent"
            contents = method.letter(m, sender, content, sent)
        assert len(contents) == len(sent)
        written += [(m, to, content) for to, content in zip(sent, contents)]
    yield np.inf, method.x


def trace():
    """The events of every case: a line is (case, time, client, letter that arrives, clients it then writes to)."""
    events = {}
    for name, time, m, letter, sent in read_csv("asynchronous-trace.csv"):
        events.setdefault(name, []).append(
            (float(time), int(m), int(letter) if letter else None, [int(k) for k in sent.split(";")] if sent else []))
    return events


def write_method(name, events):
    rows = []
    for i, (network, weights, parameters) in enumerate(CASES[name]):
        for model, a in STEP.items():
            seconds = list(AT)
            for time, x in replay(start(name, model, network, weights, parameters, a), events[f"{name}-{i}"]):
                while seconds and time > seconds[0]:
                    rows += [[f"{name}-{i}", model, a, seconds[0], m, *map(number, x[m])] for m in range(M)]
                    seconds.pop(0)
    write_csv(f"{name}.csv", ["case", "model", "alpha", "seconds", "client", *(f"theta{j}" for j in range(4))], rows)


# ----------------------------------------------------------------------------------------------------------- self-check


def live(method, rng, seconds, clocks=EQUAL, delay=0.0, loss=0.0, up=0, down=0):
    """Lets a method run among events drawn here. Of those at one time wakes come before letters, in the order in which they were made."""
    pace = 0.5 + rng.random(M) if clocks == UNEQUAL else np.ones(M)
    down_from, down_until = np.full(M, np.inf), np.full(M, np.inf)
    if up:
        down_from = rng.exponential(up, M)
        down_until = down_from + rng.exponential(down, M)
    queue = []

    def later(time, m, letter=None):
        heapq.heappush(queue, (time, letter is not None, later.made, m, letter))
        later.made += 1

    later.made = 0

    def write(time, m, to, contents):
        for k, content in zip(to, contents, strict=True):
            if rng.random() >= loss:
                later(time + (rng.exponential(delay) if delay else 0), k, (m, content))

    for m in range(M):
        to = method.draw(m, rng) if isinstance(method, AsyncNgd) else []
        write(0, m, to, method.begin(m, to))
        later(rng.exponential() if clocks == POISSON else pace[m], m)
    while queue[0][0] <= seconds:
        time, _, _, m, letter = heapq.heappop(queue)
        while time >= down_until[m]:
            down_from[m] = down_until[m] + rng.exponential(up)
            down_until[m] = down_from[m] + rng.exponential(down)
        here = time < down_from[m]
        if here and letter:
            to = [letter[0]] if letter[1][0] == "ask" else []
            write(time, m, to, method.letter(m, *letter, to))
        elif here:
            to = method.draw(m, rng)
            write(time, m, to, method.wake(m, to))
        if letter is None:
            later(time + (rng.exponential() if clocks == POISSON else pace[m]), m)
    return method


def check(what, error, limit):
    print(f"{what}: {error:.1e}")
    assert error < limit, what


def selfcheck():
    rng = np.random.default_rng(11)
    for model, a in STEP.items():
        for network, weights in [("file:mutual.csv", "metropolis"), ("circle:2", "lazy:0.5"), ("central", "metropolis")]:
            world = World(model, network, weights)
            p = Further(model)
            p.c = np.ones(M)
            for t, x in enumerate(ngd(p, world.w, a), 1):
                if t == 40:
                    break
            check("async-ngd with equal clocks and no delay is ngd", abs(live(AsyncNgd(world, a), rng, 40).x - x).max(), 1e-12)
            late = live(AsyncNgd(world, a, 3), rng, 12000, POISSON, 0.5, 0.1, 20, 5).x
            for t, x in enumerate(ngd(p, world.w, a), 1):
                if t == 12000:
                    break
            check("async-ngd ends where ngd does, whatever is late or lost", abs(late - x).max(), 1e-9)
        for network in ("file:mutual.csv", "ring:1", "complete"):
            world = World(model, network, "metropolis")
            for name, how in (("equal", {}), ("poisson", {"clocks": POISSON, "delay": 0.3}), ("unequal", {"clocks": UNEQUAL})):
                far = [abs(live(AdPsgd(world, a / s), rng, 400 * s, **how).x - world.p.pooled()).max() for s in (4, 64)]
                check(f"ad-psgd, {name} clocks, comes to the pooled estimate (from {far[0]:.1e})", far[1], max(far[0] / 2, 0.03))
            still = AdPsgd(world, 0.0)
            still.x = rng.normal(size=(M, 4))
            mean = still.x.mean(0)
            live(still, rng, 60.0, POISSON)
            check("ad-psgd averages: all come to the mean", abs(still.x - mean).max(), 1e-2)
        for network, weights in [("file:mutual.csv", "metropolis"), ("file:directed.csv", "lazy:0.3"), ("central", "metropolis")]:
            world = World(model, network, weights)
            far = [abs(live(GoSgd(world, a / s), rng, 400 * s, POISSON, 0.3, 0.2).x - world.p.pooled()).max() for s in (4, 64)]
            check(f"gosgd comes to the pooled estimate (from {far[0]:.1e})", far[1], max(far[0] / 2, 0.1))
            method = live(GoSgd(world, a), rng, 300, POISSON, 0.5, 0.3)
            held = method.weight.sum() + sum(method.pushed[k][4] - method.taken[k][4] for k in method.pushed)
            check("gosgd loses no weight", abs(held - M), 1e-9)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", action="store_true")
    parser.add_argument("--selfcheck", action="store_true")
    parser.add_argument("methods", nargs="*")
    options = parser.parse_args()
    if options.data:
        write_data()
    elif options.selfcheck:
        selfcheck()
    else:
        events = trace()
        for name in options.methods or METHODS:
            write_method(name, events)


if __name__ == "__main__":
    main()
