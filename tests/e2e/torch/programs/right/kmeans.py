"""Cluster points with k-means until the centres rest."""
import os

import torch

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def make_points(clusters, each, dim):
    centres = torch.randn(clusters, dim) * 6
    points = centres.repeat_interleave(each, dim=0) + torch.randn(clusters * each, dim)
    return points[torch.randperm(len(points))]


def kmeans(points, k, rounds=30, tolerance=1e-4):
    """Centres, assignment and number of rounds; the stop test is made every fourth round."""
    centres = points[:k].clone()
    ones = torch.ones(len(points), device=DEVICE)
    for number in range(1, rounds + 1):
        nearest = torch.cdist(points, centres).argmin(dim=1)
        sums = torch.zeros_like(centres).index_add_(0, nearest, points)
        count = torch.zeros(k, device=DEVICE).index_add_(0, nearest, ones)
        moved = sums / count.clamp(min=1).unsqueeze(1)
        shift = (moved - centres).norm(dim=1).max()
        centres = moved
        if number % 4 == 0 and shift.item() < tolerance:
            break
    return centres, nearest, number


def main():
    torch.manual_seed(31)
    points = make_points(6, 250, 8).to(DEVICE)
    centres, nearest, rounds = kmeans(points, 6)
    spread = (points - centres[nearest]).square().sum(dim=1).mean()
    print(f"rounds {rounds}, spread {spread.item():.3f}")
    print("sizes", sorted(torch.bincount(nearest, minlength=6).tolist()))


if __name__ == "__main__":
    main()
