#include "unit/kernels/matrix/mma.h"

#include "unit/kernels/matrix/kernel_text.h"
#include "unit/kernels/matrix/warp.h"

namespace xfer::kernels::testing {
namespace {

struct At {
  unsigned row, column;
};

/// How many elements of a row lie side by side in a register.
unsigned width_of(const std::string& type) { return bits_of(type) >= 32 ? 1 : 32 / bits_of(type); }

// The ISA's formulas, where `g` is the groupID and `t` the threadID_in_group of a lane, for ai, bi
// and ci.
At place_of_a(const Mma& mma, unsigned g, unsigned t, unsigned i) {
  const unsigned w = width_of(mma.a);
  const unsigned column = t * w + i % w;
  switch (mma.m * mma.k / 32 / w) {
    case 1: return {g, column};
    case 2: return {i < w ? g : g + 8, column};
    case 4:
      return {i < w || (i >= 2 * w && i < 3 * w) ? g : g + 8, i < 2 * w ? column : column + 4 * w};
    default: return {i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
  }
}

At place_of_b(const Mma& mma, unsigned g, unsigned t, unsigned i) {
  const unsigned w = width_of(mma.b);
  switch (mma.k / 4 / w) {
    case 1: return {t * w + i, g};
    case 2: return {i < w ? t * w + i : t * w + i - w + 4 * w, g};
    default: return {t + 4 * i, g};
  }
}

At place_of_c(const Mma&, unsigned g, unsigned t, unsigned i) {
  return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

using PlaceOf = At (*)(const Mma&, unsigned g, unsigned t, unsigned i);

/// The registers of all lanes, one lane after the other.
struct Fragments {
  Fragments(const Mma& mma, const std::string& type, unsigned elements, PlaceOf place)
      : mma(mma), type(type), each(elements / 32), place(place), packed(elements, bits_of(type)) {}

  template <typename Do>
  void for_each(Do act) {
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < each; ++i) act(lane * each + i, place(mma, lane >> 2, lane % 4, i));
  }
  void fill(const Matrix& matrix) {
    for_each(
        [&](unsigned i, At at) { packed.set(i, code_of(type, matrix.at(at.row, at.column))); });
  }
  unsigned bytes() const { return each * bits_of(type) / 8; }  ///< of a lane
  unsigned register_bytes() const { return bits_of(type) == 64 ? 8 : 4; }
  std::string registers(const char* name) const {
    return testing::registers(name, bytes() / register_bytes());
  }
  std::string declared(const char* name) const {
    const std::string kind = type == "f64" ? ".f64" : type == "f32" ? ".f32" : ".b32";
    return ".reg " + kind + " %" + name + "<" + std::to_string(bytes() / register_bytes()) + ">;\n";
  }
  /// Between registers and the memory at %p<parameter>.
  std::string moves(const char* name, unsigned parameter, bool load) const {
    const std::string p = "%p" + std::to_string(parameter);
    const std::string kind =
        (load ? "ld.global" : "st.global") + std::string(type == "f64"   ? ".f64 "
                                                         : type == "f32" ? ".f32 "
                                                                         : ".b32 ");
    std::string text = "mad.lo.u64 " + p + ", %wide, " + std::to_string(bytes()) + ", " + p + ";\n";
    for (unsigned i = 0; i * register_bytes() < bytes(); ++i) {
      const std::string memory = "[" + p + "+" + std::to_string(i * register_bytes()) + "]";
      const std::string value = "%" + (name + std::to_string(i));
      text += kind + (load ? value + ", " + memory : memory + ", " + value) + ";\n";
    }
    return text;
  }

  const Mma& mma;
  std::string type;
  unsigned each;
  PlaceOf place;
  Packed packed;
};

}  // namespace

Matrix run(const Mma& mma, const Matrix& a, const Matrix& b, const Matrix& c) {
  Fragments fa(mma, mma.a, mma.m * mma.k, place_of_a);
  Fragments fb(mma, mma.b, mma.k * mma.n, place_of_b);
  Fragments fc(mma, mma.c, mma.m * mma.n, place_of_c);
  Fragments fd(mma, mma.d, mma.m * mma.n, place_of_c);
  fa.fill(a), fb.fill(b), fc.fill(c);
  run_warp(
      kernel(4, fa.declared("a") + fb.declared("b") + fc.declared("c") + fd.declared("d"),
             fa.moves("a", 0, true) + fb.moves("b", 1, true) + fc.moves("c", 2, true) + mma.text() +
                 " " + fd.registers("d") + ", " + fa.registers("a") + ", " + fb.registers("b") +
                 ", " + fc.registers("c") + ";\n" + fd.moves("d", 3, false)),
      {fa.packed.data(), fb.packed.data(), fc.packed.data(), fd.packed.data()});
  Matrix d(mma.m, mma.n);
  fd.for_each(
      [&](unsigned i, At at) { d.at(at.row, at.column) = value_of(mma.d, fd.packed.get(i)); });
  return d;
}

}  // namespace xfer::kernels::testing
