// A library whose names are nobody else's: all that the rules need to know of it stands in its
// model file.

#include <gmock/gmock.h>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kHeader = R"(#pragma once
namespace own {
enum class Place { Host, Gpu };
struct Where {
  Where(Place place, int index = -1);
  Where(const char* name);
};
struct Matrix {
  Matrix();
  Matrix(const Matrix&);
  Matrix& operator=(const Matrix&);
  ~Matrix();
  Matrix move_to(Where where, bool later = false, bool anew = false) const;
  Matrix plus(const Matrix& other) const;
  Matrix collect(bool on = true) const;
  const Matrix& slope() const;
  float read() const;
  void scaleInPlace(float by) const;
};
Matrix zeros(int n);
Matrix sample_normal(int n);
Matrix sample_on(int n, Where where);
double tick();
void use_device(int index);
struct NoTracking {
  NoTracking();
  ~NoTracking();
};
struct UseDevice {
  explicit UseDevice(int index);
  ~UseDevice();
};
class Layer {
 public:
  virtual ~Layer();
  void place(Where where);
};
class Dense : public Layer {
 public:
  Dense();
  Matrix run(const Matrix& x) const;
};
template <class Source>
struct Feed {
  struct Iterator {
    Matrix& operator*();
    Iterator& operator++();
    bool operator!=(const Iterator&) const;
  };
  Iterator begin();
  Iterator end();
};
}  // namespace own
)";

constexpr const char* kModels = R"(library: own
headers: [own.h]
namespaces: [own]
in_place: [InPlace]
types:
  - {role: tensor, names: ["own::Matrix"]}
  - {role: device, names: ["own::Where", "own::Place"], cpu: [Host, host], cuda: [Gpu, gpu]}
  - {role: module, names: ["own::Layer"], forward: [run]}
  - {role: guard, names: ["own::NoTracking"], guard: gradients_off}
  - {role: guard, names: ["own::UseDevice"], guard: current_device}
  - {role: loader, names: ["own::Feed"], fetch: [fetch]}
functions:
  - {names: [move_to], on: ["own::Matrix"], kind: transfer, result: arguments_or_first,
     non_blocking_if: later, copies_if: anew, discard: stays where it is}
  - {names: [plus], on: ["own::Matrix"], requires: same_device, result: operands}
  - {names: [collect], on: ["own::Matrix"], result: self, view: true, gradient: sets}
  - {names: [slope], on: ["own::Matrix"], requires: leaf}
  - {names: [read], on: ["own::Matrix"], syncs: true}
  - {names: [zeros], on: [own], result: arguments}
  - {names: [sample_normal, sample_on], on: [own], result: arguments, random: true}
  - {names: [tick], on: [own], asks_time: true}
  - {names: [use_device], on: [own], kind: set_device}
  - {names: [place], on: ["own::Layer"], kind: move, result: arguments}
  - {names: [run], on: ["own::Dense"], requires: same_device, module_forward: true,
     result: operands}
)";

class TeamLibrary : public testing::Test {
 protected:
  TeamLibrary() {
    project_.write("own.h", kHeader);
    project_.write("own.yaml", kModels);
  }

  /// The findings of a file that includes the header and then is `code`, from line 2 on.
  nlohmann::json report(const std::string& code) {
    project_.write("a.cc", "#include \"own.h\"\n" + code);
    project_.commands({{"a.cc", "c++ -std=c++17 -I. -c a.cc"}});
    return project_.findings({"--models", "own.yaml", "--checks", "*"});
  }
  std::vector<std::string> found(const std::string& code) { return places(report(code)); }

  Project project_;
};

TEST_F(TeamLibrary, Devices) {
  EXPECT_THAT(found("own::Matrix f(const own::Matrix& x) {\n"
                    "  return own::zeros(3).plus(x.move_to(own::Place::Gpu));\n"
                    "}\n"
                    "own::Matrix g(const own::Matrix& x) {\n"
                    "  return own::zeros(3).plus(x.move_to(\"gpu\"));\n"
                    "}\n"
                    "own::Matrix h(const own::Matrix& x) {\n"
                    "  return own::zeros(3).plus(x.move_to(\"host\"));\n"
                    "}\n"),
              ElementsAre("missing-transfer a.cc:3", "missing-transfer a.cc:6"));
}

TEST_F(TeamLibrary, RandomNumbersHaveNoFix) {
  nlohmann::json findings = report(
      "own::Matrix f() { return own::zeros(3).move_to(own::Place::Gpu); }\n"
      "own::Matrix g() { return own::sample_normal(3).move_to(own::Place::Gpu); }\n");
  EXPECT_THAT(places(findings), ElementsAre("create-on-host a.cc:2", "create-on-host a.cc:3"));
  EXPECT_FALSE(findings["findings"][0]["fix"].is_null());
  EXPECT_TRUE(findings["findings"][1]["fix"].is_null());
}

TEST_F(TeamLibrary, Gradients) {
  const std::string body =
      "  own::Matrix x = own::zeros(3).collect();\n"
      "  own::Matrix y = x.move_to(own::Place::Gpu);\n"
      "  return y.slope();\n"
      "}\n";
  EXPECT_THAT(found("own::Matrix f() {\n" + body), ElementsAre("leaf-moved a.cc:4"));
  EXPECT_THAT(found("own::Matrix f() {\n  own::NoTracking off;\n" + body), IsEmpty());
  EXPECT_THAT(found("own::Matrix f() {\n"
                    "  own::Matrix x = own::zeros(3).collect(false);\n"
                    "  return x.move_to(own::Place::Gpu).slope();\n"
                    "}\n"),
              testing::Not(testing::Contains(testing::HasSubstr("leaf-moved"))));
}

TEST_F(TeamLibrary, Clocks) {
  const std::string copy = "  own::Matrix y = x.move_to(own::Place::Gpu);\n";
  EXPECT_THAT(found("double f(const own::Matrix& x) {\n" + copy + "  return 0;\n}\n"),
              ElementsAre("unused-transfer a.cc:3"));
  EXPECT_THAT(found("double f(const own::Matrix& x) {\n  const double from = own::tick();\n" +
                    copy + "  return own::tick() - from;\n}\n"),
              IsEmpty());
}

TEST_F(TeamLibrary, Datasets) {
  const std::string loop =
      "void f(own::Feed<Mine> feed) {\n"
      "  own::Dense net;\n"
      "  net.place(own::Place::Gpu);\n"
      "  for (const own::Matrix& x : feed) net.run(x);\n"
      "}\n";
  EXPECT_THAT(found("struct Mine { own::Matrix fetch(int) { return own::zeros(3); } };\n" + loop),
              ElementsAre("missing-transfer a.cc:6"));
  EXPECT_THAT(found("struct Mine { own::Matrix get(int) { return own::zeros(3); } };\n" + loop),
              IsEmpty());
}

TEST_F(TeamLibrary, NamesOfFunctionsThatWorkInPlace) {
  const auto twice = [](const std::string& between) {
    return "void use(const own::Matrix&, const own::Matrix&);\n"
           "own::Matrix f() {\n"
           "  own::Matrix x = own::zeros(3);\n"
           "  own::Matrix y = x.move_to(own::Place::Gpu);\n" +
           between +
           "  return x.move_to(own::Place::Gpu).plus(y);\n"
           "}\n";
  };
  EXPECT_THAT(found(twice("  x.read();\n")), testing::Contains("repeated-transfer a.cc:7"));
  EXPECT_THAT(found(twice("  x.scaleInPlace(2);\n")),
              testing::Not(testing::Contains(testing::HasSubstr("repeated-transfer"))));
}

TEST_F(TeamLibrary, ParametersThatForceACopy) {
  const auto twice = [](const std::string& more) {
    return "own::Matrix f() {\n"
           "  own::Matrix x = own::zeros(3);\n"
           "  own::Matrix y = x.move_to(own::Place::Gpu" +
           more +
           ");\n"
           "  return x.move_to(own::Place::Gpu" +
           more + ").plus(y);\n}\n";
  };
  EXPECT_THAT(found(twice(", false, false")), testing::Contains("repeated-transfer a.cc:5"));
  EXPECT_THAT(found(twice(", false, true")),
              testing::Not(testing::Contains(testing::HasSubstr("repeated-transfer"))));
}

TEST_F(TeamLibrary, TheCurrentDevice) {
  const auto below = [](const std::string& index, const std::string& change) {
    return "own::Matrix f(const own::Matrix& x) {\n"
           "  own::Matrix first = x.move_to({own::Place::Gpu, " +
           index + "});\n  " + change +
           "\n  return first.plus(x.move_to(own::Place::Gpu));\n"
           "}\n";
  };
  for (const char* change : {"own::UseDevice use(1);", "own::use_device(1);"}) {
    EXPECT_THAT(found(below("0", change)), ElementsAre("missing-transfer a.cc:5")) << change;
    EXPECT_THAT(found(below("1", change)),
                testing::Not(testing::Contains(testing::HasSubstr("missing-transfer"))))
        << change;
  }
  EXPECT_THAT(found(below("1", "{ own::UseDevice use(1); }")),
              ElementsAre("missing-transfer a.cc:5"));
}

TEST_F(TeamLibrary, IsCheckedAgainstItsHeaders) {
  EXPECT_EQ(project_.lint({"--check-models", "--models", "own.yaml", "--", "-std=c++17", "-I."})
                .exit_code,
            0);
}

}  // namespace
}  // namespace xfer::lint
