#include "analyzer/driver/parse_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include "analyzer/driver/cache_files.h"
#include "analyzer/driver/usage_error.h"
#include "analyzer/driver/worker_pool.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// A folder of this run alone; gone at its end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "xferlint-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw UsageError(
          fmt::format("{} cannot be written, and facts go there (set TMPDIR to another folder)",
                      fs::temp_directory_path().string()));
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// Hands out the jobs of a plan: precompiled headers first, then the files that are ready.
class Schedule {
 public:
  Schedule(Plan& plan, const FactsFormat& format, const PchCache* cache, FactsStore* store,
           const RunLimits& limits)
      : plan_(plan), format_(format), cache_(cache), store_(store), limits_(limits) {
    parsed_.files.resize(plan.units.size());
    for (std::size_t i = 0; i < plan.units.size(); ++i) waiting_.push_back(i);
    for (auto& [key, pch] : plan.pchs) {
      keys_.push_back(key);
      if (pch.state == PchState::kReady) made_of_[key] = cache_->made_of(key);
    }
  }

  std::optional<Job> next() {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const auto found = plan_.pchs.find(keys_[i]);
      if (found == plan_.pchs.end() || found->second.state != PchState::kToBuild) continue;
      PlannedPch& pch = found->second;
      pch.state = PchState::kBuilding;
      cache_->write_header(keys_[i], pch.headers);
      return Job{plan_.units.size() + i,
                 to_json(PchJob{pch.command, cache_->header(keys_[i]).string(),
                                cache_->temporary(keys_[i]).string()})};
    }
    const auto ready = std::ranges::find_if(
        waiting_, [&](std::size_t file) { return state_of(file) != PchState::kBuilding; });
    if (ready == waiting_.end()) return std::nullopt;
    const std::size_t file = *ready;
    waiting_.erase(ready);
    const PlannedUnit& planned = plan_.units[file];
    const bool use = state_of(file) == PchState::kReady;
    return Job{file,
               to_json(ParseJob{planned.command, use ? cache_->pch(planned.pch_key).string() : "",
                                output(file).string()})};
  }

  void on_reply(const Reply& reply) {
    if (reply.id >= plan_.units.size())
      return finish_pch(keys_[reply.id - plan_.units.size()], reply);
    ParsedFile& file = parsed_.files[reply.id];
    file.failure = reply.failure;
    if (!reply.failure.empty()) return;
    file.reply = parse_reply_from_json(reply.answer);
    const std::string bytes = stored_text(output(reply.id));
    file.facts = std::move(format_.from_bytes(bytes, output(reply.id)).front());
    keep(reply.id, bytes);
    if (limits_.keep_read) file.read = all_read(reply.id);
    file.reply.read.clear();
    if (file.reply.used_pch) ++parsed_.pchs_used;
    if (file.reply.pch_rejected) give_up_pch(plan_.units[reply.id].pch_key);
  }

  ParsedFiles take() { return std::move(parsed_); }

 private:
  fs::path output(std::size_t file) const { return scratch_ / (std::to_string(file) + ".facts"); }

  /// A precompiled header that was made again meanwhile may have been either in the parse.
  void keep(std::size_t index, const std::string& bytes) {
    const PlannedUnit& unit = plan_.units[index];
    const ParseReply& reply = parsed_.files[index].reply;
    if (store_ == nullptr || unit.key.empty()) return;
    const std::string shared = reply.used_pch ? made_of_[unit.pch_key] : std::string();
    if (reply.used_pch && (shared.empty() || shared != cache_->made_of(unit.pch_key))) return;
    if (const auto read = marks_from_lines(reply.read))
      store_->keep(unit.key, bytes, *read, shared);
  }

  std::set<std::string> all_read(std::size_t index) const {
    const ParseReply& reply = parsed_.files[index].reply;
    const auto made_of = made_of_.find(plan_.units[index].pch_key);
    std::optional<FileMarks> shared;
    if (reply.used_pch && made_of != made_of_.end()) shared = marks_from_lines(made_of->second);
    return files_read(marks_from_lines(reply.read).value_or(FileMarks()),
                      shared.value_or(FileMarks()));
  }

  PchState state_of(std::size_t unit) const {
    const std::string& key = plan_.units[unit].pch_key;
    return key.empty() ? PchState::kNone : plan_.pchs.at(key).state;
  }

  /// One that is damaged, or does not fit its units: parsing without is quicker than trying. Of one
  /// that does not compile the first `whole` headers may still be shared.
  void give_up_pch(std::string key, std::size_t whole = 0) {
    if (!plan_.pchs.contains(key)) return;
    std::error_code error;
    std::filesystem::remove(cache_->pch(key), error);
    cache_->note_failed(key, whole);
    const std::string shorter = shorten_pch(plan_, key, whole, *cache_, limits_.workers);
    if (!shorter.empty() && std::ranges::find(keys_, shorter) == keys_.end())
      keys_.push_back(shorter);
    if (!shorter.empty() && plan_.pchs.at(shorter).state == PchState::kReady)
      made_of_.try_emplace(shorter, cache_->made_of(shorter));
  }

  void finish_pch(std::string key, const Reply& reply) {
    if (reply.failure.empty() && reply.answer.at("built")) {
      cache_->publish(key, cache_->temporary(key), reply.answer.at("read"));
      made_of_[key] = reply.answer.at("read");
      plan_.pchs.at(key).state = PchState::kReady;
      ++parsed_.pchs_built;
      return;
    }
    std::error_code error;
    std::filesystem::remove(cache_->temporary(key), error);
    const bool said = reply.failure.empty();
    give_up_pch(key, said ? PchCache::header_at(reply.answer.at("error_line")) : 0);
  }

  Plan& plan_;
  const FactsFormat& format_;
  const PchCache* cache_;
  FactsStore* store_;
  const RunLimits& limits_;
  ScratchFolder scratch_;
  std::vector<std::string> keys_;
  std::map<std::string, std::string> made_of_;  ///< the marks of precompiled headers that are ready
  std::vector<std::size_t> waiting_;
  ParsedFiles parsed_;
};

std::size_t free_memory_mib() {
  std::ifstream in("/proc/meminfo");
  std::string name, unit;
  for (std::size_t kib = 0; in >> name >> kib;) {
    if (name == "MemAvailable:") return kib / 1024;
    std::getline(in, unit);
  }
  return 0;
}

}  // namespace

ParsedFiles parse_files(Plan& plan, const WorkerSetup& setup, const FactsFormat& format,
                        const PchCache* cache, FactsStore* store, const RunLimits& limits) {
  Schedule schedule(plan, format, cache, store, limits);
  WorkerPool pool(to_json(setup), limits.workers, limits.timeout_seconds);
  pool.run([&] { return schedule.next(); }, [&](const Reply& reply) { schedule.on_reply(reply); });
  return schedule.take();
}

RunLimits run_limits(unsigned jobs, unsigned timeout_seconds, std::size_t files) {
  constexpr std::size_t kUnitMib = 800;
  const std::size_t memory = free_memory_mib();
  std::size_t workers = std::max(1U, std::thread::hardware_concurrency());
  if (memory != 0) workers = std::min(workers, std::max<std::size_t>(1, memory / kUnitMib));
  if (jobs != 0) workers = jobs;
  workers = std::clamp<std::size_t>(files, 1, workers);
  return {static_cast<unsigned>(workers), timeout_seconds, false};
}

}  // namespace xfer::lint
