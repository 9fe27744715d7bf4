// PinnedMemory: page-locked host memory. Blocks are kept for reuse; one that an asynchronous copy
// still reads or writes is not reused before that copy is done. Safe to use from several threads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/backend.h"

namespace tensorlib::cuda {

class PinnedMemory final : public Allocator {
 public:
  void* allocate(size_t nbytes) override;
  void release(void* data, size_t nbytes) noexcept override;
  // An asynchronous copy that touches [data, ...) was put into the stream. Other memory than ours
  // is ignored.
  void used_by_copy(const void* data, int device, cudaStream_t stream);

 private:
  struct Block {
    size_t size;
    std::vector<cudaEvent_t> copies;  // recorded after each
  };
  void* take(size_t nbytes);
  // The block that an address lies in, or the end.
  std::map<char*, Block>::iterator block_of(const void* data);

  std::mutex mutex_;
  std::map<char*, Block> used_;
  std::multimap<size_t, std::pair<char*, Block>> cached_;
};

}  // namespace tensorlib::cuda
