"""One round of network gradient descent for LeNet in PyTorch, to be timed beside ngd (bench/lenet).

All clients' weights are one M x p tensor; W times it is what a client hears; then a gradient step on the client's own
images. Prints "python VARIANT PRECISION ms MEDIAN best BEST" for each variant.
"""
import argparse
import time

import torch
import torch.nn.functional as F

SHAPES = [(6, 1, 5, 5), (6,), (16, 6, 5, 5), (16,), (120, 400), (120,), (84, 120), (84,), (10, 84), (10,)]
SIZES = [int(torch.tensor(shape).prod()) for shape in SHAPES]


def weights(theta):
    return [part.view(len(theta), *shape) for part, shape in zip(theta.split(SIZES, 1), SHAPES)]


def dense(x, w, m):
    """From pooled second features, M x n x 400, to logits."""
    x = torch.relu(torch.baddbmm(w[5].unsqueeze(1), x, w[4].transpose(1, 2)))
    x = torch.relu(torch.baddbmm(w[7].unsqueeze(1), x, w[6].transpose(1, 2)))
    return torch.baddbmm(w[9].unsqueeze(1), x, w[8].transpose(1, 2))


def second(x, w, m):
    x = F.conv2d(x, w[2].reshape(m * 16, 6, 5, 5), w[3].reshape(-1), groups=m)
    x = F.max_pool2d(torch.relu(x), 2)
    return x.reshape(len(x), m, 400).transpose(0, 1)


def grouped(theta, x, m):
    """x: n x M x 28 x 28."""
    w = weights(theta)
    a = F.conv2d(x, w[0].reshape(m * 6, 1, 5, 5), w[1].reshape(-1), padding=2, groups=m)
    return dense(second(F.max_pool2d(torch.relu(a), 2), w, m), w, m)


def by_patches(theta, patches, m):
    """patches: M x 25 x (n 784), made once, since images do not change."""
    w = weights(theta)
    a = torch.baddbmm(w[1].unsqueeze(2), w[0].view(m, 6, 25), patches)
    n = patches.shape[2] // 784
    a = a.view(m * 6, n, 28, 28).transpose(0, 1)
    return dense(second(F.max_pool2d(torch.relu(a), 2), w, m), w, m)


def one_after_another(theta, x, m):
    out = []
    for client in range(m):
        w = [part[0] for part in weights(theta[client : client + 1])]
        a = F.max_pool2d(torch.relu(F.conv2d(x[client], w[0], w[1], padding=2)), 2)
        a = F.max_pool2d(torch.relu(F.conv2d(a, w[2], w[3])), 2).flatten(1)
        a = torch.relu(F.linear(a, w[4], w[5]))
        a = torch.relu(F.linear(a, w[6], w[7]))
        out.append(F.linear(a, w[8], w[9]))
    return torch.stack(out)


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("--device", default="cpu")
    ask.add_argument("--clients", type=int, default=40)
    ask.add_argument("--images", type=int, default=150)
    ask.add_argument("--rounds", type=int, default=20)
    ask.add_argument("--threads", type=int, default=2)
    ask.add_argument("--only", default="")
    say = ask.parse_args()
    cuda = say.device == "cuda"
    torch.manual_seed(1)
    torch.set_num_threads(say.threads)
    m, n = say.clients, say.images
    images = torch.randn(m, n, 1, 28, 28, device=say.device)
    labels = torch.randint(0, 10, (m, n), device=say.device)
    mix = torch.zeros(m, m, device=say.device)
    for client in range(m):
        for step in (1, 2):
            mix[client, (client + step) % m] = 0.5
    beside = images.transpose(0, 1).reshape(n, m, 28, 28).contiguous()
    variants = {"one-after-another": (one_after_another, images, False), "grouped": (grouped, beside, False)}
    if cuda:
        patches = F.unfold(images.view(m * n, 1, 28, 28), 5, padding=2).view(m, n, 25, 784)
        patches = patches.permute(0, 2, 1, 3).reshape(m, 25, n * 784).contiguous()
        variants["grouped-compiled"] = (grouped, beside, True)
        variants["patches-compiled"] = (by_patches, patches, True)
    for name, (logits, x, compiled) in variants.items():
        if say.only and name not in say.only.split(","):
            continue

        def loss(theta, data):
            said = logits(theta, data, m)
            return F.cross_entropy(said.reshape(m * n, 10), labels.view(-1), reduction="sum") / n

        for precision in ["float32", "tf32"] if cuda else ["float32"]:
            torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
            torch.backends.cudnn.allow_tf32 = precision == "tf32"
            measured = torch.compile(loss) if compiled else loss
            theta = torch.randn(m, sum(SIZES), device=say.device) * 0.05
            times = []
            for turn in range(say.rounds + 5):
                if cuda:
                    torch.cuda.synchronize()
                begin = time.perf_counter()
                heard = (mix @ theta).requires_grad_(True)
                measured(heard, x).backward()
                theta = heard.detach() - 0.01 * heard.grad
                if cuda:
                    torch.cuda.synchronize()
                if turn >= 5:
                    times.append(1e3 * (time.perf_counter() - begin))
            times.sort()
            print("python %s %s ms %.2f best %.2f" % (name, precision, times[len(times) // 2], times[0]), flush=True)
            torch._dynamo.reset()


main()
