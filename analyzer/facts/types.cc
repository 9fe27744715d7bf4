#include "analyzer/facts/types.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "analyzer/facts/declared_names.h"

namespace xfer::analyzer {
clang::QualType template_argument(const clang::CXXRecordDecl& record, unsigned index) {
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (specialization == nullptr) return {};
  llvm::SmallVector<clang::QualType, 4> types;
  for (const clang::TemplateArgument& argument : specialization->getTemplateArgs().asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Type) types.push_back(argument.getAsType());
    if (argument.getKind() == clang::TemplateArgument::Pack)
      for (const clang::TemplateArgument& element : argument.pack_elements())
        if (element.getKind() == clang::TemplateArgument::Type)
          types.push_back(element.getAsType());
  }
  return index < types.size() ? types[index] : clang::QualType();
}

namespace {

constexpr unsigned kMaxDepth = 4;

/// Objects that point to objects that point to ...: what is far away is not worth the search.
unsigned behind_pointer(unsigned depth) { return std::max(depth + 1, 2U); }

/// A pointer to a module, or to an object whose fields are followed, shares it.
TypeInfo pointer_to(TypeInfo target) {
  const bool followed =
      target.role == Role::kModule ||
      ((target.role == Role::kRecord || target.role == Role::kDevice) && !target.handle);
  return followed ? TypeInfo{target.role, true, target.record} : TypeInfo{};
}

/// Several indices are an index; a list of devices is one of its own.
TypeInfo list_of(const TypeInfo& element) {
  if (element.role == Role::kIndex) return {Role::kIndex};
  if (element.role == Role::kDevice && !element.handle) return {Role::kDevices};
  const bool followed = element.role == Role::kTensor || element.role == Role::kModule ||
                        element.role == Role::kTuple || element.role == Role::kList ||
                        (element.role == Role::kMemory && element.handle) ||
                        (element.role == Role::kRecord && !element.handle);
  return followed ? TypeInfo{Role::kList} : TypeInfo{};
}

/// A contiguous list (std::vector, std::array) of plain values: memory of the host that cannot be
/// pinned, or of a device.
bool owns_data(const clang::CXXRecordDecl& record, const TypeModel& row) {
  const clang::QualType element = template_argument(record, 0);
  if (!element->isArithmeticType() && !element->isEnumeralType() && !element->isRecordType())
    return false;
  const clang::QualType allocator = template_argument(record, 1);
  // Without an allocator it has its elements in itself.
  if (row.device || allocator.isNull()) return true;
  const auto* made_by = allocator->getAsCXXRecordDecl();
  return made_by != nullptr && made_by->isInStdNamespace() && !element->isBooleanType();
}

}  // namespace

const std::string& Types::qualified_name(const clang::NamedDecl& decl) {
  const auto* canonical = llvm::cast<clang::NamedDecl>(decl.getCanonicalDecl());
  const auto known = names_.find(canonical);
  if (known != names_.end()) return known->second;
  llvm::SmallVector<std::string, 6> parts = {name_written(decl)};
  for (const clang::DeclContext* context = decl.getDeclContext(); context != nullptr;
       context = context->getParent()) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
      if (!space->isInline() && !space->isAnonymousNamespace())
        parts.push_back(space->getNameAsString());
    } else if (const auto* record = llvm::dyn_cast<clang::RecordDecl>(context)) {
      parts.push_back(record->getNameAsString());
    }
  }
  std::string name;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (!name.empty()) name += "::";
    name += *part;
  }
  return names_[canonical] = std::move(name);
}

const FunctionModel* Types::model(const clang::FunctionDecl& function, unsigned args) {
  if (const FunctionModel* row = models_.find(qualified_name(function), args)) return row;
  if (const FunctionModel* row = annotations_.of(function)) return row;
  // A library's class does what the one that it derives from is said to do.
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
      method != nullptr && method->isVirtual() && in_library(function))
    for (const clang::CXXMethodDecl* overridden : method->overridden_methods())
      if (const FunctionModel* row = model(*overridden, args)) return row;
  const FunctionModel* general = models_.find_general(qualified_name(function));
  return general != nullptr && is_operation(function) ? general : nullptr;
}

/// It makes tensors of tensors, as opposed to storing them somewhere.
bool Types::is_operation(const clang::FunctionDecl& function) {
  const Role made = of(function.getReturnType()).role;
  if (made != Role::kTensor && made != Role::kList && made != Role::kTuple) return false;
  return std::none_of(
      function.param_begin(), function.param_end(), [&](const clang::ParmVarDecl* parameter) {
        const clang::QualType type = parameter->getType();
        return type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
      });
}

const TypeModel* Types::model(const clang::CXXRecordDecl& record) {
  const TypeModel* row = models_.type(qualified_name(record));
  return row == nullptr ? annotations_.of(record) : row;
}

TypeRole Types::role_of(const clang::CXXRecordDecl& record) {
  const TypeModel* row = model(record);
  return row == nullptr ? TypeRole::kNone : row->role;
}

GuardEffect Types::guard(clang::QualType type) {
  const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (record == nullptr) return GuardEffect::kNone;
  const clang::CXXRecordDecl* canonical = record->getCanonicalDecl();
  if (const auto known = guards_.find(canonical); known != guards_.end()) return known->second;
  GuardEffect effect = GuardEffect::kNone;
  if (const TypeModel* row = model(*record)) effect = row->guard;
  const clang::CXXRecordDecl* definition = record->getDefinition();
  if (effect == GuardEffect::kNone && definition != nullptr && !definition->isInvalidDecl())
    for (const clang::CXXBaseSpecifier& base : definition->bases())
      if (effect == GuardEffect::kNone) effect = guard(base.getType());
  return guards_[canonical] = effect;
}

bool Types::owns_memory(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const TypeModel* row = record == nullptr ? nullptr : model(*record);
  return row != nullptr && row->contiguous && !row->device && owns_data(*record, *row);
}

bool Types::in_library(const clang::NamedDecl& decl) {
  const std::string& name = qualified_name(decl);
  const std::size_t end = name.rfind("::");
  return end != std::string::npos &&
         models_.is_library_namespace(llvm::StringRef(name).substr(0, end));
}

bool Types::is_module(const clang::CXXRecordDecl& record) {
  if (role_of(record) == TypeRole::kModule) return true;
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr || definition->isInvalidDecl()) return false;
  for (const clang::CXXBaseSpecifier& base : definition->bases())
    if (const clang::CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl())
      if (is_module(*parent)) return true;
  return false;
}

bool Types::starts_empty(clang::QualType handle) {
  const TypeInfo type = of(handle);
  const clang::CXXRecordDecl* record = handle->getAsCXXRecordDecl();
  if (type.role != Role::kModule || !type.handle) return false;
  return record == nullptr || record->isInStdNamespace() ||
         (type.record != nullptr && type.record->getCanonicalDecl() == record->getCanonicalDecl());
}

bool Types::is_address(clang::QualType type) const {
  if (!memory_ || type.isNull()) return false;
  type = type.getNonReferenceType();
  if (!type->isUnsignedIntegerType()) return false;
  while (const auto* named = type->getAs<clang::TypedefType>()) {
    if (models_.type_role(named->getDecl()->getName()) == TypeRole::kAddress) return true;
    type = named->desugar();
  }
  return false;
}

/// An address, or an array of them: what its canonical type does not tell.
TypeInfo Types::by_name(clang::QualType type) const {
  if (is_address(type)) return {Role::kMemory, true};
  const clang::ArrayType* array =
      memory_ && type->isConstantArrayType() ? type->getAsArrayTypeUnsafe() : nullptr;
  return array != nullptr && is_address(array->getElementType()) ? TypeInfo{Role::kList}
                                                                 : TypeInfo{};
}

TypeInfo Types::of(clang::QualType type) {
  if (type.isNull()) return {};
  if (const TypeInfo named = by_name(type); named.role != Role::kNone) return named;
  const clang::Type* key = type.getCanonicalType().getTypePtr();
  const auto known = cache_.find(key);
  if (known != cache_.end()) return known->second;
  const TypeInfo info = compute(type, 0);
  cache_[key] = info;
  return info;
}

const clang::CXXRecordDecl* Types::record_of(clang::QualType type) {
  if (const TypeInfo info = of(type); info.record != nullptr) return info.record;
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  return type->getAsCXXRecordDecl();
}

const clang::CXXRecordDecl* Types::captured_this(const clang::CXXRecordDecl& closure) {
  llvm::DenseMap<const clang::ValueDecl*, clang::FieldDecl*> variables;
  clang::FieldDecl* self = nullptr;
  closure.getCaptureFields(variables, self);
  return self == nullptr ? nullptr : record_of(self->getType());
}

TypeInfo Types::compute(clang::QualType type, unsigned depth) {
  if (type.isNull() || depth > kMaxDepth || type->isDependentType()) return {};
  if (const TypeInfo named = by_name(type); named.role != Role::kNone) return named;
  type = type.getCanonicalType().getNonReferenceType().getUnqualifiedType();
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    switch (models_.type_role(qualified_name(*enumeration->getDecl()))) {
      case TypeRole::kDevice: return {Role::kDevice};
      case TypeRole::kScalarType: return {Role::kScalarType};
      default: return {};
    }
  }
  if (type->isPointerType()) {
    if (is_opaque(type->getPointeeType())) return {};
    const TypeInfo target = compute(type->getPointeeType(), behind_pointer(depth));
    return target.role == Role::kNone || target.role == Role::kMemory ? memory_of(type)
                                                                      : pointer_to(target);
  }
  if (type->isConstantArrayType()) {
    const TypeInfo element = compute(type->getAsArrayTypeUnsafe()->getElementType(), depth + 1);
    const bool bytes = element.role == Role::kMemory && !element.handle;
    return element.role == Role::kNone || bytes ? memory_of(type) : list_of(element);
  }
  if (type->isArrayType()) return memory_of(type);
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record == nullptr ? TypeInfo{} : compute_record(*record, depth);
}

bool Types::is_vector(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const TypeInfo info = of(type);
  return info.role == Role::kMemory && !info.handle && record != nullptr &&
         record->getName() == "vector";
}

/// Only its library looks into it: a stream, an event, a file.
bool Types::is_opaque(clang::QualType type) {
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (record == nullptr || llvm::isa<clang::ClassTemplateSpecializationDecl>(record)) return false;
  return record->getDefinition() == nullptr || record->getName() == "_IO_FILE";
}

/// Of a pointer, an array or a list whose elements are not followed themselves.
TypeInfo Types::memory_of(clang::QualType type) {
  if (!memory_) return {};
  if (type->isPointerType()) {
    const clang::QualType pointee = type->getPointeeType();
    return pointee->isFunctionType() ? TypeInfo{} : TypeInfo{Role::kMemory, true};
  }
  while (type->isArrayType()) type = type->getAsArrayTypeUnsafe()->getElementType();
  // Where an array's pointers point is not what it owns.
  return type->isArithmeticType() || type->isEnumeralType() || type->isRecordType()
             ? TypeInfo{Role::kMemory, false}
             : TypeInfo{};
}

TypeInfo Types::compute_record(const clang::CXXRecordDecl& record, unsigned depth) {
  switch (role_of(record)) {
    case TypeRole::kTensor: return {Role::kTensor};
    case TypeRole::kModule: return {Role::kModule, false, &record};
    case TypeRole::kDevice: return {Role::kDevice};
    case TypeRole::kOptions: return {Role::kOptions};
    case TypeRole::kIndex: return {Role::kIndex};
    case TypeRole::kScalarType: return {Role::kScalarType};
    case TypeRole::kModuleHandle: {
      if (!llvm::isa<clang::ClassTemplateSpecializationDecl>(record))
        return {Role::kModule, true, &record};
      const clang::QualType contained = template_argument(record, 0);
      return {Role::kModule, true, contained.isNull() ? nullptr : contained->getAsCXXRecordDecl()};
    }
    case TypeRole::kPointer: {
      const TypeModel* row = model(record);
      const TypeInfo target = compute(template_argument(record, 0), behind_pointer(depth));
      const bool bytes = target.role == Role::kNone || target.role == Role::kMemory;
      if (!bytes || !memory_) return row->device ? TypeInfo{} : pointer_to(target);
      return {Role::kMemory, true, nullptr,
              row->device ? Elements::kOnDevice : Elements::kAnywhere};
    }
    case TypeRole::kWrapper: return compute(template_argument(record, 0), depth + 1);
    case TypeRole::kList:
    case TypeRole::kMap: {
      const TypeModel* row = model(record);
      const unsigned position = row->role == TypeRole::kMap ? 1 : 0;
      const clang::QualType type = template_argument(record, position);
      const TypeInfo element = compute(type, depth + 1);
      const bool data = element.role == Role::kNone && !type.isNull() && row->contiguous &&
                        owns_data(record, *row);
      if (!data) return list_of(element);
      TypeInfo elements = memory_of(type);
      // An array lies where the object that it is a part of does.
      if (elements.role == Role::kMemory && record.getName() != "array")
        elements.elements = row->device ? Elements::kOnDevice : Elements::kOnHost;
      return elements;
    }
    case TypeRole::kTuple: {
      for (unsigned index = 0; index < 8; ++index)
        if (compute(template_argument(record, index), depth + 1).role != Role::kNone)
          return {Role::kTuple};
      return {};
    }
    case TypeRole::kLoader:
    case TypeRole::kGuard:
    case TypeRole::kSlice:
    case TypeRole::kTest:
    case TypeRole::kAddress:
    case TypeRole::kNone: break;
  }
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr || definition->isInvalidDecl() || definition->isLambda()) return {};
  if (is_module(*definition)) return {Role::kModule, false, definition};
  for (const clang::CXXBaseSpecifier& base : definition->bases()) {
    const clang::CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
    if (parent == nullptr || depth >= kMaxDepth) continue;
    const TypeInfo inherited = compute_record(*parent, depth + 1);
    if (inherited.role != Role::kNone && inherited.role != Role::kRecord) return inherited;
    if (inherited.role == Role::kRecord) return {Role::kRecord, false, definition};
  }
  const std::string& name = qualified_name(record);
  for (const llvm::StringRef library : {"std::", "thrust::"})
    if (llvm::StringRef(name).starts_with(library)) return {};
  for (const clang::FieldDecl* field : definition->fields()) {
    const TypeInfo part = compute(field->getType(), depth + 1);
    const bool plain = part.role == Role::kMemory && !part.handle &&
                       part.elements == Elements::kAnywhere;  // its bytes
    if (part.role != Role::kNone && !plain) return {Role::kRecord, false, definition};
  }
  return {};
}

const FunctionModel* model_of(const clang::CallExpr& call, Types& types) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (callee == nullptr) return nullptr;
  unsigned written = 0;
  for (const clang::Expr* argument : call.arguments())
    written += !llvm::isa<clang::CXXDefaultArgExpr>(argument);
  if (llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee))
    --written;
  return types.model(*callee, written);
}

}  // namespace xfer::analyzer
