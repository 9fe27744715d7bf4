#include "foreign/sqlite_file.h"

#include <sqlite3.h>

namespace xfer::foreign {
namespace {

/// As SQL has it: names of tables come from the file.
std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// A URI's path: no character of a file's name means anything.
std::string uri_of(const std::filesystem::path& path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-~";
  constexpr char kHex[] = "0123456789ABCDEF";
  const std::string whole = std::filesystem::absolute(path).string();
  std::string uri = "file:";
  for (const char c : whole) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return uri + "?mode=ro&immutable=1";
}

}  // namespace

void SqliteFile::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

void SqliteFile::Rows::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqliteFile::SqliteFile(const std::filesystem::path& path) {
  sqlite3* database = nullptr;
  const int opened = sqlite3_open_v2(uri_of(path).c_str(), &database,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  database_.reset(database);
  if (opened != SQLITE_OK) throw SqliteError(sqlite3_errstr(opened));
  // A file that was made to do harm finds nothing to do it with.
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  for (Rows rows(*this, "sqlite_master", {"type", "name"}); rows.next();)
    if (rows.text(0) == "table") tables_.emplace(rows.text(1));
}

SqliteFile::Rows::Rows(SqliteFile& file, const char* table, const std::vector<const char*>& columns)
    : database_(file.database_.get()) {
  std::set<std::string, std::less<>> known;
  const auto prepare = [&](const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      throw SqliteError(sqlite3_errmsg(database_));
    statement_.reset(statement);
  };
  prepare("PRAGMA table_info(" + quoted(table) + ")");
  while (next()) known.emplace(text(1));
  std::string sql = "SELECT ";
  const char* separator = "";
  for (const char* const column : columns) {
    sql += separator + (known.contains(column) ? quoted(column) : std::string("NULL"));
    separator = ", ";
  }
  prepare(sql + " FROM " + quoted(table));
}

bool SqliteFile::Rows::next() {
  const int step = sqlite3_step(statement_.get());
  if (step == SQLITE_ROW) return true;
  if (step != SQLITE_DONE) throw SqliteError(sqlite3_errmsg(database_));
  return false;
}

std::optional<std::int64_t> SqliteFile::Rows::number(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view SqliteFile::Rows::text(int column) const {
  const auto* const text =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

}  // namespace xfer::foreign
