// Matrices, for all lanes at once.

#include <llvm/IR/Constants.h>

#include "kernels/matrix/warp_registers.h"
#include "kernels/warp/widener.h"

namespace xfer::kernels {
namespace {

using matrix::kWordBytes;
using matrix::kWordRowBytes;

llvm::SmallVector<int, 2 * kLanes> every_second(int first) {
  llvm::SmallVector<int, 2 * kLanes> all;
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) all.push_back(2 * lane + first);
  return all;
}

}  // namespace

llvm::AllocaInst* Widener::matrix_memory(llvm::AllocaInst* of_thread) {
  llvm::AllocaInst*& memory = matrix_memory_[of_thread];
  if (memory == nullptr) {
    memory = place_for(
        llvm::ArrayType::get(ir_.getInt8Ty(), sizeof(matrix::Registers) * std::size_t{kLanes}));
    memory->setAlignment(llvm::Align(64));
  }
  return memory;
}

/// The n-th row of words from there on.
llvm::Value* Widener::matrix_words(const MatrixPlace& place, unsigned n) {
  return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), matrix_memory(place.memory),
                                (place.offset / kWordBytes + n) * std::uint64_t{kWordRowBytes});
}

void Widener::store_in_matrix(const MatrixPlace& place, llvm::Value* value) {
  llvm::Type* words = wide_type(ir_.getInt32Ty());
  const auto bits = static_cast<unsigned>(value->getType()->getScalarSizeInBits());
  if (bits == 32) {
    ir_.CreateAlignedStore(ir_.CreateBitCast(value, words), matrix_words(place, 0),
                           llvm::Align(64));
    return;
  }
  llvm::Value* both =
      ir_.CreateBitCast(value, llvm::FixedVectorType::get(ir_.getInt32Ty(), 2 * kLanes));
  for (int half = 0; half < 2; ++half)
    ir_.CreateAlignedStore(ir_.CreateShuffleVector(both, every_second(half)),
                           matrix_words(place, static_cast<unsigned>(half)), llvm::Align(64));
}

llvm::Value* Widener::load_from_matrix(const MatrixPlace& place, llvm::Type* type) {
  llvm::Type* words = wide_type(ir_.getInt32Ty());
  const auto word = [&](unsigned n) {
    return ir_.CreateAlignedLoad(words, matrix_words(place, n), llvm::Align(64));
  };
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  llvm::Value* value = word(0);
  if (bits < 32) {
    const unsigned below = place.offset % kWordBytes * 8;
    value = ir_.CreateTrunc(ir_.CreateLShr(value, splat(ir_.getInt32(below))),
                            wide_type(ir_.getIntNTy(bits)));
  } else if (bits > 32) {
    llvm::SmallVector<int, 2 * kLanes> in_turn;
    for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) {
      in_turn.push_back(lane);
      in_turn.push_back(lane + static_cast<int>(kLanes));
    }
    value = ir_.CreateShuffleVector(value, word(1), in_turn);
  }
  return ir_.CreateBitCast(value, wide_type(type));
}

/// Calls the function for a whole warp. A value that lanes have in common is any lane's.
void Widener::emit_matrix(llvm::CallInst& call) {
  llvm::StringRef which = call.getCalledFunction()->getName();
  which.consume_front(kMatrixFunction);
  const bool lanes_have_rows = which.ends_with("_rows");
  std::vector<llvm::Value*> arguments;
  if (which != "multiply") arguments.push_back(mask_);
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    llvm::Value* value = call.getArgOperand(i);
    const bool of_each = which == "turn" || (i == 1 && lanes_have_rows);
    if (const auto place = matrix_place(value))
      arguments.push_back(matrix_memory(place->memory));
    else
      arguments.push_back(of_each ? in_memory(wide(value)) : of_any_lane(value));
  }
  llvm::AllocaInst* results = nullptr;
  if (!call.getType()->isVoidTy()) {
    results = in_memory(llvm::Constant::getNullValue(wide_type(call.getType())));
    arguments.push_back(results);
  }
  call_library("xfer_warp_matrix_" + which.str(), arguments);
  if (results != nullptr) define(call, ir_.CreateLoad(results->getAllocatedType(), results));
}

}  // namespace xfer::kernels
