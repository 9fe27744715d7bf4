#include "analyzer/facts/unreadable.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace xfer::analyzer {
namespace {

struct Token {
  clang::tok::TokenKind kind;
  llvm::StringRef text;
  unsigned offset;
};

/// Directives are one token each, a hash.
std::vector<Token> tokens_of(const clang::SourceManager& sources, clang::FileID file,
                             const clang::LangOptions& language) {
  std::vector<Token> tokens;
  const llvm::StringRef text = sources.getBufferData(file);
  clang::Lexer lexer(file, sources.getBufferOrFake(file), sources, language);
  bool directive = false;
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine()) directive = token.is(clang::tok::hash);
    if (directive && !token.is(clang::tok::hash)) continue;
    const unsigned offset = sources.getFileOffset(token.getLocation());
    tokens.push_back({token.getKind(), text.substr(offset, token.getLength()), offset});
  }
  return tokens;
}

/// Where statements start and end, by brackets alone: the AST has none of what did not parse.
class Statements {
 public:
  explicit Statements(const std::vector<Token>& tokens)
      : tokens_(tokens), start_(tokens.size()), depth_(tokens.size()) {
    std::size_t start = 0;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
      start_[index] = start;
      depth_[index] = open_.size();
      const clang::tok::TokenKind kind = tokens[index].kind;
      if (kind == clang::tok::l_brace)
        open_.push_back(opens_block(index, start) ? Bracket::kBlock : Bracket::kOther);
      if (kind == clang::tok::l_paren || kind == clang::tok::l_square)
        open_.push_back(Bracket::kOther);
      const bool closes = kind == clang::tok::r_brace || kind == clang::tok::r_paren ||
                          kind == clang::tok::r_square;
      if (closes && !open_.empty()) open_.pop_back();
      if (closes) depth_[index] = open_.size();
      const bool between = open_.empty() || open_.back() == Bracket::kBlock;
      if (between &&
          (kind == clang::tok::semi || kind == clang::tok::l_brace || kind == clang::tok::r_brace))
        start = index + 1;
    }
  }

  /// The statement around a token, with the block or the other branch that belongs to it.
  std::pair<std::size_t, std::size_t> around(std::size_t token) const {
    const std::size_t first = start_[token];
    const std::size_t depth = first < depth_.size() ? depth_[first] : 0;
    std::size_t last = token;
    for (; last < tokens_.size(); ++last) {
      if (depth_[last] > depth) continue;
      const clang::tok::TokenKind kind = tokens_[last].kind;
      // The block around ends.
      if (depth_[last] < depth) break;
      const bool done =
          kind == clang::tok::semi || (kind == clang::tok::r_brace && start_[last] > first);
      if (done && !goes_on(last + 1)) return {first, last + 1};
      if (kind == clang::tok::l_brace && declares(first)) break;
    }
    return {first, last};
  }

 private:
  enum class Bracket : std::uint8_t { kBlock, kOther };

  bool declares(std::size_t first) const {
    const llvm::StringRef text = tokens_[first].text;
    return text == "class" || text == "struct" || text == "namespace" || text == "enum" ||
           text == "union" || text == "extern" || text == "template" || text == "inline";
  }
  bool goes_on(std::size_t index) const {
    if (index >= tokens_.size()) return false;
    const llvm::StringRef text = tokens_[index].text;
    return text == "else" || text == "while" || text == "catch";
  }
  /// A brace opens a block, not a list of values.
  bool opens_block(std::size_t index, std::size_t start) const {
    if (!open_.empty() && open_.back() == Bracket::kOther) return false;
    if (index == start || index == 0 || declares(start)) return true;
    const Token& before = tokens_[index - 1];
    if (before.kind == clang::tok::r_paren || before.kind == clang::tok::r_brace) return true;
    const llvm::StringRef text = before.text;
    return text == "else" || text == "do" || text == "try" || text == "const" ||
           text == "override" || text == "final" || text == "noexcept" || text == "mutable";
  }

  const std::vector<Token>& tokens_;
  std::vector<std::size_t> start_;  ///< of each token: the first token of its statement
  std::vector<std::size_t> depth_;  ///< of each token: how many brackets are open around it
  std::vector<Bracket> open_;
};

bool leaves(llvm::StringRef text) {
  return text == "return" || text == "throw" || text == "break" || text == "continue" ||
         text == "goto";
}

}  // namespace

Unreadable::Unreadable(const clang::SourceManager& sources, const clang::LangOptions& language,
                       llvm::ArrayRef<clang::SourceLocation> errors)
    : sources_(sources) {
  std::map<clang::FileID, std::vector<unsigned>> by_file;
  for (const clang::SourceLocation error : errors) {
    if (error.isInvalid() || sources.isInSystemHeader(error)) continue;
    const auto [file, offset] = sources.getDecomposedLoc(sources.getFileLoc(error));
    by_file[file].push_back(offset);
  }
  for (const auto& [file, offsets] : by_file) read_file(file, offsets, language);
}

void Unreadable::read_file(clang::FileID file, llvm::ArrayRef<unsigned> errors,
                           const clang::LangOptions& language) {
  const std::vector<Token> tokens = tokens_of(sources_, file, language);
  const Statements statements(tokens);
  for (const unsigned error : errors) {
    const auto after =
        std::upper_bound(tokens.begin(), tokens.end(), error,
                         [](unsigned offset, const Token& token) { return offset < token.offset; });
    // A header that is not there is no statement.
    if (after == tokens.begin() || std::prev(after)->kind == clang::tok::hash) continue;
    const auto [first, last] =
        statements.around(static_cast<std::size_t>(after - tokens.begin()) - 1);
    Statement statement;
    statement.error = error;
    statement.next = last < tokens.size() ? tokens[last].offset : 0;
    statement.part.leaves = leaves(tokens[first].text);
    for (std::size_t index = first; index < last; ++index) {
      if (tokens[index].kind != clang::tok::raw_identifier) continue;
      statement.part.names.insert(tokens[index].text);
      all_.insert(tokens[index].text);
    }
    statements_[file].push_back(std::move(statement));
  }
}

Unreadable::Part Unreadable::in(clang::SourceRange range) const {
  Part part;
  if (statements_.empty() || range.isInvalid()) return part;
  const auto [file, begin] = sources_.getDecomposedLoc(sources_.getFileLoc(range.getBegin()));
  const auto [same, end] = sources_.getDecomposedLoc(sources_.getFileLoc(range.getEnd()));
  if (file != same) return part;
  const auto found = statements_.find(file);
  if (found == statements_.end()) return part;
  for (const Statement& statement : found->second) {
    if (statement.error < begin || statement.error > end) continue;
    for (const auto& name : statement.part.names) part.names.insert(name.getKey());
    part.leaves |= statement.part.leaves && statement.next != end;
  }
  return part;
}

}  // namespace xfer::analyzer
