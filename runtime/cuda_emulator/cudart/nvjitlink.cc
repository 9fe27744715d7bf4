// nvJitLink makes machine code of what a program compiles while it runs, which nothing here runs.
// Where devices are emulated, PTX that it is given becomes one module as it is, and code for its
// own optimizer (LTO-IR) is linked by nvJitLink itself, which can give PTX back. As in nvrtc.cc.

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cudart/redirection.h"
#include "cudart/runnable_ptx.h"
#include "machine/machine.h"
#include "machine/say.h"
#include "ptx/joined.h"
#include "src/device_image.h"

namespace xfer::emulator {
namespace {

// As in nvJitLink.h, which not every toolkit's installation has.
using Link = void*;
enum LinkStatus { kLinked = 0, kInvalidInput = 3, kPtxCompile = 4, kInternal = 6, kNullInput = 10 };
enum InputType { kMachineCode = 1, kPtx = 2, kFatBinary = 4, kAny = 10 };

/// The parts of a link under way that an emulated device takes.
struct Linked {
  bool optimizes = false;  ///< it was created with -lto, and gives PTX
  std::vector<std::string> texts;
  std::string result;
};

struct Links {
  std::mutex mutex;
  std::unordered_map<Link, Linked> all;
};
Links& links() {
  static auto* const all = new Links;
  return *all;
}

/// Null: it was created where no device is emulated.
Linked* find(Link link) {
  Links& its = links();
  const std::lock_guard lock(its.mutex);
  const auto found = its.all.find(link);
  return found == its.all.end() ? nullptr : &found->second;
}

}  // namespace
}  // namespace xfer::emulator

using xfer::emulator::Link;
using xfer::emulator::Linked;

// Programs call these by the names that their toolkit's header gives them, with its version.
extern "C" {
int nvJitLinkCreate(Link* link, std::uint32_t count, const char** options);
int nvJitLinkDestroy(Link* link);
int nvJitLinkAddData(Link link, int type, const void* data, std::size_t size, const char* name);
int nvJitLinkAddFile(Link link, int type, const char* path);
int nvJitLinkComplete(Link link);
int nvJitLinkGetLinkedCubinSize(Link link, std::size_t* size);
int nvJitLinkGetLinkedCubin(Link link, void* code);
}

namespace xfer::emulator {
namespace {

std::array<Redirection, 9>& nvjitlink_functions() {
  static std::array<Redirection, 9> all{
      {{"nvJitLinkCreate", reinterpret_cast<const void*>(&nvJitLinkCreate)},
       {"nvJitLinkDestroy", reinterpret_cast<const void*>(&nvJitLinkDestroy)},
       {"nvJitLinkAddData", reinterpret_cast<const void*>(&nvJitLinkAddData)},
       {"nvJitLinkAddFile", reinterpret_cast<const void*>(&nvJitLinkAddFile)},
       {"nvJitLinkComplete", reinterpret_cast<const void*>(&nvJitLinkComplete)},
       {"nvJitLinkGetLinkedCubinSize", reinterpret_cast<const void*>(&nvJitLinkGetLinkedCubinSize)},
       {"nvJitLinkGetLinkedCubin", reinterpret_cast<const void*>(&nvJitLinkGetLinkedCubin)},
       {"nvJitLinkGetLinkedPtxSize", nullptr},
       {"nvJitLinkGetLinkedPtx", nullptr}}};
  return all;
}

template <class... Arguments>
int call_nvjitlink(const char* name, Arguments... arguments) {
  return call_own(nvjitlink_functions(), name, kInternal, arguments...);
}

int refuse(int error, const std::string& why) {
  say("xfercheck: nvJitLink cannot take {}\n", why);
  return error;
}

/// Whether nvJitLink's own optimizer takes it: all that is no device code of another kind. It takes
/// no library without code for it.
bool is_for_optimizer(const Linked& linked, int type, std::string_view data,
                      std::string_view name) {
  return linked.optimizes && type != kPtx && !is_device_code(data) && !is_device_runtime(name);
}

int add_text(Linked& linked, int type, std::string_view data, const std::string& name) {
  if (is_device_runtime(name)) return kLinked;
  if (type == kMachineCode) return refuse(kInvalidInput, name + ": emulated devices run PTX");
  std::string why;
  auto text = runnable_ptx(Machine::instance().options(), data, &why);
  if (!text) return refuse(kInvalidInput, name + ": " + why);
  linked.texts.push_back(std::move(*text));
  return kLinked;
}

/// Of what the optimizer was given. Empty: of nothing.
std::string optimized(Link link) {
  std::size_t size = 0;
  if (call_nvjitlink("nvJitLinkGetLinkedPtxSize", link, &size) != kLinked || size == 0) return {};
  std::string text(size, '\0');
  if (call_nvjitlink("nvJitLinkGetLinkedPtx", link, text.data()) != kLinked) return {};
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace

std::span<Redirection> nvjitlink_redirections() { return nvjitlink_functions(); }

}  // namespace xfer::emulator

using namespace xfer::emulator;

extern "C" {

int nvJitLinkCreate(Link* link, std::uint32_t count, const char** options) {
  std::vector<const char*> changed(options, options + (options == nullptr ? 0 : count));
  const auto has = [&](std::string_view wanted) {
    return std::ranges::find(changed, wanted, [](const char* option) {
             return std::string_view(option);
           }) != changed.end();
  };
  const bool emulates = Machine::instance().device_count() != 0 && !has("-ptx");
  Linked linked;
  linked.optimizes = has("-lto") || has("-dlto");
  if (emulates && linked.optimizes) changed.push_back("-ptx");
  const int status = call_nvjitlink("nvJitLinkCreate", link,
                                    static_cast<std::uint32_t>(changed.size()), changed.data());
  if (status != kLinked || !emulates) return status;
  Links& its = links();
  const std::lock_guard lock(its.mutex);
  its.all.insert_or_assign(*link, std::move(linked));
  return status;
}

int nvJitLinkDestroy(Link* link) {
  if (link != nullptr) {
    Links& its = links();
    const std::lock_guard lock(its.mutex);
    its.all.erase(*link);
  }
  return call_nvjitlink("nvJitLinkDestroy", link);
}

int nvJitLinkAddData(Link link, int type, const void* data, std::size_t size, const char* name) {
  Linked* const linked = find(link);
  const std::string_view bytes(static_cast<const char*>(data), data == nullptr ? 0 : size);
  const std::string called = name != nullptr ? name : "a module";
  if (linked == nullptr || data == nullptr || is_for_optimizer(*linked, type, bytes, called))
    return call_nvjitlink("nvJitLinkAddData", link, type, data, size, name);
  return add_text(*linked, type, bytes, called);
}

int nvJitLinkAddFile(Link link, int type, const char* path) {
  Linked* const linked = find(link);
  if (linked == nullptr || path == nullptr)
    return call_nvjitlink("nvJitLinkAddFile", link, type, path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || is_for_optimizer(*linked, type, bytes, path))
    return call_nvjitlink("nvJitLinkAddFile", link, type, path);
  return add_text(*linked, type, bytes, path);
}

int nvJitLinkComplete(Link link) {
  Linked* const linked = find(link);
  if (linked == nullptr) return call_nvjitlink("nvJitLinkComplete", link);
  std::vector<std::string> texts = linked->texts;
  if (linked->optimizes) {
    const int status = call_nvjitlink("nvJitLinkComplete", link);
    if (status != kLinked && texts.empty()) return status;
    if (std::string text = optimized(link); !text.empty()) texts.push_back(std::move(text));
  }
  xfer::ptx::Joined all = xfer::ptx::joined(texts);
  if (!all.defined_twice.empty())
    return refuse(kPtxCompile, "two definitions of " + all.defined_twice);
  linked->result = std::move(all.text);
  return texts.empty() ? kNullInput : kLinked;
}

int nvJitLinkGetLinkedCubinSize(Link link, std::size_t* size) {
  const Linked* const linked = find(link);
  if (linked == nullptr) return call_nvjitlink("nvJitLinkGetLinkedCubinSize", link, size);
  if (size == nullptr) return kNullInput;
  *size = linked->result.size() + 1;
  return kLinked;
}

int nvJitLinkGetLinkedCubin(Link link, void* code) {
  const Linked* const linked = find(link);
  if (linked == nullptr) return call_nvjitlink("nvJitLinkGetLinkedCubin", link, code);
  if (code == nullptr) return kNullInput;
  linked->result.copy(static_cast<char*>(code), linked->result.size());
  static_cast<char*>(code)[linked->result.size()] = '\0';
  return kLinked;
}

// The names in programs that are linked to it: those of their toolkit's header.
#define XFER_ALIAS(function, version, parameters) \
  int __##function##_##version parameters __attribute__((alias(#function)));
#define XFER_ALIASES(version)                                                               \
  XFER_ALIAS(nvJitLinkCreate, version, (Link*, std::uint32_t, const char**))                \
  XFER_ALIAS(nvJitLinkDestroy, version, (Link*))                                            \
  XFER_ALIAS(nvJitLinkAddData, version, (Link, int, const void*, std::size_t, const char*)) \
  XFER_ALIAS(nvJitLinkAddFile, version, (Link, int, const char*))                           \
  XFER_ALIAS(nvJitLinkComplete, version, (Link))                                            \
  XFER_ALIAS(nvJitLinkGetLinkedCubinSize, version, (Link, std::size_t*))                    \
  XFER_ALIAS(nvJitLinkGetLinkedCubin, version, (Link, void*))
XFER_ALIASES(13_0)
XFER_ALIASES(13_1)
XFER_ALIASES(13_2)
XFER_ALIASES(13_3)
XFER_ALIASES(13_4)
XFER_ALIASES(13_5)
XFER_ALIASES(13_6)
XFER_ALIASES(13_7)
XFER_ALIASES(13_8)
XFER_ALIASES(13_9)
}
