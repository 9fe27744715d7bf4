// Variables, what they are made with, and objects that are made of their fields.

#include <clang/AST/StmtCXX.h>

#include "analyzer/facts/globals.h"
#include "analyzer/facts/loop_moves.h"
#include "analyzer/facts/reader.h"
#include "analyzer/facts/references.h"

namespace xfer::analyzer {

ValueId Reader::batch(const clang::Expr& at, Loaders::Dataset dataset, const TypeInfo& type) {
  std::optional<std::vector<BatchMaker>> makers = loaders_.makers(dataset);
  if (!makers) return {};
  return make(fact::Batch{value_type(type), std::move(*makers)}, &at);
}

void Reader::read_variable(const clang::VarDecl& decl) {
  // `v = std::get<0>(whole)` of a structured binding: it has its part already.
  if (holders_.contains(&decl)) return;
  new_index(decl);
  begin_number(decl);
  const clang::Expr* init = decl.getInit();
  if (init != nullptr) keep_as_number(*init, decl.getType());
  const auto loop = scan_.loop_ranges.find(&decl);
  if (loop != scan_.loop_ranges.end()) {
    const clang::VarDecl* range = loop->second;
    PlaceId list = aliases_.lookup(range);
    if (!list && types_.of(range->getType()).role != Role::kNone)
      list = place(variable(*range), {});
    ValueId element;
    const clang::Expr* loader = range->getInit();
    if (loader != nullptr)
      element = batch(*loader, loaders_.dataset_of(range->getType()), types_.of(decl.getType()));
    if (!element && list) {
      const ValueId loaded = make(fact::Load{list}, init);
      element = make(fact::ElementOf{loaded, value_type(types_.of(decl.getType()))}, init);
      if (only_read(decl, function_, types_))
        list = {};
      else
        refer_to_part(decl, list);
    } else if (!element && (types_.of(decl.getType()).role != Role::kNone ||
                            llvm::isa<clang::DecompositionDecl>(decl))) {
      element = make(fact::Fresh{value_type(types_.of(decl.getType()))}, init);
    }
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(&decl))
      return read_decomposition(*parts, element, list);
    if (types_.of(decl.getType()).role == Role::kNone) return;
    return store(place(variable(decl), {}), element, init);
  }
  if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(&decl))
    return read_decomposition(*parts, value_of(init), place_of(init));
  const TypeInfo type = type_of(decl);
  facts_.gradients_off |= types_.guard(decl.getType()) == GuardEffect::kGradientsOff;
  if (guards_scope(decl, GuardEffect::kCurrentDevice, types_)) read_device_guard(decl);
  if (init != nullptr && pointers_.variables.contains(&decl)) return store_pointer(decl, *init);
  const bool local = decl.hasLocalStorage() && init == nullptr;
  if (is_array(decl) || (local && type.role == Role::kList && decl.getType()->isArrayType()))
    return store(place(variable(decl), {}), make(fact::List{}, init), init);
  if (type.role == Role::kNone) return;
  if (type.role == Role::kMemory && !type.handle && decl.hasLocalStorage() &&
      !decl.getType()->isReferenceType()) {
    // An array or a vector is memory of its own, whatever it was filled from.
    const bool device = type.elements == Elements::kOnDevice;
    const ValueId made =
        make(fact::Fresh{value_type(type), device ? Known::kNothing : Known::kHost}, init);
    block_->facts.back().spot = spot(decl.getSourceRange());
    return store(place(variable(decl), {}), made, init);
  }
  if (init == nullptr) return;
  if (decl.getType()->isReferenceType()) {
    const PlaceId place_id = place_of(init);
    const bool tracked = !place_id || facts_.variables[facts_.places[place_id].root].tracked;
    if (place_id && tracked) {
      aliases_[&decl] = place_id;
      return;
    }
    // A module is never another one: a reference to one that a call returns is that.
    const bool part = !place_id && type.role == Role::kModule && !type.handle;
    if (!part && !only_read(decl, function_, types_)) {
      scan_.untracked.insert(&decl);
      refer_to_part(decl, whole_of(init));
    }
  }
  // Another call may have changed it. A device that nobody changes is a constant.
  const bool constant = decl.getType().isConstQualified() ||
                        (type.role == Role::kDevice && keeps_its_value(decl, *function_));
  const bool changes = decl.isStaticLocal() && !constant;
  if (changes && !is_followed_global(decl, types_)) scan_.untracked.insert(&decl);
  const VariableId made = variable(decl);
  store(place(made, {}), value_of(init), init);
  // This is what the first call alone finds in it.
  if (changes && facts_.variables[made].tracked) emit(fact::End{made}, nullptr);
}

/// Reads a loop that moves all elements of a list, ahead of the loop, as one move of the list.
void Reader::move_each(const clang::VarDecl& range) {
  const clang::CXXForRangeStmt* loop = scan_.loops_over.lookup(&range);
  const clang::CXXMemberCallExpr* move =
      loop == nullptr ? nullptr : moves_each(*loop, types_, context_);
  if (move == nullptr || types_.of(range.getType()).role != Role::kList) return;
  const clang::FunctionDecl* callee = move->getDirectCallee();
  const llvm::SmallVector<const clang::Expr*, 2> arguments(move->arg_begin(), move->arg_end());
  for (const clang::Expr* argument : arguments) read_tree(*argument);
  ReadCall call = new_call(*move, callee, {});
  call.model = model_of(*move, types_);
  call.runs = nullptr;
  call.has_receiver = true;
  call.receiver = operand(range.getInit(), nullptr, 0);
  add_arguments(call, arguments, callee, 0);
  finish_call(*move, std::move(call));
  // The loop reads them again.
  values_.erase(move);
  for (const clang::Expr* argument : arguments) forget_tree(*argument);
}

void Reader::read_decomposition(const clang::DecompositionDecl& decl, ValueId value,
                                PlaceId whole) {
  unsigned index = 0;
  for (const clang::BindingDecl* binding : decl.bindings()) {
    const unsigned at = index++;
    const TypeInfo type = types_.of(binding->getType());
    if (type.role == Role::kNone) continue;
    const VariableId id = variable(*binding);
    if (is_mutable_reference(decl.getType())) refer_to_part(*binding, whole);
    if (const clang::VarDecl* holder = binding->getHoldingVar()) {
      variables_[holder] = id;
      // A part of a named whole changes with it: nothing is known of it.
      if (!whole || !decl.getType()->isReferenceType()) holders_.insert(holder);
    }
    const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(
        binding->getBinding() == nullptr ? nullptr : strip(binding->getBinding()));
    const auto* part =
        member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    FactBody taken = fact::PartOf{value, at, value_type(type)};
    if (!value)
      taken = fact::Fresh{value_type(type)};
    else if (part != nullptr)
      taken = fact::FieldOf{value, declarations_.of(*part)};
    const ValueId element = make(std::move(taken), decl.getInit());
    store(place(id, {}), element, decl.getInit());
  }
}

/// A new object of a class, with `values` in its fields, in turn.
ValueId Reader::make_record(const clang::Expr& expr, TypeInfo type,
                            llvm::ArrayRef<const clang::Expr*> values) {
  const auto* record = expr.getType()->getAsCXXRecordDecl();
  Variable object_made;
  object_made.type = declarations_.type(type);
  const VariableId whole = add_variable(std::move(object_made), nullptr);
  const bool plain = record->getNumBases() == 0;
  const fact::Fresh made{ValueType::of(Role::kRecord), plain ? Known::kEmpty : Known::kNothing};
  const ValueId object = make(made, &expr);
  store(place(whole, {}), object, &expr);
  unsigned index = 0;
  if (plain)
    for (const clang::FieldDecl* member : record->fields()) {
      const clang::Expr* init = index < values.size() ? values[index] : nullptr;
      ++index;
      const TypeInfo part = types_.of(member->getType());
      if (init != nullptr) keep_as_number(*init, member->getType());
      if (part.role == Role::kNone) continue;
      if (init == nullptr && part.role == Role::kDevice && member->hasInClassInitializer()) {
        // `struct Config { torch::Device device = torch::kCUDA; }`
        const clang::Expr* written = member->getInClassInitializer();
        if (written == nullptr) continue;
        const std::optional<Device> device = written_device(written, context_, types_);
        if (device)
          store(place(whole, {declarations_.of(*member)}), device_value(expr, *device), &expr);
        continue;
      }
      if (init != nullptr) store(place(whole, {declarations_.of(*member)}), value_of(init), init);
    }
  return object;
}

void Reader::read_init_list(const clang::InitListExpr& expr) {
  const TypeInfo type = types_.of(expr.getType());
  if (type.role == Role::kRecord && !type.handle) {
    values_[&expr] = make_record(expr, type, expr.inits());
    return;
  }
  if (type.role == Role::kNone) {
    for (const clang::Expr* init : expr.inits())
      if (is_memory(*init))
        lose(value_of(init), "a pointer to it was kept", &expr);
      else
        share(*init);
    return;
  }
  if (type.role != Role::kList && type.role != Role::kDevices && type.role != Role::kIndex) {
    if (expr.getNumInits() == 1) pass(expr, expr.getInit(0));
    return;
  }
  std::vector<ValueId> elements;
  std::vector<SpotId> spots;
  for (const clang::Expr* init : expr.inits()) {
    // A number or a slice among indices is no tensor.
    if (type.role == Role::kIndex && !value_of(init)) continue;
    elements.push_back(value_of(init));
    spots.push_back(spot(init->getSourceRange()));
  }
  define(fact::List{std::move(elements), std::move(spots)}, expr);
}

}  // namespace xfer::analyzer
