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

/// kShort: of what has been made simple already. Full effort becomes little where the code is so
/// long that it would cost seconds.
enum class Effort { kFull, kShort };

class Jit {
 public:
  /// The function that code is entered by.
  static constexpr const char* kEntry = "kernel";

  static Jit& instance();

  /// All that code depends on beside the module: the CPU and LLVM. Empty: there will be no code.
  const std::string& identity() const;
  /// An empty module for this machine.
  std::unique_ptr<llvm::Module> module(llvm::LLVMContext& context, const std::string& name);
  /// An object file. Empty: *why says what was wrong.
  std::string compile(llvm::Module& module, Effort effort, std::string* why);
  /// The address of kEntry in an object file. Null: *why says what was wrong.
  void* link(const std::string& object, std::string* why);

 private:
  Jit();
  void start();
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xfer::kernels
