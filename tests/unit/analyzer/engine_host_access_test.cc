#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(HostAccessTest, pointers_are_followed_through_variables_and_arithmetic) {
  check(R"(
float f(bool c) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  float* q = p + 2;
  float* r = (float*)(void*)q;
  return *(r + 1);  // expect: host-access
}
float g() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p;
  p = x.data_ptr<float>();
  x = torch::randn({8});
  return p[0];  // expect: host-access
}
)",
        {Rule::kHostAccess, Rule::kDanglingTransfer, Rule::kRepeatedTransfer});
}

TEST(HostAccessTest, a_pointer_is_what_it_was_last_given) {
  check(R"(
float f(float* mine, bool c) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  p = mine;
  float sum = p[0];
  float* q = mine;
  if (c) q = x.data_ptr<float>();
  sum += q[0];
  q = x.cpu().data_ptr<float>();  // expect: dangling-transfer
  return sum + q[0];
}
float loop(float* mine, int n) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float sum = 0;
  float* p = mine;
  for (int i = 0; i < n; ++i) {
    sum += p[i];
    p = x.data_ptr<float>();
  }
  return sum;
}
)",
        {Rule::kHostAccess, Rule::kDanglingTransfer, Rule::kRepeatedTransfer});
}

TEST(HostAccessTest, pointers_that_others_change_are_not_known) {
  check(R"(
void change(float*& p); void change_by_address(float** p);
float f(float* mine) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  change(p);
  float* q = x.data_ptr<float>();
  change_by_address(&q);
  float* r = x.data_ptr<float>();
  auto set = [&] { r = mine; };
  set();
  return p[0] + q[0] + r[0];
}
)",
        {Rule::kHostAccess, Rule::kDanglingTransfer, Rule::kRepeatedTransfer});
}

TEST(HostAccessTest, an_address_is_not_followed) {
  check(R"(
void launch(const float*);
void f(float* to) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  float* p = x.data_ptr<float>();
  launch(&p[3]);
  launch(&*p);
  auto size = sizeof(*p);
  std::memcpy(to, x.cpu().data_ptr<float>(), 4);
  std::memcpy(to, p, 4);  // expect: host-access
}
)",
        {Rule::kHostAccess, Rule::kDanglingTransfer, Rule::kRepeatedTransfer});
}

TEST(HostAccessTest, a_pointer_keeps_nothing_alive) {
  check(R"(
void f() {
  torch::Tensor x = torch::randn({8});
  float* p = nullptr;
  { torch::Tensor y = x.cuda(); p = y.data_ptr<float>(); auto s = y.sum(); }
  auto z = x.cuda().sum();
}
)",
        {Rule::kHostAccess, Rule::kDanglingTransfer, Rule::kRepeatedTransfer});
}

TEST(HostAccessTest, a_matrix_of_opencv_is_for_the_host) {
  check(R"(
namespace cv {
struct Mat {
  Mat();
  Mat(int rows, int cols, int type);
  Mat(int rows, int cols, int type, void* data, unsigned long step = 0);
  unsigned char* data;
};
}
void bad() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  cv::Mat over(2, 4, 5, x.data_ptr<float>());  // expect: host-access
}
cv::Mat good(torch::Tensor y) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA).cpu();
  cv::Mat over(2, 4, 5, x.data_ptr<float>());
  cv::Mat own(2, 4, 5);
  return cv::Mat(2, 4, 5, y.data_ptr<float>());
}
)",
        {Rule::kHostAccess});
}

}  // namespace
}  // namespace xfer::analyzer::testing
