#include "analyzer/driver/facts_store.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "analyzer/driver/cache_files.h"
#include "analyzer/driver/packed.h"
#include "analyzer/driver/usage_error.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// Changes whenever an entry's layout or what a key is made of does.
constexpr const char* kStoreLayout = "xfercheck-stored/1";

/// Environment variables that change a parse without standing in its command.
constexpr const char* kVariables[] = {"CPATH",   "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                      "SDKROOT", "CUDA_PATH",      "COMPILER_PATH"};

std::string digest(std::string_view text) { return content_mark(text).substr(1); }

/// Takes the text up to the next line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// A text that says by itself whether it is whole.
std::string sealed(const std::string& text) { return digest(text) + '\n' + text; }

std::optional<std::string_view> unsealed(std::string_view text) {
  const std::string_view hash = take_line(text);
  if (hash != digest(text)) return std::nullopt;
  return text;
}

/// The contents of an entry.
struct Head {
  std::string shared;  ///< the hash of the marks that it shares; may be empty
  FileMarks marks;     ///< its own
  std::string_view facts;
};

/// The lines of an entry are its own hash, that of the marks that it shares, how many bytes its own
/// marks take, packed, and as they are; behind these the facts.
std::optional<Head> head_of(std::string_view stored) {
  const std::optional<std::string_view> whole = unsealed(stored);
  if (!whole) return std::nullopt;
  std::string_view rest = *whole;
  Head head;
  head.shared = take_line(rest);
  const std::size_t packed_size = std::strtoull(std::string(take_line(rest)).c_str(), nullptr, 10);
  const std::size_t size = std::strtoull(std::string(take_line(rest)).c_str(), nullptr, 10);
  const auto lines = unpacked(rest.substr(0, packed_size), size);
  auto marks = lines ? marks_from_lines(*lines) : std::nullopt;
  if (!marks) return std::nullopt;
  head.marks = std::move(*marks);
  head.facts = rest.substr(std::min(packed_size, rest.size()));
  return head;
}

}  // namespace

FactsStore::FactsStore(const fs::path& folder, const FactsFormat& format, const fs::path& root)
    : format_(format),
      folder_(folder / "facts"),
      common_(fmt::format("{}\n{}\n{}\n", kStoreLayout, format.identity(), root.string())) {
  for (const char* name : kVariables) {
    const char* value = std::getenv(name);
    common_ += fmt::format("{}={}\n", name, value == nullptr ? "" : value);
  }
  std::error_code error;
  fs::create_directories(folder_, error);
}

std::string FactsStore::key(const ParseCommand& command) const {
  const std::string content = content_hash(command.file);
  if (content.empty()) return {};
  std::string text = common_ + fmt::format("{}\n{}\n{}\n{}\n", command.file.string(), content,
                                           command.directory.string(), command.cuda);
  for (const std::string& argument : command.arguments) text += argument + '\n';
  return digest(text);
}

std::optional<FileFacts> FactsStore::find(const std::string& key) {
  const std::string stored = stored_text(entry(key));
  const std::optional<Head> head = head_of(stored);
  if (!head || !now_.unchanged(head->marks) || !fits(head->shared)) return std::nullopt;
  try {
    std::vector<FileFacts> facts = format_.from_bytes(head->facts, entry(key));
    if (facts.size() != 1) return std::nullopt;
    touch(entry(key));
    return std::move(facts.front());
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::set<std::string> FactsStore::read(const std::string& key) const {
  const std::string stored = stored_text(entry(key));
  const auto head = head_of(stored);
  if (!head) return {};
  std::optional<FileMarks> shared;
  if (!head->shared.empty())
    shared = marks_from_lines(stored_text(folder_ / (head->shared + ".files")));
  return files_read(head->marks, shared.value_or(FileMarks()));
}

std::vector<std::optional<FileFacts>> FactsStore::find_all(const std::vector<std::string>& keys,
                                                           unsigned threads) {
  std::vector<std::optional<FileFacts>> found(keys.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t index = next++; index < keys.size(); index = next++)
      if (!keys[index].empty()) found[index] = find(keys[index]);
  };
  std::vector<std::jthread> helpers;
  for (unsigned helper = 1; helper < threads; ++helper) helpers.emplace_back(work);
  work();
  helpers.clear();
  return found;
}

void FactsStore::keep(const std::string& key, const std::string& facts, const FileMarks& read,
                      const std::string& shared) {
  for (const auto& [path, mark] : read)
    if (path.find('\n') != std::string::npos) return;
  const std::string lines = to_lines(read);
  const std::string marks = packed(lines);
  const std::string named = shared.empty() ? "" : keep_shared(shared);
  const std::string head = fmt::format("{}\n{}\n{}\n", named, marks.size(), lines.size());
  if (replace_file(entry(key), sealed(head + marks + facts))) kept_ = true;
}

/// Whether the shared marks fit; once for all entries.
bool FactsStore::fits(const std::string& shared) {
  if (shared.empty()) return true;
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = fits_.try_emplace(shared, false);
  if (!is_new) return known->second;
  const fs::path file = folder_ / (shared + ".files");
  const std::string lines = stored_text(file);
  const auto marks = digest(lines) == shared ? marks_from_lines(lines) : std::nullopt;
  known->second = marks && now_.unchanged(*marks);
  if (known->second) touch(file);
  return known->second;
}

std::string FactsStore::keep_shared(const std::string& lines) {
  const std::string hash = digest(lines);
  const fs::path file = folder_ / (hash + ".files");
  std::error_code error;
  if (fs::file_size(file, error) != lines.size() || error) replace_file(file, lines);
  return hash;
}

void FactsStore::trim(std::uintmax_t max_bytes) const {
  std::error_code error;
  for (const CachedFile& file : longest_unused(folder_, {".facts", ".files"}, max_bytes))
    fs::remove(file.file, error);
}

void FactsStore::trim_at_times(std::uintmax_t max_bytes) const {
  if (!kept_) return;
  const fs::path mark = folder_ / "trimmed";
  std::error_code error;
  const auto last = fs::last_write_time(mark, error);
  if (!error && fs::file_time_type::clock::now() - last < std::chrono::hours(1)) return;
  replace_file(mark, "");
  trim(max_bytes);
}

}  // namespace xfer::lint
