"""Train a convolutional network and keep a checkpoint after every epoch."""
import os
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, stride=2), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(32 * 36, 96), nn.ReLU(), nn.Linear(96, 10),
    )


def save(model, path):
    """Save the weights so that they can be loaded without a device."""
    model.cpu()
    torch.save(model.state_dict(), path)
    model.to(DEVICE)  # WASTE: the weights go back unchanged


def train_epoch(model, optimizer, images, labels):
    for x, y in zip(images.split(64), labels.split(64)):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    return loss.detach()


def main():
    torch.manual_seed(28)
    images = torch.randn(384, 1, 28, 28)
    labels = images.flatten(1)[:, :10].argmax(dim=1).to(DEVICE)
    images = images.to(DEVICE)
    model = build_model().to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    with tempfile.TemporaryDirectory() as folder:
        for epoch in range(4):
            loss = train_epoch(model, optimizer, images, labels)
            save(model, os.path.join(folder, f"epoch{epoch}.pt"))
            print(f"epoch {epoch}: {loss.item():.3f}")
        print("checkpoints", len(os.listdir(folder)))


if __name__ == "__main__":
    main()
