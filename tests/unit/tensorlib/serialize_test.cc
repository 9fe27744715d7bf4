// torch::save and torch::load, and the safetensors files that they write.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

namespace fs = std::filesystem;

TEST(Serialize, TensorsOfEveryTypeComeBack) {
  for (const Device& device : devices()) {
    for (ScalarType type : kAllTypes) {
      const Tensor saved = arange(12, kFloat).view({3, 4}).to(device, type).t();
      std::stringstream stream;
      save(saved, stream);
      Tensor loaded;
      load(loaded, stream);
      EXPECT_EQ(loaded.dtype(), type);
      EXPECT_TRUE(loaded.is_cpu());
      EXPECT_EQ(loaded.sizes(), saved.sizes());
      EXPECT_EQ(elements(loaded), elements(saved));
    }
  }
  std::stringstream stream;
  save(std::vector<Tensor>{ones({2}), zeros({0, 3}), full({}, 4.0)}, stream);
  std::vector<Tensor> loaded;
  load(loaded, stream);
  ASSERT_EQ(loaded.size(), 3u);
  EXPECT_EQ(loaded[1].sizes(), std::vector<int64_t>({0, 3}));
  EXPECT_EQ(loaded[2].item<float>(), 4);
}

TEST(Serialize, AnArchiveIsWrittenAndReadByName) {
  nn::Linear layer(3, 2), other(3, 2);
  serialize::OutputArchive inner, out;
  layer->save(inner);
  inner.write("scale", full({2}, 3.0));
  out.write("layer", inner);
  std::stringstream stream, plain;
  out.save_to(stream);
  serialize::InputArchive in;
  in.load_from(stream);
  EXPECT_EQ(in.keys().size(), 3u);
  Tensor scale;
  in.read("layer.scale", scale);
  EXPECT_EQ(elements(scale), (std::vector<double>{3, 3}));
  EXPECT_FALSE(in.try_read("scale", scale));
  EXPECT_NE(error_of([&] { in.read("scale", scale); }).find("\"scale\""), std::string::npos);

  serialize::OutputArchive whole;
  layer->save(whole);
  whole.save_to(plain);
  serialize::InputArchive read;
  read.load_from(plain);
  other->load(read);
  EXPECT_EQ(elements(other->weight), elements(layer->weight));
  EXPECT_NE(error_of([&] { other->load(in); }).find("does not fit"), std::string::npos);
}

TEST(Serialize, ADeviceIsWhereTheLoadedIsBrought) {
  for (const Device& device : devices()) {
    const std::string path =
        (fs::temp_directory_path() / ("xfercheck_device_" + std::to_string(getpid()))).string();
    nn::Linear saved(2, 2), loaded(2, 2);
    save(saved, path);
    load(loaded, path, device);
    EXPECT_EQ(loaded->device(), device);
    EXPECT_EQ(elements(loaded->weight), elements(saved->weight));
    save(saved->weight, path);
    Tensor weight;
    load(weight, path, device);
    EXPECT_EQ(weight.device(), device);
    fs::remove(path);
  }
}

nn::Sequential network() {
  return nn::Sequential(nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Linear(4, 2));
}

TEST(Serialize, AModuleKeepsItsPlaceAndTakesTheValues) {
  for (const Device& device : devices()) {
    manual_seed(1);
    auto saved = network(), other = network();
    (void)saved(rand({5, 3}));
    other->to(device);
    std::stringstream stream;
    save(saved, stream);
    load(other, stream);
    for (const auto& item : saved->named_buffers()) {
      EXPECT_EQ(elements(other->named_buffers()[item.key()]), elements(item.value())) << item.key();
    }
    for (const auto& item : saved->named_parameters()) {
      const Tensor own = other->named_parameters()[item.key()];
      EXPECT_EQ(elements(own), elements(item.value())) << item.key();
      EXPECT_EQ(own.device(), device);
      EXPECT_TRUE(own.requires_grad());
    }
  }
}

// Trains, saves in the middle, and goes on from the file: the same values.
template <class Optimizer, class Options>
void resumes(const Options& options) {
  manual_seed(2);
  const Tensor x = rand({8, 3}), y = rand({8, 2});
  const auto train = [&](nn::Sequential& net, Optimizer& optimizer) {
    for (int i = 0; i < 3; ++i) {
      optimizer.zero_grad();
      mse_loss(net->forward(x), y).backward();
      optimizer.step();
    }
  };
  auto net = network();
  Optimizer optimizer(net->parameters(), options);
  train(net, optimizer);
  std::stringstream model_file, optimizer_file;
  save(net, model_file);
  save(optimizer, optimizer_file);
  train(net, optimizer);

  auto again = network();
  Optimizer resumed(again->parameters(), Options(123));
  load(again, model_file);
  load(resumed, optimizer_file);
  train(again, resumed);
  for (const auto& item : net->named_parameters()) {
    EXPECT_EQ(elements(again->named_parameters()[item.key()]), elements(item.value()))
        << item.key();
  }
}

TEST(Serialize, AnOptimizerGoesOnWhereItWas) {
  resumes<optim::SGD>(optim::SGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.01));
  resumes<optim::Adam>(optim::AdamOptions(0.05).betas({0.8, 0.9}).amsgrad(true));
  resumes<optim::AdamW>(optim::AdamWOptions(0.05).weight_decay(0.1));
  resumes<optim::Adagrad>(optim::AdagradOptions(0.05).lr_decay(0.1).initial_accumulator_value(0.2));
  resumes<optim::RMSprop>(optim::RMSpropOptions(0.05).momentum(0.9).centered(true));
}

TEST(Serialize, WhatDoesNotFitIsNamed) {
  const fs::path path = fs::temp_directory_path() / ("tensorlib_save_" + std::to_string(getpid()));
  nn::Sequential net = network();
  save(net, path.string());
  const auto error = [&](auto value) { return error_of([&] { load(value, path.string()); }); };
  EXPECT_NE(error(Tensor()).find("holds a module, not a tensor"), std::string::npos);
  EXPECT_NE(error(nn::Sequential(nn::Linear(3, 4), nn::BatchNorm1d(4)))
                .find("unknown to the module: 2.weight, 2.bias"),
            std::string::npos);
  EXPECT_NE(error(nn::Linear(3, 4)).find("missing in the file: weight, bias"), std::string::npos);
  const std::string shape =
      error(nn::Sequential(nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Linear(4, 5)));
  EXPECT_NE(shape.find("\"2.weight\" has shape [2, 4] in " + path.string() + ", and [5, 4]"),
            std::string::npos)
      << shape;
  save(ones({2}), path.string());
  EXPECT_NE(error(network()).find("holds a tensor, not a module"), std::string::npos);
  fs::remove(path);
  EXPECT_NE(error(Tensor()).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([] { save(ones({1}), "/no/such/folder/x"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { save(Tensor(), path.string()); }).find("undefined"), std::string::npos);
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(path.string() + ".part"));
}

std::string with_header(const std::string& header, const std::string& data = "") {
  std::string text;
  for (int i = 0; i < 8; ++i) text += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return text + header + data;
}

std::string loading(const std::string& bytes) {
  return error_of([&] {
    std::istringstream in(bytes);
    (void)io::load_safetensors(in, "x.st");
  });
}

TEST(Safetensors, DamageIsSaid) {
  const std::string four(4, '\0');
  const auto entry = [](const std::string& dtype, const std::string& shape, const std::string& at) {
    return R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + at +
           "}}";
  };
  const std::pair<std::string, const char*> cases[] = {
      {"", "shorter than the 8 bytes"},
      {"PK\x03\x04 a zip archive", "safetensors.torch.save_file"},
      {std::string(8, '\xff'), "its header is said to have"},
      {with_header("{\"a\":"), "its header is not a JSON object"},
      {with_header("[]"), "its header is not a JSON object"},
      {with_header("{\"a\":3}"), "the entry of \"a\" is not a JSON object"},
      {with_header("{\"__metadata__\":{\"k\":1}}"), "is not a string"},
      {with_header("{\"a\":{\"shape\":[1]}}"), "has no dtype"},
      {with_header(entry("F8_E4M3", "[1]", "[0,1]"), "x"), "a type that tensorlib does not have"},
      {with_header(entry("F32", "[-1]", "[0,4]"), four), "not a list of sizes"},
      {with_header(entry("F32", "[1.5]", "[0,4]"), four), "not a list of sizes"},
      {with_header(entry("F32", "[1]", "[4]"), four), "are not a range"},
      {with_header(entry("F32", "[1]", "[4,0]"), four), "are not a range"},
      {with_header(entry("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), four), "9 dimensions"},
      {with_header(entry("F32", "[4000000000,4000000000,4000000000]", "[0,4]"), four), "overflows"},
      {with_header(entry("F32", "[2]", "[0,4]"), four), "needs 8 bytes, and its place has 4"},
      {with_header(entry("F32", "[1]", "[4,8]"), four + four), "begins at byte 4"},
      {with_header(entry("F32", "[1]", "[0,4]"), four + "x"), "take 4 bytes, and 5 are there"},
      {with_header(entry("F32", "[1]", "[0,4]"), "xx"), "take 4 bytes, and 2 are there"},
  };
  for (const auto& [bytes, expected] : cases) {
    const std::string text = loading(bytes);
    EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_NE(text.find("x.st"), std::string::npos) << text;
  }
}

TEST(Safetensors, ReadsWhatOthersWrite) {
  // As Python's safetensors writes it: sorted, with metadata and padding.
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
      R"("a":{"dtype":"U8","shape":[2],"data_offsets":[8,10]}}     )";
  std::istringstream in(with_header(header, std::string("\x05\0\0\0\0\0\0\0\x01\x02", 10)));
  const io::SafeTensors loaded = io::load_safetensors(in, "x");
  EXPECT_EQ(loaded.metadata.at("format"), "pt");
  EXPECT_EQ(loaded.tensors.keys(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(loaded.tensors["b"].item<int64_t>(), 5);
  EXPECT_TRUE(near(elements(loaded.tensors["a"]), {1, 2}, 0));
}

}  // namespace
}  // namespace tensorlib::testing
