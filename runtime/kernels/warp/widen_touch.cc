// Marks of what a warp touches: see Touches. Rows of lanes one behind the other are marked here,
// what lies otherwise by the library.

#include "kernels/frame.h"
#include "kernels/touch_marks.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/warp/widener.h"

namespace xfer::kernels {

void Widener::emit_touch(llvm::CallInst& call) {
  llvm::Value* const address = call.getArgOperand(1);
  const auto* const element = llvm::cast<llvm::ConstantInt>(call.getArgOperand(2));
  const Touch touch{element->getZExtValue(),
                    !llvm::cast<llvm::ConstantInt>(call.getArgOperand(3))->isZero()};
  if (uniform(address)) return mark_row(scalar(address), touch, 1);
  const auto steps = steps_of(address);
  if (!steps) return mark_lanes(address, touch);
  const bool is_one = steps->same_in_group();
  const unsigned together = is_one ? 1 : kLanes / groups_;
  llvm::Value* rows = both(all_are_here(), steps->holds);
  if (!is_one) rows = both(rows, ir_.CreateICmpEQ(steps->step, ir_.getInt64(touch.bytes)));
  either(
      rows, "touched.rows",
      [&] {
        for (unsigned group = 0; group < groups_; ++group)
          mark_row(steps->first[group], touch, together);
      },
      [&] { mark_lanes(address, touch); });
}

/// Of elements one behind the other, from the address on.
void Widener::mark_row(llvm::Value* address, const Touch& touch, unsigned elements) {
  const std::uint64_t bytes = touch.bytes * elements;
  const auto by_library = [&] {
    call_library("xfer_touch", {block_, address, ir_.getInt64(bytes), word(touch.writes ? 1 : 0)});
  };
  if (touch.bytes % kMarkedWord != 0) return by_library();
  llvm::Value* const offset = ir_.CreateSub(address, base_);
  llvm::Value* const starts = ir_.CreateSub(span_, ir_.getInt64(bytes - 1));
  either(
      ir_.CreateICmpULT(offset, starts), "touched",
      [&] {
        llvm::Value* const touches =
            fixed_field(ir_, block_, offsetof(Block, touches), ir_.getPtrTy());
        const auto mark = [&](std::size_t plane, llvm::Value* at, unsigned value,
                              std::uint64_t count) {
          llvm::Value* const marks = fixed_field(ir_, touches, plane, ir_.getPtrTy());
          ir_.CreateMemSet(ir_.CreateGEP(ir_.getInt8Ty(), marks, at),
                           ir_.getInt8(static_cast<std::uint8_t>(value)), count,
                           llvm::MaybeAlign(1));
        };
        const auto page = [&](std::uint64_t byte) {
          return ir_.CreateLShr(ir_.CreateAdd(offset, ir_.getInt64(byte)), Touches::kPageBits);
        };
        mark(touch.writes ? offsetof(Touches, writes) : offsetof(Touches, reads),
             ir_.CreateUDiv(offset, ir_.getInt64(kMarkedWord)), kWholeWord, bytes / kMarkedWord);
        mark(offsetof(Touches, pages), page(0), 1, 1);
        if (elements > 1) mark(offsetof(Touches, pages), page(bytes - 1), 1, 1);
      },
      by_library);
}

void Widener::mark_lanes(llvm::Value* address, const Touch& touch) {
  call_library("xfer_touch_lanes", {block_, in_memory(wide(address)), mask_,
                                    ir_.getInt64(touch.bytes), word(touch.writes ? 1 : 0)});
}

}  // namespace xfer::kernels
