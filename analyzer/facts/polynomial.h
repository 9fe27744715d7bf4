#pragma once
// Whole numbers as sums of products over things that have numbers as names: 4 * n * m + 16.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace xfer::analyzer {

class Polynomial {
 public:
  /// The names of its factors, sorted; empty: the product is 1.
  using Product = std::vector<std::uint32_t>;

  Polynomial() = default;  ///< 0
  static Polynomial constant(std::int64_t number);
  static Polynomial of(std::uint32_t name);

  /// None: too large to be followed.
  std::optional<Polynomial> plus(const Polynomial& other) const;
  std::optional<Polynomial> minus(const Polynomial& other) const;
  std::optional<Polynomial> times(const Polynomial& other) const;

  /// Each product with what it is multiplied by, which is not 0.
  const std::map<Product, std::int64_t>& products() const { return products_; }
  std::optional<std::int64_t> as_constant() const;
  /// It is greater than 0 whatever its names stand for, if these are counts: 1 and more.
  bool is_positive() const;

  friend auto operator<=>(const Polynomial&, const Polynomial&) = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(products_);
  }

 private:
  /// False: too large.
  bool add(Product product, std::int64_t factor);

  std::map<Product, std::int64_t> products_;
};

}  // namespace xfer::analyzer
