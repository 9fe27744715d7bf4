#include "ptx/type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace xfer::ptx {
namespace {

using Kind = Type::Kind;

constexpr auto kTypes = std::to_array<std::pair<std::string_view, Type>>({
    {"b8", {Kind::kBits, 8}},          {"b16", {Kind::kBits, 16}},
    {"b32", {Kind::kBits, 32}},        {"b64", {Kind::kBits, 64}},
    {"b128", {Kind::kBits, 128}},      {"b1", {Kind::kBits, 1}},
    {"u8", {Kind::kUnsigned, 8}},      {"u16", {Kind::kUnsigned, 16}},
    {"u32", {Kind::kUnsigned, 32}},    {"u64", {Kind::kUnsigned, 64}},
    {"u4", {Kind::kUnsigned, 4}},      {"u16x2", {Kind::kUnsigned, 16, 2}},
    {"s8", {Kind::kSigned, 8}},        {"s16", {Kind::kSigned, 16}},
    {"s32", {Kind::kSigned, 32}},      {"s64", {Kind::kSigned, 64}},
    {"s4", {Kind::kSigned, 4}},        {"s16x2", {Kind::kSigned, 16, 2}},
    {"f16", {Kind::kFloat, 16}},       {"f16x2", {Kind::kFloat, 16, 2}},
    {"f32", {Kind::kFloat, 32}},       {"f32x2", {Kind::kFloat, 32, 2}},
    {"f64", {Kind::kFloat, 64}},       {"bf16", {Kind::kBrain, 16}},
    {"bf16x2", {Kind::kBrain, 16, 2}}, {"tf32", {Kind::kTensor, 32}},
    {"e4m3", {Kind::kSmall, 8}},       {"e5m2", {Kind::kSmall, 8}},
    {"e4m3x2", {Kind::kSmall, 8, 2}},  {"e5m2x2", {Kind::kSmall, 8, 2}},
    {"e4m3x4", {Kind::kSmall, 8, 4}},  {"e5m2x4", {Kind::kSmall, 8, 4}},
    {"e2m1", {Kind::kSmall, 4}},       {"e2m3", {Kind::kSmall, 6}},
    {"e3m2", {Kind::kSmall, 6}},       {"e2m1x2", {Kind::kSmall, 4, 2}},
    {"e2m3x2", {Kind::kSmall, 8, 2}},  {"e3m2x2", {Kind::kSmall, 8, 2}},
    {"e2m1x4", {Kind::kSmall, 4, 4}},  {"e2m3x4", {Kind::kSmall, 8, 4}},
    {"e3m2x4", {Kind::kSmall, 8, 4}},  {"ue8m0", {Kind::kSmall, 8}},
    {"ue4m3", {Kind::kSmall, 8}},      {"ue8m0x2", {Kind::kSmall, 8, 2}},
    {"b1x16", {Kind::kBits, 1, 16}},   {"b4x16", {Kind::kBits, 4, 16}},
    {"b6x16", {Kind::kBits, 6, 16}},   {"pred", {Kind::kPredicate, 1}},
    {"texref", {Kind::kOpaque, 64}},   {"samplerref", {Kind::kOpaque, 64}},
    {"surfref", {Kind::kOpaque, 64}},
});

}  // namespace

std::optional<Type> type_named(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &std::pair<std::string_view, Type>::first);
  if (found == kTypes.end()) return std::nullopt;
  return found->second;
}

}  // namespace xfer::ptx
