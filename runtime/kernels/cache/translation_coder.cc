// A translation as bytes: its fields one behind the other, texts and lists after their length.

#include <cstring>

#include "kernels/translation.h"

namespace xfer::kernels {
namespace {

class Writer {
 public:
  void operator()(std::uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  void operator()(bool flag) { (*this)(std::uint64_t{flag}); }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes_ += text;
  }
  void operator()(const std::vector<std::string>& texts) {
    (*this)(texts.size());
    for (const std::string& text : texts) (*this)(text);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Gives nothing, once there is less than it wants.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  void operator()(std::uint64_t& number) {
    const std::string_view part = take(sizeof(number));
    if (whole_) std::memcpy(&number, part.data(), sizeof(number));
  }
  void operator()(bool& flag) {
    std::uint64_t number = 0;
    (*this)(number);
    flag = number != 0;
  }
  void operator()(std::string& text) {
    std::uint64_t size = 0;
    (*this)(size);
    text = take(size);
  }
  void operator()(std::vector<std::string>& texts) {
    std::uint64_t count = 0;
    for ((*this)(count); whole_ && count > 0; --count) (*this)(texts.emplace_back());
  }
  bool is_done() const { return whole_ && bytes_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    whole_ = whole_ && size <= bytes_.size();
    if (!whole_) return {};
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }

  std::string_view bytes_;
  bool whole_ = true;
};

template <typename Coder, typename Fields>
void each_field(Coder& coder, Fields& of) {
  coder(of.why);
  coder(of.object);
  coder(of.shared_bytes);
  coder(of.local_bytes);
  coder(of.cost.length);
  coder(of.cost.instructions);
  coder(of.cost.bytes);
  coder(of.waits);
  coder(of.counts_on_lane_order);
  coder(of.records_touches);
  coder(of.tells_others);
  coder(of.variables);
  coder(of.approximate);
}

}  // namespace

std::string encoded(const Translation& translation) {
  Writer writer;
  each_field(writer, translation);
  return writer.take();
}

std::optional<Translation> decoded(std::string_view bytes) {
  Translation translation;
  Reader reader(bytes);
  each_field(reader, translation);
  if (!reader.is_done()) return std::nullopt;
  return translation;
}

}  // namespace xfer::kernels
