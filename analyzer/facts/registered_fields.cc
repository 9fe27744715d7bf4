#include "analyzer/facts/registered_fields.h"

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

bool RegisteredFields::contains(const clang::FieldDecl& field) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (record == nullptr || !types_.is_module(*record)) return false;
  if (types_.in_library(*record)) return true;
  auto known = known_.find(record);
  if (known == known_.end())
    known = known_.try_emplace(record, registrations_.fields_of(*record)).first;
  return known->second.contains(field.getCanonicalDecl());
}

}  // namespace xfer::analyzer
