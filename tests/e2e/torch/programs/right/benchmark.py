"""Time two ways of computing attention, with a wait for the device around each timed part."""
import os
import time

import torch
import torch.nn.functional as F

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def plain(q, k, v):
    weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return weights @ v


def fused(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


def wait():
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()


def measure(function, arguments, repeats=8):
    """Seconds of the fastest of several runs, after a warm-up."""
    for _ in range(2):
        function(*arguments)
    seconds = []
    for _ in range(repeats):
        wait()
        begin = time.perf_counter()
        function(*arguments)
        wait()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


@torch.inference_mode()
def main():
    torch.manual_seed(14)
    q, k, v = torch.randn(3, 2, 4, 64, 32).to(DEVICE).unbind(0)
    times = {f.__name__: measure(f, (q, k, v)) for f in (plain, fused)}
    print("measured", sorted(times), "positive", all(t > 0 for t in times.values()))
    print("same result", torch.allclose(plain(q, k, v), fused(q, k, v), atol=1e-5))


if __name__ == "__main__":
    main()
