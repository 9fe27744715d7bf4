// Variables that are changed by other names: what the flow does not see is not judged.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

TEST(AliasTest, a_reference_that_may_be_one_of_two) {
  check(R"(
    using namespace torch;
    Tensor chosen(bool first) {
      auto a = torch::ones({8}), b = torch::ones({8});
      Tensor& moved = first ? a : b;
      moved = moved.to(kCUDA);
      return (first ? a : b) + torch::ones({8}, kCUDA);
    }
    Tensor known() {
      auto a = torch::ones({8}), b = torch::ones({8});
      Tensor& moved = a;
      moved = moved.to(kCUDA);
      return a + b;  // expect: missing-transfer
    })");
}

TEST(AliasTest, elements_assigned_in_a_loop_are_read_as_elements) {
  check(R"(
    using namespace torch;
    Tensor all(std::vector<Tensor> list) {
      for (auto& x : list) x = x.to(kCUDA);
      return list[0] + torch::ones({8}, kCUDA);
    }
    Tensor made() {
      std::vector<Tensor> list = {torch::ones({8}), torch::ones({8})};
      for (auto& x : list) x = x.to(kCUDA);
      return list[0] + torch::ones({8}, kCUDA);
    }
    Tensor first() {
      std::vector<Tensor> list = {torch::ones({8}), torch::ones({8})};
      auto& x = list[0];
      x = x.to(kCUDA);
      return list[0] + torch::ones({8}, kCUDA);
    })");
}

void moves_elements_elsewhere(const char* how) {
  check(std::string(R"(
    using namespace torch;
    void move(Tensor& x) { x = x.to(kCUDA); }
    void move_all(std::vector<Tensor>::iterator begin, std::vector<Tensor>::iterator end);
    Tensor run() {
      std::vector<Tensor> list = {torch::ones({8}), torch::ones({8})};
      )") +
        how + R"(
      return list[0] + torch::ones({8}, kCUDA);
    })");
}

TEST(AliasTest, elements_changed_by_calls) {
  moves_elements_elsewhere("for (auto& x : list) move(x);");
  moves_elements_elsewhere("auto& x = list[1]; move(x);");
  moves_elements_elsewhere("move_all(list.begin(), list.end());");
  moves_elements_elsewhere(
      "for (auto it = list.begin(); it != list.end(); ++it) *it = it->to(kCUDA);");
}

TEST(AliasTest, parts_of_pairs_by_reference) {
  check(R"(
    using namespace torch;
    struct Two { Tensor a, b; };
    Tensor run() {
      Two two{torch::ones({8}), torch::ones({8})};
      auto& [a, b] = two;
      a = a.to(kCUDA);
      return two.a + torch::ones({8}, kCUDA);
    })");
}

TEST(AliasTest, data_given_to_parameters) {
  check(R"(
    using namespace torch;
    struct NetImpl : nn::Module {
      NetImpl() : fc(8, 8) { register_module("fc", fc); }
      Tensor forward(Tensor x) { return fc->forward(x); }
      void to_gpu() {
        for (auto& p : parameters()) p.set_data(p.to(kCUDA));
      }
      nn::Linear fc;
    };
    TORCH_MODULE(Net);
    Tensor outside() {
      Net net;
      for (auto& p : net->parameters()) p.set_data(p.to(kCUDA));
      return net->forward(torch::ones({8, 8}, kCUDA));
    }
    Tensor by_method() {
      Net net;
      net->to_gpu();
      return net->forward(torch::ones({8, 8}, kCUDA));
    }
    Tensor moved_but_not_the_input() {
      Net net;
      net->to(kCUDA);
      return net->forward(torch::ones({8, 8}));  // expect: missing-transfer
    })");
}

void moves_parts(const char* how, const char* expected = "") {
  check(std::string(R"(
    using namespace torch;
    template <class... T> void move_all(Device d, T&... x) { ((x = x.to(d)), ...); }
    Tensor run() {
      nn::Sequential net;
      net->push_back(nn::Linear(8, 8));
      Tensor a = torch::ones({8}), b = torch::ones({8});
      )") +
        how + R"(
      auto y = net->forward(torch::ones({8}, kCUDA));)" +
        expected + R"(
      return a + b + torch::ones({8}, kCUDA);
    })");
}

TEST(AliasTest, parts_of_modules) {
  moves_parts("for (auto& part : net->children()) part->to(kCUDA); move_all(kCUDA, a, b);");
  moves_parts("net->ptr(0)->to(kCUDA); move_all(kCUDA, a, b);");
  moves_parts("net->apply([](nn::Module& part) { part.to(kCUDA); }); move_all(kCUDA, a, b);");
  moves_parts("move_all(kCUDA, a, b);", "  // expect: missing-transfer");
}

}  // namespace
}  // namespace xfer::analyzer
