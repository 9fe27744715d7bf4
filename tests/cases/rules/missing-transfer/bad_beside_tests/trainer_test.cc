// A framework's main starts this: no call here leads to it.

#include "testing.h"
#include "trainer.h"

class NetTest : public testing::Test {};

class NetTest_Forward_Test : public NetTest {
  void TestBody() override {
    Net net(torch::kCPU);
    net.forward(torch::ones({4, 8}));
  }
};
