"""Predict a whole test set in batches and compute the rank metric from the joined scores."""
import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def area_under_curve(scores, labels):
    """Probability that a positive row scores above a negative one."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(1, len(scores) + 1)
    positive = labels == 1
    count = positive.sum()
    below = ranks[positive].sum() - count * (count + 1) / 2
    return below / (count * (len(labels) - count))


@torch.no_grad()
def predict(model, loader):
    scores, labels = [], []
    for x, y in loader:
        scores.append(model(x.to(DEVICE, non_blocking=True)).squeeze(1).sigmoid().cpu())
        labels.append(y)
    return torch.cat(scores).numpy(), torch.cat(labels).numpy()


def main():
    torch.manual_seed(22)
    x = torch.randn(1920, 64)
    y = (x[:, 0] + 0.5 * torch.randn(1920) > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=160, pin_memory=DEVICE.type == "cuda")
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))
    with torch.no_grad():
        model[0].weight[0].zero_()[0] = 1.0
        model[2].weight[0, 0] = 2.0
    scores, labels = predict(model.eval().to(DEVICE), loader)
    print(f"area {area_under_curve(scores, labels):.4f}, mean score {scores.mean():.4f}")


if __name__ == "__main__":
    main()
