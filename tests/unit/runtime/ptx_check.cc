// ptx_check FILE...: reads files of PTX whole, and prints what is wrong with them, where, and how
// much was read. Exit code 1: something is.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "ptx/instructions.h"
#include "ptx/reader.h"

namespace {

struct Count {
  std::size_t functions = 0, instructions = 0, wrong = 0;
};

void report(const char* file, unsigned line, const std::string& what, Count& count) {
  std::printf("%s:%u: %s\n", file, line, what.c_str());
  ++count.wrong;
}

void check(const char* file, Count& count) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return report(file, 0, "cannot be read", count);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const xfer::ptx::Module module = xfer::ptx::read_module(text);
  for (const xfer::ptx::Fault& fault : module.faults)
    report(file, fault.line(), fault.what(), count);
  for (const auto& [name, function] : module.functions) {
    if (function.declared) continue;
    ++count.functions;
    try {
      for (const auto& instruction : xfer::ptx::read_body(function).instructions) {
        ++count.instructions;
        if (const auto wrong = xfer::ptx::wrong_with(instruction))
          report(file, instruction.line, *wrong, count);
      }
    } catch (const xfer::ptx::Fault& fault) {
      report(file, fault.line(), fault.what(), count);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Count count;
  for (int i = 1; i < argc; ++i) check(argv[i], count);
  std::printf("%d files, %zu functions, %zu instructions, %zu faults\n", argc - 1, count.functions,
              count.instructions, count.wrong);
  return count.functions == 0 || count.wrong > 0 ? 1 : 0;
}
