#pragma once
// Where parameters, results and fields are, over a whole program: sets of places, whatever the
// order of things, from all that functions put there. Linear in what functions hand to each other,
// times the few places that there are.

#include <array>
#include <bit>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/facts/unit.h"
#include "analyzer/program/choices.h"
#include "analyzer/program/handlings.h"
#include "analyzer/program/inflow.h"

namespace xfer::analyzer {

class Inference {
 public:
  struct Member {
    const Unit* unit = nullptr;
    const std::vector<Inflow>* inflows = nullptr;
    const std::vector<Handling>* handlings = nullptr;
    const std::set<ClassId>* moved = nullptr;  ///< modules' classes
  };

  /// `members`: the units of a program; null where one has nothing to say.
  /// `lacks`: of the program, but these; empty: they are all that there are.
  Inference(std::vector<Member> members, std::string lacks);

  struct Known {
    DeviceSet devices;
    Rank rank = Rank::kUnknown;
  };
  /// Of what is where one of the sources is, in a unit.
  Known known(std::size_t unit, const std::vector<Source>& sources) const;
  /// How the program's functions handle what something holds; of one function once each way.
  std::vector<const Handling*> handlings(std::size_t unit, const Holder& holder) const;
  /// The values that functions of a unit found in a field and put back on another device.
  std::vector<const Inflow*> renewals(std::size_t unit, FieldId field) const;
  /// Where the functions of a unit put what they give a field.
  std::map<FunctionId, DeviceSet> given_to(std::size_t unit, FieldId field) const;
  /// A function of the unit gives a field something else than it found there.
  bool gives(std::size_t unit, FunctionId function, FieldId field) const;
  /// How it came to be at one of `places`: hand-overs, from here to where it was put there.
  std::vector<Note> trace(std::size_t unit, const std::vector<Source>& sources,
                          DeviceSet::Bits places) const;
  /// The reason why it is unknown: the holder from which on nothing is known. Empty: the function.
  std::string why_unknown(std::size_t unit, const std::vector<Source>& sources) const;
  /// Some unit has the flag: `peers`, `shares_memory`.
  bool any_unit(bool Unit::* has) const;

 private:
  using Node = std::uint32_t;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Held {
    Known known;
    bool ranked = false;  ///< `known.rank` is of something
    bool module = false;
    bool moved = false;  ///< a module, after it was made
    bool device = false;
    bool field = false;
    bool reached = false;     ///< something is put there
    bool overridden = false;  ///< a parameter of a method that its call need not run
    std::string unseen;       ///< a field: of its writers, that which is not known
    std::string name;         ///< as people write it
    std::array<std::uint32_t, DeviceSet::kKinds>
        first;                            ///< by place: the edge that brought it first
    std::vector<std::uint32_t> outgoing;  ///< edges
    std::vector<const Handling*> handlings;
  };
  /// Something is put into `to`, by an inflow, or as another holder says.
  struct Edge {
    Node to = 0;
    std::size_t unit = 0;
    const Inflow* inflow = nullptr;
    std::vector<Node> from;
    DeviceSet fixed;
    bool agreeing = false;    ///< `from` are in one place
    bool one_object = false;  ///< one of `from` is a field of an object that some function made
    bool very = false;        ///< it is the very value of `from`
    bool same = false;        ///< ... and the very module
  };

  Node node(std::size_t unit, const Holder& holder);
  const Held* find(std::size_t unit, const Holder& holder) const;
  std::string identity(const Function& function) const;
  std::string identity(const Unit& unit, const Holder& holder) const;
  void describe(const Unit& unit, const Holder& holder, Held& held) const;
  void add(std::size_t unit, const Inflow& inflow);
  void add_same(std::size_t unit, const Inflow& inflow);
  void share_moves();
  void add(Edge edge);
  void gather(std::size_t unit, const std::vector<Source>& sources, Edge& edge);
  Node unnamed();
  DeviceSet brought(const Edge& edge) const;
  Rank rank_brought(const Edge& edge) const;
  DeviceSet chosen(std::size_t unit, const Choice& choice) const;
  void add_overrides(std::size_t unit);
  void close_functions(std::size_t unit);
  void close_fields();
  std::string unseen_writer(std::size_t unit, const Field& field) const;
  bool left_behind(std::size_t unit, const Field& field) const;
  void solve(bool modules_known);
  static unsigned number_of(DeviceSet::Bits place) {
    return static_cast<unsigned>(std::countr_zero(place));
  }
  std::deque<std::uint32_t> without_a_start(bool fields);
  void spread(std::deque<std::uint32_t> pending, bool modules_known);
  DeviceSet brought(const Held& held) const;
  std::string why_unknown(const Held& at) const;
  void follow(const Held& at, DeviceSet::Bits places, unsigned depth,
              std::vector<Note>& notes) const;

  std::vector<Member> members_;
  std::vector<Held> held_;
  std::vector<Edge> edges_;
  std::vector<std::map<Holder, Node>> nodes_;     ///< of each unit
  std::unordered_map<std::string, Node> shared_;  ///< by identity
  /// By identity, where functions are defined, and whether their facts are there.
  std::unordered_map<std::string, std::map<std::string, bool>> definitions_;
  std::set<std::string> globals_;     ///< identities of those that some unit defines
  std::set<std::string> moved_;       ///< identities of modules' classes
  std::set<std::string> registered_;  ///< identities of fields that some unit registers
  std::string lacks_;
  Choices choices_;
};

}  // namespace xfer::analyzer
