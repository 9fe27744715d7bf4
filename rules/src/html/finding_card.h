#pragma once
// One finding on a page: what it is, what it cost, the source line, the story, the fix, the stack.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "src/source_cache.h"
#include "xfer/rules/finding.h"

namespace xfer::html {

struct Card {
  std::string id;                   ///< of the element
  const Finding* before = nullptr;  ///< the same in another run, to compare costs with
  bool sources = true;              ///< show source lines
  bool open = true;
  bool rule_link = false;  ///< the rule's page is on this page
};

class FindingCards {
 public:
  /// `sources`: where source lines come from. `total`: of which the costs are shown as a share.
  FindingCards(std::ostream& out, SourceCache sources, const Cost& total)
      : out_(out), sources_(std::move(sources)), total_(total) {}

  void write(const Finding& finding, const Card& card);

 private:
  void cost(const Finding& finding);
  void excerpt(const Location& place, std::size_t context);
  void notes(const Finding& finding);
  void fix(const Fix& fix);
  void change(const Replacement& replacement);
  void diff_line(std::string_view kind, char sign, std::string_view text);
  void stack(const std::vector<Location>& frames);

  std::ostream& out_;
  SourceCache sources_;
  const Cost total_;
  bool show_sources_ = true;  // of the card that is being written
};

}  // namespace xfer::html
