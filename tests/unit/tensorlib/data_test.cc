// Data sets, transforms, samplers, and the loader's order, errors and ends.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using data::DataLoaderOptions;
using data::Example;
namespace fs = std::filesystem;

// Example i is i; early ones take longest.
struct Numbers : data::datasets::Dataset<Numbers> {
  explicit Numbers(size_t count) : count(count) {}
  Example<> get(size_t index) override {
    std::this_thread::sleep_for(std::chrono::microseconds(index % 4 == 0 ? 2000 : 0));
    if (index == bad) throw std::runtime_error("example is damaged");
    return {full({2}, static_cast<double>(index)), full({}, static_cast<int64_t>(index))};
  }
  std::optional<size_t> size() const override { return count; }
  size_t count;
  size_t bad = SIZE_MAX;
};

auto stacked(size_t count) { return Numbers(count).map(data::transforms::Stack<>()); }

template <class Loader>
std::vector<double> targets(Loader& loader) {
  std::vector<double> all;
  for (auto& batch : loader) {
    EXPECT_EQ(batch.data.size(1), 2);
    for (const double target : elements(batch.target)) all.push_back(target);
  }
  return all;
}

TEST(DataLoader, GivesTheSamplersOrderWhateverTheThreads) {
  std::vector<double> expected;
  for (int i = 0; i < 23; ++i) expected.push_back(i);
  for (const size_t workers : {0, 1, 3}) {
    auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
        stacked(23), DataLoaderOptions(4).workers(workers));
    EXPECT_EQ(targets(*loader), expected);
    EXPECT_EQ(targets(*loader), expected) << "a second time";
  }
}

TEST(DataLoader, ARandomOrderIsTheSeeds) {
  const auto order = [](size_t workers) {
    manual_seed(5);
    auto loader = data::make_data_loader(stacked(20), DataLoaderOptions(3).workers(workers));
    return std::pair(targets(*loader), targets(*loader));
  };
  const auto [first, second] = order(0);
  EXPECT_NE(first, second);
  EXPECT_EQ(order(2), order(0));
  std::vector<double> sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], static_cast<double>(i));
}

TEST(DataLoader, OptionsSayWhatBatchesAreMade) {
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
      stacked(10), DataLoaderOptions().batch_size(4).drop_last(true));
  EXPECT_EQ(targets(*loader).size(), 8u);
  auto unordered = data::make_data_loader<data::samplers::SequentialSampler>(
      stacked(10), DataLoaderOptions(2).workers(3).max_jobs(2).enforce_ordering(false));
  EXPECT_EQ(targets(*unordered).size(), 10u);
  EXPECT_THROW(data::make_data_loader(stacked(3), 0), std::invalid_argument);
  auto none = data::make_data_loader(stacked(0), 2);
  EXPECT_TRUE(none->begin() == none->end());
}

TEST(DataLoader, WhatAWorkerThrowsComesOut) {
  for (const size_t workers : {0, 2}) {
    Numbers numbers(8);
    numbers.bad = 5;
    auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
        numbers.map(data::transforms::Stack<>()), DataLoaderOptions(2).workers(workers));
    size_t seen = 0;
    try {
      for (auto& batch : *loader) seen += static_cast<size_t>(batch.data.size(0));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("example is damaged"), std::string::npos);
    }
    EXPECT_EQ(seen, 4u);
  }
}

TEST(DataLoader, MayBeLeftEarlyAndHasOneIteratorAtATime) {
  auto loader = data::make_data_loader(stacked(100), DataLoaderOptions(1).workers(2));
  for (auto& batch : *loader) {
    EXPECT_EQ(batch.data.size(0), 1);
    break;
  }
  EXPECT_THROW(loader->begin(), std::runtime_error);
}

TEST(DataLoader, TimesOut) {
  struct Slow : data::datasets::Dataset<Slow> {
    Example<> get(size_t) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      return {ones({1}), ones({1})};
    }
    std::optional<size_t> size() const override { return 2; }
  };
  auto loader =
      data::make_data_loader(Slow().map(data::transforms::Stack<>()),
                             DataLoaderOptions().workers(1).timeout(std::chrono::milliseconds(20)));
  EXPECT_THROW(loader->begin(), std::runtime_error);
}

TEST(DataLoader, MovesBatchesToTheDeviceAhead) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  std::vector<double> expected;
  for (int i = 0; i < 23; ++i) expected.push_back(i);
  cuda::set_stream_checks(true);
  for (const size_t workers : {0, 1, 3}) {
    SCOPED_TRACE(workers);
    TransferLedger::reset();
    const int line = __LINE__ + 1;
    const auto options = DataLoaderOptions(4).workers(workers).device(Device(kCUDA, 1));
    auto loader = data::make_data_loader<data::samplers::SequentialSampler>(stacked(23), options);
    for (int epoch = 0; epoch < 2; ++epoch) {
      std::vector<double> all;
      for (auto& batch : *loader) {
        EXPECT_EQ(batch.data.device(), Device(kCUDA, 1));
        // In this thread's stream, without a wait: the loader has ordered them.
        EXPECT_EQ((batch.data + 1).size(1), 2);
        for (const double target : elements(batch.target)) all.push_back(target);
      }
      EXPECT_EQ(all, expected);
    }
    uint64_t up = 0;
    for (const TransferRow& row : TransferLedger::rows()) {
      if (row.direction == TransferDirection::kHostToDevice && row.site.line == line) {
        up += row.count;
      }
    }
    EXPECT_EQ(up, 2u * 2 * 6);  // epochs, tensors of a batch, batches
  }
  cuda::set_stream_checks(false);
}

TEST(DataLoader, ADeviceThatIsTheHostChangesNothing) {
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
      stacked(5), DataLoaderOptions(2).device(kCPU));
  EXPECT_EQ(targets(*loader).size(), 5u);
}

TEST(DataLoader, ErrorsPassTheMover) {
  TENSORLIB_REQUIRE_CUDA();
  for (const size_t workers : {0, 2}) {
    Numbers numbers(8);
    numbers.bad = 5;
    auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
        numbers.map(data::transforms::Stack<>()),
        DataLoaderOptions(2).workers(workers).device(kCUDA));
    const auto all = [&] {
      for (auto& batch : *loader) EXPECT_EQ(batch.data.size(0), 2);
    };
    try {
      all();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const data::WorkerException& error) {
      EXPECT_STREQ(error.what(),
                   "Caught exception in DataLoader worker thread. Original message: "
                   "example is damaged");
    }
  }
  // Left early, with batches on their way.
  auto loader = data::make_data_loader(stacked(40), DataLoaderOptions(2).workers(2).device(kCUDA));
  EXPECT_EQ(loader->begin()->data.size(0), 2);
}

TEST(DataLoader, PinsWhatItGives) {
  TENSORLIB_REQUIRE_CUDA();
  for (const size_t workers : {0, 2}) {
    auto loader =
        data::make_data_loader(stacked(6), DataLoaderOptions(2).workers(workers).pin_memory(true));
    for (auto& batch : *loader) {
      EXPECT_TRUE(batch.data.is_pinned());
      EXPECT_TRUE(batch.target.is_pinned());
    }
  }
}

TEST(Transforms, ChangeExamplesAndBatches) {
  using namespace data::transforms;
  auto dataset =
      Numbers(6)
          .map(Normalize<>({1.0}, {2.0}).mean.defined()
                   ? TensorLambda<>([](Tensor x) { return x + 1; })
                   : TensorLambda<>([](Tensor x) { return x; }))
          .map(Lambda<Example<>>([](Example<> e) {
            e.target = e.target * 10;
            return e;
          }))
          .map(Stack<>())
          .map(BatchLambda<Example<>, Tensor>([](Example<> batch) { return batch.target; }));
  EXPECT_EQ(elements(dataset.get_batch(std::vector<size_t>{2, 4})), (std::vector<double>{20, 40}));
  Normalize<> normalize({1.0, 2.0}, {2.0, 4.0});
  const Tensor image = ones({2, 1, 2});
  EXPECT_TRUE(near(elements(normalize(image)), {0, 0, -0.25, -0.25}, 0));
  data::datasets::TensorDataset rows(tensor({{1.0, 2.0}, {3.0, 4.0}}));
  auto batch = rows.map(Stack<data::TensorExample>()).get_batch(std::vector<size_t>{1, 0});
  EXPECT_TRUE(near(elements(batch.data), {3, 4, 1, 2}, 0));
}

TEST(Samplers, PartsAreEqualAndTogetherAll) {
  std::vector<size_t> all;
  for (size_t rank = 0; rank < 3; ++rank) {
    data::samplers::DistributedRandomSampler sampler(9, 3, rank);
    sampler.set_epoch(2);
    sampler.reset();
    while (const auto some = sampler.next(2)) all.insert(all.end(), some->begin(), some->end());
  }
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(all.at(i), i);
  EXPECT_THROW(data::samplers::DistributedRandomSampler(9, 3, 3), Error);
}

class Mnist : public ::testing::Test {
 protected:
  Mnist() : root_(fs::temp_directory_path() / ("tensorlib_mnist_" + std::to_string(getpid()))) {
    fs::create_directories(root_);
    write("train-images-idx3-ubyte", {0, 0,  8,   3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3,  //
                                      0, 51, 255, 1, 2, 3});
    write("train-labels-idx1-ubyte", {0, 0, 8, 1, 0, 0, 0, 2, 7, 9});
  }
  ~Mnist() override { fs::remove_all(root_); }
  void write(const char* name, const std::vector<int>& bytes) {
    std::ofstream file(root_ / name, std::ios::binary);
    for (const int byte : bytes) file.put(static_cast<char>(byte));
  }
  std::string error() {
    return error_of([&] { data::datasets::MNIST set(root_.string()); });
  }
  fs::path root_;
};

TEST_F(Mnist, ReadsImagesAndLabels) {
  data::datasets::MNIST set(root_.string());
  EXPECT_EQ(set.size().value(), 2u);
  EXPECT_TRUE(set.is_train());
  const Example<> first = set.get(0);
  EXPECT_EQ(first.data.sizes(), std::vector<int64_t>({1, 1, 3}));
  EXPECT_TRUE(near(elements(first.data), {0, 0.2, 1}, 1e-7));
  EXPECT_EQ(set.get(1).target.item<int64_t>(), 9);
  EXPECT_THROW((void)set.get(2), IndexError);
}

TEST_F(Mnist, BadFilesAreNamed) {
  write("train-labels-idx1-ubyte", {0, 0, 8, 1, 0, 0, 0, 3, 7, 9, 1});
  EXPECT_NE(error().find("3 labels for 2 images"), std::string::npos);
  write("train-labels-idx1-ubyte", {0, 0, 8, 1, 0, 0, 0, 2, 7});
  EXPECT_NE(error().find("is cut off: 1 bytes of 2"), std::string::npos);
  write("train-labels-idx1-ubyte", {0, 0});
  EXPECT_NE(error().find("cut off in its header"), std::string::npos);
  write("train-labels-idx1-ubyte", {0x1f, 0x8b, 8, 0});
  EXPECT_NE(error().find("gunzip"), std::string::npos);
  write("train-images-idx3-ubyte",
        {0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255});
  write("train-labels-idx1-ubyte", {0, 0, 8, 1, 255, 255, 255, 255});
  EXPECT_NE(error().find("says that it has"), std::string::npos);
  fs::remove(root_ / "train-images-idx3-ubyte");
  EXPECT_NE(error().find("cannot be opened: No such file"), std::string::npos);
}

}  // namespace
}  // namespace tensorlib::testing
