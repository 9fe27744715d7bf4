"""Profile a few training steps with the PyTorch profiler and name the frequent operators."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def activities():
    chosen = [ProfilerActivity.CPU]
    if DEVICE.type == "cuda":
        chosen.append(ProfilerActivity.CUDA)
    return chosen


def main():
    torch.manual_seed(40)
    x = torch.randn(10 * 64, 50).to(DEVICE)
    y = torch.randint(0, 4, (10 * 64,)).to(DEVICE)
    model = nn.Sequential(nn.Linear(50, 80), nn.ReLU(), nn.Linear(80, 4)).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    tables = []

    def keep(profiler):
        tables.append({row.key: row.count for row in profiler.key_averages()})

    plan = schedule(wait=2, warmup=2, active=3, repeat=1)
    with profile(activities=activities(), schedule=plan, on_trace_ready=keep) as profiler:
        for inputs, labels in zip(x.split(64), y.split(64)):
            with record_function("train_step"):
                loss = F.cross_entropy(model(inputs), labels)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                optimizer.step()
            profiler.step()
    for name in ("train_step", "aten::linear", "aten::addmm"):
        print(name, tables[0].get(name, 0))
    print(f"last loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
