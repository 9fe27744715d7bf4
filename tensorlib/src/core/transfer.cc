#include "core/transfer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "backend/platform.h"
#include "xfer/annotate.h"

namespace tensorlib {

namespace {

constexpr TransferDirection kDirections[] = {TransferDirection::kHostToDevice,
                                             TransferDirection::kDeviceToHost,
                                             TransferDirection::kDeviceToDevice};

struct Key {
  const char* file;
  int line;
  TransferDirection direction;
  TransferCause cause;
  friend bool operator==(const Key& a, const Key& b) {
    return a.file == b.file && a.line == b.line && a.direction == b.direction && a.cause == b.cause;
  }
};
struct KeyHash {
  size_t operator()(const Key& key) const {
    const auto small = static_cast<size_t>(key.line) << 8 |
                       static_cast<size_t>(key.direction) << 4 | static_cast<size_t>(key.cause);
    return std::hash<const void*>()(key.file) ^ small * 0x9E3779B97F4A7C15u;
  }
};

struct Ledger {
  std::mutex mutex;
  std::unordered_map<Key, TransferRow, KeyHash> rows;
};
Ledger& ledger() {
  static auto* const instance = new Ledger;  // outlives every static tensor
  return *instance;
}

struct Log {
  std::mutex mutex;
  std::function<void(const std::string&)> write = [](const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
  };
};
Log& transfer_log() {
  static auto* const instance = new Log;
  return *instance;
}

struct GuardLevel {
  TransferGuardLevel level = TransferGuardLevel::kAllow;
  CallSite site = CallSite::none();
};
thread_local std::array<GuardLevel, 3> guards;
thread_local TransferBudget* innermost_budget = nullptr;
thread_local TransferCause current_cause = TransferCause::kMoved;
thread_local OperandPolicy operand_policy = OperandPolicy::kStrict;

std::string place_of(CallSite site) {
  return site.known() ? str_cat(site.file, ":", site.line) : std::string("(unknown line)");
}

std::string bytes_text(uint64_t bytes) { return str_cat(bytes, bytes == 1 ? " byte" : " bytes"); }

// "host to device, 4096 bytes (item() or another read)"
std::string describe(const TransferRow& row) {
  return str_cat(name_of(row.direction), ", ", bytes_text(row.bytes), ", ", name_of(row.cause));
}

void ask_guard(const TransferRow& transfer) {
  const GuardLevel& guard = guards[static_cast<size_t>(transfer.direction)];
  const bool implicit = !is_explicit(transfer.cause);
  switch (guard.level) {
    case TransferGuardLevel::kAllow: return;
    case TransferGuardLevel::kLog:
      if (!implicit) return;
      break;
    case TransferGuardLevel::kLogExplicit: break;
    case TransferGuardLevel::kDisallow:
      if (!implicit) return;
      [[fallthrough]];
    case TransferGuardLevel::kDisallowExplicit:
      throw TransferError(
          str_cat("transfer guard: ", implicit ? "an implicit" : "a",
                  " transfer is not allowed here: ", describe(transfer), "\n  guard made at ",
                  place_of(guard.site), "\nhelp: ",
                  implicit ? "move the tensor with to() or cpu() where you mean it, or end the "
                             "guard's scope before this line"
                           : "end the guard's scope before this line, or allow it with "
                             "TransferGuard(TransferGuardLevel::kAllow)"),
          transfer.site);
  }
  Log& log = transfer_log();
  const std::lock_guard lock(log.mutex);
  log.write(str_cat("transfer: ", describe(transfer), " at ", place_of(transfer.site)));
}

void add_to(std::vector<TransferRow>& rows, const TransferRow& transfer) {
  for (TransferRow& row : rows) {
    if (row.direction == transfer.direction && row.cause == transfer.cause &&
        row.site.file == transfer.site.file && row.site.line == transfer.site.line) {
      row.count += transfer.count;
      row.bytes += transfer.bytes;
      return;
    }
  }
  rows.push_back(transfer);
}

// "      3 x   4096 bytes  host to device    to() at train.cc:12", one line each
std::string table(const std::vector<TransferRow>& rows) {
  std::string text;
  for (const TransferRow& row : rows) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "\n  %8llu x %14llu bytes  %-17s ",
                  static_cast<unsigned long long>(row.count),
                  static_cast<unsigned long long>(row.bytes), name_of(row.direction));
    text += str_cat(numbers, name_of(row.cause), " at ", place_of(row.site));
  }
  return text;
}

// A copy between devices joins their streams; one that the host waits for ends with it.
void note_order(Device to, Device from, bool non_blocking) {
  const auto stream = [](Device device) {
    return cuda::CUDAStream(device.index(), cuda_platform()->current_stream(device.index()));
  };
  if (to.is_cuda() && from.is_cuda()) {
    stream_order::note_order(stream(to), stream(from));
    stream_order::note_order(stream(from), stream(to));
  } else if (!non_blocking) {
    stream_order::note_host_wait(stream(to.is_cuda() ? to : from));
  }
}

}  // namespace

const char* name_of(TransferDirection direction) {
  switch (direction) {
    case TransferDirection::kHostToDevice: return "host to device";
    case TransferDirection::kDeviceToHost: return "device to host";
    case TransferDirection::kDeviceToDevice: return "device to device";
  }
  return "?";
}
const char* name_of(TransferCause cause) {
  switch (cause) {
    case TransferCause::kMoved: return "moved by to() or similar";
    case TransferCause::kModule: return "moved with its module";
    case TransferCause::kCreated: return "made from host values";
    case TransferCause::kRead: return "read by item() or similar";
    case TransferCause::kOperand: return "an operand of an operation elsewhere";
  }
  return "?";
}

TransferError::~TransferError() = default;

void cross(void* to, Device to_device, const void* from, Device from_device, size_t nbytes,
           bool non_blocking, TransferCause cause, CallSite site) {
  const auto direction = !from_device.is_cuda() ? TransferDirection::kHostToDevice
                         : to_device.is_cuda()  ? TransferDirection::kDeviceToDevice
                                                : TransferDirection::kDeviceToHost;
  const TransferRow transfer{direction, cause, site, 1, nbytes};
  ask_guard(transfer);
  if (innermost_budget != nullptr) TransferBudget::spend_on_all(transfer);
  {
    Ledger& all = ledger();
    const std::lock_guard lock(all.mutex);
    const auto [row, is_new] = all.rows.try_emplace({site.file, site.line, direction, cause},
                                                    TransferRow{direction, cause, site, 0, 0});
    ++row->second.count;
    row->second.bytes += nbytes;
  }
  std::optional<xfer::ImplicitCopies> implicit;
  if (cause == TransferCause::kOperand) implicit.emplace();
  cuda_platform()->copy(to, to_device, from, from_device, nbytes, non_blocking);
  if (stream_order::is_checked()) note_order(to_device, from_device, non_blocking);
}

CauseScope::CauseScope(TransferCause cause) : before_(current_cause) { current_cause = cause; }
CauseScope::~CauseScope() { current_cause = before_; }
TransferCause CauseScope::current() { return current_cause; }

std::vector<TransferRow> TransferLedger::rows() {
  std::vector<TransferRow> rows;
  {
    Ledger& all = ledger();
    const std::lock_guard lock(all.mutex);
    for (const auto& [key, row] : all.rows) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const TransferRow& a, const TransferRow& b) {
    return std::pair(b.bytes, a.site.line) < std::pair(a.bytes, b.site.line);
  });
  return rows;
}

TransferRow TransferLedger::total(TransferDirection direction) {
  TransferRow total{direction, TransferCause::kMoved, CallSite::none(), 0, 0};
  for (const TransferRow& row : rows()) {
    if (row.direction != direction) continue;
    total.count += row.count;
    total.bytes += row.bytes;
  }
  return total;
}

void TransferLedger::reset() {
  Ledger& all = ledger();
  const std::lock_guard lock(all.mutex);
  all.rows.clear();
}

std::string TransferLedger::report() {
  std::string text = "transfers:";
  for (const TransferDirection direction : kDirections) {
    const TransferRow sum = total(direction);
    text += str_cat(direction == kDirections[0] ? " " : ", ", name_of(direction), " ", sum.count,
                    " (", bytes_text(sum.bytes), ")");
  }
  return text + table(rows()) + "\n";
}

TransferGuard::TransferGuard(TransferGuardLevel level, CallSite site)
    : before_{{guards[0].level, guards[0].site},
              {guards[1].level, guards[1].site},
              {guards[2].level, guards[2].site}} {
  for (GuardLevel& guard : guards) guard = {level, site};
}
TransferGuard::TransferGuard(TransferDirection direction, TransferGuardLevel level, CallSite site)
    : before_{{guards[0].level, guards[0].site},
              {guards[1].level, guards[1].site},
              {guards[2].level, guards[2].site}} {
  guards[static_cast<size_t>(direction)] = {level, site};
}
TransferGuard::~TransferGuard() {
  for (size_t i = 0; i < guards.size(); ++i) guards[i] = {before_[i].level, before_[i].site};
}

void set_transfer_log(std::function<void(const std::string&)> log) {
  Log& current = transfer_log();
  const std::lock_guard lock(current.mutex);
  current.write = std::move(log);
}

TransferBudget::TransferBudget(TransferLimit limit, CallSite site)
    : limit_(limit), site_(site), outer_(innermost_budget) {
  innermost_budget = this;
}
TransferBudget::~TransferBudget() { innermost_budget = outer_; }

bool TransferBudget::allows(const TransferRow& transfer) const {
  if (limit_.direction_ && *limit_.direction_ != transfer.direction) return true;
  return (!limit_.count_ || used_count_ + 1 <= *limit_.count_) &&
         (!limit_.bytes_ || used_bytes_ + transfer.bytes <= *limit_.bytes_);
}

void TransferBudget::spend(const TransferRow& transfer) {
  if (limit_.direction_ && *limit_.direction_ != transfer.direction) return;
  used_count_ += transfer.count;
  used_bytes_ += transfer.bytes;
  add_to(rows_, transfer);
}

void TransferBudget::refuse(const TransferRow& transfer) const {
  std::string allowed;
  if (limit_.count_) {
    allowed += str_cat(*limit_.count_, *limit_.count_ == 1 ? " transfer" : " transfers");
  }
  if (limit_.bytes_) allowed += str_cat(allowed.empty() ? "" : " and ", bytes_text(*limit_.bytes_));
  if (limit_.direction_) allowed += str_cat(" ", name_of(*limit_.direction_));
  throw TransferError(
      str_cat("transfer budget: this transfer would exceed it: ", describe(transfer),
              "\n  budget made at ", place_of(site_), ": ", allowed, ", of which ", used_count_,
              " (", bytes_text(used_bytes_), ") are used", rows_.empty() ? "" : ":", table(rows_)),
      transfer.site);
}

void TransferBudget::spend_on_all(const TransferRow& transfer) {
  for (const TransferBudget* budget = innermost_budget; budget != nullptr;
       budget = budget->outer_) {
    if (!budget->allows(transfer)) budget->refuse(transfer);
  }
  for (TransferBudget* budget = innermost_budget; budget != nullptr; budget = budget->outer_) {
    budget->spend(transfer);
  }
}

OperandPolicyScope::OperandPolicyScope(OperandPolicy policy) : before_(operand_policy) {
  operand_policy = policy;
}
OperandPolicyScope::~OperandPolicyScope() { operand_policy = before_; }
OperandPolicy OperandPolicyScope::current() { return operand_policy; }

}  // namespace tensorlib
