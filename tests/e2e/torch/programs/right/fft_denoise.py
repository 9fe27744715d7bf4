"""Remove noise from pictures by keeping the strongest frequencies."""
import os

import torch

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
SIDE = 96


def make_pictures(count):
    line = torch.linspace(0, 6.28, SIDE)
    y, x = torch.meshgrid(line, line, indexing="ij")
    return torch.stack([torch.sin((n % 4 + 1) * x) * torch.cos((n % 3 + 1) * y)
                        for n in range(count)])


def denoise(noisy, keep=40):
    """The picture without its weak frequencies."""
    spectrum = torch.fft.rfft2(noisy)
    strength = spectrum.abs().flatten(1)
    limit = strength.topk(keep, dim=1).values[:, -1].view(-1, 1, 1)
    return torch.fft.irfft2(torch.where(spectrum.abs() >= limit, spectrum, 0), s=noisy.shape[1:])


@torch.inference_mode()
def main():
    torch.manual_seed(33)
    clean = make_pictures(24)
    noisy = (clean + 0.5 * torch.randn_like(clean)).to(DEVICE)
    clean = clean.to(DEVICE)
    errors = []
    for truth, picture in zip(clean.split(4), noisy.split(4)):
        result = denoise(picture)
        before = (picture - truth).square().mean()
        after = (result - truth).square().mean()
        errors.append(torch.stack([before, after]))
    before, after = torch.stack(errors).mean(dim=0).tolist()
    print(f"error {before:.4f} -> {after:.4f}")


if __name__ == "__main__":
    main()
