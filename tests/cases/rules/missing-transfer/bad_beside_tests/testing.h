// Stands for a framework for tests.
#pragma once

namespace testing {
class Test {
 public:
  virtual ~Test();
  virtual void TestBody() = 0;
};
}  // namespace testing
