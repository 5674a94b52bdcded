#!/usr/bin/env python3
"""Methods without rounds after their papers: every client's coefficients after 3, 10 and 57 simulated seconds.

What happens is read from asynchronous-trace.csv: who wakes, to whom it writes, which letter arrives where and when, and what never arrives.
What a letter says, what becomes of it and what a client does when it wakes is this program's own; where a method itself decides to whom it
writes or whether it waits, the trace is held against that. Data, names and format are those of methods_oracle.py; methods/README.md has the
citations and every choice a paper leaves open.

`--selfcheck` checks what the papers promise on traces of its own making.
"""
import argparse
import heapq

import numpy as np

from further_oracle import averaging, listens, stationary
from methods_oracle import AT, M, ROUNDS, STEP, STEPS, Problem, number, read_csv, write_csv


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
    """NGD on own clocks: the freshest that was heard of each, and no waiting, or waiting for those that are too far behind."""

    def __init__(self, world, a, stale=None):
        self.world, self.a, self.stale = world, a, stale
        self.x = np.zeros((M, 4))
        self.updates = [0] * M
        self.freshest = [{k: (0, np.zeros(4)) for k in world.heard[m]} for m in range(M)]

    def wake(self, m, sent):
        ahead = self.updates[m] - min(count for count, _ in self.freshest[m].values())
        if self.stale is not None and ahead >= self.stale:
            assert not sent, "a client that waits says nothing"
            return []
        w = self.world.w[m]
        v = w[m] * self.x[m] + sum(w[k] * x for k, (_, x) in self.freshest[m].items())
        self.x[m] = v - self.a * self.world.gradient(m, v)
        self.updates[m] += 1
        assert sent == self.world.listeners[m], "every listener is told"
        return [(self.updates[m], self.x[m].copy()) for _ in sent]

    def letter(self, m, sender, content, sent):
        assert not sent
        if content[0] > self.freshest[m][sender][0]:
            self.freshest[m][sender] = content
        return []


class AdPsgd:
    """A step on the own model, and the mean with one neighbour: what one of the two gains the other loses."""

    def __init__(self, world, a, batch=False):
        self.world, self.a, self.batch = world, a, batch
        self.x, self.clock, self.last, self.updates = np.zeros((M, 4)), np.zeros(M), np.zeros(M), [0] * M

    def wake(self, m, sent):
        self.clock[m] += 1
        length, self.last[m] = min(2, self.clock[m] - self.last[m]), self.clock[m]
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

    def __init__(self, world, a, batch=False):
        self.world, self.a, self.batch = world, a, batch
        self.x, self.weight, self.updates = np.zeros((M, 4)), np.ones(M), [0] * M
        self.pushed = {(m, k): np.zeros(5) for m in range(M) for k in world.listeners[m]}
        self.taken = {(m, k): np.zeros(5) for m, k in self.pushed}
        walk = np.zeros((M, M))
        for m in range(M):
            walk[m, world.listeners[m]] = 1 / len(world.listeners[m])
        q = stationary(walk)
        self.c = world.p.share / q

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
