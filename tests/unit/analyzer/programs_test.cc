// Grouping of units into programs.

#include "analyzer/program/programs.h"

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>

namespace xfer::analyzer {
namespace {

using testing::ElementsAre;

/// A unit of a folder, by what it defines and what it calls.
class UnitBuilder {
 public:
  explicit UnitBuilder(std::string folder) { unit_.folder = std::move(folder); }

  UnitBuilder& defines(const std::string& name) {
    add(name).defined = true;
    unit_.functions.back().link_name = name;
    return *this;
  }
  UnitBuilder& calls(const std::string& name) {
    add(name);
    return *this;
  }
  UnitBuilder& starts() {
    defines("main");
    unit_.functions.back().facts = std::make_unique<FunctionFacts>();
    return *this;
  }
  UnitBuilder& tests() {
    unit_.tests = true;
    return *this;
  }
  /// A method that overrides `base`, of a class that this unit alone defines.
  UnitBuilder& overrides(const std::string& base) {
    overrides_inline(base);
    unit_.functions.back().link_name = unit_.functions.back().identity;
    return *this;
  }
  /// A method in a header's class that overrides `base`: every unit that sees the class defines it.
  UnitBuilder& overrides_inline(const std::string& base) {
    add(base);
    const FunctionId of(unit_.functions.size() - 1);
    add("Derived::" + base).defined = true;
    unit_.functions.back().overrides = {of};
    return *this;
  }
  const Unit* built() const { return &unit_; }

 private:
  Function& add(const std::string& name) {
    Function& made = unit_.functions.emplace_back();
    made.qualified_name = made.identity = name;
    made.defined_at = unit_.folder + "file.cc:1";
    return made;
  }

  Unit unit_;
};

std::vector<Program> programs(std::initializer_list<const UnitBuilder*> builders) {
  std::vector<const Unit*> units;
  for (const UnitBuilder* one : builders) units.push_back(one->built());
  return programs_of(units);
}

UnitBuilder unit(const std::string& folder) { return UnitBuilder(folder); }

TEST(Programs, WithoutAMainAllUnitsAreOne) {
  const auto library = std::move(unit("src/").defines("run"));
  const auto test = std::move(unit("tests/").calls("run").tests());
  EXPECT_THAT(programs({&library, &test}), ElementsAre(ElementsAre(0, 1)));
}

TEST(Programs, EachMainHasWhatItsCallsLeadTo) {
  const auto one = std::move(unit("apps/").starts().calls("run"));
  const auto other = std::move(unit("apps/").starts().calls("walk"));
  const auto runs = std::move(unit("src/").defines("run"));
  const auto walks = std::move(unit("src/").defines("walk"));
  EXPECT_THAT(programs({&one, &other, &runs, &walks}),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
}

TEST(Programs, TestsThatAFrameworkStartsAreOneForEachFolder) {
  const auto main = std::move(unit("").starts().calls("run"));
  const auto library = std::move(unit("src/").defines("run"));
  const auto test = std::move(unit("tests/").calls("run").tests());
  const auto more = std::move(unit("tests/").tests());
  EXPECT_THAT(programs({&main, &library, &test, &more}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2, 3)));
}

TEST(Programs, TestsBelongToTheMainThatStartsTests) {
  const auto main = std::move(unit("").starts().calls("run"));
  const auto library = std::move(unit("src/").defines("run"));
  const auto start = std::move(unit("tests/").starts().tests());
  const auto test = std::move(unit("tests/net/").calls("run").tests());
  EXPECT_THAT(programs({&main, &library, &start, &test}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2, 3)));
}

TEST(Programs, WhatNoCallLeadsToIsInAllProgramsThatStartNearIt) {
  const auto app = std::move(unit("app/").starts());
  const auto tool = std::move(unit("app/tools/").starts());
  const auto other = std::move(unit("bench/").starts());
  const auto registers = std::move(unit("app/layers/").defines("register_it"));
  const auto anywhere = std::move(unit("src/").defines("register_too"));
  EXPECT_THAT(programs({&app, &tool, &other, &registers, &anywhere}),
              ElementsAre(ElementsAre(0, 3, 4), ElementsAre(1, 3, 4), ElementsAre(2, 4)));
}

TEST(Programs, AVirtualCallLeadsToWhatOverridesIt) {
  const auto main = std::move(unit("app/").starts().calls("Base::show"));
  const auto plugin = std::move(unit("plugins/").overrides("Base::show"));
  const auto other = std::move(unit("tool/").starts());
  EXPECT_THAT(programs({&main, &plugin, &other}), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
}

TEST(Programs, AnotherProgramsClassIsNotLinkedForWhatItOverrides) {
  const auto train = std::move(unit("train/").starts().calls("forward").calls("Base::show"));
  const auto trained = std::move(unit("train/").defines("forward").overrides("Base::show"));
  const auto tool = std::move(unit("tool/").starts().calls("forward").calls("Base::show"));
  const auto used = std::move(unit("tool/").defines("forward").overrides("Base::show"));
  EXPECT_THAT(programs({&train, &trained, &tool, &used}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST(Programs, AClassOfAHeaderBringsNoUnitThatSeesIt) {
  const auto main = std::move(unit("").starts().overrides_inline("forward"));
  const auto test = std::move(unit("tests/").overrides_inline("forward").tests());
  EXPECT_THAT(programs({&main, &test}), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

}  // namespace
}  // namespace xfer::analyzer
