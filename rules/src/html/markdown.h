#pragma once
// The Markdown of the rules' pages as HTML: headings, paragraphs, lists, code, bold, links.

#include <functional>
#include <string>
#include <string_view>

namespace xfer::html {

/// Where a link of the page leads here; empty: it stays a text.
using LinkTarget = std::function<std::string(std::string_view)>;

/// The title ("# ...") is left out; "## ..." become <h4>.
std::string render_markdown(std::string_view text, const LinkTarget& target);

}  // namespace xfer::html
