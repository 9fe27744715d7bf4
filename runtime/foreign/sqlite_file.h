#pragma once
// A SQLite file, read only, and the rows of its tables. Columns that a table lacks read as absent:
// exporters add columns with each version.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace xfer::foreign {

/// The file is no database, or is damaged; what() are SQLite's words.
class SqliteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SqliteFile {
 public:
  explicit SqliteFile(const std::filesystem::path& path);

  bool has_table(std::string_view name) const { return tables_.contains(name); }

  /// The rows of a table, in the order of the file. A column that is not there is absent in each.
  class Rows {
   public:
    Rows(SqliteFile& file, const char* table, const std::vector<const char*>& columns);
    bool next();
    std::optional<std::int64_t> number(int column) const;
    std::int64_t number_or(int column, std::int64_t otherwise) const {
      return number(column).value_or(otherwise);
    }
    /// Empty: there is none.
    std::string_view text(int column) const;

   private:
    struct Finalize {
      void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    sqlite3* database_;
  };

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
  std::set<std::string, std::less<>> tables_;
};

}  // namespace xfer::foreign
