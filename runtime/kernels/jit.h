#pragma once
// Machine code from LLVM's modules, for the CPU of this machine. One for the process, never
// destroyed: kernels run until it ends.

#include <memory>
#include <string>

namespace llvm {
class DataLayout;
class LLVMContext;
class Module;
}  // namespace llvm

namespace xfer::kernels {

/// kShort: of what has been made simple already.
enum class Effort { kFull, kShort };

class Jit {
 public:
  static Jit& instance();

  /// An empty module for this machine.
  std::unique_ptr<llvm::Module> module(llvm::LLVMContext& context, const std::string& name);
  /// The address of the function, which no module before may have had a namesake of. Null: *why
  /// says what was wrong.
  void* compile(std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context,
                const std::string& function, Effort effort, std::string* why);
  /// What compile() makes of the same module, as an object file. Empty: it cannot be made.
  std::string object(llvm::Module& module, Effort effort);

 private:
  Jit();
  void start();
  void optimise(llvm::Module& module, Effort effort);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xfer::kernels
