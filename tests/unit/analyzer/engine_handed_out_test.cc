// Modules that a function hands out of a field: whoever moves one of them moves the field's.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;
using testing::check_units;

TEST(HandedOutTest, what_is_moved_through_a_getter_is_the_fields_module) {
  check(R"(
    using namespace torch;
    struct Field {
      Field(int w) : width(w) {}
      nn::Linear get() const { return layer; }
      nn::Linear& reference() { return layer; }
      Tensor run(Tensor x) { return layer->forward(x); }
      int width;
      nn::Linear layer{8, 8};
    };
    Tensor ones() { return torch::ones({2, 8}).to(kCUDA); }
    Tensor by_getter() {
      auto field = Field(3);
      field.get()->to(kCUDA);
      return field.get()->forward(ones());
    }
    Tensor by_variable() {
      auto field = Field(3);
      auto layer = field.get();
      layer->to(kCUDA);
      return field.run(ones());
    }
    Tensor by_reference() {
      auto field = Field(3);
      field.reference()->to(kCUDA);
      return field.run(ones());
    }
    Tensor input_left_behind() {
      auto field = Field(3);
      field.get()->to(kCUDA);
      return field.run(torch::ones({2, 8}));  // expect: missing-transfer
    }
    Tensor module_left_behind() {
      auto field = Field(3);
      return field.get()->forward(ones());  // expect: missing-transfer
    })");
}

TEST(HandedOutTest, a_registered_module_goes_with_the_whole_and_alone) {
  check(R"(
    using namespace torch;
    struct Net : nn::Module {
      Net() { head_ = register_module("head", nn::Linear(8, 8)); }
      nn::Linear head() { return head_; }
      Tensor forward(Tensor x) { return head_->forward(x); }
      nn::Linear head_{nullptr};
    };
    Tensor ones() { return torch::ones({2, 8}).to(kCUDA); }
    Tensor head_alone() {
      Net net;
      net.head()->to(kCUDA);
      return net.forward(ones());
    }
    Tensor whole_before() {
      Net net;
      net.to(kCUDA);
      return net.head()->forward(ones());
    }
    Tensor whole_after() {
      Net net;
      auto head = net.head();
      net.to(kCUDA);
      return head->forward(ones());
    }
    Tensor input_left_behind() {
      Net net;
      auto head = net.head();
      net.to(kCUDA);
      return head->forward(torch::ones({2, 8}));  // expect: missing-transfer
    })");
}

TEST(HandedOutTest, fields_of_fields_and_what_only_may_be_handed_out) {
  check(R"(
    using namespace torch;
    struct Inner {
      nn::Linear a{8, 8};
      nn::Linear b{8, 8};
    };
    struct Outer {
      nn::Linear deep() { return inner.a; }
      nn::Linear either(bool first) { return first ? inner.a : inner.b; }
      nn::Linear moved() {
        inner.b->to(kCUDA);
        return inner.b;
      }
      Inner inner;
    };
    Tensor ones() { return torch::ones({2, 8}).to(kCUDA); }
    Tensor field_of_a_field() {
      Outer outer;
      outer.deep()->to(kCUDA);
      return outer.inner.a->forward(ones());
    }
    Tensor one_of_two(bool first) {
      Outer outer;
      outer.either(first)->to(kCUDA);
      return outer.inner.a->forward(ones());
    }
    Tensor moved_by_the_getter() {
      Outer outer;
      return outer.moved()->forward(ones());
    })");
}

TEST(HandedOutTest, a_getter_that_moves_first) {
  check(R"(
    using namespace torch;
    struct Field {
      nn::Linear on(Device device) {
        layer->to(device);
        return layer;
      }
      void park() { layer->to(kCPU); }
      Tensor run(Tensor x) { return layer->forward(x); }
      nn::Linear layer{8, 8};
    };
    Tensor ones() { return torch::ones({2, 8}); }
    Tensor moved_back_in_the_field() {
      Field field;
      auto layer = field.on(kCUDA);
      field.layer->to(kCPU);
      return layer->forward(ones());
    }
    Tensor moved_back_by_a_method() {
      Field field;
      auto layer = field.on(kCUDA);
      field.park();
      return layer->forward(ones());
    }
    Tensor moved_back_by_the_handle() {
      Field field;
      field.on(kCUDA)->to(kCPU);
      return field.run(ones());
    }
    Tensor input_left_behind() {
      Field field;
      return field.on(kCUDA)->forward(ones());  // expect: missing-transfer
    }
    Tensor left_behind_by_the_method() {
      Field field;
      auto layer = field.on(kCUDA);
      return field.run(ones());  // expect: missing-transfer
    })");
}

TEST(HandedOutTest, a_parameter_that_is_replaced_takes_its_module_along) {
  check(R"(
    using namespace torch;
    Tensor ones() { return torch::ones({2, 8}).to(kCUDA); }
    Tensor replaced() {
      nn::Linear layer(8, 8);
      layer->weight = layer->weight.to(kCUDA);
      return layer->forward(ones());
    }
    Tensor replaced_where_it_was() {
      nn::Linear layer(8, 8);
      layer->weight = torch::ones({8, 8});
      return layer->forward(ones());  // expect: missing-transfer
    })");
}

TEST(HandedOutTest, a_getter_of_another_unit) {
  const std::string declarations = R"(
    using namespace torch;
    struct Field {
      Field();
      nn::Linear get();
      Tensor run(Tensor x);
      nn::Linear layer;
    };
    )";
  check_units({declarations + R"(
    Field::Field() : layer(8, 8) {}
    nn::Linear Field::get() { return layer; }
    Tensor Field::run(Tensor x) { return layer->forward(x); })",
               declarations + R"(
    Tensor moved() {
      Field field;
      field.get()->to(kCUDA);
      return field.run(torch::ones({2, 8}).to(kCUDA));
    }
    Tensor input_left_behind() {
      Field field;
      field.get()->to(kCUDA);
      return field.run(torch::ones({2, 8}));  // expect: missing-transfer
    })"});
}

}  // namespace
}  // namespace xfer::analyzer
