#pragma once
// Writes traces as torch.profiler does, event by event: for tests of their reader.

#include <cstdint>
#include <string>
#include <string_view>

namespace xfer::test {

class KinetoText {
 public:
  /// Times are microseconds, as in the file.
  KinetoText& call(const std::string& name, double begin, double took, unsigned correlation,
                   unsigned thread = 7);
  KinetoText& kernel(const std::string& name, double begin, double took, unsigned correlation,
                     unsigned stream = 7);
  /// `way`: "HtoD (Pageable -> Device)".
  KinetoText& copy(const std::string& way, std::uint64_t bytes, double begin, double took,
                   unsigned correlation, unsigned stream = 7);
  KinetoText& fill(std::uint64_t bytes, double begin, double took, unsigned correlation);
  KinetoText& wait(const std::string& kind, unsigned correlation, int stream);
  /// `category`: "cpu_op", "user_annotation", "python_function".
  KinetoText& scope(const std::string& category, const std::string& name, double begin, double took,
                    unsigned thread = 7);
  KinetoText& raw(const std::string& event);

  std::string json() const;
  /// Without the object around the events, which the format may leave out.
  std::string array() const { return "[" + events_ + "]"; }

 private:
  KinetoText& add(const std::string& category, const std::string& name, double begin, double took,
                  const std::string& thread, const std::string& arguments);

  std::string events_;
};

}  // namespace xfer::test
