#include "analyzer/facts/element.h"

namespace xfer::analyzer {
namespace {

struct ElementInfo {
  Element element;
  unsigned size;
  bool floating;
  const char* enumerator;
  const char* name;
};

constexpr ElementInfo kElements[] = {
    {Element::kBool, 1, false, "Bool", "bool"},
    {Element::kByte, 1, false, "Byte", "uint8"},
    {Element::kChar, 1, false, "Char", "int8"},
    {Element::kShort, 2, false, "Short", "int16"},
    {Element::kInt, 4, false, "Int", "int32"},
    {Element::kLong, 8, false, "Long", "int64"},
    {Element::kHalf, 2, true, "Half", "float16"},
    {Element::kBFloat16, 2, true, "BFloat16", "bfloat16"},
    {Element::kFloat, 4, true, "Float", "float32"},
    {Element::kDouble, 8, true, "Double", "float64"},
};

const ElementInfo* find(Element element) {
  for (const ElementInfo& info : kElements)
    if (info.element == element) return &info;
  return nullptr;
}

}  // namespace

unsigned size_of(Element element) {
  const ElementInfo* info = find(element);
  return info == nullptr ? 0 : info->size;
}

bool is_floating(Element element) {
  const ElementInfo* info = find(element);
  return info != nullptr && info->floating;
}

const char* name_of(Element element) {
  const ElementInfo* info = find(element);
  return info == nullptr ? "an unknown type" : info->name;
}

Element element_from(std::string_view enumerator) {
  for (const ElementInfo& info : kElements)
    if (enumerator == info.enumerator) return info.element;
  return Element::kUnknown;
}

}  // namespace xfer::analyzer
