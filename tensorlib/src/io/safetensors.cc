// Eight bytes say how long the header is; the header is JSON: of each tensor its type, shape and
// place in the bytes that follow, which the tensors fill without gaps.
#include "tensorlib/io/safetensors.h"

#include <algorithm>
#include <array>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <vector>

#include "core/dims.h"
#include "core/tensor_impl.h"
#include "io/file.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kLongestHeader = 100'000'000;  // the format's own limit

struct SafeType {
  ScalarType type;
  const char* name;
};
constexpr SafeType kSafeTypes[] = {
    {kByte, "U8"},  {kChar, "I8"},       {kShort, "I16"}, {kInt, "I32"},    {kLong, "I64"},
    {kHalf, "F16"}, {kBFloat16, "BF16"}, {kFloat, "F32"}, {kDouble, "F64"}, {kBool, "BOOL"},
};

const char* safe_name(ScalarType type) {
  for (const SafeType& known : kSafeTypes) {
    if (known.type == type) return known.name;
  }
  return nullptr;
}

struct Entry {
  std::string name;
  ScalarType type;
  std::vector<int64_t> shape;
  int64_t begin, end;
};

class Reader {
 public:
  Reader(std::istream& in, const std::string& name, CallSite site)
      : in_(in), name_(name), site_(site) {}

  SafeTensors read() {
    SafeTensors result;
    read_header(result);
    for (const Entry& entry : entries_) {
      Tensor tensor = empty(entry.shape, TensorOptions(kCPU).dtype(entry.type), site_);
      if (entry.end > entry.begin) {
        in_.seekg(data_start_ + entry.begin);
        if (!in_.read(static_cast<char*>(tensor.impl()->writable()), entry.end - entry.begin)) {
          refuse(str_cat("the elements of \"", entry.name, "\" cannot be read"));
        }
      }
      result.tensors.insert(entry.name, std::move(tensor));
    }
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(str_cat("load_safetensors: ", name_, " is not a valid safetensors file: ", why),
                site_);
  }

  void read_header(SafeTensors& result) {
    const int64_t total = bytes_left(in_);
    std::array<unsigned char, 8> prefix{};
    if (total < 8 || !in_.read(reinterpret_cast<char*>(prefix.data()), 8)) {
      refuse("it is shorter than the 8 bytes that say how long its header is");
    }
    if (prefix[0] == 'P' && prefix[1] == 'K') {
      refuse(
          "it is a zip archive, as torch.save writes\n"
          "help: in Python: safetensors.torch.save_file(module.state_dict(), path)");
    }
    uint64_t length = 0;
    for (int i = 7; i >= 0; --i) length = length << 8 | prefix[i];
    if (length > static_cast<uint64_t>(std::min(kLongestHeader, total - 8))) {
      refuse(
          str_cat("its header is said to have ", length, " bytes, and ", total - 8, " are there"));
    }
    std::string text(length, '\0');
    if (!in_.read(text.data(), static_cast<std::streamsize>(length))) {
      refuse("its header cannot be read");
    }
    const Json header = Json::parse(text, nullptr, false);
    if (!header.is_object()) refuse("its header is not a JSON object");
    data_start_ = in_.tellg();
    for (const auto& [name, value] : header.items()) {
      if (name == "__metadata__") {
        read_metadata(value, result);
      } else {
        entries_.push_back(entry_of(name, value));
      }
    }
    check_places(total - 8 - static_cast<int64_t>(length));
  }

  void read_metadata(const Json& value, SafeTensors& result) const {
    if (!value.is_object()) refuse("its __metadata__ is not a JSON object");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) refuse(str_cat("__metadata__ \"", key, "\" is not a string"));
      result.metadata[key] = text.get<std::string>();
    }
  }

  // A list of integers from 0 on.
  std::vector<int64_t> numbers(const std::string& tensor, const Json& value,
                               const char* key) const {
    const auto found = value.find(key);
    std::vector<int64_t> result;
    bool sound = found != value.end() && found->is_array();
    for (size_t i = 0; sound && i < found->size(); ++i) {
      const Json& number = (*found)[i];
      sound = number.is_number_unsigned() && number.get<uint64_t>() <= uint64_t{1} << 62;
      if (sound) result.push_back(number.get<int64_t>());
    }
    if (!sound) refuse(str_cat("\"", key, "\" of \"", tensor, "\" is not a list of sizes"));
    return result;
  }

  Entry entry_of(const std::string& name, const Json& value) const {
    if (!value.is_object()) refuse(str_cat("the entry of \"", name, "\" is not a JSON object"));
    const auto type = value.find("dtype");
    if (type == value.end() || !type->is_string()) refuse(str_cat("\"", name, "\" has no dtype"));
    const std::string type_name = type->get<std::string>();
    const auto known =
        std::find_if(std::begin(kSafeTypes), std::end(kSafeTypes),
                     [&](const SafeType& candidate) { return type_name == candidate.name; });
    if (known == std::end(kSafeTypes)) {
      throw DTypeMismatchError(str_cat("load_safetensors: ", name_, ": \"", name, "\" is ",
                                       type_name, ", a type that tensorlib does not have"),
                               site_);
    }
    Entry entry{name, known->type, numbers(name, value, "shape"), 0, 0};
    const auto places = numbers(name, value, "data_offsets");
    if (places.size() != 2 || places[0] > places[1]) {
      refuse(str_cat("\"data_offsets\" of \"", name, "\" are not a range"));
    }
    entry.begin = places[0];
    entry.end = places[1];
    if (entry.shape.size() > size_t{kMaxDims}) {
      refuse(str_cat("\"", name, "\" has ", entry.shape.size(),
                     " dimensions; tensors have at most ", kMaxDims));
    }
    auto bytes = static_cast<int64_t>(elementSize(entry.type));
    for (const int64_t size : entry.shape) {
      if (__builtin_mul_overflow(bytes, size, &bytes)) {
        refuse(str_cat("the size of \"", name, "\" overflows"));
      }
    }
    if (bytes != entry.end - entry.begin) {
      refuse(str_cat("\"", name, "\" (", type_name, " ", IntArrayRef(entry.shape), ") needs ",
                     bytes, " bytes, and its place has ", entry.end - entry.begin));
    }
    return entry;
  }

  void check_places(int64_t data_bytes) {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
    int64_t at = 0;
    for (const Entry& entry : entries_) {
      if (entry.begin != at) {
        refuse(str_cat("\"", entry.name, "\" begins at byte ", entry.begin, " of the data, not at ",
                       at));
      }
      at = entry.end;
    }
    if (at != data_bytes) {
      refuse(str_cat("its tensors take ", at, " bytes, and ", data_bytes, " are there"));
    }
  }

  std::istream& in_;
  const std::string& name_;
  CallSite site_;
  std::vector<Entry> entries_;
  std::istream::pos_type data_start_;
};

}  // namespace

SafeTensors load_safetensors(std::istream& in, const std::string& name, CallSite site) {
  return Reader(in, name, site).read();
}
SafeTensors load_safetensors(const std::string& path, CallSite site) {
  std::ifstream in = open_to_read(path, "load_safetensors", site);
  return load_safetensors(in, path, site);
}

void save_safetensors(std::ostream& out, const NamedTensors& tensors,
                      const std::map<std::string, std::string>& metadata, CallSite site) {
  NoGradGuard raw;
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  size_t at = 0;
  for (const auto& item : tensors) {
    const TensorImpl& impl = require_defined(item.value(), item.key().c_str(), "save", site);
    header[item.key()] = {{"dtype", safe_name(impl.dtype)},
                          {"shape", IntArrayRef(impl.sizes).vec()},
                          {"data_offsets", {at, at + item.value().nbytes()}}};
    at += item.value().nbytes();
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');  // the data begins at a multiple of 8
  for (int i = 0; i < 8; ++i) out.put(static_cast<char>(text.size() >> (8 * i) & 0xff));
  out << text;
  for (const auto& item : tensors) {
    const Tensor plain = item.value().to(kCPU, false, false, site).contiguous(site);
    out.write(static_cast<const char*>(plain.impl()->data()),
              static_cast<std::streamsize>(plain.nbytes()));
  }
  if (!out) throw Error("save: the stream cannot be written to", site);
}

void save_safetensors(const std::string& path, const NamedTensors& tensors,
                      const std::map<std::string, std::string>& metadata, CallSite site) {
  write_file(path, "save", site,
             [&](std::ostream& out) { save_safetensors(out, tensors, metadata, site); });
}

}  // namespace tensorlib::io
