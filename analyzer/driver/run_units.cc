#include "analyzer/driver/run_units.h"

#include <algorithm>
#include <fstream>
#include <thread>

#include "analyzer/driver/worker_pool.h"

namespace xfer::lint {
namespace {

/// Hands out the jobs of a plan: precompiled headers first, then the units that are ready.
class Schedule {
 public:
  Schedule(Plan& plan, const PchCache* cache) : plan_(plan), cache_(cache) {
    outcome_.units.resize(plan.units.size());
    for (std::size_t i = 0; i < plan.units.size(); ++i) waiting_.push_back(i);
    for (auto& [key, pch] : plan.pchs) keys_.push_back(key);
  }

  std::optional<Job> next() {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      PlannedPch& pch = plan_.pchs.at(keys_[i]);
      if (pch.state != PchState::kToBuild) continue;
      pch.state = PchState::kBuilding;
      cache_->write_header(keys_[i], pch.headers);
      return Job{plan_.units.size() + i, pch_job(pch.command, cache_->header(keys_[i]).string(),
                                                 cache_->temporary(keys_[i]).string())};
    }
    const auto ready = std::ranges::find_if(
        waiting_, [&](std::size_t unit) { return state_of(unit) != PchState::kBuilding; });
    if (ready == waiting_.end()) return std::nullopt;
    const std::size_t unit = *ready;
    waiting_.erase(ready);
    const PlannedUnit& planned = plan_.units[unit];
    const bool use = state_of(unit) == PchState::kReady;
    return Job{unit,
               analyze_job(planned.command, use ? cache_->pch(planned.pch_key).string() : "")};
  }

  void on_reply(const Reply& reply) {
    if (reply.id >= plan_.units.size()) {
      finish_pch(keys_[reply.id - plan_.units.size()], reply);
      return;
    }
    UnitOutcome& unit = outcome_.units[reply.id];
    if (!reply.failure.empty()) {
      unit.failure = reply.failure;
      return;
    }
    unit.result = unit_result_from_json(reply.answer);
    if (unit.result.used_pch) ++outcome_.pchs_used;
    if (unit.result.pch_rejected) give_up_pch(plan_.units[reply.id].pch_key);
  }

  RunOutcome take() { return std::move(outcome_); }

 private:
  PchState state_of(std::size_t unit) const {
    const std::string& key = plan_.units[unit].pch_key;
    return key.empty() ? PchState::kNone : plan_.pchs.at(key).state;
  }

  /// One that is damaged, or does not fit its units: parsing without is quicker than trying.
  void give_up_pch(const std::string& key) {
    std::error_code error;
    std::filesystem::remove(cache_->pch(key), error);
    cache_->note_failed(key);
    plan_.pchs.at(key).state = PchState::kNone;
  }

  void finish_pch(const std::string& key, const Reply& reply) {
    PlannedPch& pch = plan_.pchs.at(key);
    std::error_code error;
    if (reply.failure.empty() && reply.answer.at("built")) {
      cache_->publish(key, cache_->temporary(key), reply.answer.at("files"));
      pch.state = PchState::kReady;
      ++outcome_.pchs_built;
    } else {
      std::filesystem::remove(cache_->temporary(key), error);
      give_up_pch(key);
    }
  }

  Plan& plan_;
  const PchCache* cache_;
  std::vector<std::string> keys_;
  std::vector<std::size_t> waiting_;
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

RunOutcome run_units(Plan& plan, const WorkerSetup& setup, const PchCache* cache, unsigned workers,
                     unsigned timeout_seconds) {
  Schedule schedule(plan, cache);
  WorkerPool pool(to_json(setup), workers, timeout_seconds);
  pool.run([&] { return schedule.next(); }, [&](const Reply& reply) { schedule.on_reply(reply); });
  return schedule.take();
}

unsigned default_workers(std::size_t units) {
  constexpr std::size_t kWorkerMib = 800;
  std::size_t workers = std::max(1U, std::thread::hardware_concurrency());
  if (const std::size_t memory = free_memory_mib(); memory != 0)
    workers = std::min(workers, std::max<std::size_t>(1, memory / kWorkerMib));
  return static_cast<unsigned>(std::clamp<std::size_t>(units, 1, workers));
}

}  // namespace xfer::lint
