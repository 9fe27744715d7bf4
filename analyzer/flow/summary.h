#pragma once
// A function's effects in terms of its parameters: computed bottom-up, one summary per function of
// the translation unit. A function that calls itself has the summary that promises nothing. Plain
// values, nothing of the unit's AST: a summary means the same in every unit.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/pointer_use.h"
#include "analyzer/flow/state.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

/// A device in terms of the caller.
struct DeviceTerm {
  enum class Kind : std::uint8_t {
    kUnknown,
    kDevice,       ///< `device`
    kOfParameter,  ///< where the tensor or module given as `parameter` is, or the one in its field
                   ///< `path`
    kParameter,    ///< the device given as `parameter`, or the one in its field `path`
    kChoice,       ///< chosen by the callee, may be what `may_*` say
    kReturned,     ///< where the function given as `parameter` puts its result for a tensor on
                   ///< `device`
  };
  Kind kind = Kind::kUnknown;
  Device device;
  std::uint32_t parameter = 0;
  std::string path;  ///< "config.device": a field, by its names; empty: the parameter itself
  std::uint32_t choice = 0;  ///< of kChoice: in one summary equal numbers are one device
  bool may_cpu = false;
  bool may_cuda = false;
  bool found = false;  ///< of kChoice: the whole program has it there, whoever chose that

  bool of_caller() const { return kind == Kind::kOfParameter || kind == Kind::kParameter; }
  friend bool operator==(const DeviceTerm&, const DeviceTerm&) = default;
};

/// How many bytes, as a sum over the numbers that the callee is given, by its parameters.
struct SizeWithin {
  std::optional<Polynomial> bytes;  ///< none: it is not known
  bool measured = false;            ///< a sizeof is in it
  std::uint64_t element = 0;        ///< as Size says

  friend bool operator==(const SizeWithin&, const SizeWithin&) = default;
};

/// The value that the callee is given as `parameter`, or the one in its field `path`.
struct Given {
  std::uint32_t parameter = 0;
  std::string path;  ///< as in DeviceTerm

  friend auto operator<=>(const Given&, const Given&) = default;
};

/// A number or a pointer in an object, as the callee finds it.
struct FieldGiven {
  Given object;
  std::string name;

  friend bool operator==(const FieldGiven&, const FieldGiven&) = default;
};

/// In sums over what the callee is given, beside its parameters: its fields, from here on.
inline constexpr std::uint32_t kFirstFieldGiven = 0x10000;

/// One side of a copy in the callee.
struct SideWithin {
  std::optional<Given> memory;   ///< none: it is the callee's own
  std::optional<Polynomial> at;  ///< where in it the copy begins; none: it is not known

  friend bool operator==(const SideWithin&, const SideWithin&) = default;
};

/// The callee copies memory whenever it runs.
struct CopyWithin {
  SideWithin to, from;
  SizeWithin size;
  std::vector<FieldGiven> fields;  ///< that its sums name, from kFirstFieldGiven on
  Direction direction = Direction::kUnknown;
  bool first = false;  ///< the callee writes to neither side before it
  bool last = false;   ///< ... nor behind it
  bool timed = false;  ///< the callee reads a clock
  Location at;         ///< the copy in the callee
  std::string what;    ///< its text

  friend bool operator==(const CopyWithin&, const CopyWithin&) = default;
};

/// Facts about memory that the callee leaves, besides its device.
struct Allocated {
  Memory memory = Memory::kUnknown;  ///< of memory of the host
  SizeWithin size;                   ///< of memory that the callee allocated
  bool untouched = false;            ///< ... on a device, or pinned: nothing has written to it, and
                                     ///< nothing else points there

  friend bool operator==(const Allocated&, const Allocated&) = default;
};

/// A value that the callee hands back.
struct Outcome : Allocated {
  bool known = false;         ///< false: nothing is known
  bool same_object = false;   ///< the object given as `parameter`, or the one in its field `path`
  bool or_unchanged = false;  ///< of a reference: on some paths it holds what it did before
  bool may_alias = false;     ///< may share data with some argument
  std::uint32_t parameter = 0;
  std::string path;  ///< as in DeviceTerm
  DeviceTerm device;
  Rank rank = Rank::kUnknown;
  Placed placed = Placed::kUnknown;
  Strict strict = Strict::kUnknown;  ///< of a module

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Two places that must be one device whenever the callee runs. The first is the caller's; so is
/// the second, or it is what the callee itself chose.
struct Need {
  DeviceTerm first, second;
  bool zero_dim_cpu = false;
  bool first_has_dims = false, second_has_dims = false;  ///< whatever the caller gives
  bool host_access = false;  ///< host code follows a pointer into the first, a tensor
  bool host_reads = false;   ///< of memory: host code reads it ...
  bool host_writes = false;  ///< ... or writes to it
  Location at;               ///< the operation in the callee
  std::string what;          ///< its text

  friend bool operator==(const Need&, const Need&) = default;
};

/// The value that a constructor, or a method that changes it, leaves in a field of its object.
struct FieldHeld : Allocated {
  std::string field;
  DeviceTerm device;
  Rank rank = Rank::kUnknown;
  Placed placed = Placed::kUnknown;
  std::optional<std::uint32_t> given;  ///< it is the very module that this parameter is

  friend bool operator==(const FieldHeld&, const FieldHeld&) = default;
};

/// Fields of an object that may hold something else, or have parts that do.
struct FieldsChanged {
  bool all = false;  ///< any field, also those without a name here
  std::set<std::string> names;

  bool none() const { return !all && names.empty(); }
  bool has(const std::string& name) const { return all || names.count(name) != 0; }
  void add(const FieldsChanged& other) {
    all |= other.all;
    names.insert(other.names.begin(), other.names.end());
  }
  friend bool operator==(const FieldsChanged&, const FieldsChanged&) = default;
};

/// The values that a function leaves in an object that it is given and that it keeps nowhere.
struct ObjectLeft {
  bool told = false;  ///< false: nothing is known of it
  FieldsChanged changed;
  std::vector<FieldHeld> fields;

  friend bool operator==(const ObjectLeft&, const ObjectLeft&) = default;
};

struct Summary {
  bool known = false;
  Outcome result;
  std::vector<FieldHeld> result_fields;  ///< of a record that it made and that nothing else holds
  std::map<std::uint32_t, Outcome> result_parts;  ///< tensors in a tuple, by their position
  std::vector<Outcome> references;                ///< what reference parameters hold afterwards
  std::vector<DeviceTerm> modules;                ///< where module parameters are afterwards
  std::vector<Strict> filled;       ///< of containers among these: as strict as what it put in
  std::vector<ObjectLeft> objects;  ///< what parameters that are objects hold afterwards
  std::vector<bool> written;
  std::vector<bool> escapes;
  DeviceTerm self;                ///< where the receiver module is afterwards ...
  std::vector<DeviceTerm> parts;  ///< ... if these, of what was registered in it, are there too
  FieldsChanged changed;          ///< of the receiver
  bool self_empty = false;        ///< a constructor that registers nothing
  Strict self_strict =
      Strict::kUnknown;  ///< of a constructor: whether forward needs its input at the module
  std::vector<std::string>
      strict_fields;  ///< of a constructor: containers whose forward needs its input there
  std::vector<std::string> empty_fields;  ///< ... and those with nothing in them that does
  std::vector<FieldHeld> fields;   ///< of a constructor or method; of a method also those it loses
  bool unknown_calls = false;      ///< globals may have changed
  bool may_wait = false;           ///< work of a device that was begun before may have ended
  bool writes_outside = false;     ///< so may tensors that were there before
  bool writes_everything = false;  ///< or any data: it launches a graph
  bool writes_behind = false;      ///< or memory to which fields of what it is given point
  Deciders deciding;               ///< what decides about its choices of devices
  std::vector<Need> needs;
  std::vector<CopyWithin> copies;
  std::set<Given> frees;             ///< memory that it gives back whenever it runs
  std::set<Given> renumbered;        ///< objects in which it changes numbers or pointers
  bool renumbers_any = false;        ///< or in objects that nobody knows
  std::vector<ParameterUse> kernel;  ///< of a kernel, by parameter: nothing else is said of it

  friend bool operator==(const Summary&, const Summary&) = default;
};

}  // namespace xfer::analyzer
