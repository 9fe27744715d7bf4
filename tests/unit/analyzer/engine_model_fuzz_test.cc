// Model files and annotations that are damaged in every way: read or refused with the file and the
// line, never a crash. Seeded, so that what fails fails again.

#include <gmock/gmock.h>

#include <random>

#include "analyzer/models/api_models.h"
#include "analyzer/models/builtin_models.h"
#include "analyzer/models/model_yaml.h"

namespace xfer::analyzer {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Damage {
 public:
  explicit Damage(unsigned seed) : engine_(seed) {}

  std::string operator()(std::string text) {
    static constexpr std::string_view kBytes = "{}[]:,-#&*!|>'\"%@`$ \n\t\0\xff\x80?";
    const unsigned edits = 1 + below(4);
    for (unsigned edit = 0; edit < edits && !text.empty(); ++edit) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min<std::size_t>(1 + below(40), text.size() - at);
      switch (below(5)) {
        case 0: text[at] = kBytes[below(kBytes.size())]; break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, text.substr(below(text.size()), length)); break;
        case 3: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
        case 4: text.resize(at); break;
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(engine_);
  }
  std::mt19937 engine_;
};

TEST(ModelFuzzTest, damaged_files_are_read_or_refused) {
  unsigned refused = 0;
  for (const BuiltinModel& model : kBuiltinModels) {
    // The head of a file has every part of it; a long tail only takes time.
    std::string whole(model.text);
    if (const std::size_t functions = whole.find("functions:"); functions != std::string::npos)
      whole.resize(std::min(whole.size(), whole.find('\n', functions + 1500)));
    for (unsigned seed = 0; seed < 300; ++seed) {
      const std::string text = Damage(seed)(whole);
      ModelSet models;
      const std::string error = llvm::toString(models.add_text(text, "team.yaml"));
      if (error.empty()) continue;
      ++refused;
      EXPECT_THAT(error, ContainsRegex("^[a-z_]+\\.yaml:[0-9]+:")) << text;
      EXPECT_THAT(error, Not(HasSubstr("\n"))) << text;
    }
  }
  EXPECT_GT(refused, 100u);
}

TEST(ModelFuzzTest, damaged_annotations_are_read_or_refused) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const std::string keys =
        Damage(seed)("kind: transfer, result: cuda, operands: [0, 1], discard: stays");
    if (auto model = parse_function_keys(keys))
      continue;
    else
      EXPECT_NE(llvm::toString(model.takeError()), "") << keys;
  }
}

}  // namespace
}  // namespace xfer::analyzer
