#pragma once
// Facts about the fields of a class that hold for all its objects: fields that keep what the
// constructors gave them, and modules that all code that changes them leaves on the class's device.

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/facts/unit.h"
#include "analyzer/flow/surroundings.h"

namespace xfer::analyzer {

class ClassFields {
 public:
  /// The summaries of functions that this unit defines, and whether one is being made.
  class Summaries {
   public:
    virtual ~Summaries() = default;
    virtual const Summary& summary_of(FunctionId function) = 0;
    virtual bool in_progress(FunctionId function) const = 0;
  };

  ClassFields(const Unit& unit, Summaries& summaries) : unit_(unit), summaries_(summaries) {}

  /// Null: the field may change, or what it holds is not known.
  const SettledField* settled(FieldId field);
  /// Of a container that nothing but the constructors makes: whether its forward needs its input
  /// where it is. Its parts do not change, wherever it is moved.
  Strict strict(FieldId field);

 private:
  using Passes = std::function<bool(const Summary&, bool constructor)>;

  std::vector<SettledField> settle(const Class& known);
  bool constructing(const Class& known) const;
  // kept_fields.cc
  const SettledField* kept(FieldId module);
  bool all_leave(FieldId module, const std::vector<FunctionId>& methods, const Passes& passes);
  std::optional<Device> always_on(FieldId module);
  bool keeps(FieldId module, FieldId device);
  bool seen(FieldId field) const;
  bool decided_now(FieldId field) const;

  const Unit& unit_;
  Summaries& summaries_;
  std::map<ClassId, std::vector<SettledField>> settled_;
  std::map<FieldId, std::optional<SettledField>> kept_;  ///< none: not kept
};

/// The summary's entry for the field; null: it has none.
const FieldHeld* find(const Summary& summary, const Field& field);

}  // namespace xfer::analyzer
