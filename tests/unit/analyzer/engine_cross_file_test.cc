// Functions that another unit defines: what is known of them there counts where they are called,
// and what is not known is silent.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::analyze_code;
using testing::check_units;

TEST(CrossFileTest, a_need_of_a_callee) {
  const std::string declarations = R"(
    using namespace torch;
    Tensor combine(const Tensor& a, const Tensor& b);
    Tensor combine_somewhere(const Tensor& a, const Tensor& b);
    Tensor nobody_knows(const Tensor& a, const Tensor& b);
    )";
  check_units({declarations + R"(
    Tensor combine(const Tensor& a, const Tensor& b) { return a + b; }
    Tensor combine_somewhere(const Tensor& a, const Tensor& b) {
      if (a.is_cuda() != b.is_cuda()) return a + b.to(a.device());
      return a + b;
    })",
               declarations + R"(
    void bad() {
      auto a = torch::ones({2, 3});
      auto b = torch::ones({2, 3}).to(kCUDA);
      combine(a, b);  // expect: missing-transfer
    }
    void good() {
      auto a = torch::ones({2, 3});
      auto b = torch::ones({2, 3}).to(kCUDA);
      combine(a.to(kCUDA), b);
      combine_somewhere(a, b);
      nobody_knows(a, b);
    })"});
}

TEST(CrossFileTest, the_note_leads_into_the_other_file) {
  const AnalysisResult helpers = analyze_code(R"(
    at::Tensor combine(const at::Tensor& a, const at::Tensor& b) {
      return a + b;
    })");
  SummarySet known;
  known.add(helpers.summaries);
  AnalysisOptions options = testing::copy_rules();
  options.others = &known;
  const AnalysisResult caller = analyze_code(R"(
    using namespace torch;
    Tensor combine(const Tensor& a, const Tensor& b);
    void run(Tensor x) { combine(torch::ones({2}), x.to(kCUDA)); })",
                                             options);
  ASSERT_EQ(caller.findings.size(), 1u);
  const Note& note = caller.findings.front().notes.back();
  EXPECT_EQ(note.location.line, 3u);
  EXPECT_EQ(note.location.function, "combine");
  EXPECT_EQ(note.message, "`combine` needs them on one device: `a + b`");
}

TEST(CrossFileTest, where_a_result_is) {
  const std::string declarations = R"(
    using namespace torch;
    Tensor upload(const Tensor& x);
    Tensor place(const Tensor& x, Device where);
    Tensor make_batch();
    void upload_in_place(Tensor& x);
    )";
  check_units({declarations + R"(
    Tensor upload(const Tensor& x) { return x.to(kCUDA); }
    Tensor place(const Tensor& x, Device where) { return x.to(where); }
    Tensor make_batch() { return torch::ones({8, 8}); }
    void upload_in_place(Tensor& x) { x = x.to(kCUDA); }
    )",
               declarations + R"(
    void bad(Device device) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      model->forward(make_batch());  // expect: missing-transfer
      model->forward(place(make_batch(), kCPU));  // expect: missing-transfer
    }
    void good(Device device) {
      nn::Linear model(8, 8);
      model->to(device);
      model->forward(place(make_batch(), device));
      nn::Linear other(8, 8);
      other->to(kCUDA);
      other->forward(upload(make_batch()));
      Tensor batch = make_batch();
      upload_in_place(batch);
      other->forward(batch);
    })"});
}

TEST(CrossFileTest, what_a_callee_leaves_alone) {
  const std::string declarations = R"(
    using namespace torch;
    void log_mean(const Tensor& x);
    void scale(Tensor x);
    void unseen(Tensor x);
    void use(const Tensor& a, const Tensor& b) { a + b; }
    )";
  check_units({R"(
    using namespace torch;
    void log_mean(const Tensor& x) { x.mean(); }
    void scale(Tensor x) { x *= 2; })",
               declarations + R"(
    void bad() {
      auto x = torch::ones({8, 8});
      auto a = x.to(kCUDA);
      log_mean(x);
      auto b = x.to(kCUDA);  // expect: repeated-transfer
      use(a, b);
    }
    void changed() {
      auto x = torch::ones({8, 8});
      auto a = x.to(kCUDA);
      scale(x);
      auto b = x.to(kCUDA);
      use(a, b);
    }
    void perhaps_changed() {
      auto x = torch::ones({8, 8});
      auto a = x.to(kCUDA);
      unseen(x);
      auto b = x.to(kCUDA);
      use(a, b);
    })"});
}

TEST(CrossFileTest, methods_and_constructors) {
  const std::string header = R"(
    using namespace torch;
    struct Net : nn::Module {
      Net();
      Tensor forward(Tensor x);
      void place(Device device);
      nn::Linear layer{nullptr};
    };
    struct Careful : nn::Module {
      Careful();
      Tensor forward(Tensor x);
      nn::Linear layer{nullptr};
    };
    )";
  check_units({header + R"(
    Net::Net() { layer = register_module("layer", nn::Linear(8, 8)); }
    Tensor Net::forward(Tensor x) { return layer->forward(x); }
    void Net::place(Device device) { to(device); }
    Careful::Careful() { layer = register_module("layer", nn::Linear(8, 8)); }
    Tensor Careful::forward(Tensor x) { return layer->forward(x.to(layer->weight.device())); }
    )",
               header + R"(
    void bad() {
      Net net;
      net.to(kCUDA);
      net.forward(torch::ones({8, 8}));  // expect: missing-transfer
      auto shared = std::make_shared<Net>();
      shared->place(kCUDA);
      shared->forward(torch::ones({8, 8}));  // expect: missing-transfer
    }
    void good() {
      Net net;
      net.forward(torch::ones({8, 8}));
      net.to(kCUDA);
      net.forward(torch::ones({8, 8}).to(kCUDA));
      net.place(kCPU);
      net.forward(torch::ones({8, 8}));
      Careful careful;
      careful.to(kCUDA);
      careful.forward(torch::ones({8, 8}));
    })"});
}

TEST(CrossFileTest, a_choice_that_a_call_settles) {
  const std::string declarations = R"(
    using namespace torch;
    Tensor load(bool use_cuda);
    )";
  check_units({declarations + R"(
    Tensor load(bool use_cuda) {
      Device device(use_cuda && torch::cuda::is_available() ? kCUDA : kCPU);
      return torch::ones({2, 3}).to(device);
    })",
               declarations + R"(
    Tensor bad(bool use_cuda) {
      return load(use_cuda) + torch::ones({2, 3});  // expect: missing-transfer
    }
    Tensor good() { return load(false) + torch::ones({2, 3}); })"});
}

TEST(CrossFileTest, through_three_units_in_any_order) {
  const std::string first = R"(
    using namespace torch;
    Tensor middle(Tensor a, Tensor b);
    void run() {
      middle(torch::ones({2}), torch::ones({2}).to(kCUDA));  // expect: missing-transfer
      middle(torch::ones({2}), torch::ones({2}));
    })";
  const std::string second = R"(
    using namespace torch;
    Tensor last(Tensor a, Tensor b);
    Tensor middle(Tensor a, Tensor b) { return last(b, a); })";
  const std::string third = R"(
    using namespace torch;
    Tensor last(Tensor a, Tensor b) { return a.matmul(b); })";
  check_units({first, second, third});
  check_units({third, second, first});
}

TEST(CrossFileTest, a_ring_of_units_ends) {
  check_units({R"(
    using namespace torch;
    Tensor pong(Tensor a, Tensor b, int n);
    Tensor ping(Tensor a, Tensor b, int n) { return n == 0 ? a + b : pong(a, b, n - 1); }
    void run() { ping(torch::ones({2}), torch::ones({2}).to(kCUDA), 3); })",
               R"(
    using namespace torch;
    Tensor ping(Tensor a, Tensor b, int n);
    Tensor pong(Tensor a, Tensor b, int n) { return ping(b, a, n); })"});
}

TEST(CrossFileTest, what_only_one_unit_can_see) {
  const std::string caller = R"(
    using namespace torch;
    Tensor hidden(Tensor a, Tensor b);
    Tensor also_hidden(Tensor a, Tensor b);
    Tensor replaceable(Tensor a, Tensor b);
    void run() {
      hidden(torch::ones({2}), torch::ones({2}).to(kCUDA));
      also_hidden(torch::ones({2}), torch::ones({2}).to(kCUDA));
      replaceable(torch::ones({2}), torch::ones({2}).to(kCUDA));
    })";
  check_units({R"(
    using namespace torch;
    static Tensor hidden(Tensor a, Tensor b) { return a + b; }
    namespace { Tensor also_hidden(Tensor a, Tensor b) { return a + b; } }
    __attribute__((weak)) Tensor replaceable(Tensor a, Tensor b) { return a + b; }
    void use() {
      hidden(torch::ones({2}), torch::ones({2}));
      also_hidden(torch::ones({2}), torch::ones({2}));
    }
    )",
               caller});
}

TEST(CrossFileTest, two_definitions_that_differ) {
  const std::string caller = R"(
    using namespace torch;
    Tensor join(Tensor a, Tensor b);
    void run() { join(torch::ones({2}), torch::ones({2}).to(kCUDA)); })";
  const std::string strict = R"(
    using namespace torch;
    Tensor join(Tensor a, Tensor b) { return a + b; })";
  const std::string lenient = R"(
    using namespace torch;
    Tensor join(Tensor a, Tensor b) { return a.to(kCUDA) + b.to(kCUDA); })";
  check_units({caller, strict, lenient});
  check_units({lenient, strict, strict, caller});
}

TEST(CrossFileTest, calls_that_nobody_can_follow) {
  const std::string header = R"(
    using namespace torch;
    struct Step {
      virtual ~Step();
      virtual Tensor run(Tensor a, Tensor b);
    };
    struct FinalStep final : Step {
      Tensor run(Tensor a, Tensor b) override;
    };
    Tensor free_step(Tensor a, Tensor b);
    )";
  check_units({header + R"(
    Step::~Step() {}
    Tensor Step::run(Tensor a, Tensor b) { return a + b; }
    Tensor FinalStep::run(Tensor a, Tensor b) { return a + b; }
    Tensor free_step(Tensor a, Tensor b) { return a + b; }
    )",
               header + R"(
    void good(Step& step, Tensor (*chosen)(Tensor, Tensor)) {
      step.run(torch::ones({2}), torch::ones({2}).to(kCUDA));
      chosen(torch::ones({2}), torch::ones({2}).to(kCUDA));
    }
    void bad(FinalStep& step) {
      step.run(torch::ones({2}), torch::ones({2}).to(kCUDA));  // expect: missing-transfer
    })"});
}

const std::set<Rule> kMembers = {Rule::kUnregisteredTensor};

/// A constructor that makes a member on the CPU, a forward that uses it, and a main that moves the
/// module.
std::string masked_net(const std::string& methods = "") {
  return R"(
    using namespace torch;
    struct Net : nn::Module {
      Net();
      Tensor forward(Tensor x);
      )" +
         methods +
         R"(
      Tensor mask;
    };
    )";
}
constexpr const char* kForward = "Tensor Net::forward(Tensor x) { return x * mask; }";
constexpr const char* kMove = "void run() { Net net; net.to(kCUDA); }";

TEST(CrossFileTest, a_member_that_stays_behind) {
  const std::string net = masked_net();
  const std::string found =
      "Net::Net() { mask = torch::ones({8, 8}); }  // expect: unregistered-tensor\n";
  const std::string silent = "Net::Net() { mask = torch::ones({8, 8}); }\n";
  check_units({net + found, net + kForward, net + kMove}, kMembers);
  check_units({net + kMove, net + kForward, net + found}, kMembers);
  check_units({net + found + kForward, net + kMove}, kMembers);
  // Nobody moves it; nobody has seen forward; another one's forward.
  check_units({net + silent, net + kForward}, kMembers);
  check_units({net + silent, net + kMove}, kMembers);
  check_units({net + silent, "\n\n" + net + kForward, net + kMove}, kMembers);
}

TEST(CrossFileTest, a_member_that_somebody_takes_along) {
  const std::string net = masked_net("void place(Device device);");
  const std::string silent = "Net::Net() { mask = torch::ones({8, 8}); }\n";
  check_units(
      {net + silent + kForward,
       net + "void Net::place(Device device) { to(device); mask = mask.to(device); }", net + kMove},
      kMembers);
  check_units(
      {net + silent + kForward,
       net + "void Net::place(Device device) { register_buffer(\"mask\", mask); }", net + kMove},
      kMembers);
  check_units({net + silent + kForward, net + "void Net::place(Device device) { to(device); }",
               net + "void run() { Net net; net.to(kCUDA); net.mask = net.mask.to(kCUDA); }"},
              kMembers);
  const std::string registered =
      "Net::Net() { mask = register_buffer(\"mask\", torch::ones({8, 8})); }\n";
  check_units({net + registered + kForward, net + "void Net::place(Device device) { to(device); }",
               net + kMove},
              kMembers);
}

}  // namespace
}  // namespace xfer::analyzer
