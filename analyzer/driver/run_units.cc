#include "analyzer/driver/run_units.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <thread>

#include "analyzer/driver/worker_pool.h"

namespace xfer::lint {
namespace {

/// Hands out the jobs of a plan: precompiled headers first, then the units that are ready. What a
/// worker keeps only this worker gets again.
class Schedule {
 public:
  Schedule(Plan& plan, const PchCache* cache, unsigned workers)
      : plan_(plan), cache_(cache), workers_(workers) {
    outcome_.units.resize(plan.units.size());
    for (std::size_t i = 0; i < plan.units.size(); ++i) waiting_.push_back({i, {}});
    for (auto& [key, pch] : plan.pchs) keys_.push_back(key);
  }

  std::optional<Job> next(WorkerId worker) {
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
    const auto ready = std::ranges::find_if(waiting_, [&](const Waiting& waiting) {
      const auto keeper = keepers_.find(waiting.unit);
      return keeper != keepers_.end() ? keeper->second == worker
                                      : state_of(waiting.unit) != PchState::kBuilding;
    });
    if (ready == waiting_.end()) return std::nullopt;
    Waiting taken = std::move(*ready);
    waiting_.erase(ready);
    const PlannedUnit& planned = plan_.units[taken.unit];
    const bool use = state_of(taken.unit) == PchState::kReady;
    AnalyzeJob job{taken.unit, planned.command, use ? cache_->pch(planned.pch_key).string() : "",
                   std::move(taken.others)};
    Job result{taken.unit, to_json(job)};
    running_[taken.unit] = std::move(job.others);
    return result;
  }

  void again(CrossFile::Again again) {
    ++(keepers_.contains(again.unit) ? outcome_.analysed_again : outcome_.parsed_again);
    waiting_.push_back({again.unit, std::move(again.others)});
  }

  /// False: nothing came of it, the unit is tried once more.
  bool on_reply(const Reply& reply) {
    if (reply.id >= plan_.units.size()) {
      finish_pch(keys_[reply.id - plan_.units.size()], reply);
      return false;
    }
    const bool was_kept = keepers_.erase(reply.id) != 0;
    if (reply.worker_ended)
      std::erase_if(keepers_, [&](const auto& entry) { return entry.second == reply.worker; });
    if (!reply.failure.empty() && was_kept) {
      // The process may have died of something else: memory, or a unit that it kept besides.
      waiting_.push_back({reply.id, std::move(running_[reply.id])});
      return false;
    }
    UnitOutcome& unit = outcome_.units[reply.id];
    if (!reply.failure.empty()) {
      unit = UnitOutcome{.result = {}, .failure = reply.failure};
      return true;
    }
    const bool first = !unit.result.analysed;
    const double parse_seconds = unit.result.parse_seconds;
    const double engine_seconds = unit.result.stats.seconds;
    unit.result = unit_result_from_json(reply.answer);
    unit.result.parse_seconds += parse_seconds;
    unit.result.stats.seconds += engine_seconds;
    if (reply.answer.at("kept") && !reply.worker_ended) keepers_[reply.id] = reply.worker;
    if (first && unit.result.used_pch) ++outcome_.pchs_used;
    if (unit.result.pch_rejected) give_up_pch(plan_.units[reply.id].pch_key);
    return true;
  }

  const UnitOutcome& unit(std::size_t id) const { return outcome_.units[id]; }
  RunOutcome take() { return std::move(outcome_); }

 private:
  struct Waiting {
    std::size_t unit = 0;
    std::optional<analyzer::UnitSummaries> others;
  };

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
    const std::string shorter = shorten_pch(plan_, key, whole, *cache_, workers_);
    if (!shorter.empty() && std::ranges::find(keys_, shorter) == keys_.end())
      keys_.push_back(shorter);
  }

  void finish_pch(std::string key, const Reply& reply) {
    if (reply.failure.empty() && reply.answer.at("built")) {
      cache_->publish(key, cache_->temporary(key), reply.answer.at("files"));
      plan_.pchs.at(key).state = PchState::kReady;
      ++outcome_.pchs_built;
      return;
    }
    std::error_code error;
    std::filesystem::remove(cache_->temporary(key), error);
    const bool said = reply.failure.empty();
    give_up_pch(key, said ? PchCache::header_at(reply.answer.at("error_line")) : 0);
  }

  Plan& plan_;
  const PchCache* cache_;
  unsigned workers_;
  std::vector<std::string> keys_;
  std::vector<Waiting> waiting_;
  std::map<std::size_t, std::optional<analyzer::UnitSummaries>> running_;
  std::map<std::size_t, WorkerId> keepers_;  ///< unit -> the worker that has its AST
  RunOutcome outcome_;
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

RunOutcome run_units(Plan& plan, WorkerSetup setup, const PchCache* cache, const RunLimits& limits,
                     CrossFile& cross_file) {
  Schedule schedule(plan, cache, limits.workers);
  setup.keep_units = plan.units.size() > 1;
  setup.memory_bytes = limits.worker_bytes;
  WorkerPool pool(to_json(setup), limits.workers, limits.timeout_seconds);
  const auto run = [&] {
    pool.run([&](WorkerId worker) { return schedule.next(worker); },
             [&](const Reply& reply) {
               if (!schedule.on_reply(reply)) return;
               const UnitOutcome& unit = schedule.unit(reply.id);
               if (unit.failure.empty()) cross_file.put(reply.id, unit.result.summaries);
             });
  };
  run();
  while (true) {
    std::vector<CrossFile::Again> again = cross_file.next();
    if (again.empty()) return schedule.take();
    for (CrossFile::Again& one : again) schedule.again(std::move(one));
    run();
  }
}

RunLimits run_limits(unsigned jobs, unsigned timeout_seconds, std::size_t units) {
  constexpr std::size_t kMib = std::size_t{1} << 20;
  constexpr std::size_t kUnitMib = 800;
  const std::size_t memory = free_memory_mib();
  std::size_t workers = std::max(1U, std::thread::hardware_concurrency());
  if (memory != 0) workers = std::min(workers, std::max<std::size_t>(1, memory / kUnitMib));
  if (jobs != 0) workers = jobs;
  workers = std::clamp<std::size_t>(units, 1, workers);
  // Half of what is free is for units that are kept, up to 4 GiB a worker.
  const std::size_t kept = std::clamp<std::size_t>(memory / 2 / workers, 512, 4096);
  return {static_cast<unsigned>(workers), timeout_seconds, kept * kMib};
}

}  // namespace xfer::lint
