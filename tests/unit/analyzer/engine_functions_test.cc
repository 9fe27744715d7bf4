// Functions that are given to functions: the caller knows which one it gives.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer {
namespace {

using testing::check;

const std::string kImage = R"(
    using namespace torch;
    Tensor same(Tensor x) { return x; }
    Tensor upload(Tensor x) { return x.to(kCUDA); }
    Tensor image(float* data,
                 std::function<Tensor(Tensor)> transform = [](Tensor x) { return x; }) {
      if (data == nullptr) return transform(zeros({8, 8}));
      return transform(from_blob(data, {8, 8}));
    }
    Tensor image_by_pointer(float* data, Tensor (*transform)(Tensor)) {
      return transform(from_blob(data, {8, 8}));
    }
    struct Upload { Tensor operator()(Tensor x) { return x.cuda(); } };
    struct Scale { Tensor operator()(Tensor x) { return x * 2; } };
)";

TEST(FunctionsTest, where_the_result_of_a_given_function_is) {
  check(kImage + R"(
    void run(float* data) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      model->forward(image(data));  // expect: missing-transfer
      model->forward(image(data, same));  // expect: missing-transfer
      model->forward(image(data, [](Tensor x) { return x + 1; }));  // expect: missing-transfer
      model->forward(image(data, Scale()));  // expect: missing-transfer
      model->forward(image_by_pointer(data, same));  // expect: missing-transfer
      model->forward(image_by_pointer(data, &same));  // expect: missing-transfer
    })");
}

TEST(FunctionsTest, functions_that_move_what_they_are_given) {
  check(kImage + R"(
    void run(float* data) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      model->forward(image(data, upload));
      model->forward(image(data, [](Tensor x) { return x.cuda(); }));
      model->forward(image(data, Upload()));
      model->forward(image_by_pointer(data, upload));
    })");
}

TEST(FunctionsTest, functions_of_which_nothing_is_known) {
  check(kImage + R"(
    Tensor elsewhere(Tensor x);
    Tensor any(float* data, std::function<Tensor(Tensor)> transform, bool cuda) {
      if (cuda) transform = upload;
      return transform(from_blob(data, {8, 8}));
    }
    struct Maybe {
      bool cuda;
      Tensor operator()(Tensor x) { return cuda ? x.cuda() : x; }
    };
    void run(float* data, std::function<Tensor(Tensor)> given, bool cuda) {
      nn::Linear model(8, 8);
      model->to(kCUDA);
      Device device = cuda ? kCUDA : kCPU;
      model->forward(image(data, elsewhere));
      model->forward(image(data, given));
      model->forward(image(data, Maybe{cuda}));
      model->forward(image(data, [device](Tensor x) { return x.to(device); }));
      model->forward(any(data, same, cuda));
    })");
}

}  // namespace
}  // namespace xfer::analyzer
