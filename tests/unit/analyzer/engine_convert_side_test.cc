#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

TEST(ConvertSideTest, chains) {
  check(R"(
auto f(void* pixels, torch::Device device) {
  torch::Tensor image = torch::from_blob(pixels, {8}, torch::kByte);
  auto x = image.view({2, 4}).to(torch::kFloat).div(255).to(device);  // expect: convert-side
  torch::Tensor wide = torch::zeros({8}, torch::kDouble);
  auto y = wide.to(device).to(torch::kFloat);  // expect: convert-side
  auto z = image.to(device).to(torch::kFloat).div(255);
  auto w = image.to(device, torch::kFloat);
  return std::make_tuple(x, y, z, w);
}
)",
        {Rule::kConvertSide});
}

TEST(ConvertSideTest, types_from_options_and_variables) {
  check(R"(
torch::Tensor f(void* pixels) {
  auto type = torch::kByte;
  auto options = torch::TensorOptions().dtype(type);
  torch::Tensor image = torch::from_blob(pixels, {8}, options);
  return image.to(torch::kFloat).to(torch::kCUDA);  // expect: convert-side
}
torch::Tensor either(void* pixels, bool c) {
  auto type = torch::kByte;
  if (c) type = torch::kFloat;
  torch::Tensor image = torch::from_blob(pixels, {8}, type);
  return image.to(torch::kFloat).to(torch::kCUDA);
}
torch::Tensor opaque(void* pixels, torch::TensorOptions options) {
  torch::Tensor image = torch::from_blob(pixels, {8}, options.dtype(torch::kByte));
  torch::Tensor other = torch::from_blob(pixels, {8}, options);
  return image.to(torch::kFloat) + other.to(torch::kDouble).to(torch::kCUDA);
}
)",
        {Rule::kConvertSide});
}

}  // namespace
}  // namespace xfer::analyzer::testing
