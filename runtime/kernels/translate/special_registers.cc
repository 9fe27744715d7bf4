// %tid and the other special registers.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/translate/emitter.h"

namespace xfer::kernels {
namespace {

std::size_t component_of(const ptx::Operand& operand) {
  switch (operand.component) {
    case 'y': return 1;
    case 'z': return 2;
    default: return 0;
  }
}

}  // namespace

llvm::Value* Emitter::special(const ptx::Operand& operand, unsigned bits) {
  const std::string_view name = operand.name;
  const std::size_t part = component_of(operand) * sizeof(std::uint32_t);
  llvm::IntegerType* word = integer(32);
  const bool no_part = operand.component == 'w';
  const auto lane = [&] {
    return ir_.CreateAnd(thread_field(word, offsetof(Thread, number)), constant(32, 31));
  };
  const auto upper = [&] { return ir_.CreateShl(constant(32, 0xFFFFFFFE), lane()); };
  const auto bit = [&] { return ir_.CreateShl(constant(32, 1), lane()); };
  const auto clock = [&](std::size_t service_offset) {
    return waiting_service(service_offset, integer(64), {});
  };
  const auto high = [&](llvm::Value* value) { return ir_.CreateLShr(value, constant(64, 32)); };
  const auto threads = [&] {
    llvm::Value* count = constant(32, 1);
    for (std::size_t i = 0; i < 3; ++i)
      count = ir_.CreateMul(count, block_field(word, offsetof(Block, block_size) + i * 4));
    return count;
  };

  if (name == "%tid")
    return no_part ? constant(32, 0) : thread_field(word, offsetof(Thread, index) + part);
  if (name == "%ntid")
    return no_part ? constant(32, 1) : block_field(word, offsetof(Block, block_size) + part);
  if (name == "%ctaid")
    return no_part ? constant(32, 0) : block_field(word, offsetof(Block, index) + part);
  if (name == "%nctaid")
    return no_part ? constant(32, 1) : block_field(word, offsetof(Block, grid_size) + part);
  if (name == "%laneid") return lane();
  if (name == "%warpid")
    return ir_.CreateLShr(thread_field(word, offsetof(Thread, number)), constant(32, 5));
  if (name == "%nwarpid")
    return ir_.CreateLShr(ir_.CreateAdd(threads(), constant(32, 31)), constant(32, 5));
  if (name == "%smid") return block_field(word, offsetof(Block, multiprocessor));
  if (name == "%nsmid") return constant(32, 132);
  if (name == "%gridid") return block_field(integer(64), offsetof(Block, grid_number));
  if (name == "%lanemask_eq") return bit();
  if (name == "%lanemask_lt") return ir_.CreateSub(bit(), constant(32, 1));
  if (name == "%lanemask_le") return ir_.CreateNot(upper());
  if (name == "%lanemask_gt") return upper();
  if (name == "%lanemask_ge") return ir_.CreateOr(upper(), bit());
  if (name == "%clock") return clock(offsetof(Services, clock));
  if (name == "%clock64") return clock(offsetof(Services, clock));
  if (name == "%clock_hi") return high(clock(offsetof(Services, clock)));
  if (name == "%globaltimer" || name == "%globaltimer_lo")
    return clock(offsetof(Services, global_timer));
  if (name == "%globaltimer_hi") return high(clock(offsetof(Services, global_timer)));
  if (name == "%total_smem_size") return block_field(word, offsetof(Block, shared_bytes));
  if (name == "%dynamic_smem_size") return block_field(word, offsetof(Block, dynamic_shared_bytes));
  if (name == "%envreg1") return high(block_field(integer(64), offsetof(Block, grid_workspace)));
  if (name == "%envreg2") return block_field(integer(64), offsetof(Block, grid_workspace));
  // A block is a cluster of its own.
  if (name == "%clusterid")
    return no_part ? constant(32, 0) : block_field(word, offsetof(Block, index) + part);
  if (name == "%nclusterid")
    return no_part ? constant(32, 1) : block_field(word, offsetof(Block, grid_size) + part);
  if (name == "%cluster_nctaid" || name == "%cluster_nctarank") return constant(32, 1);
  if (name == "%cluster_ctaid" || name == "%cluster_ctarank" || name == "%is_explicit_cluster")
    return constant(bits, 0);
  if (name.starts_with("%reserved_smem_offset") || name.starts_with("%envreg") ||
      name.starts_with("%pm") || name == "%aggr_smem_size" || name == "%current_graph_exec")
    return constant(bits, 0);
  throw ptx::Fault(0, "the register " + std::string(name) + ", which is not known");
}

}  // namespace xfer::kernels
