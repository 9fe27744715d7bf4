"""Extract features with two backbones and compare their agreement over a dataset."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def backbone(width):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, stride=4), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(),
        nn.Linear(16 * width, 64),
    )


class FeatureStore:
    """Keeps features by name, for later study."""

    def __init__(self):
        self.parts = {}

    def add(self, name, features):
        host = features.cpu()  # WASTE: never read
        self.parts.setdefault(name, []).append(host)

    def __len__(self):
        return sum(len(parts) for parts in self.parts.values())


@torch.inference_mode()
def main():
    torch.manual_seed(30)
    small = backbone(8).eval().to(DEVICE)
    large = backbone(24).eval().to(DEVICE)
    images = torch.rand(160, 3, 80, 80)
    store = FeatureStore()
    agreement = torch.zeros((), device=DEVICE)
    for batch in images.split(16):
        a = small(batch.to(DEVICE))
        b = large(batch.to(DEVICE))  # WASTE: the same batch again
        agreement += nn.functional.cosine_similarity(a, b).mean()
        store.add("small", a)
    print(f"agreement {agreement.item() / 10:.4f}, stored {len(store)}")


if __name__ == "__main__":
    main()
