#pragma once
// The block and the thread that a translated kernel runs as, and the services that it asks of its
// runner. Generated code reads these structures by offset: plain data only.
//
// Addresses in registers and in memory are those that the program knows: an address in
// [device_base, device_base + device_span) is device memory, which code reaches device_span higher.
// Any other is a host address. Addresses of shared memory are offsets into it until a kernel makes
// them generic (cvta), which adds the block's `shared`.

#include <cstddef>
#include <cstdint>

namespace xfer::kernels {

struct Services;
struct Thread;

/// Where code that records what it touches leaves its marks: in `reads` or `writes` for each word
/// of device memory (see touch_marks.h), by its distance from Block::device_base, and a 1 in
/// `pages` for each page.
struct Touches {
  static constexpr unsigned kPageBits = 12;

  std::byte* reads = nullptr;
  std::byte* writes = nullptr;
  std::byte* pages = nullptr;
  /// Marks host memory. False: the address is of none that devices can reach.
  bool (*mark_host)(void* context, std::uintptr_t address, std::uint64_t bytes,
                    bool writes) = nullptr;
  void* context = nullptr;
};

/// Data that the threads of a block share.
struct Block {
  const Services* services = nullptr;
  std::byte* shared = nullptr;                ///< static, then dynamic; aligned to 128
  const std::byte* parameters = nullptr;      ///< as Code::parameters lays them out
  const std::uintptr_t* variables = nullptr;  ///< addresses, in the order of Code::variables
  std::uintptr_t device_base = 0;
  std::uint64_t device_span = 0;
  std::uint32_t shared_bytes = 0;          ///< static and dynamic
  std::uint32_t dynamic_shared_bytes = 0;  ///< the last of them
  std::uint32_t block_size[3] = {1, 1, 1};
  std::uint32_t grid_size[3] = {1, 1, 1};
  std::uint32_t index[3] = {0, 0, 0};
  std::uint32_t multiprocessor = 0;   ///< %smid
  std::uint64_t grid_number = 0;      ///< %gridid
  std::uintptr_t grid_workspace = 0;  ///< of cooperative groups (%envreg1, 2); 0: no such launch
  Touches* touches = nullptr;         ///< of code that records them
};

struct Thread {
  Block* block = nullptr;
  std::byte* local = nullptr;  ///< Code::local_bytes, aligned to 16
  std::uint32_t index[3] = {0, 0, 0};
  std::uint32_t number = 0;    ///< in the block; its lane is number % 32
  std::uint32_t patience = 0;  ///< turns of a loop that waits until it yields; code counts it down
  std::uint64_t turned = 0;  ///< code adds what it ran again: instructions of loops, by their text
};

enum class Shuffle : std::uint32_t { kUp, kDown, kButterfly, kIndex };
enum class Vote : std::uint32_t { kBallot, kAny, kAll, kUniform };
enum class Reduce : std::uint32_t { kAdd, kMin, kMax, kMinSigned, kMaxSigned, kAnd, kOr, kXor };

/// Which texels an instruction of textures or surfaces takes them to have.
enum class Geometry : std::uint32_t { k1D, k2D, k3D, k1DLayered, k2DLayered, kCube, kCubeLayered };

/// The request of a tex or tld4.
struct TextureRead {
  std::uint64_t texture = 0;  ///< the object
  Geometry geometry = Geometry::k1D;
  std::uint32_t integers = 0;              ///< 1: the coordinates are s32, else f32
  std::uint32_t coordinates[3] = {};       ///< their bits; 0 what the geometry has not
  std::uint32_t layer = 0;                 ///< of layered ones
  std::uint32_t component = kEvery;        ///< tld4: the one to gather
  std::uint32_t has_gradients = 0;         ///< 1: the level is what they say
  float level = 0;                         ///< of detail, of mipmaps
  float along_x[3] = {}, along_y[3] = {};  ///< gradients

  static constexpr std::uint32_t kEvery = 4;
};

/// The request of a suld or sust.
struct SurfaceAccess {
  enum class Outside : std::uint32_t { kTrap, kClamp, kZero };

  std::uint64_t surface = 0;  ///< the object
  Geometry geometry = Geometry::k1D;
  Outside outside = Outside::kTrap;  ///< what happens to one that is not all in the surface
  std::int32_t coordinates[3] = {};  ///< the first in bytes; 0 what the geometry has not
  std::uint32_t layer = 0;           ///< of layered ones
  std::uint32_t bytes = 0;           ///< of all elements: 16 at most
};

enum class ImageQuery : std::uint32_t { kWidth, kHeight, kDepth, kLayers, kLevels, kNormalized };

/// Called on the stack of the thread that asks; each may let other threads run first. PTX's rules
/// for the instruction hold. Lanes of a mask that have returned are not waited for. The last
/// argument of shuffle and match may be null.
struct Services {
  /// bar.sync. `count` threads meet, all that have not returned if it is 0.
  void (*barrier)(Thread*, std::uint32_t id, std::uint32_t count) = nullptr;
  void (*arrive)(Thread*, std::uint32_t id, std::uint32_t count) = nullptr;
  /// bar.red: how many brought a predicate that is not 0, of how many.
  std::uint32_t (*barrier_count)(Thread*, std::uint32_t id, std::uint32_t count,
                                 std::uint32_t predicate, std::uint32_t* arrived) = nullptr;
  void (*warp_barrier)(Thread*, std::uint32_t mask) = nullptr;
  std::uint32_t (*shuffle)(Thread*, std::uint32_t mask, Shuffle how, std::uint32_t value,
                           std::uint32_t lane, std::uint32_t clamp,
                           std::uint32_t* in_range) = nullptr;
  /// kBallot: the lanes; else 0 or 1.
  std::uint32_t (*vote)(Thread*, std::uint32_t mask, Vote how, std::uint32_t predicate) = nullptr;
  /// The lanes with the same value. With `all`: the mask and *equal = 1, or 0 and 0.
  std::uint32_t (*match)(Thread*, std::uint32_t mask, std::uint64_t value, std::uint32_t all,
                         std::uint32_t* equal) = nullptr;
  std::uint32_t (*reduce)(Thread*, std::uint32_t mask, Reduce how, std::uint32_t value) = nullptr;
  /// The lanes that run together: those that come to the same `site` before anything else stops
  /// them.
  std::uint32_t (*active_mask)(Thread*, std::uint32_t site) = nullptr;
  /// The values of all lanes of the mask: 32 words of `bytes` bytes (16 at most), that of lane l at
  /// l * 16, valid until this thread waits again. For mma and its kin.
  const std::byte* (*exchange)(Thread*, std::uint32_t mask, const std::byte* value,
                               std::uint32_t bytes) = nullptr;
  /// Lets others go on: other threads, other blocks, the host.
  void (*yield)(Thread*) = nullptr;
  /// Lets the block's other threads come to where they pause or wait.
  void (*pause)(Thread*) = nullptr;
  void (*sleep)(Thread*, std::uint32_t ns) = nullptr;
  std::uint64_t (*clock)(Thread*) = nullptr;         ///< cycles
  std::uint64_t (*global_timer)(Thread*) = nullptr;  ///< ns
  /// Whether the address is of the thread's own stack or of Thread::local.
  std::uint32_t (*is_local)(Thread*, std::uintptr_t address) = nullptr;
  /// printf. Addresses, those among the arguments too, as the kernel knows them.
  std::int32_t (*print)(Thread*, std::uintptr_t format, std::uintptr_t arguments) = nullptr;
  std::uintptr_t (*allocate)(Thread*, std::uint64_t bytes) = nullptr;  ///< 0: there is no memory
  void (*release)(Thread*, std::uintptr_t address) = nullptr;
  /// tex and tld4: four words, each a float or an integer as the texture says.
  void (*read_texture)(Thread*, const TextureRead*, std::uint32_t* texel) = nullptr;
  /// suld and sust: as many bytes as the access says.
  void (*read_surface)(Thread*, const SurfaceAccess*, std::byte* elements) = nullptr;
  void (*write_surface)(Thread*, const SurfaceAccess*, const std::byte* elements) = nullptr;
  /// txq and suq. The level is of a texture's mipmaps.
  std::uint32_t (*query_texture)(Thread*, std::uint64_t texture, ImageQuery what,
                                 std::uint32_t level) = nullptr;
  std::uint32_t (*query_surface)(Thread*, std::uint64_t surface, ImageQuery what) = nullptr;
  /// These two do not come back.
  void (*trap)(Thread*) = nullptr;
  void (*fail_assertion)(Thread*, std::uintptr_t message, std::uintptr_t file, std::uint32_t line,
                         std::uintptr_t function) = nullptr;
};

/// Where code reaches what the program calls `address`.
inline std::uintptr_t reachable(std::uintptr_t base, std::uint64_t span, std::uintptr_t address) {
  return address - base < span ? address + span : address;
}
inline std::uintptr_t reachable(const Block& block, std::uintptr_t address) {
  return reachable(block.device_base, block.device_span, address);
}

}  // namespace xfer::kernels
