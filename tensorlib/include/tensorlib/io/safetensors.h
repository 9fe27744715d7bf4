// Safetensors: named tensors in one file, as PyTorch's, JAX's and other tools write and read them.
// https://github.com/huggingface/safetensors
#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "tensorlib/ordered_dict.h"
#include "tensorlib/tensor.h"

namespace tensorlib::io {

using NamedTensors = OrderedDict<std::string, Tensor>;

struct SafeTensors {
  NamedTensors tensors;
  std::map<std::string, std::string> metadata;
};

// CPU tensors, in the order of the file's data. A file that is not one, or is damaged, is an Error
// that says where.
TENSORLIB_PURE TENSORLIB_API SafeTensors load_safetensors(const std::string& path,
                                                          CallSite site = CallSite::current());
// `name` is what errors call the stream; it must be seekable.
TENSORLIB_PURE TENSORLIB_API SafeTensors load_safetensors(std::istream& in, const std::string& name,
                                                          CallSite site = CallSite::current());

// From any device and layout.
TENSORLIB_API void save_safetensors(const std::string& path, const NamedTensors& tensors,
                                    const std::map<std::string, std::string>& metadata = {},
                                    CallSite site = CallSite::current());
TENSORLIB_API void save_safetensors(std::ostream& out, const NamedTensors& tensors,
                                    const std::map<std::string, std::string>& metadata = {},
                                    CallSite site = CallSite::current());

}  // namespace tensorlib::io
