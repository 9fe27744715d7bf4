#include "analyzer/facts/reader.h"

#include <clang/AST/Attr.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Analysis/Analyses/PostOrderCFGView.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "analyzer/facts/failure_checks.h"

namespace xfer::analyzer {
namespace {

clang::CFG::BuildOptions build_options(bool has_try) {
  clang::CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  options.PruneTriviallyFalseEdges = true;
  options.AddInitializers = true;
  options.AddLifetime = true;
  options.AddCXXDefaultInitExprInCtors = true;
  options.AddEHEdges = has_try;
  return options;
}

BlockId id_of(const clang::CFGBlock& block) { return BlockId(block.getBlockID()); }

bool leaves_function(const clang::CFGBlock& block) {
  if (block.hasNoReturnElement()) return true;
  for (const clang::CFGElement& element : block)
    if (const auto statement = element.getAs<clang::CFGStmt>())
      if (llvm::isa<clang::CXXThrowExpr>(statement->getStmt())) return true;
  return false;
}

/// Order and loop heads by depth-first search from the entry.
void order_blocks(FunctionFacts& facts) {
  const std::size_t count = facts.blocks.size();
  facts.loop_head.assign(count, false);
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  Table<BlockId, Mark> marks(count, Mark::kNew);
  std::vector<std::pair<BlockId, std::size_t>> stack = {{facts.entry, 0}};
  marks[facts.entry] = Mark::kOpen;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == facts.blocks[block].successors.size()) {
      marks[block] = Mark::kDone;
      facts.order.push_back(block);
      stack.pop_back();
      continue;
    }
    const BlockId successor = facts.blocks[block].successors[next++];
    if (marks[successor] == Mark::kOpen) facts.loop_head[successor] = true;
    if (marks[successor] != Mark::kNew) continue;
    marks[successor] = Mark::kOpen;
    stack.emplace_back(successor, 0);
  }
  std::reverse(facts.order.begin(), facts.order.end());
}

/// Parts of the body run on a device as pragmas say, which the AST does not have.
bool has_offload_pragmas(const clang::FunctionDecl& function) {
  const clang::ASTContext& context = function.getASTContext();
  const llvm::StringRef text =
      clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(function.getSourceRange()),
                                  context.getSourceManager(), context.getLangOpts());
  return text.contains("#pragma acc") || text.contains("#pragma omp target");
}

}  // namespace

/// The method's object; of a lambda, the object that it captured.
void Reader::read_this(const clang::CXXRecordDecl* record) {
  if (record == nullptr) return;
  this_class_ = record;
  facts_.this_class = declarations_.of(record);
  facts_.variables[kThisVariable].type = declarations_.type(types_.of(
      context_.getTypeDeclType(clang::ElaboratedTypeKeyword::None, std::nullopt, record)));
}

/// A statement that did not parse names a member of the class, which may be the object's.
bool Reader::names_member(const clang::CXXRecordDecl* record) const {
  record = record == nullptr ? nullptr : record->getDefinition();
  if (record == nullptr) return false;
  for (const clang::Decl* decl : record->decls())
    if (const auto* member = llvm::dyn_cast<clang::NamedDecl>(decl);
        member != nullptr && member->getDeclName().isIdentifier() &&
        unread_.names.contains(member->getName()))
      return true;
  return std::any_of(record->bases_begin(), record->bases_end(),
                     [&](const clang::CXXBaseSpecifier& base) {
                       return names_member(base.getType()->getAsCXXRecordDecl());
                     });
}

/// A lambda is given its captures with every call, after its arguments.
void Reader::read_captures(const clang::CXXRecordDecl& closure) {
  for (const clang::LambdaCapture& capture : closure.captures()) {
    if (!capture.capturesVariable()) continue;
    const VariableId id = variable(*capture.getCapturedVar());
    facts_.variables[id].parameter = static_cast<std::uint32_t>(facts_.parameters.size());
    facts_.variables[id].reference = capture.getCaptureKind() == clang::LCK_ByRef;
    facts_.parameters.push_back(id);
    if (types_.follows_memory())
      facts_.parameter_names.push_back(name_of(*capture.getCapturedVar()));
  }
}

void Reader::begin(FunctionId id, std::string name) {
  facts_.function = id;
  facts_.name = std::move(name);
  facts_.places.add({});
  facts_.spots.add({});
  Variable self;
  self.name = "this";
  add_variable(std::move(self), nullptr);
}

void Reader::read_initialisers(llvm::ArrayRef<const clang::VarDecl*> globals, FunctionId id) {
  begin(id, {});
  facts_.initialises = true;
  facts_.blocks.resize(2);
  facts_.entry = BlockId(1);
  facts_.exit = BlockId(0);
  facts_.blocks[facts_.entry].successors = {facts_.exit};
  facts_.blocks[facts_.exit].predecessors = {facts_.entry};
  block_ = &facts_.blocks[facts_.entry];
  for (const clang::VarDecl* global : globals) read_initialiser(*global);
  order_blocks(facts_);
}

bool Reader::read(const clang::FunctionDecl& function, unsigned block_cap) {
  const clang::Stmt* body = function.getBody();
  if (body == nullptr || function.isDependentContext()) return false;
  function_ = &function;
  begin(declarations_.of(&function), function.getNameAsString());
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
      method != nullptr && method->isInstance()) {
    read_this(method->getParent()->isLambda() ? types_.captured_this(*method->getParent())
                                              : method->getParent());
    facts_.is_constructor = llvm::isa<clang::CXXConstructorDecl>(method);
    facts_.is_forward = models_.is_forward(facts_.name);
  }
  memory_ = scan_memory(function, types_);
  iterators_ = Iterators(*body, function, types_);
  llvm::DenseSet<const clang::Expr*> addresses = memory_.addresses;
  addresses.insert(memory_.object_addresses.begin(), memory_.object_addresses.end());
  scan_ = scan_body(*body, context_, models_, types_, iterators_, addresses);
  unread_ = unreadable_.in(function.getSourceRange());
  if (scan_.coroutine || unread_.leaves || has_offload_pragmas(function)) return false;
  facts_.unreadable = scan_.unreadable || !unread_.names.empty();
  if (scan_.fields_unreadable || unread_.names.contains("this") ||
      (facts_.unreadable && names_member(this_class_)))
    facts_.variables[kThisVariable].tracked = false;
  pointers_ = scan_pointers(*body, models_, types_);
  arrays_ = tensor_arrays(*body, types_);
  indices_ = list_indices(*body);
  const std::unique_ptr<clang::CFG> cfg = clang::CFG::buildCFG(
      &function, const_cast<clang::Stmt*>(body), &context_, build_options(scan_.has_try));
  if (cfg == nullptr || cfg->size() > block_cap) return false;
  facts_.blocks.resize(cfg->getNumBlockIDs());
  facts_.entry = id_of(cfg->getEntry());
  facts_.exit = id_of(cfg->getExit());
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const VariableId id = variable(*parameter);
    facts_.variables[id].parameter = static_cast<std::uint32_t>(facts_.parameters.size());
    facts_.variables[id].reference =
        is_mutable_reference(parameter->getType()) || memory_.out_parameters.contains(parameter);
    facts_.parameters.push_back(id);
    if (types_.follows_memory()) facts_.parameter_names.push_back(name_of(*parameter));
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
      method != nullptr && method->getParent()->isLambda())
    read_captures(*method->getParent());
  read_cfg(function, *cfg);
  facts_.not_waited_for = streams_.not_waited_for(facts_);
  order_blocks(facts_);
  return true;
}

void Reader::read_cfg(const clang::FunctionDecl& function, const clang::CFG& cfg) {
  for (const clang::CFGBlock* block : cfg) {
    Block& to = facts_.blocks[id_of(*block)];
    to.leaves = leaves_function(*block);
    const clang::Stmt* terminator = block->getTerminatorStmt();
    const bool branches = terminator != nullptr;
    to.catches = branches && llvm::isa<clang::CXXTryStmt>(terminator);
    if (branches &&
        llvm::isa<clang::ForStmt, clang::WhileStmt, clang::CXXForRangeStmt>(terminator) &&
        scan_.block_statements.contains(terminator))
      to.loop = spot(terminator->getSourceRange());
    const auto* condition = llvm::dyn_cast_or_null<clang::Expr>(block->getTerminatorCondition());
    std::optional<bool> settled;
    if (condition != nullptr && block->succ_size() == 2 && !facts_.unreadable &&
        llvm::isa<clang::IfStmt, clang::ConditionalOperator>(terminator))
      settled = settled_condition(*condition, function);
    for (auto successor = block->succ_begin(); successor != block->succ_end(); ++successor) {
      if (!successor->isReachable()) continue;
      if (settled && *settled != (successor == block->succ_begin())) continue;
      const BlockId id = id_of(**successor);
      // With exception edges, every call outside a try block has one to the exit, behind the
      // ordinary one, and so has a try block for what no handler takes.
      const bool throws =
          scan_.has_try && (branches ? to.catches : successor != block->succ_begin());
      if (throws && id == facts_.exit) continue;
      if (std::find(to.successors.begin(), to.successors.end(), id) != to.successors.end())
        continue;
      to.successors.push_back(id);
      facts_.blocks[id].predecessors.push_back(id_of(*block));
    }
    if (condition != nullptr) {
      const ConditionKind kind =
          classify_condition(*condition, models_, types_, scan_.device_flags);
      to.device_query = kind.device_query;
      if (kind.present != nullptr) to.present = variable(*kind.present);
      to.device_choice = kind.device_choice;
      const bool asks = block->succ_size() == 2 && !to.loop && !kind.device_choice &&
                        !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(terminator);
      if (const auto failed = asks ? if_failed(*condition) : std::nullopt) {
        const auto yes = block->succ_begin(), no = std::next(yes);
        if (yes->isReachable() && no->isReachable() && id_of(**yes) != id_of(**no))
          to.failed = id_of(*failed ? **yes : **no);
      }
      to.data_choice = kind.data;
    }
  }
  // Expressions are read before what uses them: in reverse post order.
  clang::PostOrderCFGView order(&cfg);
  for (const clang::CFGBlock* block : order) {
    block_ = &facts_.blocks[id_of(*block)];
    for (const clang::CFGElement& element : *block) read_element(element);
  }
}

void Reader::read_element(const clang::CFGElement& element) {
  if (const auto statement = element.getAs<clang::CFGStmt>()) {
    read_statement(*statement->getStmt());
    if (scan_.full.contains(statement->getStmt())) emit(fact::EndStatement{}, nullptr);
  } else if (const auto initializer = element.getAs<clang::CFGInitializer>()) {
    const clang::CXXCtorInitializer& init = *initializer->getInitializer();
    if (init.isAnyMemberInitializer()) {
      const clang::FieldDecl* member = init.getAnyMember();
      if (types_.of(member->getType()).role != Role::kNone)
        store(place(kThisVariable, {declarations_.of(*member)}), value_of(init.getInit()),
              init.getInit());
      if (types_.follows_memory() && member->getType()->isIntegralOrEnumerationType())
        emit(fact::Change{name_of(*member), formula_of(init.getInit()), place(kThisVariable, {})},
             nullptr);
    } else {
      read_base_initializer(init);
    }
    emit(fact::EndStatement{}, nullptr);
  } else if (const auto end = element.getAs<clang::CFGLifetimeEnds>()) {
    const auto known = variables_.find(end->getVarDecl());
    // An out-parameter's variable is what it points to: that goes on.
    if (known == variables_.end() || memory_.out_parameters.contains(end->getVarDecl())) return;
    emit(fact::End{known->second}, nullptr);
  }
}

void Reader::emit(FactBody what, const clang::Expr* at) {
  const SpotId spot_id = at == nullptr ? SpotId() : spot(at->getSourceRange());
  block_->facts.push_back({ValueId(), spot_id, std::move(what)});
}

ValueId Reader::make(FactBody what, const clang::Expr* at) {
  emit(std::move(what), at);
  return block_->facts.back().value = new_value(nullptr);
}

ValueId Reader::define(FactBody what, const clang::Expr& at) {
  emit(std::move(what), &at);
  return block_->facts.back().value = new_value(&at);
}

SpotId Reader::spot(clang::SourceRange range) {
  if (range != last_range_) last_spot_ = facts_.spots.add(spots_.of(range));
  last_range_ = range;
  return last_spot_;
}

bool Reader::is_array(const clang::ValueDecl& decl) const {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  return variable != nullptr && arrays_.contains(variable);
}

VariableId Reader::add_variable(Variable variable, const clang::ValueDecl* declared) {
  declared_.add(declared);
  return facts_.variables.add(std::move(variable));
}

TypeInfo Reader::type_of(const clang::ValueDecl& decl) {
  const auto* object = llvm::dyn_cast<clang::VarDecl>(&decl);
  if (object != nullptr && memory_.objects.contains(object)) return {Role::kMemory, false};
  return types_.of(decl.getType());
}

VariableId Reader::variable(const clang::ValueDecl& decl) {
  const auto known = variables_.find(&decl);
  if (known != variables_.end()) return known->second;
  const auto id = VariableId(facts_.variables.size());
  variables_[&decl] = id;
  Variable variable;
  variable.name = decl.getNameAsString();
  variable.type = declarations_.type(type_of(decl));
  if (is_array(decl)) variable.type = ValueType::of(Role::kList);
  // A reference to an array may be to one of a device.
  if (variable.type.role == Role::kMemory && decl.getType()->isReferenceType() &&
      decl.getType()->getPointeeType()->isArrayType())
    variable.type.handle = true;
  variable.may_be_cuda = variable.type.role == Role::kDevice && declarations_.may_be_cuda(decl);
  variable.tracked = !scan_.untracked.contains(&decl) && !unread_.names.contains(variable.name);
  const auto* declared = llvm::dyn_cast<clang::VarDecl>(&decl);
  const llvm::StringRef name = variable.name;
  variable.referred =
      scan_.referred.contains(&decl) ||
      decl.getParentFunctionOrMethod() != static_cast<const clang::DeclContext*>(function_);
  // A reference to a part of something: who reads that reads what is assigned here.
  const auto* binding = llvm::dyn_cast<clang::BindingDecl>(&decl);
  const auto* named = binding == nullptr
                          ? declared
                          : llvm::dyn_cast_or_null<clang::VarDecl>(binding->getDecomposedDecl());
  variable.referred |= named != nullptr && !llvm::isa<clang::ParmVarDecl>(named) &&
                       is_mutable_reference(named->getType());
  if (binding != nullptr && binding->getHoldingVar() != nullptr)
    variable.referred |= is_mutable_reference(binding->getHoldingVar()->getType());
  variable.unused_on_purpose =
      decl.hasAttr<clang::UnusedAttr>() || name.starts_with("_") ||
      name.contains_insensitive("unused") || name.contains_insensitive("warm") ||
      name.contains_insensitive("dummy") || name.contains_insensitive("ignore");
  variable.global = declared != nullptr && declared->hasGlobalStorage();
  const bool constant = declared != nullptr && declared->getType().isConstQualified();
  variable.constant = constant;
  // A global that may change is followed until somebody may change it.
  if (variable.global && !constant) {
    variable.field = declarations_.of_global(*declared);
    variable.tracked &= variable.field != FieldId() || variable.type.role == Role::kDevice ||
                        variable.type.role == Role::kRecord;
  }
  const bool made_before = variable.global && constant && declared->getInit() != nullptr &&
                           !declared->isStaticLocal() && !declared->getInit()->isValueDependent();
  add_variable(std::move(variable), &decl);
  if (made_before) {
    Block* const here = block_;
    block_ = &facts_.blocks[facts_.entry];
    read_initialiser(*declared);
    block_ = here;
  }
  return id;
}

void Reader::read_initialiser(const clang::VarDecl& global) {
  const clang::Expr& made_with = *global.getInit();
  read_tree(made_with);
  store(place(variable(global), {}), value_of(&made_with), &made_with);
  emit(fact::EndStatement{}, nullptr);
}

PlaceId Reader::place(VariableId root, std::vector<FieldId> fields) {
  const auto [entry, added] = place_ids_.try_emplace({root, fields}, PlaceId(facts_.places.size()));
  if (added) facts_.places.add({root, std::move(fields)});
  return entry->second;
}

PlaceId Reader::place_of(const clang::Expr* expr) const {
  return expr == nullptr ? PlaceId() : expr_places_.lookup(strip(expr));
}

ValueId Reader::value_of(const clang::Expr* expr) const {
  return expr == nullptr ? ValueId() : values_.lookup(strip(expr));
}

Role Reader::role_of(PlaceId place) const {
  const Place& of = facts_.places[place];
  return of.fields.empty() ? facts_.variables[of.root].type.role
                           : declarations_.unit().fields[of.fields.back()].type.role;
}

ValueId Reader::new_value(const clang::Expr* expr) {
  const ValueId value = ++last_value_;
  if (expr != nullptr) values_[strip(expr)] = value;
  return value;
}

}  // namespace xfer::analyzer
