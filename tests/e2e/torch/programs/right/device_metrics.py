"""Evaluate a classifier with a confusion matrix that stays on the device until the end."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
CLASSES = 5


class Confusion(nn.Module):
    """Counts of true class by predicted class."""

    def __init__(self, classes):
        super().__init__()
        self.classes = classes
        self.register_buffer("counts", torch.zeros(classes * classes))

    def update(self, predicted, true):
        index = true * self.classes + predicted
        self.counts.scatter_add_(0, index, torch.ones_like(index, dtype=torch.float))

    def compute(self):
        table = self.counts.view(self.classes, self.classes)
        recall = table.diagonal() / table.sum(dim=1).clamp(min=1)
        precision = table.diagonal() / table.sum(dim=0).clamp(min=1)
        return torch.stack([precision, recall]).cpu()


@torch.inference_mode()
def main():
    torch.manual_seed(21)
    x = torch.randn(1600, 20)
    y = x[:, :CLASSES].argmax(dim=1)
    loader = DataLoader(TensorDataset(x, y), batch_size=100, pin_memory=DEVICE.type == "cuda")
    model = nn.Linear(20, CLASSES)
    nn.init.eye_(model.weight)
    model.weight.add_(0.3 * torch.randn(CLASSES, 20))
    model.to(DEVICE)
    confusion = Confusion(CLASSES).to(DEVICE)
    for inputs, labels in loader:
        inputs = inputs.to(DEVICE, non_blocking=True)
        labels = labels.to(DEVICE, non_blocking=True)
        confusion.update(model(inputs).argmax(dim=1), labels)
    for name, row in zip(("precision", "recall"), confusion.compute()):
        print(name, [round(v, 3) for v in row.tolist()])


if __name__ == "__main__":
    main()
