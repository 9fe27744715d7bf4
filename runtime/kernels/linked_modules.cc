#include "kernels/linked_modules.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "ptx/reader.h"

namespace xfer::kernels {
namespace {

bool is_dynamic_shared(const ptx::Variable& variable) {
  return variable.space == ptx::Space::kShared && variable.external && variable.size == 0;
}

bool is_on_device(const ptx::Variable& variable) {
  return variable.space == ptx::Space::kGlobal || variable.space == ptx::Space::kConst;
}

/// Writes the number at `at`, or one byte of it.
void place(std::vector<std::byte>& value, const ptx::Relocation& relocation, std::uint64_t number) {
  const bool whole = relocation.byte == 0xFF;
  const std::size_t bytes = whole ? sizeof(number) : 1;
  if (!whole) number >>= relocation.byte * 8;
  if (value.size() < relocation.at + bytes) value.resize(relocation.at + bytes);
  std::memcpy(value.data() + relocation.at, &number, bytes);
}

}  // namespace

LinkedModules::LinkedModules(std::vector<std::string> texts) : texts_(std::move(texts)) {
  for (std::size_t text = 0; text < texts_.size(); ++text)
    for (ptx::Module& module : ptx::read_modules(texts_[text])) {
      modules_.push_back(std::move(module));
      texts_of_modules_.push_back(text);
    }
  for (const ptx::Module& module : modules_) {
    link_functions(module);
    link_variables(module);
  }
  name_variables();
}

void LinkedModules::link_functions(const ptx::Module& module) {
  for (const auto& [name, function] : module.functions) {
    if (function.declared) continue;
    const Definition definition{&function, &module};
    if (function.kernel) kernels_.try_emplace(name, definition);
    functions_.push_back(definition);
    numbers_.emplace(&function, functions_.size());
    if (!function.visible) continue;
    const auto [entry, is_new] = visible_functions_.try_emplace(name, definition);
    if (!is_new && entry->second.function->weak && !function.weak) entry->second = definition;
  }
  for (const auto& [alias, name] : module.aliases)
    if (const ptx::Function* function = module.function(name);
        function != nullptr && !function->declared && function->visible)
      visible_functions_.try_emplace(alias, Definition{function, &module});
}

void LinkedModules::link_variables(const ptx::Module& module) {
  auto& own = own_variables_.emplace_back();
  for (const ptx::Variable& variable : module.variables) {
    own.try_emplace(variable.name, &variable);
    if (variable.external || !variable.visible) continue;
    const auto [entry, is_new] = visible_variables_.try_emplace(variable.name, &variable);
    if (!is_new && entry->second->weak && !variable.weak) entry->second = &variable;
  }
}

/// Of the same name in several modules the first keeps it, and a visible one before any.
void LinkedModules::name_variables() {
  std::set<std::string> taken;
  for (const auto& [name, variable] : visible_variables_) {
    taken.emplace(name);
    names_.emplace(variable, name);
  }
  std::vector<std::pair<const ptx::Module*, const ptx::Variable*>> found;
  for (const ptx::Module& module : modules_)
    for (const ptx::Variable& variable : module.variables) {
      if (!is_on_device(variable) || this->variable(module, variable.name) != &variable) continue;
      std::string name(variable.name);
      for (unsigned n = 2; !variable.visible && !taken.insert(name).second; ++n)
        name = std::string(variable.name) + "#" + std::to_string(n);
      names_.emplace(&variable, name);
      found.emplace_back(&module, &variable);
    }
  for (const auto& [module, variable] : found) variables_.push_back(made_of(*module, *variable));
}

ModuleVariable LinkedModules::made_of(const ptx::Module& module,
                                      const ptx::Variable& source) const {
  ModuleVariable made;
  made.name = name_of(source);
  made.bytes = source.size;
  made.managed = source.managed;
  for (const std::uint8_t byte : source.value) made.value.push_back(std::byte{byte});
  for (const ptx::Relocation& relocation : source.relocations) {
    if (const std::uint64_t number = number_of_function(module, relocation.name)) {
      place(made.value, relocation, number);
    } else if (relocation.byte == 0xFF || relocation.byte == 0) {
      const ptx::Variable* const other = variable(module, relocation.name);
      if (other != nullptr && is_on_device(*other))
        made.addresses.push_back({relocation.at, name_of(*other), relocation.offset});
    }
  }
  return made;
}

Definition LinkedModules::function(const ptx::Module& from, std::string_view name) const {
  const ptx::Function* const own = from.function(name);
  const bool defined = own != nullptr && !own->declared;
  if (!defined || own->visible)
    if (const auto found = visible_functions_.find(name); found != visible_functions_.end())
      return found->second;
  return defined ? Definition{own, &from} : Definition{};
}

const ptx::Variable* LinkedModules::variable(const ptx::Module& from, std::string_view name) const {
  const auto& all = own_variables_[number_of(from)];
  const auto known = all.find(name);
  if (known == all.end()) return nullptr;
  const ptx::Variable* const own = known->second;
  if ((!own->external && !own->visible) || is_dynamic_shared(*own)) return own;
  const auto found = visible_variables_.find(name);
  if (found != visible_variables_.end()) return found->second;
  return own->space == ptx::Space::kShared ? own : nullptr;
}

std::vector<std::string> LinkedModules::kernels() const {
  std::vector<std::string> names;
  for (const auto& [name, definition] : kernels_) names.emplace_back(name);
  return names;
}

Definition LinkedModules::kernel(std::string_view name) const {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? Definition{} : found->second;
}

const std::string& LinkedModules::name_of(const ptx::Variable& variable) const {
  return names_.at(&variable);
}

std::uint64_t LinkedModules::number_of_function(const ptx::Module& from,
                                                std::string_view name) const {
  const Definition found = function(from, name);
  const auto number = numbers_.find(found.function);
  return number == numbers_.end() ? 0 : number->second;
}

bool LinkedModules::address_is_taken(const ptx::Function& function) const {
  const auto is_meant = [&](const ptx::Module& module, std::string_view name) {
    return name == function.name && this->function(module, name).function == &function;
  };
  const std::string moved = ", " + std::string(function.name) + ";";
  return std::ranges::any_of(modules_, [&](const ptx::Module& module) {
    for (const ptx::Variable& variable : module.variables)
      for (const ptx::Relocation& relocation : variable.relocations)
        if (is_meant(module, relocation.name)) return true;
    return is_meant(module, function.name) &&
           std::ranges::any_of(module.functions, [&](const auto& entry) {
             return entry.second.text.find(moved) != std::string_view::npos;
           });
  });
}

std::size_t LinkedModules::text_of(const ptx::Module& module) const {
  return texts_of_modules_[number_of(module)];
}

const ptx::Fault* LinkedModules::fault() const {
  for (const ptx::Module& module : modules_)
    if (!module.faults.empty()) return &module.faults[0];
  return nullptr;
}

}  // namespace xfer::kernels
