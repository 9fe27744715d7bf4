// Modules with several holders: what moves one of them for a holder moves it for all. Each class
// puts its module on a device, moves it back by another holder, and uses it on the CPU.

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <utility>

namespace {

using Linear = torch::nn::Linear;

Linear linear_on(torch::Device device) {
  Linear made(3, 3);
  made->to(device);
  return made;
}

void run_on_host(Linear& network) { network->forward(torch::rand({3, 3})); }

// Another field.
class SharedByField {
 public:
  explicit SharedByField(torch::Device device) : network_(linear_on(device)), same_(network_) {}
  void lower() { same_->to(torch::kCPU); }
  void use() { network_->forward(torch::rand({3, 3})); }

 private:
  Linear network_{nullptr}, same_{nullptr};
};

// Two fields that a variable's module is given to.
class SharedByTwoFields {
 public:
  explicit SharedByTwoFields(torch::Device device) {
    auto made = linear_on(device);
    network_ = made;
    same_ = made;
  }
  void lower() { same_->to(torch::kCPU); }
  void use() { network_->forward(torch::rand({3, 3})); }

 private:
  Linear network_{nullptr}, same_{nullptr};
};

// A variable.
class SharedByVariable {
 public:
  explicit SharedByVariable(torch::Device device) : network_(linear_on(device)) {}
  void lower() {
    auto same = network_;
    same->to(torch::kCPU);
  }
  void use() { network_->forward(torch::rand({3, 3})); }

 private:
  Linear network_{nullptr};
};

// An object that keeps what it is given.
class SharedKeeper {
 public:
  explicit SharedKeeper(Linear network) : network_(network) {}
  void set(const Linear& other) { other_ = other; }
  void lower() {
    network_->to(torch::kCPU);
    other_->to(torch::kCPU);
  }

 private:
  Linear network_{nullptr}, other_{nullptr};
};
class SharedByKeeper {
 public:
  explicit SharedByKeeper(torch::Device device)
      : network_(linear_on(device)), other_(linear_on(device)) {
    keeper_ = std::make_unique<SharedKeeper>(network_);
    keeper_->set(other_);
  }
  void lower() { keeper_->lower(); }
  void use() {
    network_->forward(torch::rand({3, 3}));
    other_->forward(torch::rand({3, 3}));
  }

 private:
  Linear network_{nullptr}, other_{nullptr};
  std::unique_ptr<SharedKeeper> keeper_;
};

// A pointer that is moved into the keeper.
class SharedPointerKeeper {
 public:
  explicit SharedPointerKeeper(std::shared_ptr<torch::nn::LinearImpl> network)
      : network_(std::move(network)) {}
  void lower() { network_->to(torch::kCPU); }

 private:
  std::shared_ptr<torch::nn::LinearImpl> network_;
};
class SharedByPointer {
 public:
  explicit SharedByPointer(torch::Device device) {
    network_ = std::make_shared<torch::nn::LinearImpl>(3, 3);
    network_->to(device);
    keeper_ = std::make_unique<SharedPointerKeeper>(network_);
  }
  void lower() { keeper_->lower(); }
  void use() { network_->forward(torch::rand({3, 3})); }

 private:
  std::shared_ptr<torch::nn::LinearImpl> network_;
  std::unique_ptr<SharedPointerKeeper> keeper_;
};

// A lambda that has a copy.
class SharedByLambda {
 public:
  explicit SharedByLambda(torch::Device device) : network_(linear_on(device)) {
    lower_ = [same = network_]() mutable { same->to(torch::kCPU); };
  }
  void lower() { lower_(); }
  void use() { network_->forward(torch::rand({3, 3})); }

 private:
  Linear network_{nullptr};
  std::function<void()> lower_;
};

// The maker moves it after another got it.
class MovedAfterwards {
 public:
  explicit MovedAfterwards(std::shared_ptr<torch::nn::LinearImpl> network) : network_(network) {}
  void use(torch::Device device) { network_->forward(torch::rand({3, 3}, device)); }

 private:
  std::shared_ptr<torch::nn::LinearImpl> network_;
};

template <class Holder>
void lower_and_use(torch::Device device) {
  Holder holder(device);
  holder.lower();
  holder.use();
}

}  // namespace

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  lower_and_use<SharedByField>(device);
  lower_and_use<SharedByTwoFields>(device);
  lower_and_use<SharedByVariable>(device);
  lower_and_use<SharedByKeeper>(device);
  lower_and_use<SharedByPointer>(device);
  lower_and_use<SharedByLambda>(device);
  auto made = std::make_shared<torch::nn::LinearImpl>(3, 3);
  auto later = std::make_shared<MovedAfterwards>(made);
  made->to(device);
  later->use(device);
  Linear local(3, 3);
  run_on_host(local);
  return 0;
}
