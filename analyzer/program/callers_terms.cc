#include "analyzer/program/callers_terms.h"

namespace xfer::analyzer {

DeviceTerm CallersTerms::of(Device device) {
  DeviceTerm result;
  if (device.is_known()) {
    result.kind = DeviceTerm::Kind::kDevice;
    result.device = device;
  } else if (device.is_symbol()) {
    const Symbol& symbol = symbols_[device.symbol];
    if (symbol.returned) {
      result.kind = DeviceTerm::Kind::kReturned;
      result.parameter = symbol.parameter;
      result.device = symbol.given;
    } else if (const std::optional<std::string> path = path_of(symbol, result.parameter)) {
      result.kind =
          symbol.of_device ? DeviceTerm::Kind::kParameter : DeviceTerm::Kind::kOfParameter;
      result.path = *path;
    } else if (const std::optional<DeviceTerm> agreed = where_of_all(symbol)) {
      return *agreed;
    } else if (symbol.may_cpu || symbol.may_cuda) {
      result.kind = DeviceTerm::Kind::kChoice;
      result.choice = choice_of(device.symbol);
      result.may_cpu = symbol.may_cpu;
      result.may_cuda = symbol.may_cuda;
    }
  }
  return result;
}

/// Where one of those is that must agree.
std::optional<DeviceTerm> CallersTerms::where_of_all(const Symbol& symbol) {
  for (const Device one : symbol.all_of)
    if (DeviceTerm found = of(one); found.kind != DeviceTerm::Kind::kUnknown) return found;
  return std::nullopt;
}

/// The field of a parameter that a symbol speaks of; none: it is no parameter's. Empty: the
/// parameter itself.
std::optional<std::string> CallersTerms::path_of(const Symbol& symbol,
                                                 std::uint32_t& parameter) const {
  if (symbol.origin == Origin::kParameter || symbol.origin == Origin::kThis) {
    parameter = symbol.origin == Origin::kThis ? kThisParameter : symbol.parameter;
    return std::string();
  }
  if (symbol.origin != Origin::kField || !symbol.initial) return std::nullopt;
  return joined(path_to(symbol.base, parameter), symbol.field);
}

std::optional<std::string> CallersTerms::path_to(ObjectId id, std::uint32_t& parameter) const {
  const OriginTable::Entry& entry = origins_[id];
  if (entry.origin == Origin::kParameter || entry.origin == Origin::kThis) {
    parameter = entry.origin == Origin::kThis ? kThisParameter : entry.a;
    return std::string();
  }
  if (entry.origin != Origin::kField || entry.c != entry.a || !unit_.fields.has(entry.field()))
    return std::nullopt;
  return joined(path_to(entry.whole(), parameter), entry.field());
}

std::optional<std::string> CallersTerms::joined(std::optional<std::string> path,
                                                FieldId field) const {
  if (path) *path += (path->empty() ? "" : ".") + unit_.fields[field].name;
  return path;
}

std::uint32_t CallersTerms::choice_of(SymbolId symbol) {
  return numbers_.try_emplace(symbol, numbers_.size() + 1).first->second;
}

}  // namespace xfer::analyzer
