// Modules that lists and records hold as well: what moves one of them there moves it for all. Each
// class puts its module on a device, moves it back there, and uses it on the CPU.

#include <torch/torch.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using Linear = torch::nn::Linear;

Linear listed_on(torch::Device device) {
  Linear made(3, 3);
  made->to(device);
  return made;
}

// A list, by an index.
class SharedByList {
 public:
  explicit SharedByList(torch::Device device) : network_(listed_on(device)) {
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
  explicit SharedByMap(torch::Device device) : network_(listed_on(device)) {
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
  explicit SharedByPairs(torch::Device device) : network_(listed_on(device)) {
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
struct ListedPack {
  Linear network{nullptr};
  int times = 0;
};
void lower_pack(ListedPack& pack) { pack.network->to(torch::kCPU); }
void lower_packs(std::vector<ListedPack>& packs) {
  for (auto& pack : packs) pack.network->to(torch::kCPU);
}
class SharedByRecord {
 public:
  explicit SharedByRecord(torch::Device device)
      : network_(listed_on(device)), other_(listed_on(device)) {
    packs_.push_back(ListedPack{other_, 1});
  }
  void lower() {
    ListedPack pack{network_, 1};
    lower_pack(pack);
    lower_packs(packs_);
  }
  void use() {
    network_->forward(torch::rand({3, 3}));
    other_->forward(torch::rand({3, 3}));
  }

 private:
  Linear network_{nullptr}, other_{nullptr};
  std::vector<ListedPack> packs_;
};

// Fields of an object by other names.
class SharedByBinding {
 public:
  explicit SharedByBinding(torch::Device device) { pack_.network = listed_on(device); }
  void lower() {
    auto& [network, times] = pack_;
    network->to(torch::kCPU);
  }
  void use() { pack_.network->forward(torch::rand({3, 3})); }

 private:
  ListedPack pack_;
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

template <class Holder>
void lower_and_use(torch::Device device) {
  Holder holder(device);
  holder.lower();
  holder.use();
}

}  // namespace

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  lower_and_use<SharedByList>(device);
  lower_and_use<SharedByMap>(device);
  lower_and_use<SharedByPairs>(device);
  lower_and_use<SharedByRecord>(device);
  lower_and_use<SharedByBinding>(device);
  lower_and_use<RefilledList>(device);
  return 0;
}
