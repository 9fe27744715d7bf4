#include "analyzer/driver/run_program.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Program.h>

namespace xfer::lint {
namespace {

std::string take(const llvm::SmallString<128>& file) {
  std::string text;
  if (auto buffer = llvm::MemoryBuffer::getFile(file)) text = (*buffer)->getBuffer().str();
  llvm::sys::fs::remove(file);
  return text;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command) {
  ProgramResult result;
  const auto program = llvm::sys::findProgramByName(command.front());
  if (!program) {
    result.errors = command.front() + " is not installed";
    return result;
  }
  llvm::SmallString<128> output, errors;
  if (llvm::sys::fs::createTemporaryFile("xferlint", "out", output) ||
      llvm::sys::fs::createTemporaryFile("xferlint", "err", errors)) {
    result.errors = "cannot make a temporary file";
    return result;
  }
  const std::vector<llvm::StringRef> arguments(command.begin(), command.end());
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), output.str(),
                                                      errors.str()};
  std::string failure;
  result.exit_code = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects,
                                               /*SecondsToWait=*/0, /*MemoryLimit=*/0, &failure);
  result.output = take(output);
  result.errors = take(errors) + failure;
  return result;
}

}  // namespace xfer::lint
