"""Decode the boxes of a one-stage detector over a stream of frames."""
import os

import torch
from torch import nn
from torchvision.ops import box_convert, clip_boxes_to_image

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
SIZE, STRIDE = 128, 8
SCALES = (16.0, 32.0, 64.0)


def make_anchors():
    """All anchor boxes as centre and size, one row per cell and scale."""
    steps = torch.arange(SIZE // STRIDE) * STRIDE + STRIDE / 2
    cy, cx = torch.meshgrid(steps, steps, indexing="ij")
    centres = torch.stack([cx, cy], dim=-1).reshape(-1, 1, 2).expand(-1, len(SCALES), 2)
    sizes = torch.tensor(SCALES).view(1, -1, 1).expand(len(centres), -1, 2)
    return torch.cat([centres, sizes], dim=-1).reshape(-1, 4)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 16, 5, stride=4, padding=2), nn.ReLU(),
            nn.Conv2d(16, 16, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.head = nn.Conv2d(16, 5 * len(SCALES), 1)
        self.anchors = make_anchors()

    def forward(self, frames):
        out = self.head(self.backbone(frames)).permute(0, 2, 3, 1).reshape(len(frames), -1, 5)
        anchors = self.anchors.to(frames.device)  # WASTE: constant
        centre = anchors[:, :2] + out[..., :2].tanh() * STRIDE
        size = anchors[:, 2:] * out[..., 2:4].clamp(-1, 1).exp()
        boxes = box_convert(torch.cat([centre, size], dim=-1), "cxcywh", "xyxy")
        return clip_boxes_to_image(boxes, (SIZE, SIZE)), out[..., 4].sigmoid()


@torch.inference_mode()
def main():
    torch.manual_seed(3)
    model = Detector().eval().to(DEVICE)
    video = torch.rand(48, 3, SIZE, SIZE)
    best_scores, best_boxes = [], []
    for frames in video.split(4):
        boxes, scores = model(frames.to(DEVICE))
        top, index = scores.max(dim=1)
        best_scores.append(top)
        best_boxes.append(boxes[torch.arange(len(boxes), device=DEVICE), index])
    print("mean score", round(torch.cat(best_scores).mean().item(), 4))
    print("mean box", [round(v, 1) for v in torch.cat(best_boxes).mean(0).tolist()])


if __name__ == "__main__":
    main()
