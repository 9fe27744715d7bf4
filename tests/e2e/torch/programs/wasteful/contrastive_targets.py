"""Contrastive training of two views; the targets of every batch are the diagonal."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
BATCH, DIM = 128, 96


def info_nce(a, b, temperature=0.1):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    scores = a @ b.t() / temperature
    targets = torch.arange(len(a), dtype=torch.long)
    return F.cross_entropy(scores, targets.to(scores.device))  # WASTE: host arange


def decorrelation(a, weight=0.05):
    """Penalty for the distance of the correlation matrix from the identity."""
    a = (a - a.mean(0)) / (a.std(0) + 1e-5)
    corr = a.t() @ a / len(a)
    return weight * (corr - torch.eye(a.shape[1]).to(a.device)).square().sum()  # WASTE: host eye


def main():
    torch.manual_seed(7)
    base = torch.randn(BATCH * 15, DIM).to(DEVICE)
    jitter = torch.randn(BATCH * 15, DIM).mul(0.3).to(DEVICE)
    encoder = nn.Sequential(nn.Linear(DIM, 128), nn.ReLU(), nn.Linear(128, 64)).to(DEVICE)
    optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
    history = []
    for view, noise in zip(base.split(BATCH), jitter.split(BATCH)):
        a, b = encoder(view), encoder(view + noise)
        loss = info_nce(a, b) + decorrelation(a)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        history.append(loss.detach())
    first, last = torch.stack([history[0], history[-1]]).tolist()
    print(f"loss {first:.2f} -> {last:.2f}")


if __name__ == "__main__":
    main()
