"""Train an image classifier; the loader's batches are sent with non_blocking copies."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Stripes(Dataset):
    """Noisy pictures with stripes that lie or stand."""

    def __init__(self, count, side=64):
        self.count, self.side = count, side

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        image = torch.randn(1, self.side, self.side, generator=generator)
        wave = torch.sin(torch.arange(self.side) * 0.8)
        label = index % 2
        image += wave.view(1, 1, -1) if label else wave.view(1, -1, 1)
        return image, label


def main():
    torch.manual_seed(24)
    loader = DataLoader(Stripes(512), batch_size=32, shuffle=True)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 7, stride=2), nn.ReLU(), nn.AdaptiveMaxPool2d(2),
        nn.Flatten(), nn.Linear(32, 2),
    ).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    right = torch.zeros((), dtype=torch.long, device=DEVICE)
    for images, labels in loader:
        images = images.to(DEVICE, non_blocking=True)  # WASTE: pageable non_blocking
        labels = labels.to(DEVICE, non_blocking=True)  # WASTE, not found: pageable non_blocking
        logits = model(images)
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        right += (logits.argmax(1) == labels).sum()
    print(f"accuracy while training {right.item() / 512:.2f}, last loss {loss.item():.2f}")


if __name__ == "__main__":
    main()
