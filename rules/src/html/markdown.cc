#include "markdown.h"

#include <algorithm>
#include <vector>

#include "html_escape.h"

namespace xfer::html {
namespace {

constexpr std::string_view kIndented = "    ";

// Code spans, bold, links; all else is text.
class Inline {
 public:
  Inline(std::string_view text, const LinkTarget& target) : rest_(text), target_(target) {}

  std::string render() {
    while (!rest_.empty()) {
      if (span("`", "`", [](std::string_view code) { return element("code", escape(code)); }))
        continue;
      if (span("**", "**", [&](std::string_view bold) {
            return element("strong", Inline(bold, target_).render());
          }))
        continue;
      if (link()) continue;
      plain_ += rest_.front();
      rest_.remove_prefix(1);
    }
    flush();
    return out_;
  }

 private:
  static std::string element(const std::string& name, const std::string& content) {
    return "<" + name + ">" + content + "</" + name + ">";
  }

  void flush() {
    out_ += escape(plain_);
    plain_.clear();
  }

  template <typename Make>
  bool span(std::string_view open, std::string_view close, Make make) {
    if (!rest_.starts_with(open)) return false;
    const std::size_t end = rest_.find(close, open.size());
    if (end == std::string_view::npos || end == open.size()) return false;
    flush();
    out_ += make(rest_.substr(open.size(), end - open.size()));
    rest_.remove_prefix(end + close.size());
    return true;
  }

  bool link() {
    if (!rest_.starts_with('[')) return false;
    const std::size_t middle = rest_.find("](");
    const std::size_t end = middle == std::string_view::npos ? middle : rest_.find(')', middle);
    if (end == std::string_view::npos) return false;
    flush();
    const std::string text = Inline(rest_.substr(1, middle - 1), target_).render();
    const std::string to = target_(rest_.substr(middle + 2, end - middle - 2));
    out_ += to.empty() ? text : "<a href=\"" + escape(to) + "\">" + text + "</a>";
    rest_.remove_prefix(end + 1);
    return true;
  }

  std::string_view rest_;
  const LinkTarget& target_;
  std::string plain_;
  std::string out_;
};

class Blocks {
 public:
  Blocks(std::string_view text, const LinkTarget& target) : target_(target) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines_.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::string render() {
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      if (line.starts_with("```")) {
        code([](std::string_view next) { return !next.starts_with("```"); }, 0, true);
      } else if (line.starts_with(kIndented)) {
        code([](std::string_view next) { return next.starts_with(kIndented); }, kIndented.size(),
             false);
      } else if (line.starts_with("# ")) {
        ++at_;
      } else if (line.starts_with("## ")) {
        out_ += "<h4>" + inline_text(line.substr(3)) + "</h4>\n";
        ++at_;
      } else if (line.starts_with("- ")) {
        list();
      } else if (line.empty()) {
        ++at_;
      } else {
        out_ += "<p>" + inline_text(paragraph()) + "</p>\n";
      }
    }
    return out_;
  }

 private:
  std::string inline_text(std::string_view text) { return Inline(text, target_).render(); }

  static bool starts_block(std::string_view line) {
    return line.empty() || line.starts_with("- ") || line.starts_with("```") ||
           line.starts_with("# ") || line.starts_with("## ");
  }

  // This line and those that go on with it.
  std::string paragraph() {
    std::string text(lines_[at_++]);
    for (; at_ < lines_.size() && !starts_block(lines_[at_]); ++at_) {
      std::string_view line = lines_[at_];
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      text += ' ';
      text += line;
    }
    return text;
  }

  void list() {
    out_ += "<ul>\n";
    while (at_ < lines_.size() && lines_[at_].starts_with("- "))
      out_ += "<li>" + inline_text(paragraph().substr(2)) + "</li>\n";
    out_ += "</ul>\n";
  }

  template <typename GoesOn>
  void code(GoesOn goes_on, std::size_t indent, bool fenced) {
    if (fenced) ++at_;
    out_ += "<pre class=\"source\" tabindex=\"0\"><code>";
    for (; at_ < lines_.size() && goes_on(lines_[at_]); ++at_)
      out_ += escape_code(lines_[at_].substr(indent)) + "\n";
    if (fenced) ++at_;
    out_ += "</code></pre>\n";
  }

  const LinkTarget& target_;
  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string render_markdown(std::string_view text, const LinkTarget& target) {
  return Blocks(text, target).render();
}

}  // namespace xfer::html
