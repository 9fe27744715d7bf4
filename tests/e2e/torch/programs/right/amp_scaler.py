"""Train with automatic mixed precision and a gradient scaler."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
AMP = DEVICE.type == "cuda"


def build_model():
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(4),
        nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
        nn.Flatten(), nn.Linear(16, 4),
    )


def main():
    torch.manual_seed(11)
    images = torch.rand(480, 3, 32, 32)
    labels = torch.arange(480) % 4
    images[:, 0] += labels.view(-1, 1, 1) * 0.2
    images, labels = images.to(DEVICE), labels.to(DEVICE)
    model = build_model().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler(DEVICE.type, enabled=AMP, init_scale=1024.0)
    total = torch.zeros((), device=DEVICE)
    order = torch.randperm(480).to(DEVICE)
    for part in order.split(32):
        with torch.autocast(DEVICE.type, dtype=torch.float16, enabled=AMP):
            loss = F.cross_entropy(model(images[part]), labels[part])
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        scaler.step(optimizer)
        scaler.update()
        total += loss.detach()
    print(f"mean loss {total.item() / 15:.2f}")


if __name__ == "__main__":
    main()
