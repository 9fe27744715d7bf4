// Transfers between host and devices: the ledger, guards, budgets, and the policy for operands on
// different devices.
//
//   {
//     torch::NoImplicitTransfers guard;              // item() and similar throw in here
//     torch::TransferBudget budget(torch::TransferLimit().count(1).bytes(1 << 20));
//     model->forward(batch.to(device));              // a second copy throws, and lists both
//   }
//   std::cout << torch::TransferLedger::report();
//
// Guards, budgets and the policy hold for the thread that made them, until their scope ends. What
// moves nothing costs nothing; a copy pays for one look-up in a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tensorlib/call_site.h"
#include "tensorlib/device.h"
#include "tensorlib/error.h"
#include "tensorlib/macros.h"

namespace tensorlib {

enum class TransferDirection : uint8_t { kHostToDevice, kDeviceToHost, kDeviceToDevice };

// Why something crossed. The first three are explicit: the program says that it moves something.
enum class TransferCause : uint8_t {
  kMoved,    // to(), cpu(), cuda(), copy_()
  kModule,   // Module::to, and values loaded into a module
  kCreated,  // a CUDA tensor made from host values: tensor(), randperm()
  kRead,     // item(), printing, and what else looks at values
  kOperand,  // an operand of another device, under the implicit policy, or a number on the CPU
};
TENSORLIB_API const char* name_of(TransferDirection direction);
TENSORLIB_API const char* name_of(TransferCause cause);
constexpr bool is_explicit(TransferCause cause) { return cause <= TransferCause::kCreated; }

// All transfers of one kind at one line.
struct TransferRow {
  TransferDirection direction;
  TransferCause cause;
  CallSite site;
  uint64_t count = 0;
  uint64_t bytes = 0;
};

// The transfers of all threads since the start or the last reset.
class TENSORLIB_API TransferLedger {
 public:
  // The most bytes first.
  static std::vector<TransferRow> rows();
  static TransferRow total(TransferDirection direction);
  static void reset();
  // A table for people.
  static std::string report();
};

// A transfer that a guard or a budget forbids. It did not take place.
class TENSORLIB_API TransferError : public Error {
 public:
  using Error::Error;
  ~TransferError() override;
};

// The levels of JAX's transfer guard. "Log" calls the handler once for each transfer.
enum class TransferGuardLevel : uint8_t {
  kAllow,
  kLog,               // implicit ones are logged
  kDisallow,          // implicit ones throw
  kLogExplicit,       // all are logged
  kDisallowExplicit,  // all throw
};

// Holds for all directions, or for one; the innermost guard of a direction counts.
class TENSORLIB_API TransferGuard {
 public:
  explicit TransferGuard(TransferGuardLevel level, CallSite site = CallSite::current());
  TransferGuard(TransferDirection direction, TransferGuardLevel level,
                CallSite site = CallSite::current());
  ~TransferGuard();
  TransferGuard(const TransferGuard&) = delete;
  TransferGuard& operator=(const TransferGuard&) = delete;

 private:
  struct Level {
    TransferGuardLevel level;
    CallSite site;
  };
  Level before_[3];
};

class TENSORLIB_API NoImplicitTransfers : public TransferGuard {
 public:
  explicit NoImplicitTransfers(CallSite site = CallSite::current())
      : TransferGuard(TransferGuardLevel::kDisallow, site) {}
};

// Where logged transfers go, one line each; standard error at first.
TENSORLIB_API void set_transfer_log(std::function<void(const std::string& line)> log);

// A budget's limits on transfers of one direction, or on all. A number that is not set is no limit.
class TENSORLIB_API TransferLimit {
 public:
  TransferLimit& count(uint64_t most) { return count_ = most, *this; }
  TransferLimit& bytes(uint64_t most) { return bytes_ = most, *this; }
  TransferLimit& only(TransferDirection direction) { return direction_ = direction, *this; }

 private:
  friend class TransferBudget;
  std::optional<uint64_t> count_, bytes_;
  std::optional<TransferDirection> direction_;
};

// The transfer that would exceed the limit throws, and names those that used it up. Budgets nest:
// each counts.
class TENSORLIB_API TransferBudget {
 public:
  explicit TransferBudget(TransferLimit limit, CallSite site = CallSite::current());
  ~TransferBudget();
  TransferBudget(const TransferBudget&) = delete;
  TransferBudget& operator=(const TransferBudget&) = delete;

  uint64_t used_count() const { return used_count_; }
  uint64_t used_bytes() const { return used_bytes_; }
  // The transfers that used it, by line, in the order of the first use.
  const std::vector<TransferRow>& rows() const { return rows_; }

  // For the library: spends one transfer on each budget of this thread, or throws.
  static void spend_on_all(const TransferRow& transfer);

 private:
  bool allows(const TransferRow& transfer) const;
  void spend(const TransferRow& transfer);
  [[noreturn]] void refuse(const TransferRow& transfer) const;

  TransferLimit limit_;
  CallSite site_;
  uint64_t used_count_ = 0, used_bytes_ = 0;
  std::vector<TransferRow> rows_;
  TransferBudget* outer_;
};

// How an operation treats operands on different devices.
enum class OperandPolicy : uint8_t {
  kStrict,   // throws a DeviceMismatchError
  kImplicit  // copies them to where the module's parameter, or the CUDA operand, is; each copy is
             // in the ledger as kOperand
};
class TENSORLIB_API OperandPolicyScope {
 public:
  explicit OperandPolicyScope(OperandPolicy policy);
  ~OperandPolicyScope();
  OperandPolicyScope(const OperandPolicyScope&) = delete;
  OperandPolicyScope& operator=(const OperandPolicyScope&) = delete;
  static OperandPolicy current();

 private:
  OperandPolicy before_;
};

}  // namespace tensorlib
