"""Train an autoencoder from a loader with pinned memory."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
FEATURES = 1024


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(FEATURES, 128), nn.ReLU(), nn.Linear(128, 16))
        self.decode = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, FEATURES))

    def forward(self, x):
        return self.decode(self.encode(x))


def make_loader():
    basis = torch.randn(8, FEATURES)
    data = torch.randn(3200, 8) @ basis / 8 ** 0.5
    return DataLoader(
        TensorDataset(data), batch_size=160, shuffle=True, drop_last=True,
        pin_memory=DEVICE.type == "cuda",
    )


def main():
    torch.manual_seed(23)
    loader = make_loader()
    model = AutoEncoder().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(2):
        total = torch.zeros((), device=DEVICE)
        for (batch,) in loader:
            batch = batch.to(DEVICE)  # WASTE: pinned but blocking
            loss = nn.functional.mse_loss(model(batch), batch)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(f"epoch {epoch}: {total.item() / len(loader):.3f}")


if __name__ == "__main__":
    main()
