// Instructions on matrices: functions of matrix.h calculate; what is written here hands them the
// registers.

#include "kernels/matrix/matrix.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <bit>

#include "kernels/translate/floating.h"
#include "kernels/translate/instructions.h"
#include "kernels/translate/matrix_form.h"

namespace xfer::kernels {
namespace {

using matrix::Element;
using matrix::Product;
using matrix::Registers;
using matrix::Tile;

/// A fragment: its bytes among Registers, and the registers of an operand that hold it.
class Fragment {
 public:
  /// `bytes`: without what registers hold a second time.
  Fragment(Emitter& e, const Form& form, std::size_t n, std::size_t offset, unsigned bytes,
           unsigned register_bytes = 4)
      : e_(e), offset_(offset), count_(bytes / register_bytes), bytes_(register_bytes) {
    const ptx::Operand& operand = form.operand(n);
    if (operand.is(ptx::Operand::Kind::kVector))
      registers_ = operand.parts;
    else
      registers_ = {operand};
    if (registers_.empty() || registers_.size() % count_ != 0)
      form.refuse("has the wrong number of registers");
  }

  void store() {
    for (unsigned i = 0; i < count_; ++i)
      e_.ir().CreateStore(e_.read(registers_[i], bytes_ * 8), place(i));
  }

  /// wmma of f16 has eight registers for A and for B, whatever their shapes.
  void load() {
    for (unsigned i = 0; i < registers_.size(); ++i)
      e_.write(registers_[i], e_.ir().CreateLoad(e_.integer(bytes_ * 8), place(i % count_)));
  }

 private:
  llvm::Value* place(unsigned i) {
    return e_.ir().CreateConstGEP1_64(e_.ir().getInt8Ty(), e_.matrix_registers(),
                                      offset_ + std::uint64_t{i} * bytes_);
  }

  Emitter& e_;
  std::vector<ptx::Operand> registers_;
  std::size_t offset_;
  unsigned count_, bytes_;
};

Fragment fragment_of(Emitter& e, const Form& form, std::size_t n, std::size_t offset,
                     const Tile& tile) {
  return {e, form, n, offset, tile.fragment_bytes(), tile.bytes == 8 ? 8U : 4U};
}

/// Lanes meet in the function.
llvm::Value* call_together(Emitter& e, const char* name, llvm::Type* result,
                           std::vector<llvm::Value*> arguments) {
  e.unit().note_wait();
  arguments.insert(arguments.begin(), e.thread());
  auto* call = llvm::cast<llvm::CallInst>(e.call(name, result, std::move(arguments)));
  call->getCalledFunction()->setConvergent();
  call->getCalledFunction()->setDoesNotThrow();
  return call;
}

/// `.d.a.b.c`; wmma leaves out that A and B are f16.
Product product_of(const Form& form) {
  std::vector<Element> elements = matrix_elements(form);
  if (elements.size() == 2) elements.insert(elements.begin() + 1, {Element::kF16, Element::kF16});
  if (elements.size() != 4) form.refuse("cannot be run");
  const auto& a = kind_of(elements[1]);
  const bool wide = elements[1] == Element::kF64;
  const bool alike =
      a.bits == kind_of(elements[2]).bits && std::ranges::all_of(elements, [&](Element x) {
        return kind_of(x).integer == a.integer && (x == Element::kF64) == wide;
      });
  const bool sums = std::ranges::all_of(std::vector{elements[0], elements[3]}, [&](Element x) {
    return x == Element::kF64 || x == Element::kF32 || x == Element::kF16 || x == Element::kS32;
  });
  if (!alike || !sums) form.refuse("mixes types");
  const MatrixShape& shape = matrix_shape(form, a.bits);
  return {shape.m, shape.n, shape.k, elements[1], elements[2], elements[3], elements[0]};
}

/// Sparse matrices, scaled ones, and floats of less than 8 bits.
bool is_of_later(const Form& form) {
  return std::ranges::any_of(form.instruction().modifiers, [](std::string_view modifier) {
    return modifier.starts_with("sp") || modifier.starts_with("kind") ||
           modifier.starts_with("block_scale");
  });
}

void emit_product(Emitter& e, const Form& form) {
  if (!form.has("sync") || is_of_later(form)) form.refuse("cannot be run");
  const Product product = product_of(form);
  const bool integer = kind_of(product.a).integer;
  if (form.has("satfinite") && !integer) form.refuse("cannot be run");
  fragment_of(e, form, 1, offsetof(Registers, a), product.a_tile()).store();
  fragment_of(e, form, 2, offsetof(Registers, b), product.b_tile()).store();
  fragment_of(e, form, 3, offsetof(Registers, c), product.c_tile()).store();
  Fragment result = fragment_of(e, form, 0, offsetof(Registers, c), product.d_tile());
  const std::uint32_t how = rounding_of(form) | (form.has("satfinite") ? matrix::kSaturate : 0) |
                            (form.has("and") ? matrix::kAnd : 0);
  call_together(e, "xfer_matrix_multiply", e.ir().getVoidTy(),
                {e.constant(64, std::bit_cast<std::uint64_t>(product)), e.constant(32, how),
                 e.matrix_registers()});
  result.load();
  if (!integer && product.a != Element::kF64) e.unit().note_approximate("mma");
}

/// The matrix that a load or a store moves, and whether its rows in registers are in memory whole.
std::pair<Tile, bool> moved(const Form& form) {
  const std::vector<Element> elements = matrix_elements(form);
  if (elements.size() != 1) form.refuse("cannot be run");
  const Element element = elements[0];
  const bool row = form.has("row");
  if (form.has("c") || form.has("d")) {
    const MatrixShape& shape = matrix_shape(form, 0);
    return {matrix::sum_tile(shape.m, shape.n, element), row};
  }
  const MatrixShape& shape = matrix_shape(form, kind_of(element).bits);
  const bool a = form.has("a");
  const bool whole = a == row;
  if (!whole && elements_of_unit(element) > 1) form.refuse("cannot be run");
  return {matrix::factor_tile(a ? shape.m : shape.n, shape.k, element), whole};
}

/// wmma.load and wmma.store: `memory` and `fragment` are the places of their operands.
void emit_move(Emitter& e, const Form& form, const char* name, std::size_t memory,
               std::size_t fragment) {
  const auto [tile, whole] = moved(form);
  const Element element = matrix_elements(form)[0];
  // The stride is in elements.
  llvm::Value* stride = e.constant(64, whole ? tile.columns : tile.rows);
  if (form.operand_count() > 2)
    stride = e.ir().CreateUDiv(e.resized(e.read(form.operand(2), 32), 64),
                               e.constant(64, elements_of_unit(element)));
  llvm::Value* one = e.constant(64, 1);
  Fragment registers = fragment_of(e, form, fragment, 0, tile);
  const bool store = fragment == 1;
  if (store) registers.store();
  call_together(e, name, e.ir().getVoidTy(),
                {e.pointer_of(form, memory), e.constant(32, std::bit_cast<std::uint32_t>(tile)),
                 whole ? stride : one, whole ? one : stride, e.matrix_registers()});
  if (!store) registers.load();
}

/// ldmatrix and stmatrix.
void emit_rows(Emitter& e, const Form& form, const char* name, std::size_t memory,
               std::size_t fragment) {
  const unsigned count = form.has("x4") ? 4 : form.has("x2") ? 2 : form.has("x1") ? 1 : 0;
  if (!form.has("m8n8") || !form.has("b16") || count == 0) form.refuse("cannot be run");
  Fragment registers(e, form, fragment, 0, count * 4);
  const bool store = fragment == 1;
  if (store) registers.store();
  call_together(e, name, e.ir().getVoidTy(),
                {e.pointer_of(form, memory), e.constant(32, count),
                 e.constant(32, form.has("trans") ? 1 : 0), e.matrix_registers()});
  if (!store) registers.load();
}

}  // namespace

void emit_mma(Emitter& e, const Form& form) { emit_product(e, form); }

void emit_wmma(Emitter& e, const Form& form) {
  if (form.has("load")) return emit_move(e, form, "xfer_matrix_load", 1, 0);
  if (form.has("store")) return emit_move(e, form, "xfer_matrix_store", 0, 1);
  emit_product(e, form);
}

void emit_ldmatrix(Emitter& e, const Form& form) {
  emit_rows(e, form, "xfer_matrix_load_rows", 1, 0);
}

void emit_stmatrix(Emitter& e, const Form& form) {
  emit_rows(e, form, "xfer_matrix_store_rows", 0, 1);
}

void emit_movmatrix(Emitter& e, const Form& form) {
  if (!form.has("m8n8") || !form.has("trans") || !form.has("b16")) form.refuse("cannot be run");
  e.write(form.operand(0),
          call_together(e, "xfer_matrix_turn", e.integer(32), {e.read(form.operand(1), 32)}));
}

}  // namespace xfer::kernels
