#include "analyzer/facts.h"

#include "analyzer/facts_reader.h"

namespace xfer::analyzer {

FieldId FieldTable::id(const clang::FieldDecl& decl) {
  const clang::FieldDecl* canonical = decl.getCanonicalDecl();
  const auto [entry, added] = ids_.try_emplace(canonical, static_cast<FieldId>(fields_.size()));
  if (added) {
    const FieldId id = entry->second;
    Field field;
    field.name = decl.getNameAsString();
    field.type = types_.of(decl.getType());
    field.decl = canonical;
    field.registered = types_.is_registered(decl);
    field.unreadable = unreadable_.names(field.name);
    fields_.push_back(std::move(field));
    return id;
  }
  return entry->second;
}

struct FactsBuilder::Shared {
  clang::ASTContext& context;
  const ModelSet& models;
  Types& types;
  FieldTable& fields;
  const Unreadable& unreadable;
  unsigned block_cap;
};

FactsBuilder::FactsBuilder(clang::ASTContext& context, const ModelSet& models, Types& types,
                           FieldTable& fields, const Unreadable& unreadable, unsigned block_cap)
    : shared_(new Shared{context, models, types, fields, unreadable, block_cap}) {}

FactsBuilder::~FactsBuilder() = default;

std::unique_ptr<FunctionFacts> FactsBuilder::build(const clang::FunctionDecl& function) {
  auto facts = std::make_unique<FunctionFacts>(shared_->fields);
  Reader reader(shared_->context, shared_->models, shared_->types, shared_->unreadable, *facts);
  if (!reader.read(function, shared_->block_cap)) return nullptr;
  return facts;
}

}  // namespace xfer::analyzer
