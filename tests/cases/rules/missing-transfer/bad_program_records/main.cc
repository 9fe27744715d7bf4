// Wherever such objects are held, and whatever function is given one, all that happens to their
// fields is in the program.

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "trainer.h"

namespace {

float evaluate_record(RecordTrainer& trainer) {
  auto made = torch::rand({3, 3});
  return trainer.network()->forward(made).item<float>();  // LINT: missing-transfer
}

// In lists and pointers.
class RecordLists {
 public:
  explicit RecordLists(torch::Device device) {
    for (int i = 0; i < 3; ++i) trainers_.push_back(std::make_unique<RecordTrainer>(device));
    best_ = std::make_unique<RecordTrainer>(device);
  }
  void run() {
    for (auto& trainer : trainers_) {
      trainer->step();
      evaluate_record(*trainer);
    }
    evaluate_record(*best_);
  }

 private:
  std::vector<std::unique_ptr<RecordTrainer>> trainers_;
  std::unique_ptr<RecordTrainer> best_;
};

// As a member that a constructor in another file fills.
class RecordMember {
 public:
  explicit RecordMember(torch::Device device) : trainer_(device) {}
  torch::Tensor run() {
    trainer_.step();
    auto made = torch::rand({3});
    return made + trainer_.weights();  // LINT: missing-transfer
  }

 private:
  RecordTrainer trainer_;
};

// In a map, and in a thread's lambda.
void run_record_threads(torch::Device device) {
  auto trainer = std::make_shared<RecordTrainer>(device);
  std::map<std::string, std::shared_ptr<RecordTrainer>> all;
  all["first"] = trainer;
  for (auto& [name, one] : all) one->step();
  std::thread worker([trainer] { trainer->step(); });
  worker.join();
  auto made = torch::rand({3, 3});
  trainer->network()->forward(made);  // LINT: missing-transfer
}

}  // namespace

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  RecordLists lists(device);
  lists.run();
  RecordMember member(device);
  member.run();
  run_record_threads(device);
  return 0;
}
