"""Train a patch classifier on unbalanced classes with a weighted cross entropy."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
CLASSES = 10


def make_loader():
    images = torch.randn(320, 3, 32, 32)
    labels = torch.randint(0, CLASSES, (320,))
    labels[::2] = 0
    dataset = TensorDataset(images, labels)
    return DataLoader(dataset, batch_size=32, pin_memory=DEVICE.type == "cuda")


def class_weights(loader):
    counts = torch.zeros(CLASSES)
    for _, labels in loader:
        counts += torch.bincount(labels, minlength=CLASSES)
    return counts.sum() / (CLASSES * counts.clamp(min=1))


def train_epoch(model, optimizer, loader, weights):
    total = torch.zeros((), device=DEVICE)
    for images, labels in loader:
        images = images.to(DEVICE, non_blocking=True)
        labels = labels.to(DEVICE, non_blocking=True)
        logits = model(images)
        loss = F.cross_entropy(logits, labels, weight=weights.to(DEVICE))  # WASTE: constant
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total / len(loader)


def main():
    torch.manual_seed(1)
    loader = make_loader()
    weights = class_weights(loader)
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, CLASSES),
    ).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        print(f"epoch {epoch}: loss {train_epoch(model, optimizer, loader, weights).item():.3f}")


if __name__ == "__main__":
    main()
