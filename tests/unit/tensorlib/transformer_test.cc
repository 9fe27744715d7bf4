// Transformer: its layers against their formula; names, devices, masks, copies.
#include <cmath>
#include <sstream>

#include "unit/tensorlib/support.h"
#include "unit/tensorlib/waves.h"

namespace tensorlib::testing {
namespace {

using Names = std::vector<std::string>;
using Sizes = std::vector<int64_t>;

TEST(TransformerEncoderLayer, IsAttentionAndTwoLinearLayersWithTheirSumsNormed) {
  for (const Device device : devices()) {
    nn::TransformerEncoderLayer layer(
        nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(6).dropout(0).activation(kGELU));
    set_up(layer, device);
    const Tensor x = wave({3, 2, 4}, 0.3, device);
    const Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(
        3, TensorOptions(device).dtype(kDouble));
    const Tensor padding = zeros({2, 3}, kBool).to(device);
    const Tensor taken = std::get<0>(layer->self_attn(x, x, x, padding, false, mask));
    const Tensor once = layer->norm1(x + taken);
    const Tensor expected = layer->norm2(once + layer->linear2(gelu(layer->linear1(once))));
    EXPECT_TRUE(near(elements(layer(x, mask, padding)), elements(expected), 1e-12));
  }
}

TEST(TransformerDecoderLayer, AttendsToItselfAndToTheMemory) {
  for (const Device device : devices()) {
    nn::TransformerDecoderLayer layer(
        nn::TransformerDecoderLayerOptions(4, 2).dim_feedforward(6).dropout(0).activation(
            [](const Tensor& t) { return t * 2; }));
    set_up(layer, device);
    const Tensor x = wave({3, 2, 4}, 0.3, device), memory = wave({5, 2, 4}, 0.5, device);
    const Tensor mask = wave({3, 3}, 0.7, device), of_memory = wave({3, 5}, 0.8, device);
    Tensor padding = zeros({2, 3}, kBool), memory_padding = zeros({2, 5}, kBool);
    padding[0][2] = true;
    memory_padding[1][4] = true;
    padding = padding.to(device);
    memory_padding = memory_padding.to(device);
    const Tensor a = layer->norm1(x + std::get<0>(layer->self_attn(x, x, x, padding, true, mask)));
    const Tensor b = layer->norm2(
        a + std::get<0>(layer->multihead_attn(a, memory, memory, memory_padding, true, of_memory)));
    const Tensor expected = layer->norm3(b + layer->linear2(layer->linear1(b) * 2));
    EXPECT_TRUE(near(elements(layer(x, memory, mask, of_memory, padding, memory_padding)),
                     elements(expected), 1e-12));
  }
}

TEST(Transformer, IsItsEncoderAndItsDecoder) {
  for (const Device device : devices()) {
    nn::Transformer model(nn::TransformerOptions(4, 2, 2, 3).dim_feedforward(6).dropout(0));
    set_up(model, device);
    const Tensor src = wave({5, 2, 4}, 0.3, device), tgt = wave({3, 2, 4}, 0.5, device);
    const Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(
        3, TensorOptions(device).dtype(kDouble));
    auto& encoder = model->encoder.get<nn::TransformerEncoderImpl>();
    auto& decoder = model->decoder.get<nn::TransformerDecoderImpl>();
    Tensor memory = src;
    for (const auto& layer : *encoder.layers) {
      memory = layer->as<nn::TransformerEncoderLayer>()->forward(memory);
    }
    memory = encoder.norm.forward(memory);
    Tensor expected = tgt;
    for (const auto& layer : *decoder.layers) {
      expected = layer->as<nn::TransformerDecoderLayer>()->forward(expected, memory, mask);
    }
    expected = decoder.norm.forward(expected);
    EXPECT_EQ(encoder.layers->size(), 2u);
    EXPECT_EQ(decoder.layers->size(), 3u);
    EXPECT_EQ(elements(model(src, tgt, Tensor(), mask)), elements(expected));
  }
}

TEST(Transformer, TheMaskHidesLaterSteps) {
  for (const Device device : devices()) {
    const Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(3, device);
    EXPECT_EQ(mask.device(), device);
    EXPECT_EQ(elements(mask),
              (std::vector<double>{0, -INFINITY, -INFINITY, 0, 0, -INFINITY, 0, 0, 0}));
  }
  EXPECT_EQ(nn::TransformerImpl::generate_square_subsequent_mask(0).numel(), 0);
}

TEST(Transformer, HasPyTorchsNames) {
  nn::Transformer model(nn::TransformerOptions(4, 2, 1, 1).dim_feedforward(6));
  const auto names = model->named_parameters().keys();
  EXPECT_EQ(names.size(), 34u);
  EXPECT_EQ(
      Names(names.begin(), names.begin() + 4),
      Names({"encoder.layers.0.self_attn.in_proj_weight", "encoder.layers.0.self_attn.in_proj_bias",
             "encoder.layers.0.self_attn.out_proj.weight",
             "encoder.layers.0.self_attn.out_proj.bias"}));
  const auto state = model->named_parameters();
  for (const char* name : {"encoder.layers.0.linear1.weight", "encoder.norm.bias",
                           "decoder.layers.0.multihead_attn.in_proj_bias",
                           "decoder.layers.0.norm3.weight", "decoder.norm.weight"}) {
    EXPECT_TRUE(state.contains(name)) << name;
  }
}

TEST(Transformer, NothingCrossesInAStepOnADevice) {
  for (const Device device : cuda_devices()) {
    nn::Transformer model(nn::TransformerOptions(4, 2, 1, 1).dim_feedforward(6));
    model->to(device);
    const Tensor src = rand({5, 2, 4}, device), tgt = rand({3, 2, 4}, device);
    const Tensor padding = zeros({2, 5}, TensorOptions(device).dtype(kBool));
    TransferGuard none(TransferGuardLevel::kDisallowExplicit);
    const Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(3, device);
    model(src, tgt, Tensor(), mask, Tensor(), padding, Tensor(), padding).sum().backward();
    for (const Tensor& parameter : model->parameters()) EXPECT_TRUE(parameter.grad().defined());
  }
}

TEST(Transformer, AMismatchNamesTheLineAndTheOperand) {
  for (const Device device : cuda_devices()) {
    nn::Transformer model(nn::TransformerOptions(4, 2, 1, 1).dim_feedforward(6));
    model->to(device);
    const Tensor src = ones({5, 2, 4}), tgt = ones({3, 2, 4});
    const Tensor src_there = src.to(device), tgt_there = tgt.to(device);
    const Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(3);
    const auto expect = [](const std::string& text, int line, const std::string& part) {
      EXPECT_NE(text.find("transformer_test.cc:" + std::to_string(line)), std::string::npos)
          << text;
      EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    const int line = __LINE__ + 1;
    expect(error_of([&] { (void)model(src, tgt); }), line,
           "help: move src to where encoder.layers.0.self_attn.in_proj_weight is");
    expect(error_of([&] { (void)model(src_there, tgt); }), line + 2, "help: move tgt to where");
    expect(error_of([&] { (void)model->forward(src_there, tgt_there, {}, mask); }), line + 3,
           "help: move tgt_mask to where");
    nn::Sequential layers(nn::TransformerEncoderLayer(4, 2));
    layers->to(device);
    expect(error_of([&] { (void)layers(src); }), line + 7,
           "help: move src to where 0.self_attn.in_proj_weight is");
    nn::TransformerDecoderLayer decoder(4, 2);
    decoder->to(device);
    expect(error_of([&] { (void)decoder(tgt_there, src); }), line + 11,
           "help: move memory to where");
  }
}

TEST(Transformer, CopiesHaveTensorsOfTheirOwn) {
  for (const Device device : devices()) {
    nn::Transformer model(nn::TransformerOptions(4, 2, 2, 1).dim_feedforward(6));
    model->eval();
    const Tensor src = rand({5, 2, 4}), tgt = rand({3, 2, 4});
    const auto before = elements(model(src, tgt));
    const auto copy = std::dynamic_pointer_cast<nn::TransformerImpl>(model->clone(device));
    EXPECT_EQ(copy->device(), device);
    EXPECT_EQ(copy->named_parameters().keys(), model->named_parameters().keys());
    EXPECT_TRUE(near(elements(copy->forward(src.to(device), tgt.to(device))), before, 1e-5));
    NoGradGuard no_grad;
    for (const Tensor& tensor : copy->parameters()) tensor.zero_();
    EXPECT_EQ(elements(model(src, tgt)), before);
  }
  nn::Transformer model(nn::TransformerOptions(4, 2, 1, 1)), other(model->options);
  std::stringstream file;
  save(model, file);
  load(other, file);
  model->eval();
  other->eval();
  const Tensor src = rand({5, 2, 4}), tgt = rand({3, 2, 4});
  EXPECT_EQ(elements(other(src, tgt)), elements(model(src, tgt)));
}

struct CountedImpl : nn::Module {
  Tensor forward(const Tensor& src, const Tensor& mask, const Tensor& padding) {
    ++calls;
    EXPECT_TRUE(mask.defined());
    EXPECT_FALSE(padding.defined());
    return src * 2;
  }
  int calls = 0;
};
TENSORLIB_MODULE(Counted);

TEST(Transformer, TakesAnotherEncoder) {
  const Counted counted;
  nn::TransformerDecoder decoder(
      nn::TransformerDecoderOptions(nn::TransformerDecoderLayerOptions(4, 2).dropout(0), 1));
  nn::Transformer model(
      nn::TransformerOptions(4, 2).custom_encoder(counted).custom_decoder(decoder));
  const Tensor src = rand({5, 2, 4}), tgt = rand({3, 2, 4});
  const Tensor result = model(src, tgt, zeros({5, 5}));
  EXPECT_EQ(counted->calls, 1);
  EXPECT_EQ(elements(result), elements(decoder(tgt, src * 2)));
  EXPECT_NE(error_of([&] { (void)model->encoder.forward(src); }).find("does not take 1 tensor"),
            std::string::npos);
}

TEST(Transformer, RefusesWhatDoesNotFit) {
  nn::Transformer model(nn::TransformerOptions(4, 2, 1, 1));
  EXPECT_THROW((void)model(ones({5, 2, 4}), ones({3, 1, 4})), ShapeError);
  EXPECT_THROW((void)model(ones({5, 2, 6}), ones({3, 2, 4})), ShapeError);
  EXPECT_THROW((void)model(ones({5, 4}), ones({3, 2, 4})), ShapeError);
  EXPECT_THROW((void)nn::TransformerEncoderLayerOptions(4, 2).activation(kTanh), Error);
}

}  // namespace
}  // namespace tensorlib::testing
