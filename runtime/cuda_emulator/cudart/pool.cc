#include "cudart/pool.h"

#include <algorithm>
#include <set>
#include <utility>

namespace xfer::emulator {
namespace {

struct Taken {
  std::shared_ptr<MemoryPool> pool;
  std::uint64_t bytes;
};

struct Pools {
  std::map<int, std::shared_ptr<MemoryPool>> standard;  ///< by device, as the next
  std::map<int, std::shared_ptr<MemoryPool>> current;
  std::set<std::shared_ptr<MemoryPool>> created;
  std::map<std::uintptr_t, Taken> taken;
};
Pools& pools() {
  static auto* const all = new Pools;
  return *all;
}

std::shared_ptr<MemoryPool> make_pool(int device, std::uint64_t most) {
  auto pool = std::make_shared<MemoryPool>();
  pool->device = device;
  pool->most = most;
  return pool;
}

}  // namespace

void MemoryPool::add(std::uintptr_t address, std::uint64_t bytes) {
  used.add(bytes);
  if (used.now > reserved.now) reserved.add(used.now - reserved.now);
  pools().taken.insert_or_assign(address, Taken{shared_from_this(), bytes});
}

void MemoryPool::trim(std::uint64_t keep) {
  reserved.now = std::max(used.now, std::min(reserved.now, keep));
}

void take_from_pool(std::uintptr_t address) {
  const auto entry = pools().taken.extract(address);
  if (entry.empty()) return;
  MemoryPool& pool = *entry.mapped().pool;
  pool.used.now -= entry.mapped().bytes;
  pool.trim(pool.release_threshold);
}

std::shared_ptr<MemoryPool> default_pool(int device) {
  auto& pool = pools().standard[device];
  if (pool == nullptr) pool = make_pool(device, 0);
  return pool;
}

std::shared_ptr<MemoryPool> current_pool(int device) {
  const auto found = pools().current.find(device);
  return found == pools().current.end() ? default_pool(device) : found->second;
}

void set_current_pool(int device, std::shared_ptr<MemoryPool> pool) {
  if (pool == nullptr)
    pools().current.erase(device);
  else
    pools().current[device] = std::move(pool);
}

void forget_pools(int device) {
  const auto is_gone = [&](const auto& pool) { return pool->device == device; };
  std::erase_if(pools().taken, [&](const auto& entry) { return is_gone(entry.second.pool); });
  std::erase_if(pools().created, is_gone);
  pools().standard.erase(device);
  pools().current.erase(device);
}

std::shared_ptr<MemoryPool> create_pool(int device, std::uint64_t most) {
  return *pools().created.insert(make_pool(device, most)).first;
}

bool destroy_pool(MemoryPool* pool) {
  const auto holder = pool->shared_from_this();
  if (pools().created.erase(holder) == 0) return false;
  std::erase_if(pools().current, [&](const auto& entry) { return entry.second == holder; });
  return true;
}

}  // namespace xfer::emulator
