"""Train from a pinned loader with worker processes; the batches are copied asynchronously."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Blobs(Dataset):
    """Pictures with one bright blob; the label is its quadrant."""

    def __init__(self, count, side=40):
        self.count, self.side = count, side

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        image = 0.2 * torch.randn(1, self.side, self.side, generator=generator)
        label = index % 4
        half = self.side // 2
        row, col = torch.randint(4, half - 4, (2,), generator=generator).tolist()
        row, col = row + half * (label // 2), col + half * (label % 2)
        image[:, row - 3:row + 3, col - 3:col + 3] += 2
        return image, label


def main():
    torch.manual_seed(1)
    loader = DataLoader(
        Blobs(384), batch_size=32, shuffle=True, num_workers=2,
        pin_memory=DEVICE.type == "cuda", persistent_workers=True,
    )
    model = nn.Sequential(
        nn.Conv2d(1, 8, 5, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 18 * 18, 4),
    ).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(2):
        total = torch.zeros((), device=DEVICE)
        for images, labels in loader:
            images = images.to(DEVICE, non_blocking=True)
            labels = labels.to(DEVICE, non_blocking=True)
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(f"epoch {epoch}: mean loss {total.item() / len(loader):.3f}")


if __name__ == "__main__":
    main()
