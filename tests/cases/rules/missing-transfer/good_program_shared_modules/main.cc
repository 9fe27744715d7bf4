// Modules with several holders: what moves one of them for a holder moves it for all. Each class
// puts its module on a device, moves it back by another holder, and uses it on the CPU.

#include <torch/torch.h>

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

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

// A list, by an index.
class SharedByList {
 public:
  explicit SharedByList(torch::Device device) : network_(linear_on(device)) {
    all_.push_back(network_);
  }
  void lower() { all_[0]->to(torch::kCPU); }
  void use() {
    network_->forward(torch::rand({3, 3}));
    all_[0]->forward(torch::rand({3, 3}));
  }

 private:
  Linear network_{nullptr};
  std::vector<Linear> all_;
};

// A map.
class SharedByMap {
 public:
  explicit SharedByMap(torch::Device device) : network_(linear_on(device)) {
    all_["first"] = network_;
  }
  void lower() { all_["first"]->to(torch::kCPU); }
  void use() { network_->forward(torch::rand({3, 3})); }

 private:
  Linear network_{nullptr};
  std::map<std::string, Linear> all_;
};

// Pairs.
class SharedByPairs {
 public:
  explicit SharedByPairs(torch::Device device) : network_(linear_on(device)) {
    all_.emplace_back(network_, 2);
  }
  void lower() {
    for (auto& [network, times] : all_) network->to(torch::kCPU);
  }
  void use() { network_->forward(torch::rand({3, 3})); }

 private:
  Linear network_{nullptr};
  std::vector<std::pair<Linear, int>> all_;
};

// A record that another function is given.
struct SharedPack {
  Linear network{nullptr};
  int times = 0;
};
void lower_pack(SharedPack& pack) { pack.network->to(torch::kCPU); }
void lower_packs(std::vector<SharedPack>& packs) {
  for (auto& pack : packs) pack.network->to(torch::kCPU);
}
class SharedByRecord {
 public:
  explicit SharedByRecord(torch::Device device)
      : network_(linear_on(device)), other_(linear_on(device)) {
    packs_.push_back(SharedPack{other_, 1});
  }
  void lower() {
    SharedPack pack{network_, 1};
    lower_pack(pack);
    lower_packs(packs_);
  }
  void use() {
    network_->forward(torch::rand({3, 3}));
    other_->forward(torch::rand({3, 3}));
  }

 private:
  Linear network_{nullptr}, other_{nullptr};
  std::vector<SharedPack> packs_;
};

// Fields of an object by other names.
class SharedByBinding {
 public:
  explicit SharedByBinding(torch::Device device) { pack_.network = linear_on(device); }
  void lower() {
    auto& [network, times] = pack_;
    network->to(torch::kCPU);
  }
  void use() { pack_.network->forward(torch::rand({3, 3})); }

 private:
  SharedPack pack_;
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

// A list of tensors that a function fills again.
void fill_on_host(std::vector<torch::Tensor>& list) {
  list.clear();
  list.push_back(torch::zeros({3, 3}));
}
class RefilledList {
 public:
  explicit RefilledList(torch::Device device) { list_.push_back(torch::ones({3, 3}, device)); }
  void lower() { fill_on_host(list_); }
  torch::Tensor use() { return list_[0] + torch::rand({3, 3}); }

 private:
  std::vector<torch::Tensor> list_;
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
  lower_and_use<SharedByList>(device);
  lower_and_use<SharedByMap>(device);
  lower_and_use<SharedByPairs>(device);
  lower_and_use<SharedByRecord>(device);
  lower_and_use<SharedByBinding>(device);
  lower_and_use<SharedByKeeper>(device);
  lower_and_use<SharedByPointer>(device);
  lower_and_use<SharedByLambda>(device);
  lower_and_use<RefilledList>(device);
  auto made = std::make_shared<torch::nn::LinearImpl>(3, 3);
  auto later = std::make_shared<MovedAfterwards>(made);
  made->to(device);
  later->use(device);
  Linear local(3, 3);
  run_on_host(local);
  return 0;
}
