#pragma once
// A model file as it is written (see rules/models/SCHEMA.md), and the text of a row's keys alone,
// as an annotation in source gives it. The meaning of the keys is for api_models.h.

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <map>
#include <string>
#include <vector>

#include "analyzer/models/api_models.h"

namespace xfer::analyzer {

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
  std::vector<std::string> in_place = {"_", "_out"};  ///< ends of names
  std::vector<TypeRow> types;
  std::vector<FunctionRow> functions;
};

using Variables = std::map<std::string, std::vector<std::string>>;

/// One line, whatever of the file it quotes.
llvm::Error model_error(const llvm::Twine& text);

/// An error names the file, the line and the column.
llvm::Expected<ModelFile> parse_model_file(llvm::StringRef text, const std::string& name);

/// `keys` are those of one row without its names: "kind: transfer, result: cuda". An error says
/// what is wrong in them.
llvm::Expected<FunctionModel> parse_function_keys(llvm::StringRef keys);
llvm::Expected<TypeModel> parse_type_keys(llvm::StringRef keys);

}  // namespace xfer::analyzer
