#pragma once
// How one function's AST becomes facts. Internal to facts*.cc.

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Analysis/CFG.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

#include <map>
#include <optional>

#include "analyzer/facts/clocks.h"
#include "analyzer/facts/declarations.h"
#include "analyzer/facts/device_flags.h"
#include "analyzer/facts/expr.h"
#include "analyzer/facts/facts.h"
#include "analyzer/facts/field_sizes.h"
#include "analyzer/facts/functions.h"
#include "analyzer/facts/given_numbers.h"
#include "analyzer/facts/given_values.h"
#include "analyzer/facts/guards.h"
#include "analyzer/facts/iterators.h"
#include "analyzer/facts/loaders.h"
#include "analyzer/facts/quiet.h"
#include "analyzer/facts/spots.h"
#include "analyzer/facts/streams.h"
#include "analyzer/facts/types.h"
#include "analyzer/facts/unreadable.h"
#include "analyzer/facts/written_devices.h"

namespace xfer::analyzer {

/// The results of one walk over the body, before the CFG is read.
struct BodyScan {
  llvm::DenseSet<const clang::Expr*> discarded;  ///< calls whose result nothing uses
  llvm::DenseSet<const clang::Stmt*> full;       ///< statements after which temporaries end
  llvm::DenseMap<const clang::VarDecl*, const clang::VarDecl*> loop_ranges;  ///< element -> range
  llvm::DenseMap<const clang::VarDecl*, const clang::CXXForRangeStmt*> loops_over;  ///< by range
  llvm::DenseSet<const clang::Decl*> untracked;     ///< changed where the flow does not see it
  llvm::DenseSet<const clang::Decl*> data_changed;  ///< the data of a tensor, by a lambda
  llvm::DenseSet<const clang::Expr*> pointed_to;    ///< `&field_` that no call is given
  llvm::DenseSet<const clang::Decl*> referred;      ///< a lambda holds a reference to it
  DeviceFlags device_flags;
  llvm::DenseSet<const clang::Stmt*> block_statements;      ///< what stands directly between braces
  llvm::DenseSet<const clang::LambdaExpr*> called_lambdas;  ///< only ever called by their name
  llvm::DenseSet<const clang::VarDecl*> called_parameters;
  bool has_try = false;
  bool coroutine = false;
  bool unreadable = false;  ///< some expression did not parse; what it names is untracked
  llvm::DenseSet<const clang::Decl*> unread;  ///< what did not parse names them
  bool fields_unreadable = false;             ///< ... and it names fields
};

BodyScan scan_body(const clang::Stmt& body, clang::ASTContext& context, const ModelSet& models,
                   Types& types, const Iterators& iterators,
                   const llvm::DenseSet<const clang::Expr*>& addresses);

/// The pointers into tensors' memory that one walk over the body finds.
struct PointerScan {
  llvm::DenseSet<const clang::VarDecl*> variables;  ///< local pointers that only the flow changes
  llvm::DenseSet<const clang::VarDecl*> shared;     ///< others may change them
  llvm::DenseSet<const clang::CallExpr*> kept;      ///< calls whose pointer outlives the statement
  llvm::DenseSet<const clang::Expr*> not_followed;  ///< `p[i]` in `&p[i]`
  llvm::DenseSet<const clang::Expr*> only_read;     ///< `p[i]`, whose value is all that is wanted
  llvm::DenseSet<const clang::Expr*> spun_on;       ///< see spin_loops.h
};

/// The results of one walk over the body on memory that is followed by its pointers.
struct MemoryScan {
  /// `&p`, given to a call and to nothing else; `&p[i]`, which says nothing of the variable p.
  llvm::DenseSet<const clang::Expr*> addresses;
  llvm::DenseSet<const clang::VarDecl*> out_parameters;  ///< `T** p`, of which only `*p` is used
  /// Variables of one number or one plain object, whose address is given to calls and to nothing
  /// else: memory of their own, as an array of one.
  llvm::DenseSet<const clang::VarDecl*> objects;
  llvm::DenseSet<const clang::Expr*> object_addresses;  ///< `&x` of these
  llvm::DenseSet<const clang::Expr*> symbols;  ///< variables of devices, as copies name them
  /// The variables and fields that an expression changes.
  llvm::DenseMap<const clang::Stmt*, llvm::SmallVector<const clang::Decl*, 2>> changes;
  llvm::DenseSet<const clang::Decl*> addressed;  ///< what may be changed anywhere
  /// Counters of loops that leave some numbers out: `for (int i = 1; ...; i += 2)`.
  llvm::DenseSet<const clang::VarDecl*> part_counters;
  /// Arrays of the addresses of a kernel's arguments that are there for launches alone.
  llvm::DenseSet<const clang::VarDecl*> launched;
  llvm::DenseSet<const clang::Expr*> second_tries;       ///< see second_tries.h
  llvm::DenseSet<const clang::Expr*> expected_failures;  ///< see expected_failures.h
};

MemoryScan scan_memory(const clang::FunctionDecl& function, Types& types);

/// The pointer that an expression names, if it is a variable of the function's own; else null.
const clang::VarDecl* local_pointer(const clang::Expr* expr);

PointerScan scan_pointers(const clang::Stmt& body, const ModelSet& models, Types& types);

/// `new Tensor[n]`
bool is_new_array(const clang::Expr* expr, Types& types);
/// The local pointers that are names of such arrays, and nothing else.
llvm::DenseSet<const clang::VarDecl*> tensor_arrays(const clang::Stmt& body, Types& types);

/// The local variables that elements of lists are named by, where only the function itself changes
/// them.
llvm::DenseSet<const clang::VarDecl*> list_indices(const clang::Stmt& body);

/// The variables from around a lambda that it changes.
struct LambdaChanges {
  llvm::DenseSet<const clang::Decl*> variables;
  llvm::DenseSet<const clang::Decl*> data;  ///< of tensors, which stay where they are

  bool any(const clang::Decl* decl) const {
    return variables.contains(decl) || data.contains(decl);
  }
};

LambdaChanges changed_by_lambda(const clang::CXXMethodDecl& lambda, Types& types);

/// Lambdas that are called where they stand, or held by a variable that is only called; parameters
/// likewise.
void find_only_called(const clang::Stmt& body, BodyScan& scan);

/// Variables that are changed by other names than their own, out of the flow's sight.
void find_other_names(const clang::Stmt& body, const Iterators& iterators, Types& types,
                      llvm::DenseSet<const clang::Decl*>& changed);

/// Does the expression ask where something is, or depend on which devices there are?
struct ConditionKind {
  bool device_query = false;
  const clang::VarDecl* present = nullptr;  ///< it asks whether this one is there, no more
  bool device_choice = false;
  bool data = false;  ///< it asks what the run computes: a number of a tensor, how far a loop is
};
ConditionKind classify_condition(const clang::Stmt& condition, const ModelSet& models, Types& types,
                                 const DeviceFlags& flags);
/// The value of a condition that is the same in every run: a local flag that keeps the constant it
/// starts with, types that a template's instance compares, or the negation of either.
std::optional<bool> settled_condition(const clang::Expr& condition,
                                      const clang::FunctionDecl& function);
/// Adds the variables and fields that a condition names.
void note_mentioned(const clang::Expr& condition, llvm::DenseSet<const clang::Decl*>& decls);
bool assigns_device(const clang::Stmt& branch, Types& types);

/// The tools for reading the functions of a unit.
struct ReaderTools {
  clang::ASTContext& context;
  const ModelSet& models;
  Types& types;
  const Unreadable& unreadable;
  Declarations& declarations;
  Spots& spots;
  FieldSizes& field_sizes;
  QuietFunctions& quiet;
  Clocks& clocks;
  StreamTools& streams;
};

/// A call that is being read.
struct ReadCall : Call {
  const clang::FunctionDecl* runs = nullptr;  ///< whose summary applies; null: none
};

class Reader {
 public:
  Reader(const ReaderTools& tools, FunctionFacts& facts)
      : context_(tools.context),
        models_(tools.models),
        types_(tools.types),
        unreadable_(tools.unreadable),
        declarations_(tools.declarations),
        spots_(tools.spots),
        field_sizes_(tools.field_sizes),
        quiet_(tools.quiet),
        clocks_(tools.clocks),
        loaders_(tools.types, tools.declarations),
        facts_(facts),
        iterators_(tools.types),
        streams_(tools.streams) {}

  bool read(const clang::FunctionDecl& function, unsigned block_cap);
  /// Reads the initialisers of the unit's globals, in turn, as a function `id` without callers.
  void read_initialisers(llvm::ArrayRef<const clang::VarDecl*> globals, FunctionId id);

 private:
  // facts_reader.cc: variables, places and the order of things.
  void read_this(const clang::CXXRecordDecl* record);
  bool names_member(const clang::CXXRecordDecl* record) const;
  void read_captures(const clang::CXXRecordDecl& closure);
  void read_cfg(const clang::FunctionDecl& function, const clang::CFG& cfg);
  void read_element(const clang::CFGElement& element);
  VariableId variable(const clang::ValueDecl& decl);
  /// Of a variable: as of its type, but for what MemoryScan::objects says.
  TypeInfo type_of(const clang::ValueDecl& decl);
  /// `declared`: null if it has no declaration of its own.
  VariableId add_variable(Variable variable, const clang::ValueDecl* declared);
  void begin(FunctionId id, std::string name);
  void read_initialiser(const clang::VarDecl& global);
  PlaceId place(VariableId root, std::vector<FieldId> fields);
  PlaceId place_of(const clang::Expr* expr) const;
  ValueId value_of(const clang::Expr* expr) const;
  ValueId new_value(const clang::Expr* expr);
  /// Adds a fact, of which nothing uses a value.
  void emit(FactBody what, const clang::Expr* at);
  /// ... whose value is that of the expression.
  ValueId define(FactBody what, const clang::Expr& at);
  /// ... whose value no expression has.
  ValueId make(FactBody what, const clang::Expr* at);
  ValueType value_type(TypeInfo type) { return declarations_.type(type); }
  /// An expression's role, and what goes with it, without its class.
  ValueType role_type(const clang::Expr& expr) {
    const TypeInfo type = types_.of(expr.getType());
    ValueType of = ValueType::of(type.role);
    of.elements = type.elements;
    return of;
  }
  /// The role of what a place holds.
  Role role_of(PlaceId place) const;
  SpotId spot(clang::SourceRange range);

  // facts_expressions.cc: expressions that are no calls.
  void read_statement(const clang::Stmt& statement);
  void read_expression(const clang::Expr& expr);
  void read_by_kind(const clang::Expr& expr);
  void move_on(const clang::Expr& pointer);
  void read_tree(const clang::Expr& expr);
  void forget_tree(const clang::Expr& expr);
  void read_reference(const clang::DeclRefExpr& expr);
  void read_member(const clang::MemberExpr& expr);
  void read_field(const clang::Expr& expr, const clang::Expr& object,
                  const clang::FieldDecl& field);
  void pass(const clang::Expr& expr, const clang::Expr* from);
  void pass_copy(const clang::Expr& expr, const clang::Expr* from, TypeInfo type);
  void fresh(const clang::Expr& expr, const char* reason, Known known = Known::kNothing);
  void store(PlaceId to, ValueId from, const clang::Expr* at);
  void share(const clang::Expr& expr);
  void lose(ValueId value, const char* reason, const clang::Expr* at);
  bool read_device_constant(const clang::Expr& expr);
  bool read_element_constant(const clang::Expr& expr);

  // facts_lambdas.cc: lambdas.
  void hand_captures(const clang::LambdaExpr& expr);
  void read_lambda(const clang::LambdaExpr& expr);
  void give_captures(const clang::CallExpr& expr, const clang::CXXRecordDecl& closure,
                     ReadCall& call);

  // facts_functions.cc: functions that are given to functions.
  const clang::FunctionDecl* function_given(const clang::Expr* argument,
                                            const clang::FunctionDecl* callee, unsigned parameter);
  std::optional<std::uint32_t> parameter_called(const clang::CallExpr& expr) const;

  // facts_variables.cc: variables and objects made of their fields.
  void read_variable(const clang::VarDecl& decl);
  void read_decomposition(const clang::DecompositionDecl& decl, ValueId value, PlaceId whole);
  /// The batch that a loader over the dataset hands out; none: not known.
  ValueId batch(const clang::Expr& at, Loaders::Dataset dataset, const TypeInfo& type);
  void refer_to_part(const clang::ValueDecl& reference, PlaceId whole);
  bool is_element(const clang::Expr& expr) const;
  PlaceId whole_of(const clang::Expr* part) const;
  const clang::Expr* list_with(const clang::Expr& part) const;
  void lose_whole(const clang::ValueDecl& part, const char* reason, const clang::Expr& at);
  void lose_wholes(const Call& call, const clang::Expr& at);
  void read_init_list(const clang::InitListExpr& expr);
  ValueId make_record(const clang::Expr& expr, TypeInfo type,
                      llvm::ArrayRef<const clang::Expr*> values);

  // facts_pointers.cc: pointers into tensors' memory.
  ValueId pointer_value(const clang::Expr* expr);
  void store_pointer(const clang::VarDecl& to, const clang::Expr& from);
  bool read_pointer_reference(const clang::DeclRefExpr& expr);
  void host_access(const clang::Expr& at, const clang::Expr& pointer, HostAccess how,
                   const clang::FunctionDecl* callee, bool writes = false);
  void read_dereference(const clang::Expr& expr, const clang::Expr& pointer);
  void read_host_arguments(const clang::Expr& expr, const clang::FunctionDecl* callee,
                           llvm::ArrayRef<const clang::Expr*> arguments, unsigned written);
  const FunctionModel* flow_model(const clang::FunctionDecl& callee, unsigned written);
  std::string pageable_owner(const clang::Expr& pointer) const;
  void read_pointer_call(const clang::CallExpr& expr, const Call& call,
                         const clang::Expr* receiver);

  // index_keys.cc: which element an index names.
  ElementKey element_key(const clang::Expr* index);
  void read_index_change(const clang::Expr& expr);
  void new_index(const clang::VarDecl& variable);

  // facts_memory.cc: memory that is followed by its pointers.
  bool is_memory(const clang::Expr& expr);
  void lose_number(const clang::Expr& from);
  void keep_as_number(const clang::Expr& from, clang::QualType to);
  class MemoryReader;
  bool read_memory(const clang::Expr& expr);

  // copies.cc: what calls do to memory, and which part of it.
  void describe_memory(const clang::CallExpr& expr, const clang::FunctionDecl* callee, Call& call);
  void read_kernel_launch(const clang::CUDAKernelCallExpr& expr);
  void write_out_pointer(const clang::CallExpr& expr, const Call& call);
  bool read_new_array(const clang::CXXNewExpr& expr);
  bool read_launch_call(const clang::CallExpr& expr);
  void describe_uses(llvm::ArrayRef<const clang::FunctionDecl*> kernels, Call& call);
  Size size_of_call(const clang::CallExpr& expr, const FunctionModel& model);

  // extents.cc: how much memory there is.
  const FieldSizes::Size* allocated_elsewhere(const clang::Expr* pointer);
  Formula elements_of(const clang::Expr& vector);
  const clang::Expr* outermost_array(const clang::Expr* array);
  Formula bytes_behind(const clang::Expr* pointer);

  // formulas.cc: whole numbers.
  std::uint32_t name_of(const clang::Decl& decl);
  Formula field_term(const clang::FieldDecl& field);
  Formula kept_term(const clang::ValueDecl& kept);
  bool note_names(const clang::Expr& expr, std::vector<std::uint32_t>& names);
  Formula formula_of(const clang::Expr* expr);
  Formula named_term(const clang::Expr& expr);
  Formula term(Term made);
  const clang::VarDecl* vector_named(const clang::Expr* expr);
  Formula elements_made(const clang::Expr* init);
  Formula number_in(const clang::ValueDecl& variable);
  std::vector<Formula> numbers_given(const clang::Expr& call, const clang::FunctionDecl& callee);
  Formula pointer_formula(const clang::Expr* expr);
  std::uint64_t pointee_size(const clang::Expr* pointer) const;
  static std::optional<Formula> combined(clang::BinaryOperatorKind how, const Formula& left,
                                         const Formula& right);
  Formula changed_to(const clang::Expr& expr, const clang::Decl& decl);
  void read_changes(const clang::Expr& expr);
  void begin_number(const clang::VarDecl& variable);

  // facts_calls.cc: calls.
  void read_call(const clang::CallExpr& expr);
  const clang::FunctionDecl* summarised(const clang::FunctionDecl* callee);
  bool is_array(const clang::ValueDecl& decl) const;
  FunctionId virtual_method(const clang::FunctionDecl& callee);

  // facts_assignments.cc: assignments and the operators that hand a value on.
  bool read_swap(const clang::CallExpr& expr);
  bool read_operator(const clang::CXXOperatorCallExpr& expr);
  ValueId load(const clang::Expr& list, const clang::Expr& at);
  void read_behind(const clang::Expr& element, const clang::Expr& list);
  void put(ValueId list, ValueId element, const clang::Expr& at, ElementKey key = 0);
  void read_assignment(const clang::Expr& expr, const clang::Expr& to, const clang::Expr& from);

  // facts_constructs.cc: constructors.
  void read_construct(const clang::CXXConstructExpr& expr);
  void empty_moved(const clang::Expr& from);
  void read_base_initializer(const clang::CXXCtorInitializer& initializer);
  const clang::CXXConstructorDecl* constructor(const clang::CXXRecordDecl& record, unsigned args);

  // facts_operands.cc: what a call is given.
  ReadCall new_call(const clang::Expr& expr, const clang::FunctionDecl* callee, TypeInfo result);
  ReadCall new_launch(const clang::CallExpr& expr, const clang::FunctionDecl* kernel,
                      const clang::Expr* named);
  Operand operand(const clang::Expr* expr, const clang::FunctionDecl* callee, unsigned parameter);
  const clang::Expr* pointed_to(const clang::Expr& expr);
  void describe_pointer(const clang::Expr& expr, const clang::FunctionDecl* callee,
                        unsigned parameter, Operand& operand);
  void add_arguments(Call& call, llvm::ArrayRef<const clang::Expr*> arguments,
                     const clang::FunctionDecl* callee, unsigned first_parameter);
  void describe_receiver(const clang::CallExpr& expr, const clang::Expr& receiver, Call& call);
  void describe_given(const clang::Expr& expr, ReadCall& call);
  CallId add_call(const clang::Expr& expr, ReadCall call);
  void finish_call(const clang::Expr& expr, ReadCall call);
  void move_each(const clang::VarDecl& range);

  // inlined.cc
  std::optional<Formula> inlined(const clang::CallExpr& call);
  Formula given_term(const clang::Expr& expr);
  std::optional<Formula> field_given(const clang::Expr& expr);
  std::optional<NamedObject> object_given(const clang::Expr& expr);
  bool enter(NamedObject& object, const clang::ValueDecl& field);

  // facts_devices.cc: devices that are written out.
  ValueId device_value(const clang::Expr& at, Device device);
  void resolve_device_arguments(const clang::Expr& expr,
                                llvm::ArrayRef<const clang::Expr*> arguments, Call& call);
  void read_device_construct(const clang::CXXConstructExpr& expr);
  ValueId text_device(const clang::Expr& at, const clang::Expr& text);
  void set_current(const clang::Expr& at, llvm::ArrayRef<const clang::Expr*> arguments,
                   VariableId guard);
  void read_device_guard(const clang::VarDecl& decl);

  clang::ASTContext& context_;
  const ModelSet& models_;
  Types& types_;
  const Unreadable& unreadable_;
  Declarations& declarations_;
  Spots& spots_;
  FieldSizes& field_sizes_;
  QuietFunctions& quiet_;
  Clocks& clocks_;
  Loaders loaders_;
  FunctionFacts& facts_;
  const clang::FunctionDecl* function_ = nullptr;
  const clang::CXXRecordDecl* this_class_ = nullptr;
  clang::SourceRange last_range_;  ///< of the last spot
  SpotId last_spot_;
  Table<VariableId, const clang::ValueDecl*>
      declared_;  ///< the variables, by their numbers; null: none
  KeptVariables kept_;
  Iterators iterators_;
  BodyScan scan_;
  Unreadable::Part unread_;                       ///< of this function
  llvm::DenseSet<const clang::VarDecl*> arrays_;  ///< of tensors
  PointerScan pointers_;
  MemoryScan memory_;
  Streams streams_;
  llvm::DenseSet<const clang::VarDecl*> indices_;  ///< of lists
  const GivenNumbers* given_ = nullptr;  ///< to the function that is read in its call's place
  std::map<std::string, ElementKey> written_keys_;
  llvm::DenseMap<const clang::Decl*, std::uint32_t> number_names_;
  std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::uint32_t> term_ids_;
  Block* block_ = nullptr;
  ValueId last_value_;
  llvm::DenseMap<const clang::ValueDecl*, VariableId> variables_;
  llvm::DenseMap<const clang::ValueDecl*, VariableId> text_devices_;  ///< named by these texts
  llvm::DenseMap<const clang::ValueDecl*, PlaceId> aliases_;          ///< references to places
  llvm::DenseSet<const clang::VarDecl*> holders_;  ///< of the parts of structured bindings
  llvm::DenseMap<const clang::ValueDecl*, PlaceId>
      element_of_;  ///< references to elements of a list
  std::map<std::pair<VariableId, std::vector<FieldId>>, PlaceId> place_ids_;
  llvm::DenseMap<const clang::Expr*, ValueId> values_;
  llvm::DenseMap<const clang::Expr*, ValueId> pointer_values_;
  llvm::DenseMap<const clang::Expr*, PlaceId> expr_places_;
  struct TiePart {
    PlaceId place;
    const clang::Expr* nested = nullptr;  ///< a tie in the tie
  };
  void store_tie(const clang::Expr& tie, ValueId value, const clang::Expr& at);
  llvm::DenseMap<const clang::Expr*, std::vector<TiePart>> ties_;
};

}  // namespace xfer::analyzer
