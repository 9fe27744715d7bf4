"""Principal components of data blocks by a running covariance on the device."""
import os

import torch

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
DIM, PARTS = 48, 5


class RunningPca:
    def __init__(self, dim):
        self.count = 0
        self.total = torch.zeros(dim, device=DEVICE, dtype=torch.float64)
        self.products = torch.zeros(dim, dim, device=DEVICE, dtype=torch.float64)

    def add(self, block):
        block = block.double()
        self.count += len(block)
        self.total += block.sum(dim=0)
        self.products += block.t() @ block

    def components(self, number):
        """Share of the variance and direction of the largest components."""
        mean = self.total / self.count
        covariance = self.products / self.count - torch.outer(mean, mean)
        values, vectors = torch.linalg.eigh(covariance)
        return values.flip(0)[:number] / values.sum(), vectors.flip(1)[:, :number]


@torch.inference_mode()
def main():
    torch.manual_seed(32)
    mixing = torch.randn(PARTS, DIM) * torch.tensor([8.0, 6.0, 4.0, 3.0, 2.0]).unsqueeze(1)
    pca = RunningPca(DIM)
    sample = None
    for _ in range(12):
        block = torch.randn(256, PARTS) @ mixing + torch.randn(256, DIM)
        block = block.to(DEVICE)
        pca.add(block)
        sample = block
    share, vectors = pca.components(PARTS)
    print("share", [round(v, 3) for v in share.tolist()])
    flat = sample.double() @ vectors
    back = flat @ vectors.t()
    error = (sample - back).square().mean() / sample.square().mean()
    print(f"error of the projection {error.item():.3f}")


if __name__ == "__main__":
    main()
