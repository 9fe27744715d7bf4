// NumPy's files: .npy with one array, .npz with named ones.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <iosfwd>
#include <string>

#include "tensorlib/io/safetensors.h"

namespace tensorlib::io {

// CPU tensors. Either byte order and either array order is read; a file that is not one, is damaged
// or has elements of a type that tensorlib does not have is an Error that says so. `name` is what
// errors call the stream.
TENSORLIB_PURE TENSORLIB_API Tensor load_npy(const std::string& path,
                                             CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API Tensor load_npy(std::istream& in, const std::string& name,
                                             CallSite site = CallSite::current());
// The arrays of an archive, under their names without ".npy", in the archive's order.
TENSORLIB_PURE TENSORLIB_API NamedTensors load_npz(const std::string& path,
                                                   CallSite site = CallSite::current());
TENSORLIB_PURE TENSORLIB_API NamedTensors load_npz(std::istream& in, const std::string& name,
                                                   CallSite site = CallSite::current());

// From any device and layout.
TENSORLIB_API void save_npy(const std::string& path, const Tensor& tensor,
                            CallSite site = CallSite::current());
TENSORLIB_API void save_npy(std::ostream& out, const Tensor& tensor,
                            CallSite site = CallSite::current());
TENSORLIB_API void save_npz(const std::string& path, const NamedTensors& tensors,
                            CallSite site = CallSite::current());
TENSORLIB_API void save_npz(std::ostream& out, const NamedTensors& tensors,
                            CallSite site = CallSite::current());

}  // namespace tensorlib::io
