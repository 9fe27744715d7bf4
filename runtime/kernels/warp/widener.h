#pragma once
// The parts of widen(): what is known while the function of a warp is written.

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/warp/kept.h"
#include "kernels/warp/lanes.h"
#include "kernels/warp/matrix_memory.h"
#include "kernels/warp/order.h"
#include "kernels/warp/steps.h"
#include "kernels/warp/uniformity.h"

namespace xfer::kernels {

class Widener {
 public:
  Widener(llvm::Function& source, llvm::Function& target, WarpShape shape);

  /// The function goes on with the lanes of a warp that left.
  void leave_to(llvm::Function& resumption) { resumption_ = &resumption; }

  void run();

  /// Behind run(), of one that can leave.
  const Kept& kept() const { return *kept_; }

 private:
  // widener.cc: blocks, masks, and values that live from block to block.
  void begin();
  void emit_block(const OrderedBlock& ordered, llvm::BasicBlock* next);
  void emit_edge(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* mask);
  bool comes_first(llvm::BasicBlock& from, llvm::BasicBlock& to);
  void emit_terminator(llvm::BasicBlock& block);
  void finish();
  llvm::AllocaInst* place_for(llvm::Type* type);
  llvm::AllocaInst* slot(llvm::Type* type, llvm::Value* first = nullptr);
  llvm::AllocaInst* place_of(const llvm::Value* value);
  void forget_values(llvm::BasicBlock& block);
  bool lives_on(const llvm::Instruction& instruction) const;

  // The value for all lanes, or a vector of one for each.
  bool uniform(const llvm::Value* value) const;
  llvm::Value* scalar(llvm::Value* value);
  llvm::Value* wide(llvm::Value* value);
  llvm::Value* current(llvm::Value* value);
  llvm::Value* splat(llvm::Value* value);
  llvm::Type* wide_type(llvm::Type* type) const;
  void define(llvm::Instruction& instruction, llvm::Value* value);

  // widen_values.cc: what lanes compute each for itself.
  void emit(llvm::Instruction& instruction);
  void emit_uniform(llvm::Instruction& instruction);
  void emit_wide(llvm::Instruction& instruction);
  llvm::Value* field_of_thread(std::size_t offset, llvm::Type* type);
  llvm::Value* wide_intrinsic(llvm::CallInst& call);

  // widen_steps.cc: what goes up by the same from lane to lane.
  std::optional<Steps> steps_of(llvm::Value* value);
  std::optional<Steps> find_steps(llvm::Instruction& instruction);
  std::optional<Steps> steps_of_binary(llvm::BinaryOperator& binary);
  Steps steps_of_extension(llvm::CastInst& cast, const Steps& of);
  std::optional<Steps> steps_of_part(LanePart part);
  std::optional<Steps> steps_of_field(std::size_t field);
  Steps sum(const Steps& a, const Steps& b, bool minus);
  template <class Make>
  Steps each_first(const Steps& of, Make make);
  void keep_steps(llvm::Instruction& instruction, const Steps& steps);
  llvm::Value* in_steps(const Steps& steps, llvm::Type* type);
  llvm::Value* spread(llvm::ArrayRef<llvm::Value*> values);
  llvm::Value* both(llvm::Value* a, llvm::Value* b);

  // widen_memory.cc
  void emit_load(llvm::LoadInst& load);
  void emit_store(llvm::StoreInst& store);
  void emit_alloca(llvm::AllocaInst& alloca);
  void emit_memcpy(llvm::CallInst& call);
  void copy_by_lane(llvm::CallInst& call);
  llvm::Value* reach(llvm::Value* address);
  void set_register(llvm::AllocaInst* place, llvm::Value* value);
  struct Address {
    llvm::Value* of;  ///< a pointer, or a number as the program knows it if `device`
    std::uint64_t offset;
    bool device;
    bool own;  ///< of the lane's own memory
  };
  class Ways;
  Address address_of(llvm::Value* pointer);
  std::optional<Steps> steps_of_places(const Address& address);

  // widen_touch.cc
  struct Touch {
    std::uint64_t bytes;  ///< of one lane
    bool writes;
  };
  void emit_touch(llvm::CallInst& call);
  void mark_row(llvm::Value* address, const Touch& touch, unsigned elements);
  void mark_lanes(llvm::Value* address, const Touch& touch);

  // widen_access.cc
  llvm::Value* access(const Address& address, llvm::Type* type, llvm::Value* stored);
  llvm::Value* access_elsewhere(const Address& address, llvm::Type* type, llvm::Value* stored);
  llvm::Value* access_rows(const Address& address, const Steps& steps, llvm::Type* type,
                           llvm::Value* stored);
  llvm::Value* access_places(const Address& address, const Steps& steps, llvm::Type* type);
  llvm::Value* access_some(const Address& address, const Steps& steps, llvm::Type* type,
                           llvm::Value* stored);
  llvm::Value* access_in_steps(const Address& address, const Steps& steps, llvm::Type* type,
                               llvm::Value* stored);
  llvm::Value* mask_of_group(unsigned group);
  void call_library(const std::string& name, const std::vector<llvm::Value*>& arguments);
  llvm::Value* by_helper(const std::string& name, std::vector<llvm::Value*> arguments,
                         llvm::Type* type, llvm::Value* stored);
  llvm::Value* numbers_of(const Address& address);
  llvm::Value* first_at(const Address& address, llvm::Value* first, llvm::Value* mask,
                        llvm::Value* step);
  llvm::Value* in_a_row(llvm::ArrayRef<llvm::Value*> parts);
  template <class Make>
  llvm::Value* joined(Make make);
  llvm::Value* part_of(llvm::Value* vector, unsigned group);
  llvm::AllocaInst* shared_place(llvm::Type* type, unsigned number);

  // widen_records.cc
  bool emit_record(llvm::Instruction& first);
  std::vector<llvm::Value*> access_records(const Address& address, const Steps& steps,
                                           llvm::Type* type, llvm::ArrayRef<unsigned> places,
                                           llvm::ArrayRef<llvm::Value*> stored);
  llvm::Value* interleaved(llvm::ArrayRef<llvm::Value*> values);

  // widen_lanes.cc: what is done lane by lane.
  void each_lane(const std::function<void(llvm::Value* lane)>& body);
  void emit_atomic(llvm::Instruction& instruction);
  void emit_call_by_lane(llvm::CallInst& call, bool of_thread);
  llvm::AllocaInst* in_memory(llvm::Value* vector);
  llvm::Value* of_lane(llvm::AllocaInst* memory, llvm::Value* lane);
  void set_lane(llvm::AllocaInst* memory, llvm::Value* lane, llvm::Value* value);
  llvm::Value* thread_of(llvm::Value* lane);

  // widen_leaving.cc: waiting in loops.
  void emit_turn(llvm::CallInst& call);
  llvm::AllocaInst* turns_of(const llvm::Loop* loop);
  void forget_turns(const llvm::BasicBlock& before);
  void leave_or_go_on(llvm::CallInst& call);
  void write_state(const llvm::BasicBlock& wait);

  // widen_meeting.cc: where lanes and warps meet.
  void emit_service(llvm::CallInst& call, std::size_t service);
  void wait_at_barrier(llvm::CallInst& call, WarpStop stop);
  void emit_barrier_count(llvm::CallInst& call);
  void pause(llvm::CallInst& call);
  void emit_shuffle(llvm::CallInst& call);
  void emit_vote(llvm::CallInst& call);
  void emit_by_helper(llvm::CallInst& call, const char* helper);
  llvm::Value* of_any_lane(llvm::Value* value);
  void store_answer(llvm::Value* pointer, llvm::Value* value);
  void suspend();
  llvm::Value* warp_field(std::size_t offset, llvm::Type* type);
  void set_warp_field(std::size_t offset, llvm::Value* value);

  // widen_matrix.cc
  void emit_matrix(llvm::CallInst& call);
  llvm::AllocaInst* matrix_memory(llvm::AllocaInst* of_thread);
  llvm::Value* matrix_words(const MatrixPlace& place, unsigned n);
  void store_in_matrix(const MatrixPlace& place, llvm::Value* value);
  llvm::Value* load_from_matrix(const MatrixPlace& place, llvm::Type* type);

  llvm::Value* all_are_here();
  std::pair<llvm::BasicBlock*, llvm::BasicBlock*> either(llvm::Value* holds, const char* name,
                                                         llvm::function_ref<void()> then,
                                                         llvm::function_ref<void()> otherwise);
  llvm::Value* mask_vector(llvm::Value* mask);
  llvm::Value* mask_of(llvm::Value* vector);
  llvm::Value* lane_numbers(unsigned bits);
  llvm::BasicBlock* new_block(const char* name = "");
  llvm::Value* warp() { return target_.getArg(0); }
  llvm::Value* word(std::uint32_t value) { return ir_.getInt32(value); }

  llvm::Function& source_;
  llvm::Function& target_;
  const WarpShape shape_;
  const unsigned groups_ = groups_of(shape_);
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  Uniformity uniformity_;
  llvm::IRBuilder<> ir_;
  llvm::Function* resumption_ = nullptr;  ///< null: it cannot leave
  std::optional<Kept> kept_;              ///< by those that leave
  llvm::BasicBlock* entry_ = nullptr;
  llvm::BasicBlock* suspended_ = nullptr;  ///< where a coroutine leaves to; null: it never waits
  llvm::BasicBlock* cleanup_ = nullptr;
  llvm::BasicBlock* last_ = nullptr;  ///< where it ends
  llvm::Value* handle_ = nullptr;
  llvm::Value* block_ = nullptr;
  llvm::Value* base_ = nullptr;  ///< of device memory
  llvm::Value* span_ = nullptr;
  llvm::Value* mask_ = nullptr;  ///< the lanes that run, never none
  std::map<const llvm::BasicBlock*, llvm::AllocaInst*> masks_;
  std::map<const llvm::BasicBlock*, llvm::BasicBlock*> entries_;
  std::map<const llvm::Value*, llvm::AllocaInst*> slots_;
  /// The parts of compare-exchanges' results.
  std::map<const llvm::ExtractValueInst*, llvm::Value*> parts_;
  std::map<const llvm::Value*, llvm::Value*> here_;  ///< values made in this block
  std::map<const llvm::Value*, Steps> steps_here_;
  std::set<const llvm::Instruction*> in_record_;     ///< done with the first of their record
  std::map<const llvm::Value*, Steps> step_places_;  ///< in memory; constants are themselves
  std::map<const llvm::Value*, llvm::AllocaInst*> registers_;      ///< variables that are vectors
  std::map<const llvm::Value*, llvm::AllocaInst*> matrix_memory_;  ///< of all lanes
  std::map<std::pair<llvm::Type*, unsigned>, llvm::AllocaInst*> shared_places_;
  std::map<const llvm::Loop*, llvm::AllocaInst*> turns_;   ///< counts
  std::map<const llvm::BasicBlock*, std::size_t> places_;  ///< in the order of blocks

  /// On a way that may not be gone: what is made on it is not there behind it.
  class Aside {
   public:
    explicit Aside(Widener& widener) : widener_(widener), around_(widener.aside_) {
      widener_.aside_ = this;
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;
    ~Aside() {
      widener_.aside_ = around_;
      for (const llvm::Value* value : values_) widener_.here_.erase(value);
      for (const llvm::Value* value : steps_) widener_.steps_here_.erase(value);
    }

   private:
    friend class Widener;
    Widener& widener_;
    Aside* const around_;
    std::vector<const llvm::Value*> values_, steps_;
  };
  Aside* aside_ = nullptr;  ///< it is on one
};

/// A pointer that is a constant number of bytes behind another, as these; else itself and 0.
std::pair<llvm::Value*, std::uint64_t> base_and_offset(llvm::Value* pointer);

}  // namespace xfer::kernels
