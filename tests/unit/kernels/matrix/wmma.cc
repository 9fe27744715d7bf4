#include "unit/kernels/matrix/wmma.h"

#include <sstream>
#include <utility>

#include "unit/kernels/matrix/kernel_text.h"
#include "unit/kernels/matrix/warp.h"

namespace xfer::kernels::testing {
namespace {

std::string space_of(const Wmma& wmma) {
  return wmma.space == Space::kGeneric ? "" : wmma.space == Space::kGlobal ? ".global" : ".shared";
}

/// A matrix in memory, and its fragment.
struct Operand {
  Operand(const Wmma& wmma, char name, std::string type, unsigned rows, unsigned columns,
          const std::string& layout)
      : wmma(wmma),
        name(name),
        type(std::move(type)),
        rows(rows),
        columns(columns),
        by_rows(layout == "row"),
        stride((by_rows ? columns : rows) + wmma.gap),
        memory(std::size_t{stride} * (by_rows ? rows : columns), bits_of(this->type)) {}

  std::size_t index(unsigned row, unsigned column) const {
    return by_rows ? std::size_t{row} * stride + column : std::size_t{column} * stride + row;
  }
  void fill(const Matrix& matrix) {
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < columns; ++j)
        memory.set(index(i, j), code_of(type, matrix.at(i, j)));
  }
  Matrix matrix() const {
    Matrix matrix(rows, columns);
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < columns; ++j)
        matrix.at(i, j) = value_of(type, memory.get(index(i, j)));
    return matrix;
  }

  /// As the ISA's table of wmma says.
  unsigned registers() const {
    if (type == "f16" && (name == 'a' || name == 'b')) return 8;
    return rows * columns / 32 * bits_of(type) / (type == "f64" ? 64 : 32);
  }
  std::string declared() const {
    const std::string kind = type == "f64" ? ".f64" : type == "f32" ? ".f32" : ".b32";
    return ".reg " + kind + " %" + name + "<" + std::to_string(registers()) + ">;\n";
  }
  std::string fragment() const { return testing::registers(std::string(1, name), registers()); }
  /// wmma.load of it or wmma.store, at the address in %p<parameter>.
  std::string move(const char* what, unsigned parameter) const {
    std::ostringstream text;
    const bool load = std::string(what) == "load";
    const std::string memory = "[%p" + std::to_string(parameter) + "]";
    text << "wmma." << what << "." << name << ".sync.aligned." << (by_rows ? "row" : "col") << "."
         << wmma.shape() << space_of(wmma) << "." << type << " " << (load ? fragment() : memory)
         << ", " << (load ? memory : fragment());
    if (wmma.gap != 0) text << ", " << stride;
    return text.str() + ";\n";
  }
  /// Copies it, a lane a byte, and makes %p<parameter> the address of the copy, or back.
  std::string through_shared(unsigned parameter, bool back) const {
    std::ostringstream text;
    const std::string id = std::string(1, name) + (back ? "back" : "");
    const std::string p = "%p" + std::to_string(parameter);
    text << "{\n.reg .b64 %i, %s, %g, %e;\n.reg .b32 %v;\n.reg .pred %q;\nmov.u64 %s, room_" << name
         << ";\nmov.u64 %e, %s;\nmov.u64 %i, %wide;\n";
    if (back) text << "ld.param.u64 " << p << ", [q" << parameter << "];\nbar.warp.sync -1;\n";
    text << "copy_" << id << ":\nadd.u64 %g, " << p << ", %i;\nadd.u64 %s, %e, %i;\n"
         << (back ? "ld.shared.u8 %v, [%s];\nst.global.u8 [%g], %v;\n"
                  : "ld.global.u8 %v, [%g];\nst.shared.u8 [%s], %v;\n")
         << "add.u64 %i, %i, 32;\nsetp.lt.u64 %q, %i, " << memory.bytes().size()
         << ";\n@%q bra copy_" << id << ";\n";
    if (!back) text << "mov.u64 " << p << ", %e;\n";
    return text.str() + "}\n";
  }
  std::string room() const {
    return ".shared .align 32 .b8 room_" + std::string(1, name) + "[" +
           std::to_string(memory.bytes().size()) + "];\n";
  }

  const Wmma& wmma;
  char name;
  std::string type;
  unsigned rows, columns;
  bool by_rows;
  unsigned stride;
  Packed memory;
};

}  // namespace

Matrix run(const Wmma& wmma, const Matrix& a, const Matrix& b, const Matrix& c) {
  Operand oa(wmma, 'a', wmma.ab, wmma.m, wmma.k, wmma.of_a);
  Operand ob(wmma, 'b', wmma.ab, wmma.k, wmma.n, wmma.of_b);
  Operand oc(wmma, 'c', wmma.c, wmma.m, wmma.n, wmma.of_sums);
  Operand od(wmma, 'd', wmma.d, wmma.m, wmma.n, wmma.of_sums);
  oa.fill(a), ob.fill(b), oc.fill(c);
  std::string declarations, before, after;
  const std::vector<Operand*> all = {&oa, &ob, &oc, &od};
  for (unsigned i = 0; i < all.size(); ++i) {
    declarations += all[i]->declared();
    if (wmma.space != Space::kShared) continue;
    declarations += all[i]->room();
    before += all[i]->through_shared(i, false);
    if (i == 3) after += all[i]->through_shared(i, true);
  }
  run_warp(
      kernel(4, declarations,
             before + oa.move("load", 0) + ob.move("load", 1) + oc.move("load", 2) + wmma.between +
                 wmma.text() + " " + od.fragment() + ", " + oa.fragment() + ", " + ob.fragment() +
                 ", " + oc.fragment() + ";\n" + wmma.after + od.move("store", 3) + after),
      {oa.memory.data(), ob.memory.data(), oc.memory.data(), od.memory.data()});
  return od.matrix();
}

}  // namespace xfer::kernels::testing
