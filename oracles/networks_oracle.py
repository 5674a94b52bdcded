"""Neural networks under network gradient descent in plain PyTorch, client after client: the oracle of `ngd.deep`.

    python3 oracles/networks_oracle.py          writes networks/cases.json beside this file

Needs PyTorch; float64 throughout. Weights and images come from a formula in whole numbers, so that any program can make
the same ones. README.md says what the file holds.
"""

import json
from pathlib import Path

import torch
from torch import nn

HERE = Path(__file__).resolve().parent
MIX = [[0.5, 0.5], [0.25, 0.75]]
SIZES = [12, 9]
ALPHA = 0.005
ROUNDS = 3


def share(numbers, salt):
    """Numbers in [0, 1) from whole numbers: (31 i^2 + 48271 i + 7 + salt) mod 2147483647, cut to 20 bits."""
    i = torch.arange(numbers, dtype=torch.int64)
    return ((31 * i * i + 48271 * i + 7 + salt) % 2147483647 // 2048).double() / 1048576


def normalised(kind, channels):
    return nn.BatchNorm2d(channels) if kind == "batch" else nn.GroupNorm(32 if channels % 32 == 0 else 16, channels)


def lenet(kind):
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )


def mobilenet(kind):
    layers = [nn.Conv2d(3, 32, 3, 2, 1, bias=False), normalised(kind, 32), nn.ReLU()]
    before = 32
    for after, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]:
        layers += [nn.Conv2d(before, before, 3, stride, 1, groups=before, bias=False), normalised(kind, before), nn.ReLU()]
        layers += [nn.Conv2d(before, after, 1, bias=False), normalised(kind, after), nn.ReLU()]
        before = after
    flat = nn.BatchNorm1d(1024) if kind == "batch" else nn.GroupNorm(32, 1024)
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), flat]
    layers += [nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 10)]
    return nn.Sequential(*layers)


class Block(nn.Module):
    def __init__(self, kind, before, after, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, after, 3, stride, 1, bias=False), normalised(kind, after), nn.ReLU(),
            nn.Conv2d(after, after, 3, 1, 1, bias=False), normalised(kind, after),
        )
        self.short = nn.Sequential()
        if before != after:
            self.short = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), normalised(kind, after))

    def forward(self, x):
        return torch.relu(self.body(x) + self.short(x))


def resnet20(kind):
    layers = [nn.Conv2d(3, 16, 3, 1, 1, bias=False), normalised(kind, 16), nn.ReLU()]
    before = 16
    for after in (16, 32, 64):
        for block in range(3):
            layers.append(Block(kind, before, after, 2 if before != after else 1))
            before = after
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


def case(name, build, kind, shape):
    clients = [build(kind).double() for _ in MIX]
    size = sum(p.numel() for p in clients[0].parameters())
    for client, model in enumerate(clients):
        at = 0
        u = 2 * share(size, 1000 * client) - 1
        for parameter in model.parameters():
            part = u[at : at + parameter.numel()].view(parameter.shape)
            at += parameter.numel()
            parameter.data = 0.1 * part if parameter.dim() == 1 else (3 / parameter[0].numel()) ** 0.5 * part
        for module in model.modules():
            if isinstance(module, (nn.BatchNorm2d, nn.BatchNorm1d, nn.GroupNorm)):
                module.weight.data += 1
    pixels = shape[0] * shape[1] * shape[2]
    images = (4 * share(pixels * sum(SIZES), 5) - 2).view(sum(SIZES), *shape)
    labels = torch.arange(sum(SIZES)) * 3 % 10
    losses = []
    for _ in range(ROUNDS):
        heard = [
            [sum(w * p.data for w, p in zip(row, same)) for same in zip(*[model.parameters() for model in clients])]
            for row in MIX
        ]
        now, first = [], 0
        for model, own, n in zip(clients, heard, SIZES):
            model.train()
            model.zero_grad()
            for parameter, value in zip(model.parameters(), own):
                parameter.data = value
            loss = nn.functional.cross_entropy(model(images[first : first + n]), labels[first : first + n])
            loss.backward()
            for parameter in model.parameters():
                parameter.data = parameter.data - ALPHA * parameter.grad
            now.append(loss.item())
            first += n
        losses.append(now)
    said = []
    for model in clients:
        model.eval()
        with torch.no_grad():
            said.append(model(images[:2]).tolist())
    return {
        "model": name,
        "input": list(shape),
        "parameters": size,
        "losses": losses,
        "squares": [sum(float((p.data**2).sum()) for p in model.parameters()) for model in clients],
        "logits": said,
    }


def main():
    torch.set_num_threads(2)
    image = (3, 20, 20)
    cases = [case("lenet", lenet, "", (1, 28, 28))]
    for name, build in (("mobilenet", mobilenet), ("resnet20", resnet20)):
        cases.append(case(name, build, "batch", image))
        cases.append(case(name + ":group", build, "group", image))
    whole = {"mix": MIX, "sizes": SIZES, "alpha": ALPHA, "rounds": ROUNDS, "cases": cases}
    (HERE / "networks").mkdir(exist_ok=True)
    (HERE / "networks" / "cases.json").write_text(json.dumps(whole, indent=1) + "\n")


main()
