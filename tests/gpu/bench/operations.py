"""PyTorch's operations on cuda:0, eager, as operations.cc times tensorlib's."""

import os
import time

import torch

SMALL = "XFER_GPU_DRY_RUN" in os.environ


def timed(name, moved, work, calls=20):
    def once():
        for _ in range(calls):
            work()
        torch.cuda.synchronize()
    once()
    best, end = 1e9, time.perf_counter() + 1
    while time.perf_counter() < end:
        start = time.perf_counter()
        once()
        best = min(best, time.perf_counter() - start)
    print(f"{moved:.0f}\t{name}\t{best / calls * 1e6:.4f}", flush=True)


def resnet18():
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self, inputs, outputs, stride):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
                                      nn.BatchNorm2d(outputs), nn.ReLU(),
                                      nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
                                      nn.BatchNorm2d(outputs))
            self.short = nn.Identity() if stride == 1 and inputs == outputs else nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

        def forward(self, x):
            return torch.relu(self.body(x) + self.short(x))

    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
              nn.MaxPool2d(3, 2, 1)]
    for inputs, outputs, stride in (64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2):
        layers += [Block(inputs, outputs, stride), Block(outputs, outputs, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


@torch.no_grad()
def main():
    # float32 as tensorlib computes it, not TF32.
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    side = 64 if SMALL else 4096
    size = side * side * 4
    a, b, one = torch.rand(side, side).cuda(), torch.rand(side, side).cuda(), torch.ones(1).cuda()
    timed("add, 1 element", 0, lambda: one + one, 200)
    timed("add", 3 * size, lambda: a + b)
    timed("exp", 2 * size, lambda: a.exp())
    timed("sum", size, lambda: a.sum())
    timed("sum of columns", size, lambda: a.sum(0))
    timed("softmax", 2 * size, lambda: a.softmax(1))
    timed("transpose to contiguous", 2 * size, lambda: a.t().contiguous())
    timed("matmul", 0, lambda: a.matmul(b))
    x, w = torch.rand(1 if SMALL else 32, 64, 56, 56).cuda(), torch.rand(64, 64, 3, 3).cuda()
    timed("conv 3x3, 32x64x56x56", 0, lambda: torch.conv2d(x, w, None, 1, 1))
    model, pixels = resnet18().eval().cuda(), 32 if SMALL else 224
    images = torch.rand(1 if SMALL else 32, 3, pixels, pixels).cuda()
    timed("ResNet-18 forward, 32x3x224x224", 0, lambda: model(images), 4)

    pageable = torch.rand(side, side)
    pinned = pageable.pin_memory()
    timed("to(cuda), pageable", size, lambda: pageable.to("cuda"), 4)
    timed("to(cuda), pinned", size, lambda: pinned.to("cuda"), 4)
    timed("to(cpu)", size, lambda: a.cpu(), 4)

    layer, batch = torch.nn.Linear(side, side).cuda(), torch.rand(64, side)
    there, weights = batch.cuda(), torch.rand(side, side)
    timed("step: batch on the device", 0, lambda: layer(there))
    timed("step: result to the host and back", 0, lambda: layer(there).cpu().to("cuda"))
    timed("step: batch sent again each time", 0, lambda: layer(batch.to("cuda")))
    timed("step: item() each time", 0, lambda: layer(there).sum().item())
    timed("step: weights sent again each time", 0, lambda: there.matmul(weights.to("cuda")))


main()
