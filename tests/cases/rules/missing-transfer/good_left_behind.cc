// Look-alikes of bad_left_behind: what stays has a reason to, or no sibling.

#include <torch/torch.h>

#include <string>
#include <vector>

namespace not_left_behind {

// The host reads the one that stays.
struct Sequences {
  torch::Tensor inputs, targets, weights, lengths;

  void to(torch::Device device) {
    inputs = inputs.to(device);
    targets = targets.to(device);
    weights = weights.to(device);
  }
};
long longest(const Sequences& batch) { return batch.lengths.max().item<long>(); }
long first(const Sequences& batch) { return batch.lengths.item<long>(); }

// A library packs by it, and wants it on the CPU.
struct Packed {
  torch::Tensor inputs, targets, weights, lengths;

  void to(torch::Device device) {
    inputs = inputs.to(device);
    targets = targets.to(device);
    weights = weights.to(device);
  }
};
auto pack(const Packed& batch) {
  return torch::nn::utils::rnn::pack_padded_sequence(batch.inputs, batch.lengths, true);
}

// Another function makes it there.
class Rays {
 public:
  void load(const std::vector<torch::Tensor>& parts) {
    origins_ = torch::cat(parts);
    directions_ = torch::cat(parts);
    colours_ = torch::cat(parts);
  }
  void make_grid(torch::Device device) { grid_ = make(device); }
  void to(torch::Device device) {
    origins_ = origins_.to(device);
    directions_ = directions_.to(device);
    colours_ = colours_.to(device);
  }

 private:
  static torch::Tensor make(torch::Device device);
  torch::Tensor origins_, directions_, colours_, grid_;
};

// It is made of what was moved.
struct Masked {
  torch::Tensor input, target, mask;
};
torch::Tensor mask_of(const torch::Tensor& input);
Masked masked(const torch::Tensor& input, const torch::Tensor& target, torch::Device device) {
  Masked batch;
  batch.input = input.to(device);
  batch.target = target.to(device);
  batch.mask = mask_of(batch.input);
  return batch;
}

// It is put there by the options it is made with.
Masked made(const std::vector<torch::Tensor>& inputs, const std::vector<torch::Tensor>& targets,
            torch::Device device) {
  Masked batch;
  batch.input = torch::stack(inputs).to(device);
  batch.target = torch::stack(targets).to(device);
  batch.mask = torch::ones({8, 8}, device);
  return batch;
}

// It has no dimensions.
struct Scaled {
  torch::Tensor input, target, scale;
};
Scaled scaled(const std::vector<torch::Tensor>& inputs, const std::vector<torch::Tensor>& targets,
              torch::Device device) {
  Scaled batch;
  batch.input = torch::stack(inputs).to(device);
  batch.target = torch::stack(targets).to(device);
  batch.scale = torch::tensor(0.5);
  return batch;
}

// Two stay: the function moves what it needs.
struct Frame {
  torch::Tensor image, depth, pose, time;

  void upload(torch::Device device) {
    image = image.to(device);
    depth = depth.to(device);
  }
};

// One of two: nothing says which is the odd one.
struct Pair {
  torch::Tensor input, target;
  void to(torch::Device device) { input = input.to(device); }
};

// They are moved to the CPU.
struct Results {
  torch::Tensor boxes, scores, labels, masks;
  void to_host() {
    boxes = boxes.to(torch::kCPU);
    scores = scores.to(torch::kCPU);
    labels = labels.to(torch::kCPU);
  }
};

// Another function moves the last one.
class Lazy {
 public:
  void to(torch::Device device) {
    states_ = states_.to(device);
    actions_ = actions_.to(device);
    rewards_ = rewards_.to(device);
    finish(device);
  }

 private:
  void finish(torch::Device device) { masks_ = masks_.to(device); }
  torch::Tensor states_, actions_, rewards_, masks_;
};

// All callers want them on the CPU.
struct Parked {
  torch::Tensor keys, values, times;
};
Parked parked(const std::vector<torch::Tensor>& parts, torch::Device device) {
  Parked state;
  state.keys = parts[0].to(device);
  state.values = parts[1];
  state.times = parts[2].to(device);
  return state;
}
Parked park(const std::vector<torch::Tensor>& parts) { return parked(parts, torch::kCPU); }

// The caller of a method says where it is.
class Given {
 public:
  void set(torch::Tensor points, torch::Tensor colours, torch::Tensor opacities,
           torch::Device device) {
    points_ = points.to(device);
    colours_ = colours.to(device);
    opacities_ = opacities;
  }

 private:
  torch::Tensor points_, colours_, opacities_;
};
void give(Given& given, const torch::Tensor& points, const torch::Tensor& colours) {
  given.set(points, colours, torch::ones({8}, torch::kCUDA), torch::kCUDA);
}

}  // namespace not_left_behind
