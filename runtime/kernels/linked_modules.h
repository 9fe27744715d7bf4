#pragma once
// The modules of one program, linked: what one declares .extern another defines. A name that a
// module does not make visible is its own; others may have the same.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/kernels.h"
#include "ptx/module.h"

namespace xfer::kernels {

/// A function that has a body, and the module whose names that uses.
struct Definition {
  const ptx::Function* function = nullptr;  ///< null: nobody defines it
  const ptx::Module* home = nullptr;

  explicit operator bool() const { return function != nullptr; }
};

class LinkedModules {
 public:
  /// A text may hold several modules.
  explicit LinkedModules(std::vector<std::string> texts);
  LinkedModules(const LinkedModules&) = delete;
  LinkedModules& operator=(const LinkedModules&) = delete;

  /// The function that a name means in code of `from`.
  Definition function(const ptx::Module& from, std::string_view name) const;
  /// Null: no module defines it. Dynamic shared memory counts as defined.
  const ptx::Variable* variable(const ptx::Module& from, std::string_view name) const;

  std::vector<std::string> kernels() const;
  Definition kernel(std::string_view name) const;
  /// Those in memory of a device, each under a name of its own.
  const std::vector<ModuleVariable>& variables() const { return variables_; }
  const std::string& name_of(const ptx::Variable& variable) const;

  /// A function's address is its place here, and one.
  const std::vector<Definition>& functions() const { return functions_; }
  /// 0: there is no such function.
  std::uint64_t number_of_function(const ptx::Module& from, std::string_view name) const;
  /// By the first value of a variable, or by code: an instruction that names it and is no call.
  bool address_is_taken(const ptx::Function& function) const;

  /// Which of the texts a module is in.
  std::size_t text_of(const ptx::Module& module) const;
  std::string_view text(std::size_t number) const { return texts_[number]; }

  /// The first thing that could not be read; null: all could.
  const ptx::Fault* fault() const;

 private:
  void link_functions(const ptx::Module& module);
  void link_variables(const ptx::Module& module);
  void name_variables();
  std::size_t number_of(const ptx::Module& module) const {
    return static_cast<std::size_t>(&module - modules_.data());
  }
  ModuleVariable made_of(const ptx::Module& module, const ptx::Variable& source) const;

  const std::vector<std::string> texts_;
  std::vector<ptx::Module> modules_;
  std::vector<std::size_t> texts_of_modules_;
  std::vector<std::unordered_map<std::string_view, const ptx::Variable*>> own_variables_;
  std::map<std::string_view, Definition> kernels_;
  std::vector<Definition> functions_;
  std::unordered_map<const ptx::Function*, std::uint64_t> numbers_;
  // Functions and variables that modules make visible to each other.
  std::map<std::string_view, Definition> visible_functions_;
  std::map<std::string_view, const ptx::Variable*> visible_variables_;
  std::unordered_map<const ptx::Variable*, std::string> names_;
  std::vector<ModuleVariable> variables_;
};

}  // namespace xfer::kernels
