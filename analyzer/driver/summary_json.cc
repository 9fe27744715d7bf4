#include "analyzer/driver/summary_json.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/driver/json_reader.h"

namespace xfer::lint {
namespace {

using analyzer::Device;
using analyzer::FieldHeld;
using analyzer::kThisParameter;
using analyzer::Memory;
using analyzer::Need;
using analyzer::Outcome;
using analyzer::Placed;
using analyzer::Rank;
using analyzer::Strict;
using analyzer::Summary;
using analyzer::Where;
using Json = nlohmann::ordered_json;
using Reader = JsonReader<SummaryFormatError>;

template <typename T>
using Names = std::pair<std::string_view, T>;

constexpr auto kRanks =
    std::to_array<Names<Rank>>({{"zero", Rank::kZero}, {"non-zero", Rank::kNonZero}});
constexpr auto kPlaced = std::to_array<Names<Placed>>({{"made", Placed::kMade},
                                                       {"moved", Placed::kMoved},
                                                       {"computed", Placed::kComputed},
                                                       {"given", Placed::kGiven}});
constexpr auto kMemory =
    std::to_array<Names<Memory>>({{"pageable", Memory::kPageable}, {"pinned", Memory::kPinned}});
constexpr auto kStrict = std::to_array<Names<Strict>>({{"yes", Strict::kYes}, {"no", Strict::kNo}});

template <typename T, std::size_t N>
void add_name(Json& json, const char* key, T value, const std::array<Names<T>, N>& names) {
  for (const auto& [name, named] : names)
    if (named == value) json[key] = name;
}

template <typename T, std::size_t N>
T read_name(const Reader& json, const char* key, const std::array<Names<T>, N>& names) {
  if (!json.has(key)) return T::kUnknown;
  const std::string text = json.text(key);
  for (const auto& [name, value] : names)
    if (name == text) return value;
  json.at(key).fail(fmt::format("\"{}\" is not among what it may be", text));
}

Json parameter_json(std::uint32_t parameter) {
  return parameter == kThisParameter ? Json("this") : Json(parameter);
}

std::uint32_t read_parameter(const Reader& json) {
  if (json.is_text()) {
    if (json.text() == "this") return kThisParameter;
    json.fail("expected a parameter (a number from 0, or \"this\")");
  }
  return json.number();
}

Json device_json(Device device) {
  if (device.is_cpu()) return "cpu";
  return device.index == Device::kCurrent ? "cuda" : fmt::format("cuda:{}", device.index);
}

Device read_device(const Reader& json) {
  const std::string text = json.text();
  if (text == "cpu") return Device::cpu();
  if (text == "cuda") return Device::cuda(Device::kCurrent);
  if (text.starts_with("cuda:")) {
    std::int32_t index = -1;
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + 5, end, index);
    if (error == std::errc{} && last == end && index >= 0) return Device::cuda(index);
  }
  json.fail(fmt::format("expected a device (cpu, cuda or cuda:N), got \"{}\"", text));
}

Json of_caller_json(const char* key, const Where& where) {
  Json json = {{key, parameter_json(where.parameter)}};
  if (!where.path.empty()) json["field"] = where.path;
  return json;
}

Json to_json(const Where& where) {
  switch (where.kind) {
    case Where::Kind::kUnknown: return {{"unknown", true}};
    case Where::Kind::kDevice: return {{"device", device_json(where.device)}};
    case Where::Kind::kOfParameter: return of_caller_json("where", where);
    case Where::Kind::kParameter: return of_caller_json("given", where);
    case Where::Kind::kReturned:
      return {{"returned_by", parameter_json(where.parameter)}, {"for", device_json(where.device)}};
    case Where::Kind::kChoice: {
      Json choice = Json::array();
      if (where.may_cpu) choice.push_back("cpu");
      if (where.may_cuda) choice.push_back("cuda");
      return {{"choice", std::move(choice)}, {"number", where.choice}};
    }
  }
  return {};
}

Where read_where(const Reader& json) {
  Where where;
  if (json.has("device")) {
    where.kind = Where::Kind::kDevice;
    where.device = read_device(json.at("device"));
  } else if (json.has("where")) {
    where.kind = Where::Kind::kOfParameter;
    where.parameter = read_parameter(json.at("where"));
    if (json.has("field")) where.path = json.text("field");
  } else if (json.has("given")) {
    where.kind = Where::Kind::kParameter;
    where.parameter = read_parameter(json.at("given"));
    if (json.has("field")) where.path = json.text("field");
  } else if (json.has("returned_by")) {
    where.kind = Where::Kind::kReturned;
    where.parameter = read_parameter(json.at("returned_by"));
    where.device = read_device(json.at("for"));
  } else if (json.has("choice")) {
    where.kind = Where::Kind::kChoice;
    where.choice = json.at("number").number();
    json.at("choice").each([&](const Reader& device) {
      const Device one = read_device(device);
      where.may_cpu |= one.is_cpu();
      where.may_cuda |= one.is_cuda();
    });
  } else if (!json.flag("unknown")) {
    json.fail(
        "says neither \"device\", \"where\", \"given\", \"returned_by\", \"choice\" nor "
        "\"unknown\"");
  }
  return where;
}

void add(Json& json, const char* key, const Where& where) {
  if (where.kind != Where::Kind::kUnknown) json[key] = to_json(where);
}

Where read_where(const Reader& json, const char* key) {
  return json.has(key) ? read_where(json.at(key)) : Where{};
}

void add(Json& json, const char* key, const Outcome& outcome) {
  if (!outcome.known) return;
  Json value = Json::object();
  if (outcome.same_object) {
    value["same"] = parameter_json(outcome.parameter);
    if (!outcome.path.empty()) value["field"] = outcome.path;
  }
  if (!outcome.same_object || !outcome.path.empty()) {
    add(value, "at", outcome.where);
    if (outcome.may_alias) value["may_alias"] = true;
    add_name(value, "rank", outcome.rank, kRanks);
    add_name(value, "placed", outcome.placed, kPlaced);
    add_name(value, "strict", outcome.strict, kStrict);
    add_name(value, "memory", outcome.memory, kMemory);
  }
  json[key] = std::move(value);
}

Outcome read_outcome(const Reader& json, const char* key) {
  Outcome outcome;
  if (!json.has(key)) return outcome;
  const Reader value = json.at(key);
  outcome.known = true;
  if (value.has("same")) {
    outcome.same_object = true;
    outcome.parameter = read_parameter(value.at("same"));
    if (value.has("field")) outcome.path = value.text("field");
    if (outcome.path.empty()) return outcome;
  }
  outcome.where = read_where(value, "at");
  outcome.may_alias = value.flag("may_alias");
  outcome.rank = read_name(value, "rank", kRanks);
  outcome.placed = read_name(value, "placed", kPlaced);
  outcome.strict = read_name(value, "strict", kStrict);
  outcome.memory = read_name(value, "memory", kMemory);
  return outcome;
}

Json to_json(const Location& at) {
  return {{"file", at.file}, {"line", at.line}, {"column", at.column}, {"function", at.function}};
}

Location read_location(const Reader& json) {
  return {json.text("file"), json.at("line").number(), json.at("column").number(),
          json.text("function")};
}

Json to_json(const Need& need) {
  Json json = {{"first", to_json(need.first)}, {"second", to_json(need.second)}};
  if (need.zero_dim_cpu) json["zero_dim_cpu"] = true;
  json["what"] = need.what;
  json["at"] = to_json(need.at);
  return json;
}

Need read_need(const Reader& json) {
  Need need;
  need.first = read_where(json.at("first"));
  need.second = read_where(json.at("second"));
  if (!need.first.of_caller()) json.at("first").fail("expected a place in the caller");
  need.zero_dim_cpu = json.flag("zero_dim_cpu");
  need.what = json.text("what");
  need.at = read_location(json.at("at"));
  return need;
}

Json to_json(const Summary& summary) {
  Json json = Json::object();
  add(json, "returns", summary.result);
  Json parameters = Json::array();
  for (std::size_t i = 0; i < summary.references.size(); ++i) {
    Json parameter = Json::object();
    add(parameter, "holds", summary.references[i]);
    add(parameter, "module_at", summary.modules[i]);
    if (summary.written[i]) parameter["written"] = true;
    if (summary.escapes[i]) parameter["escapes"] = true;
    if (summary.deciding.contains(static_cast<std::uint32_t>(i))) parameter["decides"] = true;
    parameters.push_back(std::move(parameter));
  }
  json["parameters"] = std::move(parameters);
  add(json, "this_at", summary.self);
  for (const Where& part : summary.parts) json["parts"].push_back(to_json(part));
  if (summary.deciding.contains(analyzer::kThisParameter)) json["this_decides"] = true;
  if (summary.self_changed) json["this_changed"] = true;
  if (summary.self_empty) json["registers_nothing"] = true;
  add_name(json, "strict", summary.self_strict, kStrict);
  if (!summary.strict_fields.empty()) json["strict_fields"] = summary.strict_fields;
  for (const FieldHeld& held : summary.fields) {
    Json& field = json["fields"][held.field] = to_json(held.where);
    add_name(field, "rank", held.rank, kRanks);
    add_name(field, "placed", held.placed, kPlaced);
    if (held.given) field["is_parameter"] = *held.given;
  }
  if (summary.unknown_calls) json["unknown_calls"] = true;
  if (summary.writes_outside) json["writes_outside"] = true;
  Json needs = Json::array();
  for (const Need& need : summary.needs) needs.push_back(to_json(need));
  if (!needs.empty()) json["needs"] = std::move(needs);
  return json;
}

Summary read_summary(const Reader& json) {
  Summary summary;
  summary.known = true;
  summary.result = read_outcome(json, "returns");
  json.at("parameters").each([&](const Reader& parameter) {
    summary.references.push_back(read_outcome(parameter, "holds"));
    summary.modules.push_back(read_where(parameter, "module_at"));
    summary.written.push_back(parameter.flag("written"));
    summary.escapes.push_back(parameter.flag("escapes"));
    if (parameter.flag("decides"))
      summary.deciding.insert(static_cast<std::uint32_t>(summary.escapes.size() - 1));
  });
  summary.self = read_where(json, "this_at");
  if (json.has("parts"))
    json.at("parts").each([&](const Reader& part) { summary.parts.push_back(read_where(part)); });
  if (json.flag("this_decides")) summary.deciding.insert(analyzer::kThisParameter);
  summary.self_changed = json.flag("this_changed");
  summary.self_empty = json.flag("registers_nothing");
  summary.self_strict = read_name(json, "strict", kStrict);
  if (json.has("strict_fields"))
    json.at("strict_fields").each([&](const Reader& name) {
      summary.strict_fields.push_back(name.text());
    });
  if (json.has("fields"))
    json.at("fields").each_entry([&](const std::string& name, const Reader& field) {
      summary.fields.push_back({name, read_where(field), read_name(field, "rank", kRanks),
                                read_name(field, "placed", kPlaced), std::nullopt});
      if (field.has("is_parameter"))
        summary.fields.back().given = field.at("is_parameter").number();
    });
  summary.unknown_calls = json.flag("unknown_calls");
  summary.writes_outside = json.flag("writes_outside");
  if (json.has("needs"))
    json.at("needs").each([&](const Reader& need) { summary.needs.push_back(read_need(need)); });
  return summary;
}

Json to_json(const analyzer::ClassKey& key, const analyzer::ClassUses& uses) {
  Json json = {{"name", key.name}, {"file", key.file}, {"line", key.line}};
  if (uses.wanted) json["wanted"] = true;
  if (uses.moved) json["moved"] = to_json(*uses.moved);
  Json& members = json["members"] = Json::object();
  for (const auto& [name, member] : uses.members) {
    Json& entry = members[name] = Json::object();
    if (member.changed) entry["changed"] = true;
    if (member.used) entry["used"] = to_json(member.use);
    if (!member.used_where_scalars_may_be) entry["scalars_too"] = true;
  }
  return json;
}

void read_class(const Reader& json, analyzer::UnitSummaries& unit) {
  analyzer::ClassUses& uses =
      unit.classes[{json.text("name"), json.text("file"), json.at("line").number()}];
  uses.wanted = json.flag("wanted");
  if (json.has("moved")) uses.moved = read_location(json.at("moved"));
  json.at("members").each_entry([&](const std::string& name, const Reader& entry) {
    analyzer::MemberUses& member = uses.members[name];
    member.changed = entry.flag("changed");
    member.used = entry.has("used");
    if (member.used) member.use = read_location(entry.at("used"));
    member.used_where_scalars_may_be = !entry.flag("scalars_too");
  });
}

}  // namespace

Json to_json(const analyzer::UnitSummaries& unit) {
  Json functions = Json::object();
  for (const auto& [link_name, function] : unit.functions) {
    Json& entry = functions[link_name] = {{"name", function.name}};
    if (function.summary.known) entry["summary"] = to_json(function.summary);
  }
  Json classes = Json::array();
  for (const auto& [key, uses] : unit.classes) classes.push_back(to_json(key, uses));
  return {
      {"functions", std::move(functions)}, {"calls", unit.calls}, {"classes", std::move(classes)}};
}

analyzer::UnitSummaries unit_summaries_from_json(const Json& json, const std::string& path) {
  analyzer::UnitSummaries unit;
  const Reader reader(json, path);
  reader.at("functions").each_entry([&](const std::string& link_name, const Reader& function) {
    analyzer::DefinedFunction& entry = unit.functions[link_name];
    entry.name = function.text("name");
    if (function.has("summary")) entry.summary = read_summary(function.at("summary"));
  });
  reader.at("calls").each([&](const Reader& name) { unit.calls.insert(name.text()); });
  reader.at("classes").each([&](const Reader& one) { read_class(one, unit); });
  return unit;
}

}  // namespace xfer::lint
