#include "analyzer/facts/declarations.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <utility>

#include "analyzer/facts/expr.h"
#include "analyzer/facts/function_holders.h"
#include "analyzer/facts/functions.h"
#include "analyzer/facts/globals.h"
#include "analyzer/facts/kernel_uses.h"
#include "analyzer/facts/written_devices.h"

namespace xfer::analyzer {
namespace {

bool has_body(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* body = nullptr;
  return function.hasBody(body);
}

/// A member of an instance of a template that nothing here calls: its body is the template's.
bool is_not_called(const clang::CXXMethodDecl& method) {
  const clang::FunctionDecl* pattern = method.getTemplateInstantiationPattern();
  return !method.hasBody() && pattern != nullptr && pattern->hasBody() &&
         method.getTemplateSpecializationKind() != clang::TSK_ExplicitInstantiationDeclaration;
}

/// All methods that may change a field of the class have their bodies in this unit.
bool every_body_here(const clang::CXXRecordDecl& record) {
  return std::all_of(
      record.method_begin(), record.method_end(), [](const clang::CXXMethodDecl* method) {
        const clang::FunctionDecl* pattern = method->getTemplateInstantiationPattern();
        return method->isImplicit() || method->isDefaulted() || method->isDeleted() ||
               method->isPureVirtual() || method->isConst() || method->isStatic() ||
               llvm::isa<clang::CXXConstructorDecl>(method) || method->hasBody() ||
               (pattern != nullptr && pattern->hasBody());
      });
}

/// A container of modules, or a class that is one.
bool is_container(const clang::CXXRecordDecl* record, const ModelSet& models, Types& types) {
  for (; record != nullptr; record = first_base(*record)) {
    const std::string& name = types.qualified_name(*record);
    if (const FunctionModel* forward = models.forward_of(name)) return forward->module_parts;
    // A list of modules runs none of them. Any module registers its own parts.
    if (models.registers_parts(name)) return models.type_role(name) != TypeRole::kModule;
  }
  return false;
}

/// An object of the class holds no module there until somebody gives it one.
bool starts_empty(const clang::FieldDecl& field, Types& types) {
  const clang::Expr* init =
      field.hasInClassInitializer() ? strip(field.getInClassInitializer()) : nullptr;
  if (init != nullptr && !is_made_of_nothing(init)) return is_null(init);
  return types.starts_empty(field.getType());
}

/// A constructor without a body here gives the field what its declaration says.
bool made_by_compiler(const clang::FieldDecl& field, const clang::CXXRecordDecl& record) {
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (!field.hasInClassInitializer()) return false;
  // `nn::Linear net{nullptr}` is given nothing.
  const clang::Expr* written = field.getInClassInitializer();
  if (written != nullptr && is_null(written)) return false;
  const auto is_written = [](const clang::CXXConstructorDecl* made) {
    return made->isDefaultConstructor() && (made->isUserProvided() || has_body(*made));
  };
  return definition != nullptr && definition->hasDefaultConstructor() &&
         std::ranges::none_of(definition->ctors(), is_written);
}

bool is_lambda(const clang::CXXMethodDecl& method) { return method.getParent()->isLambda(); }

}  // namespace

Declarations::Declarations(clang::ASTContext& context, const ModelSet& models, Types& types,
                           const Unreadable& unreadable, std::string root, Unit& unit)
    : context_(context),
      models_(models),
      types_(types),
      unreadable_(unreadable),
      scan_(context, models, types, unreadable),
      registered_(types),
      links_(context, std::move(root)),
      unit_(unit) {}

ClassId Declarations::of(const clang::CXXRecordDecl* record) {
  if (record == nullptr) return {};
  const auto [entry, added] =
      classes_.try_emplace(record->getCanonicalDecl(), unit_.classes.size());
  if (added) {
    unit_.classes.emplace_back();
    new_classes_.push_back(record);
  }
  return entry->second;
}

/// And whether it is a new one.
std::pair<FieldId, bool> Declarations::number(const clang::ValueDecl& field) {
  const auto* canonical = llvm::cast<clang::ValueDecl>(field.getCanonicalDecl());
  const auto [entry, added] = fields_.try_emplace(canonical, FieldId(unit_.fields.size()));
  if (added) {
    unit_.fields.add({});
    new_fields_.push_back(canonical);
  }
  return {entry->second, added};
}

FieldId Declarations::of_global(const clang::VarDecl& variable) {
  // An array stays what it is, whatever is written to it.
  const bool array = variable.getType()->isArrayType();
  if (!is_followed_global(variable, types_) || (!array && scan_.changes(variable).unseen))
    return {};
  const auto [id, added] = number(variable);
  if (added) {
    Field& made = unit_.fields[id];
    made.name = variable.getNameAsString();
    made.type = type(types_.of(variable.getType()));
    made.global = true;
  }
  return id;
}

FieldId Declarations::of(const clang::FieldDecl& field) {
  const auto [id, added] = number(field);
  if (!added) return id;
  const TypeInfo type = types_.of(field.getType());
  const bool registered = registered_.contains(field);
  Field& made = unit_.fields[id];
  made.name = field.getNameAsString();
  made.type = this->type(type);
  made.registered = registered;
  made.unreadable = unreadable_.names(made.name);
  made.library = types_.in_library(field);
  if (const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent()))
    if (const TypeModel* row = types_.model(*owner)) {
      const auto part = std::ranges::find(row->members, made.name);
      if (part != row->members.end())
        made.part = static_cast<std::uint32_t>(part - row->members.begin());
    }
  return id;
}

FunctionId Declarations::of(const clang::FunctionDecl* function) {
  if (function == nullptr) return {};
  const clang::FunctionDecl* known = one_declaration(*function);
  const auto [entry, added] = functions_.try_emplace(known, unit_.functions.size());
  if (added) {
    unit_.functions.emplace_back();
    new_functions_.push_back(known);
  }
  return entry->second;
}

FunctionId Declarations::given(const clang::FunctionDecl* function) {
  const FunctionId id = of(function);
  if (id) unit_.functions[id.number()].model = types_.model(*function, 1);
  return id;
}

std::vector<const clang::FunctionDecl*> Declarations::describe() {
  std::vector<const clang::FunctionDecl*> bodies;
  while (!new_classes_.empty() || !new_fields_.empty() || !new_functions_.empty()) {
    for (const clang::CXXRecordDecl* record : std::exchange(new_classes_, {}))
      describe(*record, unit_.classes[of(record).number()]);
    for (const clang::ValueDecl* field : std::exchange(new_fields_, {}))
      describe_changes(*field, unit_.fields[number(*field).first]);
    for (const clang::FunctionDecl* function : std::exchange(new_functions_, {})) {
      Function& made = unit_.functions[of(function).number()];
      describe(*function, made);
      if (function->hasAttr<clang::CUDAGlobalAttr>())
        describe_kernel(*function, made);
      else if (made.defined && !is_in_system_header(*function) && !types_.in_library(*function))
        bodies.push_back(function);
    }
  }
  return bodies;
}

void Declarations::describe(const clang::CXXRecordDecl& record, Class& to) {
  to.name = record.getNameAsString();
  to.library = types_.in_library(record);
  to.module = types_.is_module(record);
  const clang::CXXRecordDecl* definition = record.getDefinition();
  to.container = is_container(definition, models_, types_);
  to.forward_model = models_.forward_of(types_.qualified_name(record));
  to.key = links_.of_class(record);
  to.identity = links_.identity(record);
  if (definition != nullptr && !definition->isLambda()) add_members(*definition, to);
}

void Declarations::add_members(const clang::CXXRecordDecl& definition, Class& to) {
  for (const clang::CXXBaseSpecifier& base : definition.bases())
    if (const auto* parent = base.getType()->getAsCXXRecordDecl()) to.bases.push_back(of(parent));
  for (const clang::FieldDecl* field : definition.fields()) to.fields.push_back(of(*field));
  if (to.library || is_in_system_header(definition)) return;
  to.every_body_here = every_body_here(definition);
  for (const clang::CXXConstructorDecl* constructor : definition.ctors())
    if (!is_not_called(*constructor)) to.constructors.push_back(of(constructor));
  unsigned forwards = 0;
  for (const clang::CXXMethodDecl* method : definition.methods()) {
    if (method->getIdentifier() != nullptr && models_.is_forward(method->getName())) {
      ++forwards;
      to.forward = of(method);
    }
    if (!method->isImplicit() && !method->isDefaulted() && !method->isDeleted() &&
        !method->isPureVirtual() && !has_body(*method) && !is_not_called(*method))
      to.elsewhere.push_back(of(method));
  }
  if (forwards > 1) to.forward = {};
}

void Declarations::describe_changes(const clang::ValueDecl& field, Field& to) {
  if (const auto* global = llvm::dyn_cast<clang::VarDecl>(&field))
    describe_changes(*global, to);
  else
    describe_changes(llvm::cast<clang::FieldDecl>(field), to);
}

void Declarations::describe_changes(const clang::VarDecl& global, Field& to) {
  to.object = parameter(global.getType()).object;
  to.identity = links_.identity(global);
  if (const clang::VarDecl* definition = global.getDefinition())
    to.defined_at = links_.place_of(*definition);
  to.open = !to.identity.empty();
}

void Declarations::describe_changes(const clang::FieldDecl& field, Field& to) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  to.owner = of(record);
  to.object = parameter(field.getType()).object;
  to.may_be_cuda = to.type.role == Role::kDevice && may_be_cuda(field);
  if (record == nullptr || to.library || is_in_system_header(field)) return;
  const UnitScan::Changes changes = scan_.changes(field);
  const bool shared = !context_.getSourceManager().isWrittenInMainFile(field.getLocation());
  to.open = changes.handed_out || (shared && field.getAccess() == clang::AS_public);
  if (to.type.role == Role::kNone) return;
  to.starts_empty = starts_empty(field, types_);
  for (const clang::FunctionDecl* method : changes.methods)
    to.changes.methods.push_back(of(method));
  std::ranges::sort(to.changes.methods);
  to.changes.constructed = changes.constructed;
  to.changes.otherwise = changes.otherwise;
  to.changes.replaced = changes.replaced;
  to.changes.unseen = changes.unseen || made_by_compiler(field, *record);
}

/// The host runs none of it.
void Declarations::describe_kernel(const clang::FunctionDecl& kernel, Function& to) {
  to.expected = false;
  const clang::FunctionDecl* body = nullptr;
  // Statements that did not parse may write anywhere.
  if (kernel.hasBody(body) && unreadable_.in(body->getSourceRange()).names.empty())
    to.kernel = parameter_uses(kernel);
}

Parameter Declarations::parameter(clang::QualType type) {
  Parameter made;
  made.role = types_.of(type).role;
  // Of what has no fields that are followed nobody asks the class.
  if (made.role == Role::kModule || made.role == Role::kRecord || made.role == Role::kTuple)
    made.object = of(types_.record_of(type));
  return made;
}

DefaultArgument Declarations::default_of(const clang::ParmVarDecl& parameter,
                                         const TypeInfo& type) {
  DefaultArgument made;
  if (!parameter.hasDefaultArg() || parameter.hasUninstantiatedDefaultArg() ||
      parameter.hasUnparsedDefaultArg())
    return made;
  const clang::Expr* written = parameter.getDefaultArg();
  if (holds_function(parameter.getType(), types_)) {
    made.function = given(function_given(written, context_, types_));
  } else if (type.role == Role::kDevice) {
    if (const std::optional<Device> device = written_device(written, context_, types_)) {
      made.kind = DefaultArgument::Kind::kDevice;
      made.device = *device;
    }
  } else if (type.role == Role::kModule && is_null(written)) {
    made.kind = DefaultArgument::Kind::kNoModule;
  } else if (type.role == Role::kModule && type.record != nullptr &&
             types_.in_library(*type.record) && is_made_of_nothing(written)) {
    made.kind = DefaultArgument::Kind::kLibraryModule;
  }
  return made;
}

void Declarations::describe(const clang::FunctionDecl& function, Function& to) {
  to.qualified_name = types_.qualified_name(function);
  to.defined = has_body(function);
  to.identity = links_.identity(function);
  if (to.defined && !to.identity.empty()) to.defined_at = links_.place_of(function);
  to.expected = !to.defined && !to.identity.empty() && !function.isPureVirtual() &&
                !function.isImplicit() && !function.isDefaulted() && !function.isDeleted() &&
                links_.in_project(function);
  to.link_name = to.defined ? links_.of_definition(function) : links_.of_declaration(function);
  for (const clang::ParmVarDecl* declared : function.parameters()) {
    to.parameters.push_back(parameter(declared->getType()));
    to.parameters.back().by_default = default_of(*declared, types_.of(declared->getType()));
  }
  to.declared = static_cast<std::uint32_t>(to.parameters.size());
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method == nullptr) return;
  to.instance = method->isInstance();
  to.is_virtual = method->isVirtual();
  to.lambda = is_lambda(*method);
  if (to.lambda) {
    to.object = of(types_.captured_this(*method->getParent()));
    for (const clang::LambdaCapture& capture : method->getParent()->captures()) {
      if (capture.capturesVariable())
        to.parameters.push_back(parameter(capture.getCapturedVar()->getType()));
      else
        to.captures_object = true;
    }
    return;
  }
  to.owner = to.object = of(method->getParent());
  for (const clang::CXXMethodDecl* base : method->overridden_methods())
    if (!types_.in_library(*base) && !is_in_system_header(*base)) to.overrides.push_back(of(base));
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method)) {
    to.constructor = true;
    to.copies = constructor->isCopyOrMoveConstructor() || constructor->isDeleted();
    to.made_of_nothing = constructor->isDefaultConstructor() && !constructor->isUserProvided();
  }
}

}  // namespace xfer::analyzer
