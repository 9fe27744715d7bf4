#pragma once
// Writes databases as `nsys export --type sqlite` does, row by row: for tests of their reader.

#include <cstdint>
#include <filesystem>
#include <string>

struct sqlite3;

namespace xfer::test {

class NsysDatabase {
 public:
  /// With the tables of schema 3: `later`, those that came after 2022, too.
  explicit NsysDatabase(const std::filesystem::path& path, bool later = true);
  ~NsysDatabase();
  NsysDatabase(const NsysDatabase&) = delete;
  NsysDatabase& operator=(const NsysDatabase&) = delete;

  /// The number of a text.
  int text(const std::string& value);
  /// Times are nanoseconds. `returned`: CUDA's error code.
  NsysDatabase& call(const std::string& name, int begin, int end, int correlation, int returned = 0,
                     int stack = 0);
  NsysDatabase& kernel(const std::string& name, int begin, int end, int correlation);
  /// `kinds`: "1, 0, 2": the operation, the source's memory, the destination's.
  NsysDatabase& copy(const std::string& kinds, int bytes, int begin, int end, int correlation);
  NsysDatabase& wait(int type, int correlation, int stream);
  NsysDatabase& range(const std::string& name, int begin, int end);
  NsysDatabase& run(const std::string& sql);

 private:
  sqlite3* database_ = nullptr;
  int texts_ = 0;
};

}  // namespace xfer::test
