"""torch.profiler in a program that is traced too: the copies that the profiler counts, printed.

usage: torch_profiler.py      Alone, or under xfertrace; the number is the same where neither
                              disturbs the other.
"""

import torch
from torch.profiler import ProfilerActivity, profile

STEPS = 20


def main():
    weights = torch.randn(1024, 256)
    weights.to("cuda")  # the tracer is at work before the profiler is
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        for _ in range(STEPS):
            weights.to("cuda").sum()
        torch.cuda.synchronize()
    copies = sum(event.count for event in profiler.key_averages()
                 if event.key.startswith("Memcpy HtoD"))
    print("copies to the device seen by the profiler:", copies)


main()
