// ModuleDict, ParameterList and ParameterDict: what they hold is a part of the module.
#include <sstream>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using Names = std::vector<std::string>;

nn::ModuleDict two_layers() {
  return nn::ModuleDict({{"fc", nn::Linear(3, 2).ptr()}, {"act", nn::ReLU().ptr()}});
}

TEST(ModuleDict, ItsElementsAreItsParts) {
  nn::ModuleDict dict = two_layers();
  EXPECT_EQ(dict->keys(), Names({"fc", "act"}));
  EXPECT_EQ(dict->named_parameters().keys(), Names({"fc.weight", "fc.bias"}));
  EXPECT_TRUE(dict->contains("act"));
  EXPECT_FALSE(dict->contains("weight"));
  EXPECT_EQ(dict->at<nn::LinearImpl>("fc").options.in_features(), 3);
  EXPECT_EQ(&dict->at<nn::Linear>("fc"), dict["fc"]->as<nn::Linear>());
  EXPECT_THROW((void)dict->at<nn::Linear>("act"), std::bad_cast);
  Names seen;
  for (const auto& item : *dict) seen.push_back(item.key() + " " + item.value()->name());
  EXPECT_EQ(seen, Names({"fc tensorlib::nn::LinearImpl", "act tensorlib::nn::ReLUImpl"}));
  EXPECT_EQ(dict->items()[1].second, dict->values()[1]);
}

TEST(ModuleDict, IsMadeOfWhatLibTorchMakesItOf) {
  const OrderedDict<std::string, std::shared_ptr<nn::Module>> ordered = {
      {"b", nn::Linear(1, 1).ptr()}, {"a", nn::Dropout().ptr()}};
  EXPECT_EQ(nn::ModuleDict(ordered)->keys(), Names({"b", "a"}));
  const std::vector<std::pair<std::string, std::shared_ptr<nn::Module>>> pairs = {
      {"x", nn::ReLU().ptr()}};
  nn::ModuleDict dict(pairs);
  dict->update(ordered);
  dict->update(*two_layers());
  EXPECT_EQ(dict->keys(), Names({"x", "b", "a", "fc", "act"}));
}

TEST(ModuleDict, AnElementIsReplacedInItsPlaceAndTakenOut) {
  nn::ModuleDict dict = two_layers();
  dict->insert("fc", nn::Linear(nn::LinearOptions(3, 5).bias(false)));
  EXPECT_EQ(dict->keys(), Names({"fc", "act"}));
  EXPECT_EQ(dict->named_parameters().keys(), Names({"fc.weight"}));
  const auto taken = dict->pop("fc");
  EXPECT_EQ(taken->as<nn::Linear>()->options.out_features(), 5);
  EXPECT_TRUE(dict->parameters().empty());
  dict->insert("fc", taken);
  EXPECT_EQ(dict->keys(), Names({"act", "fc"}));
  dict->clear();
  EXPECT_TRUE(dict->empty());
  EXPECT_TRUE(dict->children().empty());
}

TEST(ModuleDict, NamesTheKeyThatIsMissing) {
  nn::ModuleDict dict = two_layers();
  EXPECT_NE(error_of([&] {
              (void)dict["head"];
            }).find("ModuleDict: there is no \"head\"; there are fc, act"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)nn::ModuleDict()->pop("head"); }).find("it is empty"),
            std::string::npos);
  EXPECT_THROW(dict->insert("a.b", nn::ReLU()), Error);
}

struct HeadsImpl : nn::Cloneable<HeadsImpl> {
  HeadsImpl() { reset(); }
  void reset() override {
    heads = register_module("heads", two_layers());
    scales = register_module("scales", nn::ParameterList(ones({2}), full({2}, 3.0)));
    named = register_module("named", nn::ParameterDict());
    named->insert("shift", zeros({2}).requires_grad_());
  }
  Tensor forward(const Tensor& x) {
    return heads->at<nn::Linear>("fc").forward(x) * scales[1] + named["shift"];
  }
  nn::ModuleDict heads = nullptr;
  nn::ParameterList scales = nullptr;
  nn::ParameterDict named = nullptr;
};
TENSORLIB_MODULE(Heads);

TEST(Containers, MoveWithTheModule) {
  for (const Device& device : cuda_devices()) {
    Heads model;
    const Tensor x = rand({4, 3});
    const auto expected = elements(model->forward(x));
    model->to(device);
    EXPECT_EQ(model->device(), device);
    EXPECT_EQ(model->scales[0].device(), device);
    EXPECT_EQ(model->named->get("shift").device(), device);
    const Tensor there = x.to(device);
    Tensor result;
    {
      TransferGuard none(TransferGuardLevel::kDisallowExplicit);
      result = model->forward(there);
    }
    EXPECT_TRUE(near(elements(result), expected, 1e-6));
    const std::string text = error_of([&] { (void)model->forward(x); });
    EXPECT_NE(text.find("\n  heads.fc.weight "), std::string::npos) << text;
  }
}

// The name of a parameter container's element in errors.
TEST(Containers, ErrorsNameTheParameter) {
  for (const Device& device : cuda_devices()) {
    Heads model;
    model->named->insert("late", ones({3}));
    model->to(device);
    const Tensor x = ones({3});
    EXPECT_NE(error_of([&] { (void)(x * model->scales[0]); }).find("\n  scales.0 "),
              std::string::npos);
    EXPECT_NE(error_of([&] { (void)(x * model->named["late"]); }).find("\n  named.late "),
              std::string::npos);
  }
}

TEST(Containers, SaveAndLoadByTheirKeys) {
  Heads model, other;
  std::stringstream file;
  save(model, file);
  EXPECT_EQ(model->named_parameters().keys(),
            Names({"heads.fc.weight", "heads.fc.bias", "scales.0", "scales.1", "named.shift"}));
  load(other, file);
  const Tensor x = rand({2, 3});
  EXPECT_EQ(elements(other->forward(x)), elements(model->forward(x)));
}

TEST(Containers, CloneHasTensorsOfItsOwnAndEachPartsMode) {
  for (const Device& device : devices()) {
    Heads model;
    model->heads["act"]->eval();
    nn::ModuleList list(nn::Linear(3, 3), nn::Dropout());
    list[1]->eval();
    nn::Sequential sequence(nn::Linear(3, 3), nn::Dropout());
    sequence[1]->eval();
    const auto copy = std::dynamic_pointer_cast<HeadsImpl>(model->clone(device));
    EXPECT_EQ(copy->device(), device);
    EXPECT_FALSE(copy->heads["act"]->is_training());
    EXPECT_TRUE(copy->heads["fc"]->is_training());
    EXPECT_FALSE(list->clone()->children()[1]->is_training());
    EXPECT_FALSE(sequence->clone()->children()[1]->is_training());
    EXPECT_FALSE(copy->scales[0].requires_grad());
    EXPECT_TRUE(copy->named["shift"].requires_grad());
    const Tensor x = rand({2, 3});
    const auto before = elements(model->forward(x));
    EXPECT_TRUE(near(elements(copy->forward(x.to(device))), before, 1e-5));
    NoGradGuard no_grad;
    for (const Tensor& tensor : copy->parameters()) tensor.zero_();
    EXPECT_EQ(elements(model->forward(x)), before);
    const auto dict = std::dynamic_pointer_cast<nn::ModuleDictImpl>(model->heads->clone(device));
    EXPECT_EQ(dict->keys(), Names({"fc", "act"}));
    const auto alone = std::dynamic_pointer_cast<nn::ParameterDictImpl>(model->named->clone());
    EXPECT_EQ(elements(alone->get("shift")), elements(model->named["shift"]));
  }
}

TEST(ParameterList, KeepsWhatItIsGivenInARow) {
  nn::ParameterList list(ones({2}).requires_grad_(), zeros({3}));
  list->append(arange(4, kFloat));
  *list += std::vector<Tensor>{ones({5})};
  list->extend(nn::Linear(2, 1)->named_parameters());
  EXPECT_EQ(list->size(), 6u);
  EXPECT_EQ(list->named_parameters().keys(), Names({"0", "1", "2", "3", "4", "5"}));
  EXPECT_TRUE(list[0].requires_grad());
  EXPECT_FALSE(list[1].requires_grad());
  EXPECT_TRUE(list[4].requires_grad());
  EXPECT_NE(error_of([&] { (void)list[6]; }).find("ParameterList: there is no \"6\""),
            std::string::npos);
}

TEST(ParameterDict, KeepsWhatItIsGivenByName) {
  nn::ParameterDict dict(OrderedDict<std::string, Tensor>{{"a", ones({2})}, {"b", zeros({3})}});
  dict->insert("c", ones({1}));
  dict->insert("a", full({2}, 7.0));
  OrderedDict<std::string, Tensor> more{{"b", ones({1})}, {"d", ones({4})}};
  dict->update(more);
  EXPECT_EQ(dict->keys(), Names({"a", "b", "c", "d"}));
  EXPECT_EQ(elements(dict["a"]), std::vector<double>({7, 7}));
  EXPECT_EQ(dict->values()[1].numel(), 1);
  EXPECT_EQ(dict->pop("b").numel(), 1);
  EXPECT_FALSE(dict->contains("b"));
  EXPECT_NE(error_of([&] {
              (void)dict->get("b");
            }).find("ParameterDict: there is no \"b\"; there are a, c, d"),
            std::string::npos);
  dict->clear();
  EXPECT_TRUE(dict->empty());
}

}  // namespace
}  // namespace tensorlib::testing
