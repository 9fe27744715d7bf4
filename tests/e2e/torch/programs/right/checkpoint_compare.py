"""Save a training state, load it into a new model and check that both agree."""
import io
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def build():
    model = nn.Sequential(
        nn.Linear(40, 128), nn.BatchNorm1d(128), nn.ReLU(), nn.Linear(128, 3)).to(DEVICE)
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


def train(model, optimizer, x, y):
    model.train()
    for inputs, labels in zip(x.split(64), y.split(64)):
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()


def main():
    torch.manual_seed(4)
    x = torch.randn(640, 40)
    y = x[:, :3].argmax(dim=1)
    x, y = x.to(DEVICE), y.to(DEVICE)
    model, optimizer = build()
    train(model, optimizer, x, y)

    buffer = io.BytesIO()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, buffer)
    buffer.seek(0)
    state = torch.load(buffer, map_location=DEVICE)
    other, other_optimizer = build()
    other.load_state_dict(state["model"])
    other_optimizer.load_state_dict(state["optimizer"])

    same = all(torch.equal(a, b) for a, b in zip(
        model.state_dict().values(), other.state_dict().values()))
    print("same after loading:", same)
    train(model, optimizer, x, y)
    train(other, other_optimizer, x, y)
    with torch.no_grad():
        gap = (model.eval()(x) - other.eval()(x)).abs().max().item()
    print("gap after training on below 1e-4:", gap < 1e-4)


if __name__ == "__main__":
    main()
