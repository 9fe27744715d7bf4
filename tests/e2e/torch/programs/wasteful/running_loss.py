"""Fit a small regression network and print the mean loss of every epoch."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def make_data(rows=2048):
    x = torch.randn(rows, 16)
    y = (x[:, :1] * x[:, 1:2] + x[:, 2:3].sin()) + 0.05 * torch.randn(rows, 1)
    return x, y


def train_epoch(model, criterion, optimizer, x, y, batch=256):
    running_loss = 0.0
    steps = 0
    for begin in range(0, len(x), batch):
        inputs, target = x[begin:begin + batch], y[begin:begin + batch]
        optimizer.zero_grad()
        loss = criterion(model(inputs), target)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()  # WASTE: wait per step
        steps += 1
    return running_loss / steps


def main():
    torch.manual_seed(14)
    x, y = (t.to(DEVICE) for t in make_data())
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.MSELoss()
    for epoch in range(4):
        mean = train_epoch(model, criterion, optimizer, x, y)
        print(f"epoch {epoch}: {mean:.3f}")


if __name__ == "__main__":
    main()
