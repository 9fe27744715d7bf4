// One object's tensors are moved to a device, all but one.

#include <torch/torch.h>

#include <string>
#include <vector>

namespace left_behind {

// A method of its own, of a class of which nobody here says where its tensors are made.
class Storage {
 public:
  Storage(const std::vector<torch::Tensor>& parts)
      : states_(torch::cat(parts)), actions_(torch::cat(parts)), rewards_(torch::cat(parts)),
        masks_(torch::cat(parts)) {}

  void to(torch::Device device) {
    states_ = states_.to(device);
    actions_ = actions_.to(device);
    rewards_ = rewards_.to(device);  // LINT: missing-transfer
  }

  torch::Tensor returns() const { return rewards_ * masks_; }

 private:
  torch::Tensor states_, actions_, rewards_, masks_;
};

struct Transition {
  torch::Tensor state, action, reward;
};

// A record that the function fills.
Transition batch_of(const std::vector<torch::Tensor>& states,
                    const std::vector<torch::Tensor>& actions,
                    const std::vector<torch::Tensor>& rewards, const torch::Device& device) {
  Transition batch;
  batch.state = torch::stack(states).to(device);
  batch.action = torch::stack(actions).to(device);
  batch.reward = torch::stack(rewards);  // LINT: missing-transfer
  return batch;
}

// The same in two steps, where a device is asked for.
Transition batch_on(const std::vector<torch::Tensor>& states,
                    const std::vector<torch::Tensor>& actions,
                    const std::vector<torch::Tensor>& rewards, const std::string& device) {
  Transition batch;
  batch.state = torch::stack(states);
  batch.action = torch::stack(actions);
  batch.reward = torch::stack(rewards);  // LINT: missing-transfer
  if (device != "cpu") {
    const torch::Device d(device);
    batch.state = batch.state.to(d);
    batch.action = batch.action.to(d);
  }
  return batch;
}

// Tensors that the function is given.
class Scene {
 public:
  void set(torch::Tensor points, torch::Tensor colours, torch::Tensor opacities,
           torch::Device device) {
    points_ = points.to(device);
    colours_ = colours;  // LINT: missing-transfer
    opacities_ = opacities.to(device);
  }
  torch::Tensor shaded() const { return colours_ * opacities_; }

 private:
  torch::Tensor points_, colours_, opacities_;
};

// Parts of another record.
struct Sample {
  torch::Tensor image, mask, label;
};
Sample moved(const Sample& from) {
  Sample result;
  result.image = from.image.cuda();
  result.mask = from.mask;  // LINT: missing-transfer
  result.label = from.label.cuda();
  return result;
}

// Parts of a list, which one caller wants on the CPU and another on a device.
struct Restored {
  torch::Tensor keys, values, times;
};
Restored restored(const std::vector<torch::Tensor>& parts, torch::Device device) {
  Restored state;
  state.keys = parts[0].to(device).contiguous();
  state.values = parts[1].contiguous();  // LINT: missing-transfer
  state.times = parts[2].to(device).contiguous();
  return state;
}
Restored parked(const std::vector<torch::Tensor>& parts) { return restored(parts, torch::kCPU); }
Restored resumed(const std::vector<torch::Tensor>& parts) { return restored(parts, torch::kCUDA); }

}  // namespace left_behind
