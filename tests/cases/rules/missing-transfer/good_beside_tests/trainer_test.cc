// The tests stay on the CPU: what they call wants nothing moved.

#include "testing.h"
#include "trainer.h"

torch::Tensor loss_of(torch::Tensor wanted, torch::Tensor given) {
  return (wanted - given).pow(2).sum();
}

class NetTest : public testing::Test {};

class NetTest_Forward_Test : public NetTest {
  void TestBody() override {
    Net net(torch::kCPU);
    loss_of(torch::ones({4, 8}), net.forward(torch::ones({4, 8})).value);
  }
};
