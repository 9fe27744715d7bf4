"""Times of PyTorch's operators on a device, "name: microseconds" a line: small ones that show the
cost of a call, and steps of training that show the cost in a program.

    torch_operators.py cpu|cuda
"""

import sys
import time

import torch
from torch import nn
from torch.nn import functional

CALLS = 4000
STEPS = 6


def called(device):
    """Of a call whose work is nothing."""
    x, y = torch.ones(4, device=device), torch.ones(4, device=device)
    weight = torch.ones(4, 4, device=device)
    return {"add": lambda: x + y, "add_": lambda: x.add_(y), "relu": lambda: functional.relu(x),
            "mm": lambda: weight @ weight, "sum": lambda: x.sum(), "view": lambda: x.view(2, 2)}


def trained(device):
    convolutional = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(),
        nn.Linear(1024, 10)).to(device)
    images, labels = torch.randn(32, 3, 64, 64, device=device), torch.zeros(
        32, dtype=torch.long, device=device)
    dense = nn.Sequential(nn.Linear(512, 1024), nn.GELU(), nn.Linear(1024, 10)).to(device)
    rows = torch.randn(256, 512, device=device)
    attend = nn.TransformerEncoderLayer(128, 4, 256, batch_first=True).to(device)
    words = torch.randn(8, 64, 128, device=device)

    def step(model, x, loss_of):
        optimizer = torch.optim.Adam(model.parameters())

        def one():
            optimizer.zero_grad()
            loss_of(model(x)).backward()
            optimizer.step()
        return one
    return {"convolutional": step(convolutional, images,
                                  lambda out: functional.cross_entropy(out, labels)),
            "dense": step(dense, rows, lambda out: out.square().mean()),
            "transformer": step(attend, words, lambda out: out.square().mean())}


def main():
    device = sys.argv[1]
    torch.manual_seed(0)
    for count, cases in ((CALLS, called(device)), (STEPS, trained(device))):
        for name, call in cases.items():
            for _ in range(count // 4):
                call()
            begin = time.perf_counter()
            for _ in range(count):
                call()
            print(f"{name} {(time.perf_counter() - begin) / count * 1e6:.3f}")


if __name__ == "__main__":
    main()
