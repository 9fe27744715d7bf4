#include "kineto_text.h"

#include <sstream>

namespace xfer::test {

KinetoText& KinetoText::raw(const std::string& event) {
  events_ += (events_.empty() ? "\n" : ",\n") + event;
  return *this;
}

KinetoText& KinetoText::add(const std::string& category, const std::string& name, double begin,
                            double took, const std::string& thread, const std::string& arguments) {
  std::ostringstream out;
  out.precision(15);
  out << R"({"ph": "X", "cat": ")" << category << R"(", "name": ")" << name
      << R"(", "pid": 7, "tid": )" << thread << R"(, "ts": )" << begin << R"(, "dur": )" << took
      << R"(, "args": {)" << arguments << "}}";
  return raw(out.str());
}

KinetoText& KinetoText::call(const std::string& name, double begin, double took,
                             unsigned correlation, unsigned thread) {
  return add("cuda_runtime", name, begin, took, std::to_string(thread),
             R"("cbid": 41, "correlation": )" + std::to_string(correlation));
}

KinetoText& KinetoText::kernel(const std::string& name, double begin, double took,
                               unsigned correlation, unsigned stream) {
  return add("kernel", name, begin, took, std::to_string(stream),
             R"("device": 0, "stream": )" + std::to_string(stream) + R"(, "correlation": )" +
                 std::to_string(correlation) + R"(, "grid": [8, 1, 1])");
}

KinetoText& KinetoText::copy(const std::string& way, std::uint64_t bytes, double begin, double took,
                             unsigned correlation, unsigned stream) {
  return add("gpu_memcpy", "Memcpy " + way, begin, took, std::to_string(stream),
             R"("device": 0, "stream": )" + std::to_string(stream) + R"(, "correlation": )" +
                 std::to_string(correlation) + R"(, "bytes": )" + std::to_string(bytes));
}

KinetoText& KinetoText::fill(std::uint64_t bytes, double begin, double took, unsigned correlation) {
  return add("gpu_memset", "Memset (Device)", begin, took, "7",
             R"("device": 0, "stream": 7, "correlation": )" + std::to_string(correlation) +
                 R"(, "bytes": )" + std::to_string(bytes));
}

KinetoText& KinetoText::wait(const std::string& kind, unsigned correlation, int stream) {
  return add("cuda_sync", kind, 1, 1, std::to_string(stream),
             R"("cuda_sync_kind": ")" + kind + R"(", "device": 0, "stream": )" +
                 std::to_string(stream) + R"(, "correlation": )" + std::to_string(correlation));
}

KinetoText& KinetoText::scope(const std::string& category, const std::string& name, double begin,
                              double took, unsigned thread) {
  return add(category, name, begin, took, std::to_string(thread), R"("Ev Idx": 3)");
}

std::string KinetoText::json() const {
  return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100"}],
"distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
"traceEvents": [)" +
         events_ + "\n], \"traceName\": \"t.json\"}\n";
}

}  // namespace xfer::test
