// A call of a method that returns a field is another name of the field.

#include "trainer.h"

namespace {

class NamingApp {
 public:
  explicit NamingApp(torch::Device device) : trainer_(device) {}
  void run();

 private:
  NamedFieldsTrainer trainer_;
};

void NamingApp::run() {
  auto made = torch::rand({3, 3});
  trainer_.step();
  trainer_.network()->forward(made);  // LINT: missing-transfer
  auto& same = trainer_.network();
  same->forward(made);  // LINT: missing-transfer
  trainer_.head()->forward(made);  // LINT: missing-transfer
}

}  // namespace

int main() {
  NamingApp app(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  for (int turn = 0; turn < 3; ++turn) app.run();
  return 0;
}
