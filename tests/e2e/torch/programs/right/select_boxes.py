"""Choose the boxes of each image by score and overlap; the counts depend on the data."""
import os

import torch
from torchvision.ops import nms

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def make_boxes(images, count):
    corner = torch.rand(images, count, 2) * 80
    size = 5 + torch.rand(images, count, 2) * 30
    return torch.cat([corner, corner + size], dim=-1), torch.rand(images, count)


def select(boxes, scores, threshold=0.4, overlap=0.5, limit=40):
    """Boxes with a good score that do not cover each other."""
    index = (scores > threshold).nonzero().squeeze(1)
    boxes, scores = boxes[index], scores[index]
    keep = nms(boxes, scores, overlap)[:limit]
    return boxes[keep], scores[keep]


@torch.no_grad()
def main():
    torch.manual_seed(23)
    boxes, scores = (t.to(DEVICE) for t in make_boxes(12, 400))
    found = []
    area = torch.zeros((), device=DEVICE)
    for image_boxes, image_scores in zip(boxes, scores):
        chosen, sure = select(image_boxes, image_scores)
        wide = chosen[(chosen[:, 2] - chosen[:, 0]) > 15]
        area += (wide[:, 2:] - wide[:, :2]).prod(dim=1).sum()
        found.append(len(sure))
    print("boxes per image", found)
    print(f"area of wide boxes {area.item():.1f}")


if __name__ == "__main__":
    main()
