#pragma once
// Which line of the PTX each instruction comes from, as debug information of LLVM: of code that is
// made once more to be asked where something happened in it.

#include <llvm/IR/DIBuilder.h>

#include <map>

#include "kernels/linked_modules.h"

namespace xfer::kernels {

class Lines {
 public:
  Lines(const LinkedModules& source, llvm::Module& target);
  ~Lines() { builder_.finalize(); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// `function` is what is made of the definition.
  void add(llvm::Function& function, const Definition& definition);
  /// Instructions written next come from that line; without debug information this does nothing.
  static void set_line(llvm::IRBuilderBase& ir, unsigned line);

  /// Goes over to what takes the place of a function.
  static void move(llvm::Function& from, llvm::Function& to);
  /// `to` has instructions of what has been moved to `from`.
  static void share(llvm::Function& from, llvm::Function& to);

 private:
  llvm::DIFile* file_of(std::size_t text);

  const LinkedModules& source_;
  llvm::DIBuilder builder_;
  llvm::DISubroutineType* type_ = nullptr;
};

}  // namespace xfer::kernels
