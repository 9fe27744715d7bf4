#include "analyzer/models/api_models.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VersionTuple.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/models/builtin_models.h"
#include "analyzer/models/model_yaml.h"

namespace xfer::analyzer {
namespace {

using Variables = std::map<std::string, std::vector<std::string>>;

/// `$name` at the start of a text, before `::` or its end, and `${name}` there before anything, is
/// replaced by each of the variable's values.
llvm::Expected<std::vector<std::string>> expand(const std::string& text, const Variables& variables,
                                                const llvm::Twine& location) {
  if (text.empty() || text[0] != '$') return std::vector<std::string>{text};
  const bool braced = text.starts_with("${");
  const std::size_t closing = text.find('}');
  if (braced && closing == std::string::npos)
    return model_error(location + ": a { in " + text + " is not closed");
  const std::size_t end = braced ? closing + 1 : std::min(text.find("::"), text.size());
  const auto variable =
      variables.find(braced ? text.substr(2, closing - 2) : text.substr(1, end - 1));
  if (variable == variables.end())
    return model_error(location + ": no variable " + text.substr(0, end) +
                       " in this library's file");
  std::vector<std::string> names;
  for (const std::string& value : variable->second) names.push_back(value + text.substr(end));
  return names;
}

/// "team.yaml:3": the line of a file in which `word` comes first.
std::string place_of(const std::string& file, llvm::StringRef text, llvm::StringRef word) {
  const std::size_t at = text.find(word);
  return file + ":" +
         std::to_string(1 + text.take_front(at == llvm::StringRef::npos ? 0 : at).count('\n'));
}

/// Whether a row agrees with itself.
llvm::Error check(const ModelRow& row, const std::string& location) {
  llvm::VersionTuple since, until;
  for (const auto& [text, version] : {std::pair(&row.since, &since), std::pair(&row.until, &until)})
    if (!text->empty() && version->tryParse(*text))
      return model_error(location + ": '" + *text + "' is not a version");
  if (!row.until.empty() && until < since)
    return model_error(location + ": since " + row.since + " is later than until " + row.until);
  return llvm::Error::success();
}

llvm::Error check(const FunctionRow& row, const std::string& location) {
  if (llvm::Error wrong = check(row.model, location)) return wrong;
  if (row.min_args < -1 || row.max_args < -1)
    return model_error(location + ": min_args and max_args are numbers from 0");
  if (row.max_args >= 0 && row.min_args > row.max_args)
    return model_error(location + ": min_args is larger than max_args, so no call is meant");
  return llvm::Error::success();
}

/// A key that only one role takes, with another one.
llvm::Error check(const TypeRow& row, const std::string& location) {
  const TypeModel& type = row.model;
  if (llvm::Error wrong = check(static_cast<const ModelRow&>(type), location)) return wrong;
  const std::tuple<bool, const char*, TypeRole> keys[] = {
      {type.guard != GuardEffect::kNone, "guard", TypeRole::kGuard},
      {!type.fetch.empty(), "fetch", TypeRole::kLoader},
      {!type.cpu.empty() || !type.cuda.empty(), "cpu and cuda", TypeRole::kDevice},
      {!type.members.empty(), "members", TypeRole::kTuple},
      {type.contiguous, "contiguous", TypeRole::kList},
  };
  for (const auto& [given, key, role] : keys)
    if (given && type.role != role)
      return model_error(location + ": " + key + " is not a key of a type of this role");
  if (type.device && type.role != TypeRole::kPointer && !type.contiguous)
    return model_error(location + ": device is a key of pointers and of contiguous lists");
  const bool module = type.role == TypeRole::kModule || type.role == TypeRole::kModuleHandle;
  if (!type.forward.empty() && !module)
    return model_error(location + ": forward is not a key of a type of this role");
  if (type.role == TypeRole::kGuard && type.guard == GuardEffect::kNone)
    return model_error(location + ": a guard needs the key guard");
  return llvm::Error::success();
}

bool is_in(llvm::StringRef scope, llvm::StringRef ns) {
  return scope.consume_front(ns) && (scope.empty() || scope.starts_with("::"));
}

/// The text of an included file: beside the including one, else compiled in.
llvm::Expected<std::string> read_include(const std::string& from, llvm::StringRef text,
                                         const std::string& name) {
  llvm::SmallString<128> path(llvm::sys::path::parent_path(from));
  llvm::sys::path::append(path, name);
  if (auto buffer = llvm::MemoryBuffer::getFile(path)) return (*buffer)->getBuffer().str();
  for (const BuiltinModel& model : kBuiltinModels)
    if (name == model.name) return std::string(model.text);
  return model_error(place_of(from, text, name) + ": cannot read the included file " + name);
}

}  // namespace

llvm::Expected<ModelSet> ModelSet::builtin() {
  ModelSet set;
  for (const BuiltinModel& model : kBuiltinModels) {
    if (!model.library) continue;
    if (llvm::Error failure = set.add_text(std::string(model.text), model.name)) return failure;
  }
  return set;
}

llvm::Error ModelSet::add_file(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return model_error(llvm::Twine(path) + ": " + buffer.getError().message());
  return add_text((*buffer)->getBuffer(), path);
}

llvm::Error ModelSet::add_text(llvm::StringRef text, const std::string& name) {
  llvm::Expected<ModelFile> main = parse_model_file(text, name);
  if (!main) return main.takeError();
  if (!main->version.empty() && main->version.size() != 2)
    return model_error(
        place_of(name, text, "version") +
        ": version takes the macros of the major and the minor number: [OURS_MAJOR, OURS_MINOR]");
  struct Part {
    std::string name;
    std::string text;
    ModelFile file;
    bool may_lack = false;
  };
  std::vector<Part> parts;
  for (const bool may_lack : {false, true})
    for (const std::string& include : may_lack ? main->include_part : main->include) {
      llvm::Expected<std::string> included = read_include(name, text, include);
      if (!included) return included.takeError();
      llvm::Expected<ModelFile> file = parse_model_file(*included, include);
      if (!file) return file.takeError();
      parts.push_back({include, std::move(*included), std::move(*file), may_lack});
    }
  const Variables variables = main->variables;
  const std::string library = main->library;
  libraries_.push_back({library, main->headers, main->version});
  parts.push_back({name, text.str(), std::move(*main)});

  for (auto& [file_name, file_text, file, may_lack] : parts) {
    for (const std::string& ns : file.namespaces) {
      auto expanded = expand(ns, variables, place_of(file_name, file_text, ns));
      if (!expanded) return expanded.takeError();
      for (const std::string& each : *expanded) namespaces_.push_back({each, file.in_place});
    }
    const auto place = [&, &file_name = file_name, may_lack = may_lack](ModelRow& row) {
      row.file = file_name;
      row.library = library;
      row.may_lack = may_lack;
      return file_name + ":" + std::to_string(row.line);
    };
    for (TypeRow& row : file.types) {
      const std::string location = place(row.model);
      if (llvm::Error wrong = check(row, location)) return wrong;
      forward_.insert_range(row.model.forward);
      cpu_.insert_range(row.model.cpu);
      cuda_.insert_range(row.model.cuda);
      for (const std::string& type : row.names) {
        auto expanded = expand(type, variables, location);
        if (!expanded) return expanded.takeError();
        for (const std::string& each : *expanded) {
          type_by_name_[each] = static_cast<unsigned>(types_.size());
          types_.push_back(row.model);
          types_.back().name = each;
          types_.back().base = type;
        }
      }
    }
    for (FunctionRow& row : file.functions) {
      const std::string location = place(row.model);
      if (llvm::Error wrong = check(row, location)) return wrong;
      if (row.min_args >= 0) row.model.min_args = static_cast<unsigned>(row.min_args);
      if (row.max_args >= 0) row.model.max_args = static_cast<unsigned>(row.max_args);
      std::vector<std::string> scopes = row.on.empty() ? std::vector<std::string>{""} : row.on;
      for (const std::string& scope : scopes)
        for (const std::string& base : row.names) {
          auto expanded = expand(scope.empty() ? base : scope + "::" + base, variables, location);
          if (!expanded) return expanded.takeError();
          for (const std::string& each : *expanded) {
            by_name_[each].push_back(static_cast<unsigned>(functions_.size()));
            if (row.model.kind == CallKind::kRegister)
              registering_.insert(llvm::StringRef(each).rsplit("::").first);
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

const FunctionModel* ModelSet::find_general(llvm::StringRef qualified_name) const {
  const std::size_t end = qualified_name.rfind("::");
  if (end == llvm::StringRef::npos) return nullptr;
  const std::string* changes = in_place_end(qualified_name);
  return find((qualified_name.take_front(end) + "::*" + (changes == nullptr ? "" : *changes)).str(),
              0);
}

const TypeModel* ModelSet::type(llvm::StringRef qualified_name) const {
  const auto found = type_by_name_.find(qualified_name);
  return found == type_by_name_.end() ? nullptr : &types_[found->second];
}

TypeRole ModelSet::type_role(llvm::StringRef qualified_name) const {
  const TypeModel* found = type(qualified_name);
  return found == nullptr ? TypeRole::kNone : found->role;
}

bool ModelSet::is_library_namespace(llvm::StringRef qualified_namespace) const {
  return std::any_of(namespaces_.begin(), namespaces_.end(), [&](const Namespace& known) {
    return is_in(qualified_namespace, known.name);
  });
}

bool ModelSet::in_place(llvm::StringRef qualified_name) const {
  return in_place_end(qualified_name) != nullptr;
}

const std::string* ModelSet::in_place_end(llvm::StringRef qualified_name) const {
  const auto [scope, name] = qualified_name.rsplit("::");
  if (name.ends_with("__")) return nullptr;  // `__and__`
  for (const Namespace& known : namespaces_)
    if (is_in(scope, known.name))
      for (const std::string& end : known.in_place)
        if (name.ends_with(end)) return &end;
  return nullptr;
}

const FunctionModel* ModelSet::forward_of(llvm::StringRef qualified_class) const {
  for (const auto& name : forward_)
    if (const FunctionModel* row = find((qualified_class + "::" + name.getKey()).str(), 1))
      return row;
  return nullptr;
}

}  // namespace xfer::analyzer
