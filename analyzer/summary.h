#pragma once
// What a call of a function does, in terms of its parameters: computed bottom-up, one per function of
// the translation unit. A function that calls itself has the summary that promises nothing. Plain
// values, nothing of the unit's AST: a summary means the same in every unit.

#include <string>
#include <vector>

#include "analyzer/state.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

inline constexpr std::uint32_t kThisParameter = ~0U;

/// A device in terms of the caller.
struct Where {
  enum class Kind : std::uint8_t {
    kUnknown,
    kDevice,       ///< `device`
    kOfParameter,  ///< where the tensor or module given as `parameter` is
    kParameter,    ///< the device given as `parameter`
    kChoice,       ///< chosen by the callee, may be what `may_*` say
  };
  Kind kind = Kind::kUnknown;
  Device device;
  std::uint32_t parameter = 0;
  bool may_cpu = false;
  bool may_cuda = false;

  friend bool operator==(const Where&, const Where&) = default;
};

/// A value that the callee hands back.
struct Outcome {
  bool known = false;         ///< false: nothing is known
  bool same_object = false;   ///< the object given as `parameter`
  bool may_alias = false;     ///< may share data with some argument
  std::uint32_t parameter = 0;
  Where where;
  Rank rank = Rank::kUnknown;
  Placed placed = Placed::kUnknown;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Two parameters, or a parameter and a fixed device, that must agree whenever the callee runs.
struct Need {
  std::uint32_t first = 0;
  std::uint32_t second = 0;   ///< a parameter, unless `fixed`
  bool fixed = false;
  Where where;                ///< of `fixed`
  bool zero_dim_cpu = false;
  Location at;                ///< the operation in the callee
  std::string what;           ///< its text

  friend bool operator==(const Need&, const Need&) = default;
};

struct Summary {
  bool known = false;
  Outcome result;
  std::vector<Outcome> references;  ///< what reference parameters hold afterwards
  std::vector<Where> modules;       ///< where module parameters are afterwards
  std::vector<bool> written;
  std::vector<bool> escapes;
  Where self;                       ///< where the receiver module is afterwards
  bool self_changed = false;        ///< fields of the receiver may hold something else
  bool self_empty = false;          ///< a constructor that registers nothing
  bool unknown_calls = false;       ///< globals may have changed
  std::vector<Need> needs;

  friend bool operator==(const Summary&, const Summary&) = default;
};

}  // namespace xfer::analyzer
