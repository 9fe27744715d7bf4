#pragma once
// The parts that all pages share: the frame, the tiles, the data. Self-contained: nothing is loaded
// from anywhere, whatever the texts hold.

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace xfer::html {

struct PageHead {
  std::string title;
  std::string heading;
  std::string subtitle;
};

/// Down to <main>.
void write_head(std::ostream& out, const PageHead& head);

/// In a <dl class="tiles">. `kind` is a class of the style sheet.
void write_tile(std::ostream& out, std::string_view kind, const std::string& value,
                std::string_view label);

/// From </main> on. `data`: what the download gives.
void write_foot(std::ostream& out, const nlohmann::ordered_json& data);

}  // namespace xfer::html
