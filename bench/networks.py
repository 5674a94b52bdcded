"""One round of network gradient descent for MobileNet v1 or ResNet-20 in PyTorch, to be timed beside ngd (bench/networks).

All clients' weights are rows of one M x p tensor; W times it is what a client hears; then a gradient step on a batch of
the client's own images, one client after another, each with its own running statistics. Prints
"python MODEL DEVICE ms MEDIAN best BEST".
"""
import argparse
import time

import torch
import torch.nn.functional as F
from torch import nn


def normed(conv):
    return [conv, nn.BatchNorm2d(conv.out_channels), nn.ReLU(inplace=True)]


def mobilenet():
    pairs = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]
    layers = normed(nn.Conv2d(3, 32, 3, 2, 1, bias=False))
    width = 32
    for out, stride in pairs:
        layers += normed(nn.Conv2d(width, width, 3, stride, 1, groups=width, bias=False))
        layers += normed(nn.Conv2d(width, out, 1, bias=False))
        width = out
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.BatchNorm1d(1024), nn.Linear(1024, 256), nn.ReLU(),
               nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 10)]
    return nn.Sequential(*layers)


class Block(nn.Module):
    def __init__(self, width, out, stride):
        super().__init__()
        self.body = nn.Sequential(*normed(nn.Conv2d(width, out, 3, stride, 1, bias=False)),
                                  nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out))
        self.shortcut = nn.Sequential()
        if stride != 1 or width != out:
            self.shortcut = nn.Sequential(nn.Conv2d(width, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


def resnet20():
    layers = normed(nn.Conv2d(3, 16, 3, 1, 1, bias=False))
    width = 16
    for out in (16, 32, 64):
        for block in range(3):
            layers.append(Block(width, out, 2 if block == 0 and out > 16 else 1))
            width = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("--model", choices=["mobilenet", "resnet20"], default="mobilenet")
    ask.add_argument("--device", default="cpu")
    ask.add_argument("--clients", type=int, default=10)
    ask.add_argument("--images", type=int, default=20)
    ask.add_argument("--rounds", type=int, default=10)
    ask.add_argument("--threads", type=int, default=2)
    say = ask.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(say.threads)
    m, n = say.clients, say.images
    models = [{"mobilenet": mobilenet, "resnet20": resnet20}[say.model]().to(say.device) for _ in range(m)]
    names = [name for name, _ in models[0].named_parameters()]
    shapes = [part.shape for _, part in models[0].named_parameters()]
    sizes = [shape.numel() for shape in shapes]
    images = torch.randn(m, n, 3, 32, 32, device=say.device)
    labels = torch.randint(0, 10, (m, n), device=say.device)
    mix = torch.zeros(m, m, device=say.device)
    for client in range(m):
        for step in (1, 2):
            mix[client, (client + step) % m] = 0.5
    theta = torch.cat([part.detach().reshape(1, -1) for part in models[0].parameters()], 1).repeat(m, 1)
    times = []
    for turn in range(say.rounds + 3):
        if say.device == "cuda":
            torch.cuda.synchronize()
        begin = time.perf_counter()
        heard = mix @ theta
        gradient = torch.empty_like(heard)
        for client in range(m):
            own = heard[client].detach().requires_grad_(True)
            parts = {name: part.view(shape) for name, part, shape in zip(names, own.split(sizes), shapes)}
            said = torch.func.functional_call(models[client], parts, (images[client],))
            F.cross_entropy(said, labels[client]).backward()
            gradient[client] = own.grad
        theta = heard - 0.001 * gradient
        if say.device == "cuda":
            torch.cuda.synchronize()
        if turn >= 3:
            times.append(1e3 * (time.perf_counter() - begin))
    times.sort()
    print("python %s p %d M %d n %d %s %s ms %.1f best %.1f" % (
        say.model, sum(sizes), m, n, say.device, torch.__version__, times[len(times) // 2], times[0]), flush=True)


main()
