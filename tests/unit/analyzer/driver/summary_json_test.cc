// Summaries survive the way through JSON; JSON that is no summary is refused with its place.

#include "analyzer/driver/summary_json.h"

#include <gmock/gmock.h>

#include <random>

namespace xfer::lint {
namespace {

using analyzer::Device;
using analyzer::Need;
using analyzer::Outcome;
using analyzer::Placed;
using analyzer::Rank;
using analyzer::Strict;
using analyzer::Summary;
using analyzer::UnitSummaries;
using analyzer::Where;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class RandomSummaries {
 public:
  explicit RandomSummaries(unsigned seed) : engine_(seed) {}

  UnitSummaries unit() {
    UnitSummaries unit;
    for (unsigned i = 0; i < below(6); ++i)
      unit.functions["_Z" + std::to_string(below(1000))] = {"f",
                                                            below(8) == 0 ? Summary{} : summary()};
    for (unsigned i = 0; i < below(6); ++i) unit.calls.insert("_Z" + std::to_string(below(1000)));
    for (unsigned i = 0; i < below(4); ++i) {
      analyzer::ClassUses& uses = unit.classes[{"Net" + std::to_string(i), "net.h", below(90)}];
      uses.wanted = flag();
      if (flag()) uses.moved = Location{"main.cc", below(90), 3, "main"};
      analyzer::MemberUses& member = uses.members["mask"];
      member.changed = flag();
      member.used = flag();
      if (member.used) member.use = {"net.cc", below(90), 3, "forward"};
      member.used_where_scalars_may_be = flag();
    }
    return unit;
  }
  unsigned below(unsigned end) {
    return std::uniform_int_distribution<unsigned>(0, end - 1)(engine_);
  }

 private:
  bool flag() { return below(2) == 0; }
  std::uint32_t parameter() { return flag() ? analyzer::kThisParameter : below(4); }
  Where where() {
    Where where;
    where.kind = static_cast<Where::Kind>(below(6));
    if (where.kind == Where::Kind::kDevice)
      where.device = flag() ? Device::cpu() : Device::cuda(static_cast<int>(below(3)) - 1);
    if (where.of_caller()) {
      where.parameter = parameter();
      if (flag()) where.path = "config.device";
    }
    if (where.kind == Where::Kind::kReturned) {
      where.parameter = parameter();
      where.device = flag() ? Device::cpu() : Device::cuda(Device::kCurrent);
    }
    if (where.kind == Where::Kind::kChoice) {
      where.choice = below(4);
      where.may_cpu = flag();
      where.may_cuda = flag();
    }
    return where;
  }
  Outcome outcome() {
    Outcome outcome;
    outcome.known = flag();
    if (!outcome.known) return outcome;
    outcome.same_object = flag();
    if (outcome.same_object) {
      outcome.parameter = parameter();
      if (flag()) return outcome;
      outcome.path = "model.head";
    }
    outcome.where = where();
    outcome.may_alias = flag();
    outcome.rank = static_cast<Rank>(below(3));
    outcome.placed = static_cast<Placed>(below(5));
    outcome.strict = static_cast<Strict>(below(3));
    return outcome;
  }
  Need need() {
    Need need;
    do need.first = where();
    while (!need.first.of_caller());
    do need.second = where();
    while (need.second.kind == Where::Kind::kUnknown);
    need.zero_dim_cpu = flag();
    need.at = {"src/a.cc", below(100), below(80), "f"};
    need.what = "`a + \"b\"`";
    return need;
  }
  Summary summary() {
    Summary summary;
    summary.known = true;
    summary.result = outcome();
    for (unsigned i = 0; i < below(4); ++i) {
      summary.references.push_back(outcome());
      summary.modules.push_back(where());
      summary.written.push_back(flag());
      summary.escapes.push_back(flag());
      if (flag()) summary.deciding.insert(i);
    }
    summary.self = where();
    for (unsigned i = 0; i < below(3); ++i) summary.parts.push_back(where());
    summary.self_changed = flag();
    summary.self_empty = flag();
    if (flag()) summary.deciding.insert(analyzer::kThisParameter);
    summary.unknown_calls = flag();
    summary.self_strict = static_cast<Strict>(below(3));
    for (std::uint32_t i = below(3); i > 0; --i)
      summary.strict_fields.push_back("f" + std::to_string(i));
    for (unsigned i = 0; i < below(3); ++i) {
      analyzer::FieldHeld held{"field" + std::to_string(i), where(), static_cast<Rank>(below(3)),
                               static_cast<Placed>(below(5)), std::nullopt};
      if (flag()) held.given = below(4);
      summary.fields.push_back(held);
    }
    for (unsigned i = 0; i < below(3); ++i) summary.needs.push_back(need());
    return summary;
  }

  std::mt19937 engine_;
};

TEST(SummaryJson, EverySummarySurvives) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const UnitSummaries unit = RandomSummaries(seed).unit();
    const Json json = Json::parse(to_json(unit).dump());
    EXPECT_EQ(unit_summaries_from_json(json), unit) << json.dump(1);
  }
}

/// Replaces some value in `json` by something of another kind, or takes it out.
void damage(Json& json, RandomSummaries& random) {
  Json* at = &json;
  while (at->is_structured() && !at->empty() && random.below(4) != 0) {
    auto child = at->begin();
    std::advance(child, random.below(static_cast<unsigned>(at->size())));
    at = &*child;
  }
  const Json odd[] = {nullptr,
                      -1,
                      1.5,
                      1e300,
                      "text",
                      true,
                      Json::array(),
                      Json::object(),
                      18446744073709551615U,
                      "this",
                      Json::array({Json::object()})};
  *at = odd[random.below(std::size(odd))];
}

TEST(SummaryJson, WhateverIsDamagedIsReadOrRefused) {
  unsigned refused = 0;
  for (unsigned seed = 0; seed < 5000; ++seed) {
    RandomSummaries random(seed);
    Json json = to_json(random.unit());
    for (unsigned i = 0; i < 1 + random.below(3); ++i) damage(json, random);
    try {
      const UnitSummaries read = unit_summaries_from_json(json);
      EXPECT_EQ(unit_summaries_from_json(to_json(read)), read) << json.dump(1);
    } catch (const SummaryFormatError& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000u);
}

std::string error_of(const std::string& text) {
  try {
    unit_summaries_from_json(Json::parse(text));
  } catch (const SummaryFormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SummaryJson, ErrorsNameTheirPlace) {
  EXPECT_EQ(error_of("[]"), "expected an object");
  EXPECT_EQ(error_of("{}"), "\"functions\" is missing");
  EXPECT_EQ(error_of(R"({"functions": {}, "calls": [1], "classes": []})"),
            "calls/0: expected a string");
  EXPECT_EQ(error_of(R"({"functions": {"_Z1fv": {}}, "calls": [], "classes": []})"),
            "functions/_Z1fv: \"name\" is missing");
  const auto with_summary = [](const std::string& summary) {
    return error_of(R"({"functions": {"f": {"name": "f", "summary": )" + summary +
                    R"(}}, "calls": [], "classes": []})");
  };
  EXPECT_EQ(with_summary(R"({"parameters": [{"written": 1}]})"),
            "functions/f/summary/parameters/0/written: expected true or false");
  EXPECT_EQ(
      with_summary(R"({"parameters": [], "returns": {"same": "that"}})"),
      "functions/f/summary/returns/same: expected a parameter (a number from 0, or \"this\")");
  EXPECT_EQ(
      with_summary(R"({"parameters": [], "this_at": {"device": "tpu"}})"),
      "functions/f/summary/this_at/device: expected a device (cpu, cuda or cuda:N), got \"tpu\"");
  EXPECT_EQ(with_summary(R"({"parameters": [], "this_at": {"device": "cuda:-1"}})"),
            "functions/f/summary/this_at/device: expected a device (cpu, cuda or cuda:N), got "
            "\"cuda:-1\"");
  EXPECT_EQ(with_summary(R"({"parameters": [], "needs": [{"first": {"where": 4294967296}}]})"),
            "functions/f/summary/needs/0/first/where: expected a whole number from 0");
  EXPECT_EQ(
      with_summary(
          R"({"parameters": [], "needs": [{"first": {"device": "cpu"}, "second": {"where": 0}}]})"),
      "functions/f/summary/needs/0/first: expected a place in the caller");
}

}  // namespace
}  // namespace xfer::lint
