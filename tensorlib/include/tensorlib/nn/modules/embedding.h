// Embedding: a table of vectors, one for each number.
#pragma once

#include <cstdint>
#include <optional>

#include "tensorlib/nn/module_holder.h"
#include "tensorlib/nn/options.h"

namespace tensorlib::nn {

struct EmbeddingOptions {
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  TENSORLIB_OPTION(int64_t, num_embeddings);
  TENSORLIB_OPTION(int64_t, embedding_dim);
  // A row of zeros that gets no gradient; counted from the end where negative.
  TENSORLIB_OPTION(std::optional<int64_t>, padding_idx) = std::nullopt;
};

// int32 or int64 [...] in, [..., embedding_dim] out.
class TENSORLIB_API EmbeddingImpl : public Module {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions& options);
  TENSORLIB_PURE Tensor forward(const Tensor& indices, CallSite site = CallSite::current()) const;
  void reset_parameters();
  void pretty_print(std::ostream& out) const override;
  TENSORLIB_CLONE;

  EmbeddingOptions options;
  Tensor weight;
};
TENSORLIB_MODULE(Embedding);

}  // namespace tensorlib::nn
