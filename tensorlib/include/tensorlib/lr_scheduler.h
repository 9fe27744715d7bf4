// Learning rates that change as the training goes on. Called once for each epoch, after the
// optimizer's steps.
#pragma once

#include <cstdint>
#include <vector>

#include "tensorlib/optim.h"

namespace tensorlib::optim {

// Sets the learning rate of each group of the optimizer, which must outlive it.
class TENSORLIB_API LRScheduler {
 public:
  explicit LRScheduler(Optimizer& optimizer) : optimizer_(optimizer) {}
  virtual ~LRScheduler();
  void step();

 protected:
  // A rate for each group, to hold from now on.
  virtual std::vector<double> get_lrs() = 0;
  std::vector<double> get_current_lrs() const;

  unsigned step_count_ = 0;  // of the calls of step() before this one

 private:
  Optimizer& optimizer_;
};

// Times gamma, every step_size calls.
class TENSORLIB_API StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, unsigned step_size, double gamma = 0.1)
      : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {}

 private:
  std::vector<double> get_lrs() override;

  unsigned step_size_;
  double gamma_;
};

}  // namespace tensorlib::optim
