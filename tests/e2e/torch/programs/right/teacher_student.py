"""Distil a teacher into a student; both stay on the device for the whole run."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def convnet(width):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, stride=2), nn.ReLU(), nn.Conv2d(width, width, 3, stride=2),
        nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(4 * width, 10),
    )


def distillation_loss(student, teacher, temperature=3.0):
    return F.kl_div(
        F.log_softmax(student / temperature, dim=1),
        F.softmax(teacher / temperature, dim=1), reduction="batchmean") * temperature ** 2


def main():
    torch.manual_seed(8)
    pin = DEVICE.type == "cuda"
    images = torch.rand(640, 1, 28, 28)
    loader = torch.utils.data.DataLoader(images, batch_size=64, shuffle=True, pin_memory=pin)
    teacher = convnet(32).eval().requires_grad_(False).to(DEVICE)
    student = convnet(8).to(DEVICE)
    optimizer = torch.optim.Adam(student.parameters(), lr=5e-3)
    for epoch in range(2):
        total = torch.zeros((), device=DEVICE)
        for batch in loader:
            batch = batch.to(DEVICE, non_blocking=True)
            with torch.no_grad():
                wanted = teacher(batch)
            loss = distillation_loss(student(batch), wanted)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(f"epoch {epoch}: {total.item() / len(loader):.5f}")


if __name__ == "__main__":
    main()
