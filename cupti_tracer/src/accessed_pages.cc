#include "accessed_pages.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "host_clock.h"
#include "mappings.h"
#include "page.h"

#ifndef MADV_COLD
#define MADV_COLD 20
#endif

namespace xfer::tracer {
namespace {

std::atomic<std::uint64_t> forks{0};

bool advise(const AccessedPages::Marked& pages, int advice) {
  return madvise(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, advice) == 0;
}

bool set_kind(const AccessedPages::Marked& pages) {
  return advise(pages, pages.kind == AccessedPages::Kind::kRandom ? MADV_RANDOM : MADV_SEQUENTIAL);
}

std::string read_all(const char* path) {
  std::string text;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  constexpr std::size_t kBlock = std::size_t{64} << 10;
  for (std::size_t held = 0;;) {
    text.resize(held + kBlock);
    const ssize_t got = read(file, text.data() + held, kBlock);
    held += got > 0 ? static_cast<std::size_t>(got) : 0;
    text.resize(held);
    if (got <= 0) break;
  }
  close(file);
  return text;
}

/// Calls use(line) for each, until it says false.
template <class Use>
void for_lines(std::string_view text, Use use) {
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
    if (!use(text.substr(0, end))) return;
    text.remove_prefix(end + 1);
  }
}

/// How many pages of programs the kernel has looked at to see whether they are in use.
std::uint64_t reclaim_scans() {
  std::uint64_t anonymous = 0;
  std::uint64_t all = 0;
  bool told_apart = false;  // from 5.8 on
  for_lines(read_all("/proc/vmstat"), [&](std::string_view line) {
    if (!line.starts_with("pgscan_")) return true;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return true;
    std::uint64_t count = 0;
    std::from_chars(line.data() + space + 1, line.data() + line.size(), count);
    if (line.starts_with("pgscan_anon")) {
      anonymous = count;
      told_apart = true;
    }
    all += count;
    return true;
  });
  return told_apart ? anonymous : all;
}

/// Libraries that let a network card, or another process, read memory behind the kernel's back.
bool is_read_from_outside() {
  static constexpr std::string_view kNames[] = {"/libibverbs.", "/libmpi.",  "/libucp.",
                                                "/libfabric.",  "/libpsm2.", "/libxpmem."};
  bool found = false;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* to) {
        const std::string_view path = library->dlpi_name != nullptr ? library->dlpi_name : "";
        for (const std::string_view name : kNames)
          if (path.find(name) != std::string_view::npos) *static_cast<bool*>(to) = true;
        return 0;
      },
      &found);
  return found;
}

/// A mapping of /proc/self/smaps.
struct Entry {
  Mapping mapping;
  std::uint64_t accessed_kib = 0;
  bool is_marked = false;  ///< one that was made anew is not
};

template <class Use>
void for_entries(std::string_view smaps, Use use) {
  Entry entry;
  for_lines(smaps, [&](std::string_view line) {
    constexpr std::string_view kAccessed = "Referenced:";
    if (line.starts_with(kAccessed)) {
      const std::size_t digit = line.find_first_not_of(' ', kAccessed.size());
      if (digit != std::string_view::npos)
        std::from_chars(line.data() + digit, line.data() + line.size(), entry.accessed_kib);
    } else if (line.starts_with("VmFlags:")) {
      entry.is_marked =
          line.find(" rr") != std::string_view::npos || line.find(" sr") != std::string_view::npos;
      use(entry);
    } else if (Mapping mapping; parse_mapping(line, mapping)) {
      entry = {mapping};
    }
    return true;
  });
}

std::vector<bool> accessed_by_kernel(std::span<const AccessedPages::Marked> marked) {
  std::vector<std::uint64_t> quiet(marked.size());  // bytes
  for_entries(read_all("/proc/thread-self/smaps"), [&](const Entry& entry) {
    // Of a file's, too, what was copied there is the process's own.
    if (!entry.mapping.is_data || !entry.is_marked || entry.accessed_kib != 0) return;
    for (std::size_t i = 0; i < marked.size(); ++i) {
      const std::uint64_t begin = std::max(marked[i].begin, entry.mapping.begin);
      const std::uint64_t end = std::min(marked[i].end, entry.mapping.end);
      if (begin < end) quiet[i] += end - begin;
    }
  });
  std::vector<bool> accessed(marked.size());
  for (std::size_t i = 0; i < marked.size(); ++i)
    accessed[i] = quiet[i] != marked[i].end - marked[i].begin;
  return accessed;
}

/// Tries it on memory of its own.
bool marks_work() {
  const std::uint64_t bytes = 2 * page_bytes();
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  std::memset(memory, 1, bytes);
  const auto begin = reinterpret_cast<std::uint64_t>(memory);
  const AccessedPages::Marked pages{begin, begin + bytes};
  bool work = set_kind(pages) && advise(pages, MADV_COLD);
  work = work && !accessed_by_kernel({&pages, 1})[0];
  static_cast<void>(*static_cast<volatile char*>(memory));
  work = work && accessed_by_kernel({&pages, 1})[0];
  munmap(memory, bytes);
  return work;
}

}  // namespace

bool AccessedPages::works() {
  Works known = works_.load(std::memory_order_acquire);
  if (known == Works::kUnknown) {
    begin_ns_.store(host_clock_ns(), std::memory_order_relaxed);
    scans_.store(reclaim_scans(), std::memory_order_relaxed);
    const bool counted =
        pthread_atfork(
            nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); }, nullptr) == 0;
    known = counted && marks_work() ? Works::kYes : Works::kNo;
    works_.store(known, std::memory_order_release);
  }
  return known == Works::kYes;
}

bool AccessedPages::has_time() const {
  constexpr std::uint64_t kAllNs = 50'000'000;  // whatever the run's time
  if (percent_ >= 100) return true;
  const std::uint64_t run = host_clock_ns() - begin_ns_.load(std::memory_order_relaxed);
  return asked_ns_.load(std::memory_order_relaxed) <= kAllNs + run * percent_ / 100;
}

AccessedPages::Marked AccessedPages::pages_of(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t last = (address + bytes - 1) | (page_bytes() - 1);
  return {address & ~(page_bytes() - 1), last + 1};
}

bool AccessedPages::mark(Marked& pages) {
  if (!works() || !has_time()) return false;
  const int saved = errno;
  pages.forks = forks.load(std::memory_order_relaxed);
  const bool marked = set_kind(pages) && advise(pages, MADV_COLD);
  if (!marked) release(pages);
  errno = saved;
  return marked;
}

std::vector<bool> AccessedPages::accessed(std::span<const Marked> marked) {
  const int saved = errno;
  const std::uint64_t begin = thread_work_ns();
  std::vector<bool> accessed(marked.size(), true);
  if (!marked.empty() && works() && !is_read_from_outside()) {
    accessed = accessed_by_kernel(marked);
    for (std::size_t i = 0; i < marked.size(); ++i)
      if (marked[i].forks != forks.load(std::memory_order_relaxed)) accessed[i] = true;
    if (reclaim_scans() != scans_.load(std::memory_order_relaxed)) {
      works_.store(Works::kNo, std::memory_order_release);
      accessed.assign(marked.size(), true);
    }
  }
  asked_ns_.fetch_add(thread_work_ns() - begin, std::memory_order_relaxed);
  errno = saved;
  return accessed;
}

void AccessedPages::release(const Marked& marked) {
  const int saved = errno;
  advise(marked, MADV_NORMAL);
  errno = saved;
}

void AccessedPages::keep(const Marked& marked) {
  const int saved = errno;
  set_kind(marked);
  errno = saved;
}

}  // namespace xfer::tracer
