#include "analyzer/api_models.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/VersionTuple.h>
#include <llvm/Support/YAMLTraits.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/builtin_models.h"

namespace xfer::analyzer {
namespace {

struct TypeRow {
  std::vector<std::string> names;
  TypeModel model;
};

struct FunctionRow {
  std::vector<std::string> names;
  std::vector<std::string> on;
  FunctionModel model;
  int min_args = -1;
  int max_args = -1;
};

struct ModelFile {
  std::string library;
  std::vector<std::string> headers;
  std::vector<std::string> version;
  std::vector<std::string> include;
  std::vector<std::string> include_part;
  std::map<std::string, std::vector<std::string>> variables;
  std::vector<std::string> namespaces;
  std::vector<TypeRow> types;
  std::vector<FunctionRow> functions;
};

using Variables = std::map<std::string, std::vector<std::string>>;

}  // namespace
}  // namespace xfer::analyzer

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
    io.enumCase(value, "tuple", TypeRole::kTuple);
    io.enumCase(value, "pointer", TypeRole::kPointer);
    io.enumCase(value, "wrapper", TypeRole::kWrapper);
    io.enumCase(value, "loader", TypeRole::kLoader);
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
    io.enumCase(value, "from_data", RankEffect::kFromData);
    io.enumCase(value, "zero_if_no_dims", RankEffect::kZeroIfNoDims);
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
    io.enumCase(value, "device_choice", CallKind::kDeviceChoice);
    io.enumCase(value, "device", CallKind::kDevice);
    io.enumCase(value, "options", CallKind::kOptions);
    io.enumCase(value, "set_device", CallKind::kSetDevice);
    io.enumCase(value, "synchronize", CallKind::kSynchronize);
    io.enumCase(value, "pass", CallKind::kPass);
    io.enumCase(value, "append", CallKind::kAppend);
    io.enumCase(value, "element", CallKind::kElement);
    io.enumCase(value, "tuple", CallKind::kTuple);
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

/// What every row says of itself; the context is the text that is read.
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
    io.mapOptional("zero_dim_cpu", row.model.zero_dim_cpu);
    io.mapOptional("result", row.model.result);
    io.mapOptional("rank", row.model.rank);
    io.mapOptional("view", row.model.view);
    io.mapOptional("writes", row.model.writes);
    io.mapOptional("exposes", row.model.exposes);
    io.mapOptional("syncs", row.model.syncs);
    io.mapOptional("pins", row.model.pins);
    io.mapOptional("float_default", row.model.float_default);
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
    io.mapOptional("types", file.types);
    io.mapOptional("functions", file.functions);
  }
};

}  // namespace llvm::yaml

namespace xfer::analyzer {
namespace {

llvm::Error error(const llvm::Twine& text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// `$name` at the start of a text is replaced by each of the variable's values.
llvm::Expected<std::vector<std::string>> expand(const std::string& text, const Variables& variables,
                                                const llvm::Twine& where) {
  if (text.empty() || text[0] != '$') return std::vector<std::string>{text};
  const std::size_t end = std::min(text.find("::"), text.size());
  const auto variable = variables.find(text.substr(1, end - 1));
  if (variable == variables.end())
    return error(where + ": no variable " + text.substr(0, end) + " in this library's file");
  std::vector<std::string> names;
  for (const std::string& value : variable->second) names.push_back(value + text.substr(end));
  return names;
}

llvm::Expected<ModelFile> parse(llvm::StringRef text, const std::string& name) {
  std::string message;
  const auto handler = [](const llvm::SMDiagnostic& diagnostic, void* out) {
    std::string& first = *static_cast<std::string*>(out);
    if (!first.empty()) return;
    std::string what = diagnostic.getMessage().str();
    if (what == "unknown enumerated scalar") {
      const llvm::StringRef rest =
          diagnostic.getLineContents().drop_front(static_cast<unsigned>(diagnostic.getColumnNo()));
      what = "`" + rest.take_until([](char c) { return c == ',' || c == '}' || c == ' '; }).str() +
             "` is none of the values that this key takes (see rules/models/SCHEMA.md)";
    }
    first = (diagnostic.getFilename() + ":" + llvm::Twine(diagnostic.getLineNo()) + ":" +
            llvm::Twine(diagnostic.getColumnNo() + 1) + ": " + what)
               .str();
  };
  const llvm::MemoryBufferRef buffer(text, name);
  llvm::yaml::Input input(buffer, const_cast<char*>(text.data()), handler, &message);
  ModelFile file;
  input >> file;
  if (input.error()) return error(message.empty() ? name + ": not a model file" : message);
  return file;
}

/// The text of an included file: beside the including one, else compiled in.
llvm::Expected<std::string> read_include(const std::string& from, const std::string& name) {
  llvm::SmallString<128> path(llvm::sys::path::parent_path(from));
  llvm::sys::path::append(path, name);
  if (auto buffer = llvm::MemoryBuffer::getFile(path)) return (*buffer)->getBuffer().str();
  for (const BuiltinModel& model : kBuiltinModels)
    if (name == model.name) return std::string(model.text);
  return error(llvm::Twine(from) + ": cannot read the included file " + name);
}

}  // namespace

llvm::Expected<ModelSet> ModelSet::builtin() {
  ModelSet set;
  for (const BuiltinModel& model : kBuiltinModels) {
    if (!model.library) continue;
    if (llvm::Error failure = set.add_text(std::string(model.text), model.name))
      return failure;
  }
  return set;
}

llvm::Error ModelSet::add_file(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return error(llvm::Twine(path) + ": " + buffer.getError().message());
  return add_text((*buffer)->getBuffer(), path);
}

llvm::Error ModelSet::add_text(llvm::StringRef text, const std::string& name) {
  llvm::Expected<ModelFile> main = parse(text, name);
  if (!main) return main.takeError();
  if (!main->version.empty() && main->version.size() != 2)
    return error(llvm::Twine(name) + ": version: the macros of the major and the minor number");
  struct Part {
    std::string name;
    ModelFile file;
    bool may_lack = false;
  };
  std::vector<Part> parts;
  for (const bool may_lack : {false, true})
    for (const std::string& include : may_lack ? main->include_part : main->include) {
      llvm::Expected<std::string> included = read_include(name, include);
      if (!included) return included.takeError();
      llvm::Expected<ModelFile> file = parse(*included, include);
      if (!file) return file.takeError();
      parts.push_back({include, std::move(*file), may_lack});
    }
  const Variables variables = main->variables;
  const std::string library = main->library;
  libraries_.push_back({library, main->headers, main->version});
  parts.push_back({name, std::move(*main)});

  for (auto& [file_name, file, may_lack] : parts) {
    for (const std::string& ns : file.namespaces) {
      auto expanded = expand(ns, variables, file_name);
      if (!expanded) return expanded.takeError();
      namespaces_.insert(namespaces_.end(), expanded->begin(), expanded->end());
    }
    const auto place = [&, &file_name = file_name, may_lack = may_lack](
                           ModelRow& row) -> llvm::Expected<std::string> {
      const std::string where = file_name + ":" + std::to_string(row.line);
      row.file = file_name;
      row.library = library;
      row.may_lack = may_lack;
      for (const std::string& version : {row.since, row.until})
        if (llvm::VersionTuple parsed; !version.empty() && parsed.tryParse(version))
          return error(where + ": '" + version + "' is no version");
      return where;
    };
    for (TypeRow& row : file.types) {
      auto where = place(row.model);
      if (!where) return where.takeError();
      for (const std::string& type : row.names) {
        auto expanded = expand(type, variables, *where);
        if (!expanded) return expanded.takeError();
        for (const std::string& each : *expanded) {
          role_by_name_[each] = row.model.role;
          types_.push_back(row.model);
          types_.back().name = each;
          types_.back().base = type;
        }
      }
    }
    for (FunctionRow& row : file.functions) {
      auto where = place(row.model);
      if (!where) return where.takeError();
      if (row.min_args >= 0) row.model.min_args = static_cast<unsigned>(row.min_args);
      if (row.max_args >= 0) row.model.max_args = static_cast<unsigned>(row.max_args);
      std::vector<std::string> scopes = row.on.empty() ? std::vector<std::string>{""} : row.on;
      for (const std::string& scope : scopes)
        for (const std::string& base : row.names) {
          auto expanded = expand(scope.empty() ? base : scope + "::" + base, variables, *where);
          if (!expanded) return expanded.takeError();
          for (const std::string& each : *expanded) {
            by_name_[each].push_back(static_cast<unsigned>(functions_.size()));
            functions_.push_back(row.model);
            functions_.back().name = each;
            functions_.back().base = base;
            functions_.back().scope = scope;
          }
        }
    }
  }
  return llvm::Error::success();
}

const FunctionModel* ModelSet::find(llvm::StringRef qualified_name, unsigned args) const {
  const auto rows = by_name_.find(qualified_name);
  if (rows == by_name_.end()) return nullptr;
  for (auto index = rows->second.rbegin(); index != rows->second.rend(); ++index) {
    const FunctionModel& model = functions_[*index];
    if (model.min_args && args < *model.min_args) continue;
    if (model.max_args && args > *model.max_args) continue;
    return &model;
  }
  return nullptr;
}

TypeRole ModelSet::type_role(llvm::StringRef qualified_name) const {
  const auto role = role_by_name_.find(qualified_name);
  return role == role_by_name_.end() ? TypeRole::kNone : role->second;
}

bool ModelSet::is_library_namespace(llvm::StringRef qualified_namespace) const {
  return std::any_of(namespaces_.begin(), namespaces_.end(), [&](const std::string& ns) {
    return qualified_namespace == ns || qualified_namespace.starts_with(ns + "::");
  });
}

}  // namespace xfer::analyzer
