#include "analyzer/models/model_yaml.h"

#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLTraits.h>

#include <algorithm>

LLVM_YAML_IS_SEQUENCE_VECTOR(xfer::analyzer::TypeRow)
LLVM_YAML_IS_SEQUENCE_VECTOR(xfer::analyzer::FunctionRow)

namespace llvm::yaml {

using namespace xfer::analyzer;  // NOLINT(google-build-using-namespace): traits of those types

template <>
struct ScalarEnumerationTraits<TypeRole> {
  static void enumeration(IO& io, TypeRole& value) {
    io.enumCase(value, "tensor", TypeRole::kTensor);
    io.enumCase(value, "module", TypeRole::kModule);
    io.enumCase(value, "module_handle", TypeRole::kModuleHandle);
    io.enumCase(value, "device", TypeRole::kDevice);
    io.enumCase(value, "options", TypeRole::kOptions);
    io.enumCase(value, "index", TypeRole::kIndex);
    io.enumCase(value, "scalar_type", TypeRole::kScalarType);
    io.enumCase(value, "list", TypeRole::kList);
    io.enumCase(value, "map", TypeRole::kMap);
    io.enumCase(value, "tuple", TypeRole::kTuple);
    io.enumCase(value, "pointer", TypeRole::kPointer);
    io.enumCase(value, "address", TypeRole::kAddress);
    io.enumCase(value, "wrapper", TypeRole::kWrapper);
    io.enumCase(value, "loader", TypeRole::kLoader);
    io.enumCase(value, "guard", TypeRole::kGuard);
    io.enumCase(value, "slice", TypeRole::kSlice);
    io.enumCase(value, "test", TypeRole::kTest);
  }
};

template <>
struct ScalarEnumerationTraits<Direction> {
  static void enumeration(IO& io, Direction& value) {
    io.enumCase(value, "host_to_host", Direction::kHostToHost);
    io.enumCase(value, "host_to_device", Direction::kHostToDevice);
    io.enumCase(value, "device_to_host", Direction::kDeviceToHost);
    io.enumCase(value, "device_to_device", Direction::kDeviceToDevice);
  }
};

template <>
struct ScalarEnumerationTraits<GuardEffect> {
  static void enumeration(IO& io, GuardEffect& value) {
    io.enumCase(value, "gradients_off", GuardEffect::kGradientsOff);
    io.enumCase(value, "current_device", GuardEffect::kCurrentDevice);
    io.enumCase(value, "default_place", GuardEffect::kDefaultPlace);
  }
};

template <>
struct ScalarEnumerationTraits<Orders> {
  static void enumeration(IO& io, Orders& value) {
    io.enumCase(value, "makes_stream", Orders::kMakesStream);
    io.enumCase(value, "records_event", Orders::kRecordsEvent);
    io.enumCase(value, "awaits_event", Orders::kAwaitsEvent);
  }
};

template <>
struct ScalarEnumerationTraits<OptionSet> {
  static void enumeration(IO& io, OptionSet& value) {
    io.enumCase(value, "device", OptionSet::kDevice);
    io.enumCase(value, "pinned_memory", OptionSet::kPinnedMemory);
    io.enumCase(value, "requires_grad", OptionSet::kRequiresGrad);
  }
};

template <>
struct ScalarEnumerationTraits<GradientEffect> {
  static void enumeration(IO& io, GradientEffect& value) {
    io.enumCase(value, "sets", GradientEffect::kSets);
    io.enumCase(value, "retains", GradientEffect::kRetains);
  }
};

template <>
struct ScalarEnumerationTraits<HandsOut> {
  static void enumeration(IO& io, HandsOut& value) {
    io.enumCase(value, "object", HandsOut::kObject);
    io.enumCase(value, "elements", HandsOut::kElements);
    io.enumCase(value, "memory", HandsOut::kMemory);
  }
};

template <>
struct ScalarEnumerationTraits<Placement> {
  static void enumeration(IO& io, Placement& value) {
    io.enumCase(value, "unknown", Placement::kUnknown);
    io.enumCase(value, "cpu", Placement::kCpu);
    io.enumCase(value, "cuda", Placement::kCuda);
    io.enumCase(value, "self", Placement::kSelf);
    io.enumCase(value, "operands", Placement::kOperands);
    io.enumCase(value, "first", Placement::kFirst);
    io.enumCase(value, "arguments", Placement::kArguments);
    io.enumCase(value, "arguments_or_first", Placement::kArgumentsOrFirst);
    io.enumCase(value, "common", Placement::kCommon);
  }
};

template <>
struct ScalarEnumerationTraits<RankEffect> {
  static void enumeration(IO& io, RankEffect& value) {
    io.enumCase(value, "unknown", RankEffect::kUnknown);
    io.enumCase(value, "zero", RankEffect::kZero);
    io.enumCase(value, "non_zero", RankEffect::kNonZero);
    io.enumCase(value, "operands", RankEffect::kOperands);
    io.enumCase(value, "self", RankEffect::kSelf);
    io.enumCase(value, "from_sizes", RankEffect::kFromSizes);
    io.enumCase(value, "from_indices", RankEffect::kFromIndices);
    io.enumCase(value, "reshaped", RankEffect::kReshaped);
    io.enumCase(value, "from_data", RankEffect::kFromData);
    io.enumCase(value, "zero_if_no_dims", RankEffect::kZeroIfNoDims);
  }
};

template <>
struct ScalarEnumerationTraits<OthersWritten> {
  static void enumeration(IO& io, OthersWritten& value) {
    io.enumCase(value, "given_before", OthersWritten::kGivenBefore);
    io.enumCase(value, "everything", OthersWritten::kEverything);
  }
};

template <>
struct ScalarEnumerationTraits<CallKind> {
  static void enumeration(IO& io, CallKind& value) {
    io.enumCase(value, "plain", CallKind::kPlain);
    io.enumCase(value, "transfer", CallKind::kTransfer);
    io.enumCase(value, "move", CallKind::kMove);
    io.enumCase(value, "register", CallKind::kRegister);
    io.enumCase(value, "make_handle", CallKind::kMakeHandle);
    io.enumCase(value, "device_query", CallKind::kDeviceQuery);
    io.enumCase(value, "presence", CallKind::kPresence);
    io.enumCase(value, "device_choice", CallKind::kDeviceChoice);
    io.enumCase(value, "device", CallKind::kDevice);
    io.enumCase(value, "options", CallKind::kOptions);
    io.enumCase(value, "set_device", CallKind::kSetDevice);
    io.enumCase(value, "set_index", CallKind::kSetIndex);
    io.enumCase(value, "synchronize", CallKind::kSynchronize);
    io.enumCase(value, "pass", CallKind::kPass);
    io.enumCase(value, "append", CallKind::kAppend);
    io.enumCase(value, "load", CallKind::kLoad);
    io.enumCase(value, "element", CallKind::kElement);
    io.enumCase(value, "tuple", CallKind::kTuple);
    io.enumCase(value, "tie", CallKind::kTie);
    io.enumCase(value, "fresh", CallKind::kFresh);
    io.enumCase(value, "open", CallKind::kOpen);
    io.enumCase(value, "allocate", CallKind::kAllocate);
    io.enumCase(value, "free", CallKind::kFree);
    io.enumCase(value, "copy", CallKind::kCopy);
  }
};

template <>
struct ScalarEnumerationTraits<PointsInto> {
  static void enumeration(IO& io, PointsInto& value) {
    io.enumCase(value, "data", PointsInto::kData);
    io.enumCase(value, "host_data", PointsInto::kHostData);
    io.enumCase(value, "shape", PointsInto::kShape);
  }
};

template <>
struct ScalarEnumerationTraits<Requirement> {
  static void enumeration(IO& io, Requirement& value) {
    io.enumCase(value, "none", Requirement::kNone);
    io.enumCase(value, "same_device", Requirement::kSameDevice);
    io.enumCase(value, "cuda", Requirement::kCuda);
    io.enumCase(value, "host", Requirement::kHost);
    io.enumCase(value, "leaf", Requirement::kLeaf);
  }
};

/// Reads the keys that every row may have; the context is the text that is read.
void map_row(IO& io, ModelRow& row, std::vector<std::string>& names) {
  if (const Node* node = static_cast<Input&>(io).getCurrentNode()) {
    const char* begin = static_cast<const char*>(io.getContext());
    row.line = 1 + static_cast<unsigned>(
                       std::count(begin, node->getSourceRange().Start.getPointer(), '\n'));
  }
  io.mapRequired("names", names);
  io.mapOptional("header", row.header);
  io.mapOptional("since", row.since);
  io.mapOptional("until", row.until);
  io.mapOptional("doc", row.doc);
}

template <>
struct MappingTraits<TypeRow> {
  static void mapping(IO& io, TypeRow& row) {
    map_row(io, row.model, row.names);
    io.mapRequired("role", row.model.role);
    io.mapOptional("guard", row.model.guard);
    io.mapOptional("forward", row.model.forward);
    io.mapOptional("fetch", row.model.fetch);
    io.mapOptional("cpu", row.model.cpu);
    io.mapOptional("cuda", row.model.cuda);
    io.mapOptional("members", row.model.members);
    io.mapOptional("contiguous", row.model.contiguous);
    io.mapOptional("device", row.model.device);
  }
};

template <>
struct MappingTraits<FunctionRow> {
  static void mapping(IO& io, FunctionRow& row) {
    map_row(io, row.model, row.names);
    io.mapOptional("on", row.on);
    io.mapOptional("kind", row.model.kind);
    io.mapOptional("requires", row.model.requires_);
    io.mapOptional("operands", row.model.operands);
    io.mapOptional("bytes", row.model.bytes);
    io.mapOptional("rows", row.model.rows);
    io.mapOptional("symbol", row.model.symbol);
    io.mapOptional("offset", row.model.offset);
    io.mapOptional("direction", row.model.direction);
    io.mapOptional("way", row.model.way);
    io.mapOptional("stream", row.model.stream);
    io.mapOptional("event", row.model.event);
    io.mapOptional("flags", row.model.flags);
    io.mapOptional("orders", row.model.orders);
    io.mapOptional("asynchronous", row.model.asynchronous);
    io.mapOptional("zero_dim_cpu", row.model.zero_dim_cpu);
    io.mapOptional("result", row.model.result);
    io.mapOptional("rank", row.model.rank);
    io.mapOptional("view", row.model.view);
    io.mapOptional("writes", row.model.writes);
    io.mapOptional("writes_others", row.model.writes_others);
    io.mapOptional("exposes", row.model.exposes);
    io.mapOptional("reseats", row.model.reseats);
    io.mapOptional("parts", row.model.parts);
    io.mapOptional("indexes", row.model.indexes);
    io.mapOptional("syncs", row.model.syncs);
    io.mapOptional("pins", row.model.pins);
    io.mapOptional("unpins", row.model.unpins);
    io.mapOptional("managed", row.model.managed);
    io.mapOptional("float_default", row.model.float_default);
    io.mapOptional("keeps_element", row.model.keeps_element);
    io.mapOptional("random", row.model.random);
    io.mapOptional("asks_time", row.model.asks_time);
    io.mapOptional("at_once", row.model.at_once);
    io.mapOptional("reads_ranges", row.model.reads_ranges);
    io.mapOptional("references", row.model.references);
    io.mapOptional("sets", row.model.sets);
    io.mapOptional("gradient", row.model.gradient);
    io.mapOptional("hands_out", row.model.hands_out);
    io.mapOptional("non_blocking_if", row.model.non_blocking_if);
    io.mapOptional("copies_if", row.model.copies_if);
    io.mapOptional("dims", row.model.dims);
    io.mapOptional("points_into", row.model.points_into);
    io.mapOptional("module_forward", row.model.module_forward);
    io.mapOptional("module_parts", row.model.module_parts);
    io.mapOptional("discard", row.model.discard);
    io.mapOptional("min_args", row.min_args);
    io.mapOptional("max_args", row.max_args);
  }
};

template <>
struct CustomMappingTraits<Variables> {
  static void inputOne(IO& io, StringRef key, Variables& variables) {
    io.mapRequired(key.str().c_str(), variables[key.str()]);
  }
  static void output(IO&, Variables&) {}
};

template <>
struct MappingTraits<ModelFile> {
  static void mapping(IO& io, ModelFile& file) {
    io.mapRequired("library", file.library);
    io.mapOptional("headers", file.headers);
    io.mapOptional("version", file.version);
    io.mapOptional("include", file.include);
    io.mapOptional("include_part", file.include_part);
    io.mapOptional("variables", file.variables);
    io.mapOptional("namespaces", file.namespaces);
    io.mapOptional("in_place", file.in_place);
    io.mapOptional("types", file.types);
    io.mapOptional("functions", file.functions);
  }
};

}  // namespace llvm::yaml

namespace xfer::analyzer {

llvm::Error model_error(const llvm::Twine& text) {
  const std::string whole = text.str();
  const std::size_t end = whole.find_first_of("\r\n");
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 whole.substr(0, end) + (end == std::string::npos ? "" : " ..."));
}

namespace {

/// The text of an error, without the place.
std::string complaint(const llvm::SMDiagnostic& diagnostic) {
  std::string what = diagnostic.getMessage().str();
  // Its scanner's texts begin with capitals; those of the mapping name our keys.
  if (!what.empty() && what.front() >= 'A' && what.front() <= 'Z')
    return "not YAML (see rules/models/SCHEMA.md)";
  if (what != "unknown enumerated scalar") return what;
  const llvm::StringRef rest =
      diagnostic.getLineContents().drop_front(static_cast<unsigned>(diagnostic.getColumnNo()));
  return "`" + rest.take_until([](char c) { return c == ',' || c == '}' || c == ' '; }).str() +
         "` is not a value of this key (see rules/models/SCHEMA.md)";
}

struct Complaint {
  std::string what, location;

  static void keep_first(const llvm::SMDiagnostic& diagnostic, void* context) {
    Complaint& first = *static_cast<Complaint*>(context);
    if (!first.what.empty()) return;
    first.what = complaint(diagnostic);
    first.location = (diagnostic.getFilename() + ":" + llvm::Twine(diagnostic.getLineNo()) + ":" +
                      llvm::Twine(diagnostic.getColumnNo() + 1) + ": ")
                         .str();
  }
};

/// `keys` in a model file of their own.
llvm::Expected<ModelFile> parse_keys(llvm::StringRef list, llvm::StringRef keys) {
  const std::string text =
      ("library: annotation\n" + list + ": [{names: [annotated], " + keys + "}]\n").str();
  Complaint first;
  const llvm::MemoryBufferRef buffer(text, "annotation");
  llvm::yaml::Input input(buffer, const_cast<char*>(text.data()), Complaint::keep_first, &first);
  ModelFile file;
  input >> file;
  if (input.error())
    return model_error(first.what.empty() ? "not keys of a model row" : first.what);
  // Keys that close the row and go on are none.
  if (file.types.size() + file.functions.size() != 1)
    return model_error("not keys of one model row");
  return file;
}

}  // namespace

llvm::Expected<ModelFile> parse_model_file(llvm::StringRef text, const std::string& name) {
  Complaint first;
  const llvm::MemoryBufferRef buffer(text, name);
  llvm::yaml::Input input(buffer, const_cast<char*>(text.data()), Complaint::keep_first, &first);
  ModelFile file;
  input >> file;
  if (input.error())
    return model_error(first.what.empty()
                           ? name + ":1: not a model file (see rules/models/SCHEMA.md)"
                           : first.location + first.what);
  return file;
}

llvm::Expected<FunctionModel> parse_function_keys(llvm::StringRef keys) {
  llvm::Expected<ModelFile> file = parse_keys("functions", keys);
  if (!file) return file.takeError();
  return file->functions.front().model;
}

llvm::Expected<TypeModel> parse_type_keys(llvm::StringRef keys) {
  llvm::Expected<ModelFile> file = parse_keys("types", keys);
  if (!file) return file.takeError();
  return file->types.front().model;
}

}  // namespace xfer::analyzer
