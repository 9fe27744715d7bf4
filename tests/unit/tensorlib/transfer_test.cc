// The ledger counts transfers; guards, budgets and the policy for operands forbid them.
#include <fmt/format.h>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using Level = TransferGuardLevel;
using Direction = TransferDirection;

class Transfers : public ::testing::Test {
 protected:
  void SetUp() override {
    TENSORLIB_REQUIRE_CUDA();
    TransferLedger::reset();
  }
  static TransferRow total(Direction direction) { return TransferLedger::total(direction); }
};

TEST_F(Transfers, AreCountedByDirectionLineAndCause) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  const Tensor host = ones({4});
  Tensor device;
  for (int i = 0; i < 3; ++i) device = host.to(kCUDA);
  const int line = __LINE__ - 1;
  (void)device.to(kCUDA);  // there already
  (void)device.sum().item<float>();
  (void)device.to(Device(kCUDA, 1));
  EXPECT_EQ(total(Direction::kHostToDevice).count, 3u);
  EXPECT_EQ(total(Direction::kHostToDevice).bytes, 48u);
  EXPECT_EQ(total(Direction::kDeviceToHost).bytes, 4u);
  EXPECT_EQ(total(Direction::kDeviceToDevice).bytes, 16u);
  const auto rows = TransferLedger::rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].site.line, line);
  EXPECT_EQ(rows[0].count, 3u);
  EXPECT_EQ(rows[0].cause, TransferCause::kMoved);
  EXPECT_EQ(rows[2].cause, TransferCause::kRead);
  EXPECT_EQ(TransferLedger::report().find("transfers: host to device 3 (48 bytes), device to host "
                                          "1 (4 bytes), device to device 1 (16 bytes)\n"),
            0u)
      << TransferLedger::report();
  TransferLedger::reset();
  EXPECT_TRUE(TransferLedger::rows().empty());
}

TEST_F(Transfers, SayWhatTheyAreFor) {
  nn::Linear layer(2, 2);
  layer->to(kCUDA);
  const Tensor made = tensor({1.0, 2.0}, kCUDA);
  std::ostringstream out;
  out << made;
  std::vector<TransferCause> causes;
  for (const TransferRow& row : TransferLedger::rows()) causes.push_back(row.cause);
  EXPECT_EQ(causes, (std::vector<TransferCause>{TransferCause::kModule, TransferCause::kCreated,
                                                TransferCause::kRead}));
}

TEST_F(Transfers, OnTheHostAreNone) {
  const Tensor x = ones({4});
  (void)(x + x).sum().item<float>();
  (void)x.to(kDouble).clone();
  EXPECT_TRUE(TransferLedger::rows().empty());
}

// Each level's effect on an explicit transfer and on an implicit one.
TEST_F(Transfers, FiveLevelsOfGuard) {
  struct Expected {
    Level level;
    const char *for_explicit, *for_implicit;
  };
  const Expected cases[] = {{Level::kAllow, "", ""},
                            {Level::kLog, "", "logged"},
                            {Level::kDisallow, "", "thrown"},
                            {Level::kLogExplicit, "logged", "logged"},
                            {Level::kDisallowExplicit, "thrown", "thrown"}};
  const Tensor host = ones({}), device = host.to(kCUDA);
  std::vector<std::string> logged;
  set_transfer_log([&](const std::string& line) { logged.push_back(line); });
  const auto outcome = [&](const std::function<void()>& transfer) -> std::string {
    logged.clear();
    try {
      transfer();
    } catch (const TransferError&) {
      return "thrown";
    }
    return logged.empty() ? "" : "logged";
  };
  for (const Expected& c : cases) {
    const TransferGuard guard(c.level);
    EXPECT_EQ(outcome([&] { (void)host.to(kCUDA); }), c.for_explicit);
    EXPECT_EQ(outcome([&] { (void)device.item<float>(); }), c.for_implicit);
  }
  // One direction alone, the innermost guard, and the scope's end.
  {
    const TransferGuard outer(Level::kDisallowExplicit);
    const TransferGuard inner(Direction::kHostToDevice, Level::kAllow);
    EXPECT_EQ(outcome([&] { (void)host.to(kCUDA); }), "");
    EXPECT_EQ(outcome([&] { (void)device.cpu(); }), "thrown");
  }
  EXPECT_EQ(outcome([&] { (void)device.cpu(); }), "");
  const TransferGuard guard(Level::kLog);
  EXPECT_EQ(outcome([&] { (void)device.item<float>(); }), "logged");
  EXPECT_EQ(logged[0].find("transfer: device to host, 4 bytes, read by item() or similar at "), 0u)
      << logged[0];
  set_transfer_log([](const std::string&) {});
}

TEST_F(Transfers, AForbiddenOneSaysWhichGuardAndWhatToDo) {
  const Tensor device = ones({}, kCUDA);
  TransferLedger::reset();
  const NoImplicitTransfers guard;
  const int made = __LINE__ - 1;
  int line = 0;
  const std::string text = error_of([&] {
    line = __LINE__ + 1;
    (void)device.item<float>();
  });
  EXPECT_EQ(text, fmt::format("transfer guard: an implicit transfer is not allowed here: device to "
                              "host, 4 bytes, read by item() or similar\n"
                              "  at {0}:{1}\n"
                              "  guard made at {0}:{2}\n"
                              "help: move the tensor with to() or cpu() where you mean it, or end "
                              "the guard's scope before this line",
                              __FILE__, line, made));
  EXPECT_TRUE(TransferLedger::rows().empty()) << "it did not take place";
  EXPECT_EQ(device.cpu().item<float>(), 1);
}

TEST_F(Transfers, ABudgetNamesWhatUsedIt) {
  const Tensor host = ones({4});
  const int limit = __LINE__ + 1;
  const TransferBudget budget(TransferLimit().count(2).only(Direction::kHostToDevice));
  for (int i = 0; i < 2; ++i) (void)host.to(kCUDA);
  const int used = __LINE__ - 1;
  (void)ones({}, kCUDA).item<float>();  // another direction
  EXPECT_EQ(budget.used_count(), 2u);
  EXPECT_EQ(budget.used_bytes(), 32u);
  int line = 0;
  const std::string text = error_of([&] {
    line = __LINE__ + 1;
    (void)host.to(kCUDA);
  });
  EXPECT_EQ(text,
            fmt::format("transfer budget: this transfer would exceed it: host to device, 16 "
                        "bytes, moved by to() or similar\n"
                        "  at {0}:{1}\n"
                        "  budget made at {0}:{2}: 2 transfers host to device, of which 2 (32 "
                        "bytes) are used:\n"
                        "         2 x             32 bytes  host to device    moved by to() or "
                        "similar at {0}:{3}",
                        __FILE__, line, limit, used));
  EXPECT_EQ(budget.used_count(), 2u) << "what was refused is not used";
}

TEST_F(Transfers, BudgetsNestAndCountBytes) {
  const Tensor host = ones({4});
  const TransferBudget outer(TransferLimit().bytes(40));
  {
    const TransferBudget inner(TransferLimit().count(1));
    (void)host.to(kCUDA);
    EXPECT_THROW((void)host.to(kCUDA), TransferError);
  }
  (void)host.to(kCUDA);
  EXPECT_EQ(outer.used_bytes(), 32u);
  EXPECT_THROW((void)host.to(kCUDA), TransferError);
}

TEST_F(Transfers, UnderTheImplicitPolicyOperandsAreBroughtTogether) {
  manual_seed(1);
  const Tensor x = rand({2, 3, 4, 4}), y = rand({4, 4}), z = rand({3});
  nn::Sequential net(nn::Conv2d(3, 2, 2), nn::BatchNorm2d(2), nn::Flatten(), nn::Linear(18, 3));
  net->eval();
  const Tensor expected = net->forward(x), weight = rand({2, 3, 3, 3});
  const Tensor target = tensor({0, 2});
  net->to(kCUDA);
  const auto operations = [&](Device device) {
    const Tensor there = y.to(device);
    const Tensor images = x.to(device);
    return std::vector<Tensor>{
        y + there,
        there * y,
        y.matmul(there),
        y.mm(there),
        cat({there, y}),
        stack({y, there}),
        there.gather(1, tensor({{0}, {1}, {0}, {1}})),
        maximum(y, there),
        conv2d(images, weight),
        conv_transpose2d(images, rand({3, 1, 2, 2}, TensorOptions(kCPU)) * 0 + 1),
        batch_norm(images, z, z, z, z, false, 0.1, 1e-5),
        linear(there, y),
        z.addmm(ones({1, 2}, device), ones({2, 3})),
        nll_loss(there.log_softmax(1), tensor({0, 1, 2, 3})),
        cross_entropy_loss(there, tensor({0, 1, 2, 3})),
        mse_loss(there, y),
        smooth_l1_loss(y, there * 2),
        binary_cross_entropy(there, y),
        binary_cross_entropy_with_logits(y, there)};
  };
  const auto wanted = operations(kCPU);
  EXPECT_THROW((void)net->forward(x), DeviceMismatchError);
  EXPECT_THROW(operations(kCUDA), DeviceMismatchError);
  const OperandPolicyScope scope(OperandPolicy::kImplicit);
  TransferLedger::reset();
  EXPECT_TRUE(near(elements(net->forward(x)), elements(expected), 1e-5));
  const auto rows = TransferLedger::rows();
  EXPECT_EQ(rows[0].cause, TransferCause::kOperand);
  EXPECT_EQ(rows[0].bytes, x.nbytes());
  const auto actual = operations(kCUDA);
  for (size_t i = 0; i < actual.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_TRUE(near(elements(actual[i]), elements(wanted[i]), 1e-5));
    EXPECT_TRUE(i == 5 ? actual[i].is_cpu() : actual[i].is_cuda());
  }
  Tensor sum = zeros({4, 4}, kCUDA);
  sum += y;
  EXPECT_TRUE(near(elements(sum), elements(y), 0));
  EXPECT_TRUE(y.to(kCUDA).equal(y));
  EXPECT_TRUE(y.to(kCUDA).allclose(y));
  // The gradient reaches the operand where it is.
  const Tensor leaf = ones({4, 4}).requires_grad_();
  (leaf * y.to(kCUDA)).sum().backward();
  EXPECT_TRUE(leaf.grad().is_cpu());
  EXPECT_TRUE(near(elements(leaf.grad()), elements(y), 1e-6));
  // And a guard sees such a copy.
  const NoImplicitTransfers guard;
  EXPECT_THROW((void)(y + y.to(kCUDA)), TransferError);
}

TEST_F(Transfers, ThePolicyIsTheScopes) {
  {
    const OperandPolicyScope scope(OperandPolicy::kImplicit);
  }
  EXPECT_EQ(OperandPolicyScope::current(), OperandPolicy::kStrict);
  EXPECT_THROW((void)(ones({2}) + ones({2}, kCUDA)), DeviceMismatchError);
}

TEST(ModuleDevices, SayWhereAModelIs) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  nn::Sequential model(nn::Linear(4, 2), nn::Linear(2, 1));
  EXPECT_EQ(model->device(), Device(kCPU));
  model->to(Device(kCUDA, 1));
  EXPECT_EQ(model->device(), Device(kCUDA, 1));
  EXPECT_EQ(ones({1, 4}).to(model->device()).device(), Device(kCUDA, 1));
  (*model)[1]->to(kCPU);
  const auto devices = model->devices();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[0].device, Device(kCUDA, 1));
  EXPECT_EQ(devices[0].bytes, 40u);
  EXPECT_EQ(devices[1].names, (std::vector<std::string>{"1.weight", "1.bias"}));
  const std::string text = error_of([&] { (void)model->device(); });
  EXPECT_EQ(text.find("device: Sequential is spread over 2 devices\n"), 0u) << text;
  EXPECT_NE(text.find("\n  cuda:1  2 tensors, 40 bytes: 0.weight, 0.bias\n"
                      "  cpu  2 tensors, 12 bytes: 1.weight, 1.bias\n"
                      "help: move all of it: module->to(torch::Device(\"cuda:1\"))"),
            std::string::npos)
      << text;
  EXPECT_NE(error_of([] { (void)nn::ReLU()->device(); }).find("has no parameters"),
            std::string::npos);
}

TEST(DefaultDevice, PlacesNewTensorsAndModules) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  {
    const DefaultDevice scope(Device(kCUDA, 1));
    EXPECT_EQ(ones({2}).device(), Device(kCUDA, 1));
    EXPECT_EQ(tensor({1.0, 2.0}).device(), Device(kCUDA, 1));
    EXPECT_EQ(randperm(3).device(), Device(kCUDA, 1));
    EXPECT_EQ(nn::Linear(2, 2)->device(), Device(kCUDA, 1));
    EXPECT_EQ(ones({2}, kCPU).device(), Device(kCPU));
    EXPECT_TRUE(near(elements(ones({2}) + tensor({1.0, 2.0})), {2, 3}, 0));
    const DefaultDevice inner(kCPU);
    EXPECT_TRUE(ones({2}).is_cpu());
  }
  EXPECT_TRUE(ones({2}).is_cpu());
}

TEST(CudaGuard, ChoosesAndPlacesNothingAndTheErrorSaysSo) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  const Tensor there = ones({2}).to(Device(kCUDA, 1));
  Tensor made;
  int guard_line = 0;
  {
    guard_line = __LINE__ + 1;
    const cuda::CUDAGuard guard(1);
    EXPECT_EQ(cuda::current_device(), 1);
    EXPECT_EQ(ones({1}).cuda().device(), Device(kCUDA, 1));
    made = ones({2});
  }
  EXPECT_EQ(cuda::current_device(), 0);
  EXPECT_TRUE(made.is_cpu());
  const std::string text = error_of([&] { (void)(made + there); });
  EXPECT_NE(
      text.find(fmt::format(
          "note: the current CUDA device was chosen at {}:{} before self was made. That "
          "chooses the GPU which \"cuda\" without an index means, and places no tensors: they "
          "are made on the CPU unless their options or a torch::DefaultDevice scope say "
          "otherwise\nhelp: move self",
          __FILE__, guard_line)),
      std::string::npos)
      << text;
  // Without a guard, or with a device said, there is no such note.
  EXPECT_EQ(error_of([&] { (void)(ones({2}) + there); }).find("note:"), std::string::npos);
  const cuda::CUDAGuard guard(1);
  EXPECT_EQ(error_of([&] { (void)(ones({2}, kCPU) + there); }).find("note:"), std::string::npos);
}

TEST(TensorOn, HoldsTensorsOfItsPlace) {
  TENSORLIB_REQUIRE_CUDA();
  const TensorOn<Cpu> x(ones({2, 2}));
  const TensorOn<Cuda> y = x.to<Cuda>();
  const TensorOn<Cuda> z = (y + y).matmul(y) * y - y.relu();
  EXPECT_TRUE(z.tensor().is_cuda());
  EXPECT_TRUE(near(elements(z.to<Cpu>().tensor()), {3, 3, 3, 3}, 0));
  EXPECT_EQ(y.sum(0, true).sizes(), std::vector<int64_t>({1, 2}));
  EXPECT_NE(error_of([&] { TensorOn<Cuda> wrong(x.tensor()); }).find("the tensor is on cpu"),
            std::string::npos);
}

}  // namespace
}  // namespace tensorlib::testing
