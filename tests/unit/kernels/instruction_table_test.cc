// Every form of the tables in instructions/, translated and run by one thread on this CPU.

#include "unit/kernels/instruction_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "kernels/kernels.h"

namespace xfer::instructions {
namespace {

/// Nothing here waits for other threads; the only question is whether an address is local.
std::uint32_t is_local(kernels::Thread* thread, std::uintptr_t address) {
  const auto* const here = reinterpret_cast<const std::byte*>(&thread);
  const auto distance =
      static_cast<std::intptr_t>(address - reinterpret_cast<std::uintptr_t>(here));
  return distance > -0x10000 && distance < 0x10000 ? 1 : 0;
}

/// Null: the translator does not have one of the forms, as `why` says.
const kernels::Code* translated(const Table& table, std::span<const Form> forms,
                                std::unique_ptr<kernels::Program>& program, std::string& why) {
  program.reset(kernels::load_program({module_of(table.target, forms)}, &why));
  return program == nullptr ? nullptr : program->code("run", kernels::Extra::kNone, &why);
}

std::vector<std::uint64_t> run(const kernels::Code& code, std::span<const Form> forms) {
  const std::vector<std::uint64_t> inputs = inputs_of(forms);
  std::vector<std::uint64_t> results(result_count(forms));
  // Not on the stack, where what is local is.
  alignas(16) static std::byte memory[64];
  alignas(128) static std::byte shared[64];
  const void* const parameters[] = {inputs.data(), results.data(), memory};
  kernels::Services services{};
  services.is_local = is_local;
  services.yield = [](kernels::Thread*) {};
  kernels::Block block;
  block.services = &services;
  block.shared = shared;
  block.shared_bytes = code.shared_bytes;
  block.parameters = reinterpret_cast<const std::byte*>(parameters);
  kernels::Thread thread;
  thread.block = &block;
  code.run(&thread);
  return results;
}

void check(const Table& table, std::span<const Form> forms) {
  std::unique_ptr<kernels::Program> program;
  std::string why;
  const kernels::Code* const code = translated(table, forms, program, why);
  if (code == nullptr && forms.size() > 1) {
    for (std::size_t i = 0; i < forms.size(); ++i) check(table, forms.subspan(i, 1));
    return;
  }
  ASSERT_NE(code, nullptr) << table.name << ":" << forms[0].line << ": " << forms[0].text << ": "
                           << why;
  for (const std::string& difference : differences(table, forms, run(*code, forms)))
    ADD_FAILURE() << difference;
}

class InstructionTable : public testing::TestWithParam<std::string> {};

TEST_P(InstructionTable, GivesTheBitsOfTheIsa) {
  Table table = read_table(GetParam());
  const auto absent = std::ranges::stable_partition(table.forms, std::logical_not{}, &Form::absent);
  const std::span forms(table.forms.begin(), absent.begin());
  constexpr std::size_t kAtOnce = 16;  // what is optimised together
  for (std::size_t i = 0; i < forms.size(); i += kAtOnce)
    check(table, forms.subspan(i, std::min(kAtOnce, forms.size() - i)));
  for (const Form& form : absent) {
    std::unique_ptr<kernels::Program> program;
    std::string why;
    EXPECT_EQ(translated(table, {&form, 1}, program, why), nullptr)
        << table.name << ":" << form.line << ": is marked as absent, but can be run";
  }
}

std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(XFER_INSTRUCTION_TABLES))
    if (entry.path().extension() == ".table") all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, InstructionTable, testing::ValuesIn(files()),
                         [](const auto& file) { return std::filesystem::path(file.param).stem(); });

}  // namespace
}  // namespace xfer::instructions
