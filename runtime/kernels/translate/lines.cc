#include "kernels/translate/lines.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include <string>

namespace xfer::kernels {

Lines::Lines(const LinkedModules& source, llvm::Module& target)
    : source_(source), builder_(target) {
  constexpr unsigned kDwarf = 5;
  target.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  target.addModuleFlag(llvm::Module::Warning, "Dwarf Version", kDwarf);
  builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file_of(0), "",
                             true, "", 0, "",
                             llvm::DICompileUnit::DebugEmissionKind::LineTablesOnly);
  type_ = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
}

/// Named by its number.
llvm::DIFile* Lines::file_of(std::size_t text) {
  return builder_.createFile(std::to_string(text), "");
}

void Lines::add(llvm::Function& function, const Definition& definition) {
  llvm::DIFile* file = file_of(source_.text_of(*definition.home));
  const unsigned line = definition.function->line;
  function.setSubprogram(builder_.createFunction(file, function.getName(), function.getName(), file,
                                                 line, type_, line, llvm::DINode::FlagZero,
                                                 llvm::DISubprogram::SPFlagDefinition));
}

void Lines::set_line(llvm::IRBuilderBase& ir, unsigned line) {
  llvm::DISubprogram* const scope = ir.GetInsertBlock()->getParent()->getSubprogram();
  if (scope != nullptr)
    ir.SetCurrentDebugLocation(llvm::DILocation::get(ir.getContext(), line, 0, scope));
}

void Lines::move(llvm::Function& from, llvm::Function& to) {
  llvm::DISubprogram* const scope = from.getSubprogram();
  from.setSubprogram(nullptr);
  to.setSubprogram(scope);
}

void Lines::share(llvm::Function& from, llvm::Function& to) {
  llvm::DISubprogram* const scope = from.getSubprogram();
  if (scope == nullptr) return;
  auto* copy = llvm::MDNode::replaceWithDistinct(scope->clone());
  to.setSubprogram(copy);
  for (llvm::Instruction& instruction : llvm::instructions(to))
    if (const llvm::DebugLoc& at = instruction.getDebugLoc())
      instruction.setDebugLoc(
          llvm::DILocation::get(to.getContext(), at.getLine(), at.getCol(), copy));
}

}  // namespace xfer::kernels
