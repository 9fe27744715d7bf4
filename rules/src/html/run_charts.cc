#include "run_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "html_escape.h"
#include "src/run_stats.h"
#include "src/text.h"
#include "xfer/rules/report.h"

namespace xfer::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostBuckets = 512;
constexpr std::uint64_t kLongestBucket = std::uint64_t{1} << 50;  // some days
constexpr std::size_t kMostLanes = 24;
constexpr std::size_t kMostProcesses = 8;
constexpr std::size_t kMostScopes = 4;
constexpr std::size_t kMostBars = 128;
constexpr std::size_t kMostMarks = 36;  // for which there is room

struct Doing {
  char letter;
  const char* text;
};
constexpr Doing kDoings[] = {{'u', "upload"},          {'d', "download"}, {'c', "copy"},
                             {'k', "kernel"},          {'f', "fill"},     {'w', "wait"},
                             {'m', "allocate or free"}};

const char* doing_text(char letter) {
  for (const Doing& doing : kDoings)
    if (doing.letter == letter) return doing.text;
  return nullptr;
}

struct Slice {
  char doing = 0;
  std::uint64_t first = 0;
  std::uint64_t buckets = 0;
  std::uint64_t percent = 0;
};

// "u0+3@50"
std::optional<Slice> parse_slice(std::string_view text) {
  Slice slice;
  if (text.empty() || doing_text(text.front()) == nullptr) return std::nullopt;
  slice.doing = text.front();
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size();
  const auto number = [&](std::uint64_t& value, char before) {
    if (before != '\0' && (at == end || *at++ != before)) return false;
    const auto [next, error] = std::from_chars(at, end, value);
    at = next;
    return error == std::errc();
  };
  if (!number(slice.first, '\0') || !number(slice.buckets, '+') || !number(slice.percent, '@') ||
      at != end)
    return std::nullopt;
  if (slice.first >= kMostBuckets || slice.buckets == 0 || slice.buckets > kMostBuckets ||
      slice.percent == 0 || slice.percent > 100)
    return std::nullopt;
  return slice;
}

std::vector<Slice> parse_slices(const std::string& text) {
  std::vector<Slice> slices;
  for (std::size_t begin = 0; begin < text.size() && slices.size() < kMostBuckets;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (const auto slice = parse_slice(std::string_view(text).substr(begin, end - begin)))
      slices.push_back(*slice);
    begin = end + 1;
  }
  return slices;
}

// As much of a lane's name as there is room for.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 25;
  std::string out = printable(text);
  if (width(out) <= kMost) return out;
  std::size_t end = 0;
  for (std::size_t i = 0; i < kMost - 1; ++i)
    end += std::max<std::size_t>(utf8_length(std::string_view(out).substr(end)), 1);
  return out.substr(0, end) + "\xE2\x80\xA6";
}

class Timeline {
 public:
  /// `run`: which of the traced processes it is of.
  Timeline(std::ostream& out, const Json& picture, std::span<const Finding> findings,
           std::uint64_t run)
      : out_(out), findings_(findings), bucket_ns_(number_at(picture, "bucket_ns")) {
    for (std::size_t i = 0; i < findings.size() && marks_.size() < kMostMarks; ++i)
      for (const FirstSeen& seen : findings[i].first_seen)
        if (seen.run == run) {
          marks_.push_back({i, seen.ns});
          break;
        }
    std::stable_sort(marks_.begin(), marks_.end(),
                     [](const Mark& a, const Mark& b) { return a.ns < b.ns; });
    const auto lanes = picture.find("lanes");
    if (lanes == picture.end() || !lanes->is_array()) return;
    for (const Json& lane : *lanes) {
      if (lanes_.size() == kMostLanes) break;
      lanes_.push_back({text_at(lane, "name"), parse_slices(text_at(lane, "slices"))});
      for (const Slice& slice : lanes_.back().slices)
        end_ = std::max(end_, slice.first + slice.buckets);
    }
    left_out_ = number_at(picture, "lanes_left_out");
  }

  void write(const std::string& title) {
    if (lanes_.empty() || end_ == 0 || bucket_ns_ == 0 || bucket_ns_ > kLongestBucket) return;
    out_ << "<section class=\"chart\"><h2>" << escape(title) << "</h2>\n";
    legend();
    const double height = kTop + static_cast<double>(lanes_.size()) * kRow;
    out_ << fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><svg viewBox=\"0 0 "
        "{} {}\" role=\"img\" aria-label=\"{} over {}\">\n",
        escape(title), kLabel + kWidth, height, plural(lanes_.size(), "thread or stream"),
        format_duration(end_ * bucket_ns_));
    axis(height);
    double y = kTop;
    for (const Lane& lane : lanes_) {
      row(lane, y);
      y += kRow;
    }
    out_ << "</svg>\n";
    if (!marks_.empty()) mark_findings();
    out_ << "</div>\n";
    if (left_out_ != 0) out_ << "<p class=\"sub\">" << left_out_ << " more are left out.</p>\n";
    out_ << "</section>\n";
  }

 private:
  static constexpr double kLabel = 170;
  static constexpr double kWidth = 830;
  static constexpr double kTop = 22;
  static constexpr double kRow = 22;

  struct Lane {
    std::string name;
    std::vector<Slice> slices;
  };
  struct Mark {
    std::size_t finding;
    std::uint64_t ns;  ///< when it was first seen
  };

  double x_of(double bucket) const { return kLabel + bucket * kWidth / static_cast<double>(end_); }

  void legend() {
    std::string used;
    for (const Lane& lane : lanes_)
      for (const Slice& slice : lane.slices)
        if (used.find(slice.doing) == std::string::npos) used += slice.doing;
    out_ << "<p class=\"legend\">";
    for (const Doing& doing : kDoings)
      if (used.find(doing.letter) != std::string::npos)
        out_ << fmt::format("<span><i class=\"do-{}\"></i>{}</span> ", doing.letter, doing.text);
    if (!marks_.empty()) out_ << "<span><i class=\"do-finding\"></i>finding, first seen</span>";
    out_ << "</p>\n";
  }

  void axis(double height) {
    for (int i = 0; i <= 4; ++i) {
      const double bucket = static_cast<double>(end_) * i / 4;
      const double x = x_of(bucket);
      out_ << fmt::format(
          "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"16\" y2=\"{1}\"/><text "
          "class=\"axis\" x=\"{0:.1f}\" y=\"12\" text-anchor=\"{2}\">{3}</text>\n",
          x, height,
          i == 4   ? "end"
          : i == 0 ? "start"
                   : "middle",
          i == 0 ? "0"
                 : format_duration(
                       static_cast<std::uint64_t>(bucket * static_cast<double>(bucket_ns_))));
    }
  }

  void row(const Lane& lane, double y) {
    const std::string shown = shortened(lane.name);
    out_ << fmt::format("<text class=\"lane\" x=\"0\" y=\"{}\">{}{}</text>\n", y + kRow / 2 + 4,
                        escape(shown),
                        shown == lane.name ? "" : "<title>" + escape(lane.name) + "</title>");
    for (const Slice& slice : lane.slices) {
      const double height = (kRow - 4) * static_cast<double>(slice.percent) / 100;
      const double x = x_of(static_cast<double>(slice.first));
      const double width = x_of(static_cast<double>(slice.first + slice.buckets)) - x;
      out_ << fmt::format(
          "<rect class=\"do-{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
          "<title>{}, {}{} from {}</title></rect>\n",
          slice.doing, x, y + 2 + (kRow - 4 - height), std::max(width, 1.0), height,
          doing_text(slice.doing),
          slice.percent == 100 ? std::string() : fmt::format("busy {} % of ", slice.percent),
          format_duration(slice.buckets * bucket_ns_), format_duration(slice.first * bucket_ns_));
    }
  }

  // Links, so that the keyboard reaches them; in the order of time, beside each other where they
  // would cover each other.
  void mark_findings() {
    constexpr double kMarkWidth = 2.2;  // percent
    out_ << "<p class=\"marks\">";
    double free_from = 0;
    for (const Mark& mark : marks_) {
      const Finding& finding = findings_[mark.finding];
      const double bucket = std::min(static_cast<double>(mark.ns) / static_cast<double>(bucket_ns_),
                                     static_cast<double>(end_));
      const double left =
          std::min(std::max(100 * x_of(bucket) / (kLabel + kWidth), free_from), 98.8);
      free_from = left + kMarkWidth;
      out_ << fmt::format(
          "<a href=\"#f{0}\" class=\"mark {1}\" style=\"left:{2:.2f}%\" title=\"{3}\">{0}</a>",
          mark.finding + 1, name(finding.severity), left,
          escape(fmt::format("{}: {}", info(finding.rule).slug, finding.message)));
    }
    out_ << "</p>\n";
  }

  std::ostream& out_;
  std::span<const Finding> findings_;
  std::uint64_t bucket_ns_;
  std::vector<Mark> marks_;  // in the order of time
  std::vector<Lane> lanes_;
  std::uint64_t end_ = 0;
  std::uint64_t left_out_ = 0;
};

/// The bytes of each instance of a scope, a step of the program.
class Steps {
 public:
  Steps(std::ostream& out, std::string name, const Json& scope)
      : out_(out), name_(std::move(name)), count_(number_at(scope, "count")) {
    const auto series = scope.find("series");
    if (series == scope.end() || !series->is_object()) return;
    per_bar_ = std::max<std::uint64_t>(1, number_at(*series, "instances_per_bar"));
    up_ = numbers_at(*series, "h2d_bytes", kMostBars);
    down_ = numbers_at(*series, "d2h_bytes", kMostBars);
    down_.resize(up_.size());
    for (std::size_t i = 0; i < up_.size(); ++i)
      most_ = std::max(most_, static_cast<double>(up_[i]) + static_cast<double>(down_[i]));
  }

  bool empty() const { return most_ == 0; }

  void write() {
    out_ << fmt::format(
        "<figure class=\"steps\"><figcaption>{} <span class=\"sub\">{}{}, at most {}{}</span>"
        "</figcaption>\n<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"Bytes copied in each {}\">\n",
        escape(name_), plural(count_, "time"),
        per_bar_ == 1 ? std::string() : fmt::format(", {} in a bar", per_bar_),
        format_bytes(static_cast<std::uint64_t>(std::min(most_, 1e19))),
        per_bar_ == 1 ? "" : " together", kWidth, kHeight, escape(name_));
    const double width = kWidth / static_cast<double>(std::max<std::size_t>(up_.size(), 8));
    for (std::size_t i = 0; i < up_.size(); ++i) bar(static_cast<double>(i) * width, width, i);
    out_ << "</svg></figure>\n";
  }

 private:
  static constexpr double kWidth = 1000;
  static constexpr double kHeight = 90;

  void bar(double x, double width, std::size_t i) {
    const double down = kHeight * static_cast<double>(down_[i]) / most_;
    const double up = kHeight * static_cast<double>(up_[i]) / most_;
    const std::uint64_t number = i * per_bar_ + 1;
    out_ << fmt::format(
        "<g><title>{}{}: {} to devices, {} back</title>", number,
        per_bar_ == 1 ? std::string() : fmt::format(" to {}", number + per_bar_ - 1),
        format_bytes(up_[i]), format_bytes(down_[i]));
    const auto part = [&](char kind, double y, double height) {
      if (height > 0)
        out_ << fmt::format(
            "<rect class=\"do-{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>",
            kind, x, y, std::max(width - 1, 1.0), height);
    };
    part('u', kHeight - up, up);
    part('d', kHeight - up - down, down);
    out_ << "</g>\n";
  }

  std::ostream& out_;
  std::string name_;
  std::uint64_t count_;
  std::uint64_t per_bar_ = 1;
  std::vector<std::uint64_t> up_, down_;
  double most_ = 0;
};

void write_steps(std::ostream& out, const Json& stats) {
  const auto scopes = stats.find("scopes");
  if (scopes == stats.end() || !scopes->is_object()) return;
  std::size_t shown = 0;
  for (const auto& [name, scope] : scopes->items()) {
    if (!scope.is_object()) continue;
    Steps steps(out, name, scope);
    if (steps.empty() || shown == kMostScopes) continue;
    if (shown++ == 0)
      out << "<section class=\"chart\"><h2>Bytes in each step</h2>\n<p class=\"legend\"><span><i "
             "class=\"do-u\"></i>to devices</span> <span><i class=\"do-d\"></i>back</span></p>\n";
    steps.write();
  }
  if (shown != 0) out << "</section>\n";
}

}  // namespace

void write_run_charts(std::ostream& out, const Json& stats, std::span<const Finding> findings) {
  const std::vector<const Json*> runs = runs_of(stats);
  for (std::size_t i = 0; i < std::min(runs.size(), kMostProcesses); ++i) {
    const Json& run = *runs[i];
    if (const auto picture = run.find("picture"); picture != run.end() && picture->is_object())
      Timeline(out, *picture, findings, i)
          .write(runs.size() == 1 ? "The run" : fmt::format("The run of process {}", i + 1));
    write_steps(out, run);
  }
}

}  // namespace xfer::html
