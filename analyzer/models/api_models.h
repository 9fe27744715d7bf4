#pragma once
// The effects of library calls: the rows of rules/models/*.yaml (see rules/models/SCHEMA.md),
// expanded to one entry per qualified function name. Read once, then immutable: lookups are hash
// probes and safe from any thread.

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xfer::analyzer {

/// The role of a library's class in the analysis.
enum class TypeRole : std::uint8_t {
  kNone,
  kTensor,        ///< shared handle to data that has a place
  kModule,        ///< object with parameters that `to` moves in place
  kModuleHandle,  ///< points to a module: holders, shared_ptr
  kDevice,        ///< a device, or the kind of one
  kOptions,       ///< carries a device among other things
  kIndex,         ///< wraps tensors as indices: these may be on the CPU
  kScalarType,    ///< an element type
  kList,          ///< a template of its element type
  kMap,           ///< a template of its key and element types
  kTuple,         ///< a template of its element types
  kPointer,       ///< owns an object of its first template argument
  kAddress,       ///< a name of an integer that stands for a pointer to memory
  kWrapper,       ///< stands for a value of its first template argument
  kLoader,        ///< hands out what the dataset that is its first template argument makes
  kGuard,         ///< changes how its scope runs
  kSlice,         ///< an index that keeps a dimension, or makes one
  kTest,          ///< what tests are made of
};

/// The setting that a guard changes as long as it lives.
enum class GuardEffect : std::uint8_t {
  kNone,
  kGradientsOff,
  kCurrentDevice,  ///< which CUDA device is the current one
  kDefaultPlace,   ///< where new tensors and modules are made for which nothing says a place
};

/// Where a result lives.
enum class Placement : std::uint8_t {
  kUnknown,
  kCpu,
  kCuda,              ///< current CUDA device
  kSelf,              ///< where the receiver is
  kOperands,          ///< where the operands that must agree are
  kFirst,             ///< where the first tensor argument is
  kArguments,         ///< where device-carrying arguments say, else the CPU
  kArgumentsOrFirst,  ///< where device-carrying arguments say, else where the receiver or first
                      ///< tensor is
  kCommon,  ///< where all its tensors are, if that is one place and no argument carries a device
};

/// Number of dimensions, as far as the rules need it: CPU tensors of none may meet CUDA tensors.
enum class RankEffect : std::uint8_t {
  kUnknown,
  kZero,
  kNonZero,
  kOperands,  ///< none when every operand has none; some when one has some
  kSelf,
  kFromSizes,    ///< from the sizes argument: {} is none
  kFromIndices,  ///< from the indices argument: a slice keeps a dimension
  kReshaped,     ///< from the sizes argument where it is written out, else as before
  kFromData,     ///< from the data argument: a braced list is some, a scalar is none
  kZeroIfNoDims  ///< a reduction: none without a dimension argument
};

/// The purpose of a call.
enum class CallKind : std::uint8_t {
  kPlain,
  kTransfer,      ///< returns a copy elsewhere (or itself)
  kMove,          ///< moves the receiver in place (Module::to)
  kRegister,      ///< the argument becomes a part of the receiver module
  kMakeHandle,    ///< make_shared: a new module
  kDeviceQuery,   ///< returns the receiver's device
  kPresence,      ///< says whether its receiver is there
  kDeviceChoice,  ///< a value that depends on which devices there are
  kDevice,        ///< makes a device from its arguments
  kOptions,       ///< makes or changes options from its arguments
  kSetDevice,     ///< changes the current CUDA device
  kSetIndex,      ///< gives the receiver, a device, another index
  kSynchronize,
  kPass,      ///< returns its receiver or first argument
  kAppend,    ///< the arguments become elements of the receiver
  kLoad,      ///< the first argument is read from a file
  kElement,   ///< returns an element of its receiver or first argument
  kTuple,     ///< returns a tuple of its arguments
  kTie,       ///< the same of references, for a tuple to be assigned to
  kFresh,     ///< returns something new, of which nothing is known
  kOpen,      ///< the row does not say what it does to values
  kAllocate,  ///< returns memory, or stores a pointer to it where its first argument points
  kFree,      ///< its first argument's memory ends
  kCopy,      ///< copies between the memory that two arguments point to
};

/// The option that a call sets.
enum class OptionSet : std::uint8_t { kNone, kDevice, kPinnedMemory, kRequiresGrad };

/// The effect of a call on the order of a device's work.
enum class Orders : std::uint8_t {
  kNone,
  kMakesStream,
  kRecordsEvent,  ///< the event comes after what is on the stream now
  kAwaitsEvent,   ///< what is put on the stream from now on comes after the event
};

/// The effect of a call on the receiver's gradient.
enum class GradientEffect : std::uint8_t {
  kNone,
  kSets,     ///< switches collecting it on or off
  kRetains,  ///< keeps it of what is no leaf too
};

/// A result by which other code can change the object that the call was given.
enum class HandsOut : std::uint8_t {
  kNothing,
  kObject,    ///< the object itself: std::ref
  kElements,  ///< iterators to its elements
  kMemory,    ///< a pointer to its elements, which lie side by side
};

/// A result that ends with the call's receiver.
enum class PointsInto : std::uint8_t {
  kNone,
  kData,      ///< a pointer to the data: for the host to read, or to pass on
  kHostData,  ///< an accessor that reads the data on the host
  kShape,     ///< a view of the sizes
};

enum class Requirement : std::uint8_t {
  kNone,
  kSameDevice,
  kCuda,
  kHost,  ///< follows the pointers that it is given, on the host
  kLeaf,  ///< wants tensors that collect their gradients
};

/// Where a name comes from, and what it must be found in.
struct ModelRow {
  std::string name;     ///< qualified, namespaces expanded
  std::string library;  ///< of the file that was loaded, not of one that it includes
  std::string file;     ///< the model file
  unsigned line = 0;    ///< its row
  std::string base;     ///< its entry in the row's `names`
  std::string scope;    ///< its entry in the row's `on`
  std::string header;   ///< the header that declares it, if the library's main ones do not
  std::string since, until, doc;
  bool may_lack = false;  ///< of a file of which the library has only a part

  /// `*` or `*_`: for all functions of its scope that have no row of their own.
  bool general() const { return base.starts_with('*'); }
};

/// cudaMemcpyKind.
enum class Direction : std::uint8_t {
  kUnknown,
  kHostToHost,
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice
};

/// Data that a call changes although it is not given it.
enum class OthersWritten : std::uint8_t { kNone, kGivenBefore, kEverything };

struct TypeModel : ModelRow {
  TypeRole role = TypeRole::kNone;
  GuardEffect guard = GuardEffect::kNone;
  std::vector<std::string> forward;  ///< of modules: the methods that calling one runs
  std::vector<std::string> fetch;    ///< of loaders: the methods that its dataset makes batches by
  /// Of devices: the enumerators and the texts that name one.
  std::vector<std::string> cpu, cuda;
  std::vector<std::string> members;  ///< of tuples: the fields that are its parts, in turn
  bool contiguous = false;           ///< of lists: plain elements lie side by side
  bool device = false;  ///< of pointers and contiguous lists: what they hold is on a device
};

struct FunctionModel : ModelRow {
  CallKind kind = CallKind::kPlain;
  Requirement requires_ = Requirement::kNone;
  /// Positions (from 0) of the arguments that `requires_` speaks of; the receiver always takes
  /// part. Empty: every tensor argument, elements of lists included. Of kCopy: the destination and
  /// the source.
  std::vector<unsigned> operands;
  std::optional<unsigned> bytes;        ///< of kAllocate and kCopy: the argument that says how many
  std::optional<unsigned> rows;         ///< of kCopy: how many times so many, one beside the other
  std::optional<unsigned> direction;    ///< of kCopy: the argument that says from where to where
  Direction way = Direction::kUnknown;  ///< likewise, where the function's name says it
  /// Of kCopy: which argument names a variable of the devices; where in that it begins, in bytes.
  std::optional<unsigned> symbol, offset;
  /// The arguments that are the stream on which it works, or for which it waits; the event; of
  /// what makes a stream, its flags.
  std::optional<unsigned> stream, event, flags;
  Orders orders = Orders::kNone;
  bool asynchronous = false;  ///< of kCopy: may return before the copy is done; of
                              ///< kAllocate: from a pool, in the order of a stream
  bool zero_dim_cpu = false;  ///< a CPU tensor of no dimensions may meet CUDA tensors
  Placement result = Placement::kUnknown;
  RankEffect rank = RankEffect::kUnknown;
  bool view = false;    ///< the result shares the receiver's (or first tensor's) data
  bool writes = false;  ///< changes the receiver's (or first tensor's) data
  OthersWritten writes_others = OthersWritten::kNone;
  bool exposes = false;  ///< others may write to the receiver's (or the result's) data from now on
  bool reseats =
      false;           ///< gives the receiver other data: modules that hold it may be elsewhere now
  bool parts = false;  ///< returns modules that are parts of the receiver, or iterators to them
  bool indexes = false;        ///< takes indices: those of a tensor on the CPU must be there too
  bool syncs = false;          ///< waits for the device that the receiver is on, and reads it
  bool pins = false;           ///< the result is in pinned memory
  bool unpins = false;         ///< the memory that it is given is not pinned any more
  bool managed = false;        ///< the result is in managed memory
  bool float_default = false;  ///< makes float32 unless told otherwise
  bool keeps_element = false;  ///< the result has the receiver's element type
  bool random = false;         ///< each device makes other values
  bool asks_time = false;
  bool at_once = false;       ///< waits for no device
  bool reads_ranges = false;  ///< only reads through the iterators that it is given
  bool references = false;    ///< of kTuple: of references, to which a tuple may be assigned
  OptionSet sets = OptionSet::kNone;
  GradientEffect gradient = GradientEffect::kNone;
  HandsOut hands_out = HandsOut::kNothing;
  std::string non_blocking_if;    ///< the parameter that makes a transfer asynchronous
  std::string copies_if;          ///< the parameter that makes it copy in any case
  std::vector<std::string> dims;  ///< the parameters that say of which dimension
  PointsInto points_into = PointsInto::kNone;
  bool module_forward = false;  ///< the receiver module's parameters are operands
  bool module_parts = false;    ///< the receiver is as strict as the modules it was made of
  std::string discard;  ///< what a person loses by dropping the result; empty: nothing to say
  std::optional<unsigned> min_args, max_args;
};

/// The facts about a library that --check-models needs.
struct LibraryModel {
  std::string name;
  std::vector<std::string> headers;         ///< the main ones, as a user includes them
  std::vector<std::string> version_macros;  ///< of the major and the minor number
};

class ModelSet {
 public:
  /// The models of rules/models, compiled in.
  static llvm::Expected<ModelSet> builtin();

  /// Adds a file; an error names it and the line. Rows of later files win over earlier ones.
  llvm::Error add_file(const std::string& path);
  llvm::Error add_text(llvm::StringRef text, const std::string& name);

  /// The row for a function and a number of arguments; null if there is none.
  const FunctionModel* find(llvm::StringRef qualified_name, unsigned args) const;
  /// The row `*` (for names that end in `_`: `*_`) of the function's scope; null if there is none.
  const FunctionModel* find_general(llvm::StringRef qualified_name) const;
  /// Null: there is no row for the class.
  const TypeModel* type(llvm::StringRef qualified_name) const;
  TypeRole type_role(llvm::StringRef qualified_name) const;

  /// True for namespaces whose functions leave tensor arguments as they are, unless their name ends
  /// as the file's `in_place` says.
  bool is_library_namespace(llvm::StringRef qualified_namespace) const;
  /// The function is of such a namespace, and its name says that it changes its first tensor.
  bool in_place(llvm::StringRef qualified_name) const;

  /// Calling some library's module runs the method of this name.
  bool is_forward(llvm::StringRef name) const { return forward_.contains(name); }
  /// The row of the method that calling such a module runs; null: there is none.
  const FunctionModel* forward_of(llvm::StringRef qualified_class) const;
  /// Some row says that a method of the class adds parts to it.
  bool registers_parts(llvm::StringRef qualified_class) const {
    return registering_.contains(qualified_class);
  }
  /// An enumerator or a text that names the CPU, or CUDA.
  bool names_cpu(llvm::StringRef word) const { return cpu_.contains(word); }
  bool names_cuda(llvm::StringRef word) const { return cuda_.contains(word); }

  const std::vector<FunctionModel>& functions() const { return functions_; }
  const std::vector<TypeModel>& types() const { return types_; }
  const std::vector<LibraryModel>& libraries() const { return libraries_; }

 private:
  std::vector<LibraryModel> libraries_;
  std::vector<FunctionModel> functions_;
  llvm::StringMap<std::vector<unsigned>> by_name_;
  std::vector<TypeModel> types_;
  llvm::StringMap<unsigned> type_by_name_;
  struct Namespace {
    std::string name;
    std::vector<std::string> in_place;  ///< ends of names
  };
  std::vector<Namespace> namespaces_;
  llvm::StringSet<> forward_, cpu_, cuda_, registering_;

  const std::string* in_place_end(llvm::StringRef qualified_name) const;
};

}  // namespace xfer::analyzer
