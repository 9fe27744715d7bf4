// A field that a branch gives a value from elsewhere, or that comes from where nobody tells.

#include <torch/torch.h>

torch::Tensor received();

class Cloud {
 public:
  explicit Cloud(torch::Device device)
      : means(torch::rand({4, 3}).to(device)),
        colors(torch::rand({4, 3}).to(device)),
        where(device) {}

  // Its device is unknown then.
  void receive(bool more) {
    if (more) means = received();
  }
  torch::Tensor render() { return means + torch::ones({4, 3}); }

  // On one way to the CPU, where all that follows is.
  void bring(bool back) {
    if (back) colors = colors.cpu();
  }
  torch::Tensor shade() { return colors * torch::ones({4, 3}); }

  // A tensor that grows on a device stays there.
  void grow(bool more) {
    if (more) sizes = torch::cat({sizes, torch::ones({1}, where)}, 0);
  }
  torch::Tensor measure() { return sizes + torch::ones({1}).to(where); }

 private:
  torch::Tensor means, colors;
  torch::Device where;
  torch::Tensor sizes = torch::ones({1}).to(where);
};

int main(int argc, char**) {
  Cloud cloud(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  cloud.receive(argc > 1);
  cloud.render();
  cloud.bring(argc > 2);
  cloud.shade();
  cloud.grow(argc > 3);
  cloud.measure();
  return 0;
}
