#pragma once
// The whole numbers that a function computes with, as far as its text tells: sums of products over
// unknown numbers. An unknown is what a variable holds when the function begins, where paths with
// different numbers meet, or where something sets it to what is not followed. Two formulas that
// come to the same sum are the same number, wherever they stand.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/flow/state.h"
#include "analyzer/flow/summary.h"

namespace xfer::analyzer {

class Amounts {
 public:
  explicit Amounts(const FunctionFacts& facts) : facts_(facts) {}

  /// The bytes that a call is told (Size), at the call; `sum` is over unknowns.
  const Formula& bytes(CallId call) { return at(call).part.bytes; }
  /// All the bytes of the array or the vector that a copy goes to, or comes from, as it is then.
  const Formula& target(CallId copy) { return at(copy).to_has; }
  const Formula& source(CallId copy) { return at(copy).from_has; }
  /// The numbers that a call gives for its callee's parameters, see Call::numbers.
  const std::vector<Formula>& numbers(CallId call) { return at(call).numbers; }
  /// Numbers the field of an object that callers give, as FieldGiven; none: no caller does.
  /// ObjectId(): the object that the function runs on.
  using NumberField = std::function<std::optional<std::uint32_t>(ObjectId, const std::string&)>;
  /// The sum over what the parameters hold at entry, by their numbers; none: it rests on more.
  std::optional<Polynomial> by_parameters(const Formula& formula, const NumberField& field = {});
  /// The value of such a sum in a call.
  Formula in_call(const Polynomial& by_parameters, CallId call) {
    return in_call(by_parameters, call, {}, {});
  }

  /// The part of memory that a copy copies: how much, and from where to where.
  struct Part {
    Formula bytes, to, from;
    bool whole() const { return bytes.sum && to.sum && from.sum; }
  };
  const Part& part(CopyId copy) { return copy.within == 0 ? at(copy.call).part : within_[copy]; }
  /// A callee's copy; `objects`: in a call, what has `CopyWithin::fields`.
  void note(CopyId copy, const CopyWithin& within, const std::vector<ObjectId>& objects);

  /// Memory that a callee allocated, in the callee's terms.
  struct Room {
    CallId made;
    SizeWithin size;
    bool untouched = false;  ///< as Outcome says
  };
  std::map<ObjectId, Room> rooms;
  /// All of its bytes, as this function knows them.
  Formula bytes(const Room& room);

  /// Both copy the same bytes; `mirrored`: one where the other copied from.
  bool same_part(CopyId one, CopyId other, bool mirrored = false);
  /// Each time round the loop it comes to the same number.
  bool same_in(const Formula& formula, const BlockFlags& loop) const {
    return formula.sum && !set_in(*formula.sum, loop);
  }
  /// Each time round the loop the same bytes are copied.
  bool same_part_in(CopyId copy, const BlockFlags& loop);

 private:
  /// By name; what is not in it is as it was when the function began.
  using Environment = std::map<std::uint32_t, Formula>;
  enum class Born : std::uint8_t { kAtEntry, kWherePathsMeet, kWhereSet, kOfOthers, kOfObject };
  /// How it was born; where, by block and fact, or of which object; of what, by name, term or
  /// field; and of which numbers.
  using Unknown =
      std::tuple<Born, std::uint32_t, std::uint32_t, std::uint32_t, std::vector<Polynomial>>;

  /// The sums of one call: its part, the bytes that its two sides have, the numbers that it gives.
  struct Told {
    Part part;
    Formula to_has, from_has;
    std::vector<Formula> numbers;
  };

  const Told& at(CallId call);
  Formula in_call(const Polynomial& by_parameters, CallId call,
                  const std::vector<FieldGiven>& fields, const std::vector<ObjectId>& objects);
  Formula field_of(ObjectId object, const std::string& name);
  std::optional<std::uint32_t> by_callers(std::uint32_t number, const NumberField& field);
  bool set_in(std::uint32_t unknown, const BlockFlags& loop) const;
  bool set_in(const Polynomial& sum, const BlockFlags& loop) const;
  void compute();
  void find_names();
  void find_environments();
  /// False: it is as it was.
  bool join(BlockId block, const std::map<BlockId, Environment>& leaving);
  void run(BlockId block, Environment& environment, bool note);
  Formula evaluate(const Formula& formula, const Environment& environment);
  Formula value_of(std::uint32_t name, const Environment& environment);
  std::optional<Formula> value_set(const Term& term, const Environment& environment);
  Formula unknown(Unknown what);
  Formula at_entry(std::uint32_t name) { return unknown({Born::kAtEntry, 0, 0, name, {}}); }

  const FunctionFacts& facts_;
  bool computed_ = false;
  std::set<std::uint32_t> names_;  ///< that sizes rest on
  std::map<BlockId, Environment> entering_;
  std::map<Unknown, std::uint32_t> unknowns_;
  std::vector<const Unknown*> by_number_;
  std::map<CallId, Told> told_;
  std::map<CopyId, Part> within_;
  std::vector<std::string> fields_;  ///< of objects: names that numbers were born of
};

}  // namespace xfer::analyzer
