"""Train until the validation loss has not improved for two epochs."""
import copy
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0
        self.state = None

    def update(self, value, model):
        """True when the training should end."""
        if value < self.best - 1e-3:
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


@torch.no_grad()
def validate(model, batches):
    model.eval()
    total = torch.zeros((), device=DEVICE)
    for x, y in batches:
        total += nn.functional.mse_loss(model(x), y)
    model.train()
    return (total / len(batches)).item()


def main():
    torch.manual_seed(7)
    x = torch.randn(768, 20)
    y = x[:, :1] - x[:, 1:2] + 0.5 * torch.randn(768, 1)
    pairs = list(zip(x.to(DEVICE).split(64), y.to(DEVICE).split(64)))
    model = nn.Sequential(nn.Linear(20, 128), nn.ReLU(), nn.Linear(128, 1)).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    stopper = EarlyStopping(patience=2)
    for epoch in range(12):
        for inputs, target in pairs[:8]:
            optimizer.zero_grad(set_to_none=True)
            nn.functional.mse_loss(model(inputs), target).backward()
            optimizer.step()
        value = validate(model, pairs[8:])
        print(f"epoch {epoch}: {value:.3f}")
        if stopper.update(value, model):
            break
    model.load_state_dict(stopper.state)
    print(f"best {validate(model, pairs[8:]):.3f}")


if __name__ == "__main__":
    main()
