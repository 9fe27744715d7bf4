"""Train and save the state straight from the device after each epoch, keeping the best."""
import os
import pathlib
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def train_epoch(model, optimizer, x, y):
    total = torch.zeros((), device=DEVICE)
    for inputs, target in zip(x.split(50), y.split(50)):
        loss = F.l1_loss(model(inputs), target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total.item() / (len(x) / 50)


def main():
    torch.manual_seed(27)
    x = torch.rand(500, 10)
    y = (x[:, :5] * x[:, 5:]).sum(dim=1, keepdim=True)
    x, y = x.to(DEVICE), y.to(DEVICE)
    model = nn.Sequential(nn.Linear(10, 256), nn.ReLU(), nn.Linear(256, 1)).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        for epoch in range(4):
            loss = train_epoch(model, optimizer, x, y)
            torch.save({"epoch": epoch, "model": model.state_dict()}, path / "last.pt")
            if loss < best:
                best = loss
                torch.save(model.state_dict(), path / "best.pt")
            print(f"epoch {epoch}: {loss:.3f}")
        print("files", sorted(p.name for p in path.iterdir()))


if __name__ == "__main__":
    main()
