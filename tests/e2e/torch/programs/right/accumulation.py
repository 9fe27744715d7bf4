"""Train with gradients accumulated over several small batches."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
ACCUMULATE = 4


def main():
    torch.manual_seed(30)
    x = torch.randn(512, 3, 24, 24)
    y = (x.mean(dim=(1, 2, 3)) > 0).long()
    loader = DataLoader(
        TensorDataset(x, y), batch_size=16, shuffle=True, pin_memory=DEVICE.type == "cuda")
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.GroupNorm(2, 8), nn.ReLU(), nn.AdaptiveAvgPool2d(3),
        nn.Flatten(), nn.Linear(72, 2),
    ).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    group = torch.zeros((), device=DEVICE)
    history = []
    for number, (images, labels) in enumerate(loader, start=1):
        images = images.to(DEVICE, non_blocking=True)
        labels = labels.to(DEVICE, non_blocking=True)
        loss = F.cross_entropy(model(images), labels) / ACCUMULATE
        loss.backward()
        group += loss.detach()
        if number % ACCUMULATE == 0:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            history.append(group.clone())
            group.zero_()
    print("losses", [round(v, 3) for v in torch.stack(history).tolist()])


if __name__ == "__main__":
    main()
