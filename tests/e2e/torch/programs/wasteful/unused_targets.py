"""Rank items for users and compute the reciprocal rank on the host."""
import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
USERS, ITEMS, WIDTH = 2000, 400, 32


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.users = nn.Embedding(USERS, WIDTH)
        self.items = nn.Parameter(torch.randn(ITEMS, WIDTH) / WIDTH ** 0.5)

    def forward(self, users):
        return self.users(users) @ self.items.t()


def reciprocal_ranks(order, bought):
    places = np.argmax(order == bought[:, None], axis=1)
    return 1.0 / (places + 1)


@torch.no_grad()
def evaluate(model, loader):
    ranks = []
    for users, bought in loader:
        users = users.to(DEVICE, non_blocking=True)
        target = bought.to(DEVICE, non_blocking=True)  # WASTE: never used on the device
        assert target.shape == users.shape
        order = model(users).argsort(dim=1, descending=True)
        ranks.append(reciprocal_ranks(order.cpu().numpy(), bought.numpy()))
    return float(np.concatenate(ranks).mean())


def main():
    torch.manual_seed(29)
    users = torch.randint(0, USERS, (1280,))
    bought = torch.randint(0, ITEMS, (1280,))
    loader = DataLoader(
        TensorDataset(users, bought), batch_size=128, pin_memory=DEVICE.type == "cuda")
    profiles = torch.randn(50000, 16).to(DEVICE)  # WASTE, not found: only the first rows are used
    model = Ranker().eval().to(DEVICE)
    print(f"mean reciprocal rank {evaluate(model, loader):.4f}")
    print(f"profile spread {profiles[:USERS].std().item():.3f}")


if __name__ == "__main__":
    main()
