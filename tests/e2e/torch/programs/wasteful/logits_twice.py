"""Evaluate a multi-label tagger: keep the logits for a report and count hits per batch."""
import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
TAGS = 200


def f1(hits, predicted, wanted):
    precision = hits / max(predicted, 1)
    recall = hits / max(wanted, 1)
    return 2 * precision * recall / max(precision + recall, 1e-9)


@torch.no_grad()
def evaluate(model, loader):
    hits = predicted = wanted = 0
    report = []
    for features, tags in loader:
        logits = model(features.to(DEVICE, non_blocking=True))
        guesses = logits.cpu().numpy() > 0
        truth = tags.numpy() > 0
        hits += np.logical_and(guesses, truth).sum()
        predicted += guesses.sum()
        wanted += truth.sum()
        report.append(logits.cpu())  # WASTE: second download
    return f1(hits, predicted, wanted), torch.cat(report)


def main():
    torch.manual_seed(9)
    features = torch.randn(1280, 256)
    tags = (torch.rand(1280, TAGS) < 0.3).float()
    loader = DataLoader(
        TensorDataset(features, tags), batch_size=128, pin_memory=DEVICE.type == "cuda")
    model = nn.Sequential(nn.Linear(256, 128), nn.GELU(), nn.Linear(128, TAGS))
    model = model.eval().to(DEVICE)
    score, logits = evaluate(model, loader)
    print(f"f1 {score:.4f}, mean logit {logits.mean().item():.4f}, rows {len(logits)}")


if __name__ == "__main__":
    main()
