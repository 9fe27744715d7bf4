"""Train a network split over two devices; activations go directly from one to the other."""
import os

import torch
import torch.nn.functional as F
from torch import nn

NAME = os.environ.get("DEVICE", "cuda")
FIRST = torch.device(NAME if NAME == "cpu" else "cuda:0")
SECOND = torch.device(NAME if NAME == "cpu" else "cuda:1")


class Split(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.GRU(24, 64, batch_first=True).to(FIRST)
        self.head = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 5)).to(SECOND)

    def forward(self, series):
        states, _ = self.encoder(series)
        return self.head(states[:, -1].to(SECOND, non_blocking=True))


def main():
    torch.manual_seed(24)
    series = torch.randn(12 * 32, 16, 24)
    labels = series.mean(dim=1)[:, :5].argmax(dim=1)
    series, labels = series.to(FIRST), labels.to(SECOND)
    model = Split()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    total = torch.zeros((), device=SECOND)
    for x, y in zip(series.split(32), labels.split(32)):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(f"mean loss {total.item() / 12:.3f}")


if __name__ == "__main__":
    main()
