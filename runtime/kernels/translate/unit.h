#pragma once
// What is made for one kernel: a module of LLVM with the kernel's function and those it calls.

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace xfer::kernels {

class Unit {
 public:
  Unit(const ptx::Module& source, llvm::Module& target) : source_(source), target_(target) {}

  const ptx::Module& source() const { return source_; }
  llvm::Module& target() { return target_; }

  /// Translates the kernel into a function of that name. Throws ptx::Fault.
  void add_kernel(const ptx::Function& kernel, const ptx::Body& body, const std::string& name);
  /// A function that the kernel calls, translated when it is first asked for. Throws ptx::Fault.
  llvm::Function* function(std::string_view name, unsigned line);

  /// The place of a variable of the module in Block::variables; nothing: there is none of that
  /// name.
  std::optional<unsigned> variable(std::string_view name);
  /// Stands for the offset of dynamic shared memory, which a launch decides.
  static constexpr std::uint64_t kDynamic = ~std::uint64_t{0};
  /// The offset in shared memory; nothing: none of that name is shared by the module.
  std::optional<std::uint64_t> shared_of_module(std::string_view name);
  /// A place for a shared variable of a function.
  std::uint64_t place_shared(const ptx::Variable& variable);
  /// A place for a local variable of the kernel.
  std::uint64_t place_local(const ptx::Variable& variable);

  /// All functions whose address something takes, by the number that stands for it.
  llvm::GlobalVariable* function_table();

  void note_wait() { waits_ = true; }
  bool waits() const { return waits_; }
  void note_approximate(const std::string& operation) { approximate_.insert(operation); }
  const std::set<std::string>& approximate() const { return approximate_; }
  const std::vector<std::string>& variables() const { return variables_; }
  std::uint64_t shared_bytes() const { return (shared_bytes_ + 15) / 16 * 16; }
  std::uint64_t local_bytes() const { return (local_bytes_ + 15) / 16 * 16; }

 private:
  bool address_is_taken(std::string_view name) const;

  struct Callee {
    std::unique_ptr<ptx::Body> body;
    llvm::Function* function = nullptr;
  };

  const ptx::Module& source_;
  llvm::Module& target_;
  std::map<std::string_view, Callee> callees_;
  std::map<std::string_view, unsigned> variable_places_;
  std::vector<std::string> variables_;
  std::map<std::string_view, std::uint64_t> module_shared_;
  std::uint64_t shared_bytes_ = 0;
  std::uint64_t local_bytes_ = 0;
  bool waits_ = false;
  std::set<std::string> approximate_;
  llvm::GlobalVariable* function_table_ = nullptr;
};

}  // namespace xfer::kernels
