"""Train on pictures that are flipped, shifted and brightened at random on the host."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Augmented(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        if torch.rand(()) < 0.5:
            image = image.flip(-1)
        dy, dx = torch.randint(-3, 4, (2,)).tolist()
        image = torch.roll(image, (dy, dx), dims=(-2, -1))
        return image * (0.8 + 0.4 * torch.rand(())), self.labels[index]


def main():
    torch.manual_seed(6)
    images = torch.rand(192, 3, 32, 32)
    labels = torch.arange(192) % 3
    images[torch.arange(192), labels] += 0.3
    loader = DataLoader(Augmented(images, labels), batch_size=32, shuffle=True,
                        pin_memory=DEVICE.type == "cuda")
    model = nn.Sequential(
        nn.Conv2d(3, 12, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        nn.Linear(48, 3),
    ).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        right = torch.zeros((), dtype=torch.long, device=DEVICE)
        for batch, answer in loader:
            batch = batch.to(DEVICE, non_blocking=True)
            answer = answer.to(DEVICE, non_blocking=True)
            logits = model(batch)
            loss = F.cross_entropy(logits, answer)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            right += (logits.argmax(dim=1) == answer).sum()
        print(f"epoch {epoch}: accuracy {right.item() / len(images):.2f}")


if __name__ == "__main__":
    main()
