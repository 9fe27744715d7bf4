// LibTorch's name for the record of an operation: "MulBackward0".
#include <cctype>
#include <cstring>

#include "autograd/graph.h"

namespace tensorlib::autograd {

namespace {

struct Renamed {
  const char* operation;
  const char* name;
};
// Operations whose record has the name of what LibTorch computes them with.
constexpr Renamed kRenamed[] = {
    {"conv1d", "Convolution"},
    {"conv2d", "Convolution"},
    {"layer_norm", "NativeLayerNorm"},
    {"conv_transpose2d", "Convolution"},
    {"max_pool2d", "MaxPool2DWithIndices"},
    {"batch_norm", "NativeBatchNorm"},
    {"linear", "Addmm"},
    {"to", "ToCopy"},
};

// avg_pool2d_ -> AvgPool2D
std::string camel_case(const char* text) {
  std::string result;
  bool start = true;
  for (; *text != '\0'; ++text) {
    const auto letter = static_cast<unsigned char>(*text);
    if (letter == '_') {
      start = true;
      continue;
    }
    result += static_cast<char>(start ? std::toupper(letter) : letter);
    start = std::isdigit(letter) != 0;
  }
  return result;
}

}  // namespace

std::string GraphNode::name() const {
  std::string name;
  for (const Renamed& renamed : kRenamed) {
    if (std::strcmp(renamed.operation, operation_) == 0) name = renamed.name;
  }
  if (name.empty()) name = camel_case(operation_);
  return name + "Backward" + std::to_string(overload);
}

}  // namespace tensorlib::autograd
