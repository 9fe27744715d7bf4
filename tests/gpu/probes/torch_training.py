"""A small training in PyTorch as people write it: batches from pageable memory, a constant sent in
each step, a loss that is looked at each time.

usage: torch_training.py [TRACE]      TRACE: where torch.profiler's trace of its steps goes, as
                                      Chrome reads it, gzip where the name ends so
"""

import sys

import torch
from torch.profiler import ProfilerActivity, profile, schedule

STEPS, BATCH = 8, 64


def steps(profiler=None):
    torch.manual_seed(3)
    device = torch.device("cuda")
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(16, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(4),
        torch.nn.Flatten(), torch.nn.Linear(512, 10)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    images = torch.randn(STEPS * BATCH, 3, 32, 32)
    labels = torch.randint(0, 10, (STEPS * BATCH,))
    mean = torch.tensor([0.4914, 0.4822, 0.4465]).reshape(3, 1, 1)
    losses = []
    for step in range(STEPS):
        batch = slice(step * BATCH, (step + 1) * BATCH)
        inputs = images[batch].to(device) - mean.to(device)
        loss = torch.nn.functional.cross_entropy(model(inputs), labels[batch].to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if profiler is not None:
            profiler.step()
    return losses


def main():
    if len(sys.argv) == 1:
        print("loss:", round(steps()[-1], 3))
        return
    both = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=both, with_stack=True,
                 schedule=schedule(wait=1, warmup=1, active=4)) as profiler:
        steps(profiler)
    profiler.export_chrome_trace(sys.argv[1])


main()
