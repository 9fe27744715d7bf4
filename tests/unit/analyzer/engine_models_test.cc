#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/models/api_models.h"

namespace xfer::analyzer {
namespace {

std::string error_of(const char* text) {
  ModelSet models;
  return llvm::toString(models.add_text(text, "team.yaml"));
}

TEST(ModelSetTest, builtin_models_know_both_libraries) {
  auto models = ModelSet::builtin();
  ASSERT_TRUE(static_cast<bool>(models)) << llvm::toString(models.takeError());
  for (const char* name : {"at::Tensor::to", "tensorlib::Tensor::to"}) {
    const FunctionModel* model = models->find(name, 1);
    ASSERT_NE(model, nullptr) << name;
    EXPECT_EQ(model->kind, CallKind::kTransfer);
    EXPECT_FALSE(model->discard.empty());
    EXPECT_GT(model->line, 0U);
  }
  EXPECT_EQ(models->find("at::Tensor::no_such_function", 1), nullptr);
  EXPECT_EQ(models->type_role("at::Tensor"), TypeRole::kTensor);
  EXPECT_EQ(models->type_role("std::vector"), TypeRole::kList);
  EXPECT_TRUE(models->is_library_namespace("torch::nn"));
  EXPECT_FALSE(models->is_library_namespace("torchvision"));
}

TEST(ModelSetTest, rows_of_later_files_win) {
  ModelSet models;
  ASSERT_FALSE(models.add_text("library: a\nfunctions:\n  - {names: [f], on: [mine]}\n", "a.yaml"));
  ASSERT_FALSE(models.add_text("library: b\nfunctions:\n  - {names: [f], on: [mine], kind: pass}\n",
                               "b.yaml"));
  ASSERT_NE(models.find("mine::f", 0), nullptr);
  EXPECT_EQ(models.find("mine::f", 0)->kind, CallKind::kPass);
  EXPECT_EQ(models.find("mine::f", 0)->file, "b.yaml");
}

TEST(ModelSetTest, rows_are_chosen_by_the_number_of_arguments) {
  ModelSet models;
  ASSERT_FALSE(
      models.add_text("library: a\nfunctions:\n"
                      "  - {names: [f], max_args: 1, kind: pass}\n"
                      "  - {names: [f], min_args: 2, kind: move}\n",
                      "a.yaml"));
  EXPECT_EQ(models.find("f", 1)->kind, CallKind::kPass);
  EXPECT_EQ(models.find("f", 3)->kind, CallKind::kMove);
}

TEST(ModelSetTest, errors_name_the_file_and_the_line) {
  EXPECT_THAT(error_of("library: a\nfunctions:\n  - {names: [f], kind: telepathy}\n"),
              ::testing::StartsWith("team.yaml:3:"));
  EXPECT_THAT(
      error_of("library: a\nfunctions:\n  - {names: [f], colour: red}\n"),
      ::testing::AllOf(::testing::StartsWith("team.yaml:3:"), ::testing::HasSubstr("colour")));
  EXPECT_THAT(error_of("functions: []\n"), ::testing::HasSubstr("library"));
  EXPECT_THAT(
      error_of("library: a\nfunctions:\n  - {names: [$nothing]}\n"),
      ::testing::AllOf(::testing::HasSubstr("team.yaml:3"), ::testing::HasSubstr("$nothing")));
  EXPECT_THAT(error_of("library: a\ninclude: [missing.yaml]\n"),
              ::testing::HasSubstr("missing.yaml"));
  EXPECT_THAT(error_of("library: [\n"), ::testing::StartsWith("team.yaml:"));
  EXPECT_THAT(error_of("library: a\n\ninclude: [missing.yaml]\n"),
              ::testing::StartsWith("team.yaml:3:"));
  EXPECT_THAT(error_of("library: a\nversion: [A]\n"),
              ::testing::StartsWith("team.yaml:2: version"));
  EXPECT_THAT(error_of("library: a\nnamespaces: [b, $c]\n"),
              ::testing::StartsWith("team.yaml:2: no variable $c"));
  EXPECT_THAT(error_of("library: a\nfunctions:\n  - {names: [\"${c}Malloc\"]}\n"),
              ::testing::HasSubstr("no variable ${c}"));
  EXPECT_THAT(error_of("library: a\nfunctions:\n  - {names: [\"${cMalloc\"]}\n"),
              ::testing::HasSubstr("a { in ${cMalloc is not closed"));
}

TEST(ModelSetTest, rows_that_contradict_themselves) {
  const std::string head = "library: a\nfunctions:\n  - {names: [f]}\n  - {names: [g], ";
  const auto error_in = [&](const std::string& keys) {
    return error_of((head + keys + "}\n").c_str());
  };
  EXPECT_EQ(error_in("since: 1.x"), "team.yaml:4: '1.x' is not a version");
  EXPECT_EQ(error_in("since: 2.1, until: 2.0"), "team.yaml:4: since 2.1 is later than until 2.0");
  EXPECT_EQ(error_in("min_args: 3, max_args: 2"),
            "team.yaml:4: min_args is larger than max_args, so no call is meant");
  EXPECT_EQ(error_in("min_args: -2"), "team.yaml:4: min_args and max_args are numbers from 0");
  EXPECT_EQ(error_in("since: 2.0, until: 2.1, min_args: 0, max_args: 0"), "");
}

TEST(ModelSetTest, keys_of_another_role) {
  const auto error_in = [&](const std::string& keys) {
    return error_of(("library: a\ntypes:\n  - {names: [T], " + keys + "}\n").c_str());
  };
  EXPECT_EQ(error_in("role: tensor, guard: gradients_off"),
            "team.yaml:3: guard is not a key of a type of this role");
  EXPECT_EQ(error_in("role: module, fetch: [get]"),
            "team.yaml:3: fetch is not a key of a type of this role");
  EXPECT_EQ(error_in("role: tensor, forward: [run]"),
            "team.yaml:3: forward is not a key of a type of this role");
  EXPECT_EQ(error_in("role: guard"), "team.yaml:3: a guard needs the key guard");
  EXPECT_EQ(error_in("role: module, forward: [run]"), "");
}

TEST(ModelSetTest, ends_of_names_that_work_in_place) {
  ModelSet models;
  ASSERT_FALSE(models.add_text("library: a\nnamespaces: [mine]\nin_place: [InPlace]\n", "a.yaml"));
  ASSERT_FALSE(models.add_text("library: b\nnamespaces: [other]\n", "b.yaml"));
  EXPECT_TRUE(models.in_place("mine::M::addInPlace"));
  EXPECT_FALSE(models.in_place("mine::M::add_"));
  EXPECT_TRUE(models.in_place("other::M::add_"));
  EXPECT_TRUE(models.in_place("other::add_out"));
  EXPECT_FALSE(models.in_place("other::M::__and__"));
  EXPECT_FALSE(models.in_place("otherwise::add_"));
}

}  // namespace
}  // namespace xfer::analyzer
