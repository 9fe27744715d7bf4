// Examples in lists that are where the model is, or may be.

#include <torch/torch.h>

#include <vector>

using Example = torch::data::Example<>;

struct CudaRows : torch::data::datasets::Dataset<CudaRows> {
  torch::Tensor xs = torch::rand({64, 8}), ys = torch::rand({64, 1});
  Example get(size_t index) override {
    const auto row = static_cast<int64_t>(index);
    return {xs[row].to(torch::kCUDA), ys[row].to(torch::kCUDA)};
  }
  torch::optional<size_t> size() const override { return 64; }
};

struct HostRows : torch::data::datasets::Dataset<HostRows> {
  torch::Tensor xs = torch::rand({64, 8}), ys = torch::rand({64, 1});
  Example get(size_t index) override {
    const auto row = static_cast<int64_t>(index);
    return {xs[row], ys[row]};
  }
  torch::optional<size_t> size() const override { return 64; }
};

struct StackOnCuda : torch::data::transforms::Collation<Example> {
  Example apply_batch(std::vector<Example> examples) override {
    std::vector<torch::Tensor> data, target;
    for (auto& example : examples) {
      data.push_back(example.data);
      target.push_back(example.target);
    }
    return {torch::stack(data).to(torch::kCUDA), torch::stack(target).to(torch::kCUDA)};
  }
};

struct StackWhereTheyAre : torch::data::transforms::Collation<Example> {
  Example apply_batch(std::vector<Example> examples) override {
    std::vector<torch::Tensor> data, target;
    for (auto& example : examples) {
      data.push_back(example.data);
      target.push_back(example.target);
    }
    return {torch::stack(data), torch::stack(target)};
  }
};

void made_on_cuda(torch::nn::Linear net) {
  net->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader(CudaRows(), 8);
  for (auto& batch : *loader) {
    net->forward(batch[0].data);
    for (auto& example : batch) net->forward(example.data);
  }
  auto stacked = torch::data::make_data_loader(CudaRows().map(StackWhereTheyAre()), 8);
  for (auto& batch : *stacked) net->forward(batch.data);
}

void collated_on_cuda(torch::nn::Linear net) {
  net->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader(HostRows().map(StackOnCuda()), 8);
  for (auto& batch : *loader) net->forward(batch.data);
}

void moved_in_place(torch::nn::Linear net) {
  net->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader(HostRows(), 8);
  for (auto& batch : *loader) {
    for (auto& example : batch) {
      example.data = example.data.to(torch::kCUDA);
      net->forward(example.data);
    }
    net->forward(batch[0].data);
  }
}

struct Record {
  torch::Tensor image, mask;
  void to(torch::Device device) {
    image = image.to(device);
    mask = mask.to(device);
  }
};
void prepare(Record& record);
void move_record(Record& record) { record.to(torch::kCUDA); }

torch::Tensor moved_records(torch::nn::Linear net) {
  net->to(torch::kCUDA);
  std::vector<Record> first, second, third, fourth, fifth;
  first.push_back(Record{torch::rand({8}), torch::rand({8})});
  first[0].to(torch::kCUDA);
  second.push_back(Record{torch::rand({8}), torch::rand({8})});
  second[0].image = second[0].image.to(torch::kCUDA);
  third.push_back(Record{torch::rand({8}), torch::rand({8})});
  prepare(third[0]);
  fourth.push_back(Record{torch::rand({8}), torch::rand({8})});
  move_record(fourth.front());
  fifth.push_back(Record{torch::rand({8}), torch::rand({8})});
  for (auto& record : fifth) record.to(torch::kCUDA);
  return net->forward(first[0].image) + net->forward(second[0].image) +
         net->forward(third[0].image) + net->forward(fourth[0].image) +
         net->forward(fifth[0].image);
}

torch::Tensor parts_apart(torch::nn::Linear net) {
  net->to(torch::kCUDA);
  std::vector<Record> records;
  records.push_back(Record{torch::rand({8}).to(torch::kCUDA), torch::rand({8})});
  Record late;
  late.mask = torch::rand({8});
  late.image = torch::rand({8}, torch::kCUDA);
  records.push_back(late);
  return net->forward(records[0].image) + net->forward(records[1].image);
}

torch::Tensor given(torch::nn::Linear net, const std::vector<Record>& records) {
  net->to(torch::kCUDA);
  return net->forward(records[0].image);
}
