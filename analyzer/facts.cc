#include "analyzer/facts.h"

#include "analyzer/facts_reader.h"

namespace xfer::analyzer {

struct FactsBuilder::Shared {
  clang::ASTContext& context;
  const ModelSet& models;
  Types& types;
  unsigned block_cap;
};

FactsBuilder::FactsBuilder(clang::ASTContext& context, const ModelSet& models, Types& types,
                           unsigned block_cap)
    : shared_(new Shared{context, models, types, block_cap}) {}

FactsBuilder::~FactsBuilder() = default;

std::unique_ptr<FunctionFacts> FactsBuilder::build(const clang::FunctionDecl& function) {
  auto facts = std::make_unique<FunctionFacts>();
  Reader reader(shared_->context, shared_->models, shared_->types, *facts);
  if (!reader.read(function, shared_->block_cap)) return nullptr;
  return facts;
}

}  // namespace xfer::analyzer
