// The memory layouts that every operation must read and write alike.
#pragma once

#include <tensorlib/tensorlib.h>

#include <functional>
#include <string>
#include <vector>

namespace tensorlib::testing {

struct Layout {
  std::string name;
  // The same elements (of a [4, 6] tensor) in this layout.
  std::function<Tensor(const Tensor&)> make;
};

inline const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{
      {"contiguous", [](const Tensor& t) { return t; }},
      {"transposed", [](const Tensor& t) { return t.t().contiguous().t(); }},
      {"every second column",
       [](const Tensor& t) {
         Tensor wide = zeros({t.size(0), 2 * t.size(1)}, t.options());
         wide.slice(1, 0, std::nullopt, 2).copy_(t);
         return wide.slice(1, 0, std::nullopt, 2);
       }},
      {"at an offset",
       [](const Tensor& t) {
         Tensor larger = zeros({t.size(0) + 2, t.size(1) + 3}, t.options());
         Tensor inside = larger.narrow(0, 1, t.size(0)).narrow(1, 2, t.size(1));
         inside.copy_(t);
         return inside;
       }},
  };
  return all;
}

}  // namespace tensorlib::testing
