"""Train on a dataset of windows; every batch is built of single samples on the device."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import Dataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Windows(Dataset):
    """Windows of a long signal; the label says whether the window's mean is positive."""

    def __init__(self, length=4000, width=128):
        self.signal = torch.randn(length).cumsum(0) * 0.1
        self.signal -= self.signal.mean()
        self.width = width

    def __len__(self):
        return len(self.signal) - self.width

    def __getitem__(self, index):
        window = self.signal[index:index + self.width]
        return window, (window.mean() > 0).float()


def main():
    torch.manual_seed(20)
    dataset = Windows()
    model = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    order = torch.randperm(len(dataset)).tolist()
    last = torch.zeros((), device=DEVICE)
    for begin in range(0, 320, 32):
        samples, labels = [], []
        for index in order[begin:begin + 32]:
            window, label = dataset[index]
            samples.append(window.to(DEVICE))  # WASTE: one sample at a time
            labels.append(label.to(DEVICE))  # WASTE: one sample at a time
        x, y = torch.stack(samples), torch.stack(labels)
        loss = F.binary_cross_entropy_with_logits(model(x).squeeze(1), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        last = loss.detach()
    print(f"last loss {last.item():.3f}")


if __name__ == "__main__":
    main()
