#include "analyzer/facts/polynomial.h"

#include <algorithm>
#include <utility>

namespace xfer::analyzer {
namespace {

constexpr std::size_t kMostProducts = 64;
constexpr std::size_t kMostFactors = 8;

}  // namespace

Polynomial Polynomial::constant(std::int64_t number) {
  Polynomial result;
  result.add({}, number);
  return result;
}

Polynomial Polynomial::of(std::uint32_t name) {
  Polynomial result;
  result.add({name}, 1);
  return result;
}

bool Polynomial::add(Product product, std::int64_t factor) {
  if (factor == 0) return true;
  const auto [entry, added] = products_.try_emplace(std::move(product), 0);
  if (__builtin_add_overflow(entry->second, factor, &entry->second)) return false;
  if (entry->second == 0) products_.erase(entry);
  return products_.size() <= kMostProducts;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial& other) const {
  Polynomial result = *this;
  for (const auto& [product, factor] : other.products_)
    if (!result.add(product, factor)) return std::nullopt;
  return result;
}

std::optional<Polynomial> Polynomial::minus(const Polynomial& other) const {
  const std::optional<Polynomial> negative = other.times(constant(-1));
  return negative ? plus(*negative) : std::nullopt;
}

std::optional<Polynomial> Polynomial::times(const Polynomial& other) const {
  Polynomial result;
  for (const auto& [left, a] : products_)
    for (const auto& [right, b] : other.products_) {
      Product both = left;
      both.insert(both.end(), right.begin(), right.end());
      std::ranges::sort(both);
      std::int64_t factor = 0;
      if (both.size() > kMostFactors || __builtin_mul_overflow(a, b, &factor) ||
          !result.add(std::move(both), factor))
        return std::nullopt;
    }
  return result;
}

std::optional<std::int64_t> Polynomial::as_constant() const {
  if (products_.empty()) return 0;
  const auto& [product, factor] = *products_.begin();
  return products_.size() == 1 && product.empty() ? std::optional(factor) : std::nullopt;
}

bool Polynomial::is_positive() const {
  return !products_.empty() &&
         std::ranges::all_of(products_, [](const auto& entry) { return entry.second > 0; });
}

}  // namespace xfer::analyzer
