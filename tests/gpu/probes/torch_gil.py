"""Do PyTorch's copies release Python's lock? Another thread counts while a copy is
running."""

import threading
import time

import torch

SIZE = 1 << 28  # bytes
counted = 0
stop = False


def count():
    global counted
    while not stop:
        counted += 1


def share(work):
    """Of what the thread counts alone in the same time."""
    def rate(action):
        before, start = counted, time.perf_counter()
        action()
        return (counted - before) / (time.perf_counter() - start)
    free = rate(lambda: time.sleep(0.3))
    return rate(work) / free


def main():
    global stop
    torch.cuda.init()
    host, pinned = torch.ones(SIZE // 4), torch.ones(SIZE // 4).pin_memory()
    device = host.cuda()
    one = torch.ones(1, device="cuda")
    cases = {
        "h2d pageable": lambda: host.to("cuda"),
        "h2d pinned": lambda: pinned.to("cuda"),
        "h2d pinned, non_blocking": lambda: (pinned.to("cuda", non_blocking=True),
                                             torch.cuda.synchronize()),
        "d2h": lambda: device.cpu(),
        "item() behind a long kernel": lambda: (torch.cuda._sleep(200_000_000), one.item()),
        "synchronize() behind a long kernel": lambda: (torch.cuda._sleep(200_000_000),
                                                       torch.cuda.synchronize()),
    }
    threading.Thread(target=count, daemon=True).start()
    for name, work in cases.items():
        work()
        part = share(lambda: [work() for _ in range(3)])
        print(f"{name:36} the other thread ran at {part:.0%}: the lock is "
              f"{'let go' if part > 0.5 else 'held'}")
    stop = True


main()
