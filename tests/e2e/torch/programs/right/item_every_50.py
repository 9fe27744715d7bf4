"""Train a regressor and report the mean loss of every fifty steps."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
REPORT = 50


def target(x):
    return (x[:, :2].prod(dim=1) + x[:, 2].abs()).unsqueeze(1)


def main():
    torch.manual_seed(2)
    data = torch.randn(150 * 32, 8)
    inputs, targets = data.to(DEVICE), target(data).to(DEVICE)
    model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1)).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    running = torch.zeros((), device=DEVICE)
    pairs = zip(inputs.split(32), targets.split(32))
    for step, (x, y) in enumerate(pairs, start=1):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        running += loss.detach()
        if step % REPORT == 0:
            print(f"step {step}: {running.item() / REPORT:.3f}")
            running.zero_()


if __name__ == "__main__":
    main()
