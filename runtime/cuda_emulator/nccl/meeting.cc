#include "nccl/meeting.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <map>
#include <mutex>

namespace xfer::emulated_nccl {
namespace {

using Name = std::array<std::uint64_t, 2>;  // by chance: no two blocks have the same

/// The contents of an ncclUniqueId.
struct Ticket {
  static constexpr std::uint64_t kMagic = 0x312d6c63636e7866;  // "xfnccl-1"

  std::uint64_t magic;
  Process maker;
  std::int32_t file;  ///< of the maker's
  Name name;
};
static_assert(sizeof(Ticket) <= sizeof(ncclUniqueId));

/// The blocks that this process made and that not all ranks have entered.
class OpenDoors {
 public:
  void add(const Name& name, int file) {
    const std::lock_guard lock(mutex_);
    files_[name] = file;
  }
  void close(const Name& name) {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(name);
    if (found == files_.end()) return;
    ::close(found->second);
    files_.erase(found);
  }

 private:
  std::mutex mutex_;
  std::map<Name, int> files_;
};

OpenDoors& open_doors() {
  static auto* const doors = new OpenDoors;
  return *doors;
}

long futex(std::atomic<std::uint32_t>* word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

class File {
 public:
  explicit File(int file) : file_(file) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (file_ >= 0) close(file_);
  }
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

/// Never takes any away from others. The lock would stay with the mapping.
bool make_room(int file, std::size_t bytes) {
  flock(file, LOCK_EX);
  struct stat status{};
  const bool done =
      fstat(file, &status) == 0 && (static_cast<std::size_t>(status.st_size) >= bytes ||
                                    ftruncate(file, static_cast<off_t>(bytes)) == 0);
  flock(file, LOCK_UN);
  return done;
}

}  // namespace

struct Meeting::Header {
  Name name;
  std::atomic<std::uint32_t> ranks;
  std::atomic<std::uint32_t> joined;
  std::atomic<std::uint32_t> settled;
  std::atomic<std::uint32_t> changes;
  std::atomic<std::uint32_t> waiting;
  Failure failure;
};

std::size_t Meeting::bytes_for(std::uint32_t ranks) {
  return sizeof(Member) * (1 + sizeof(Header) / sizeof(Member)) + sizeof(Member) * ranks +
         sizeof(Channel) * ranks * ranks;
}

Meeting::Meeting(void* block, std::size_t bytes, std::uint32_t ranks)
    : header_(static_cast<Header*>(block)),
      bytes_(bytes),
      ranks_(ranks),
      self_(this_process()),
      members_(static_cast<Member*>(block) + 1 + sizeof(Header) / sizeof(Member)),
      channels_(reinterpret_cast<Channel*>(members_ + ranks)) {}

Meeting::~Meeting() { munmap(header_, bytes_); }

bool Meeting::make(ncclUniqueId* id, std::string* why) {
  Ticket ticket{Ticket::kMagic, this_process(), -1, {}};
  File file(memfd_create("xfercheck-nccl", MFD_CLOEXEC));
  if (file.get() < 0 || ticket.maker.started == 0 ||
      getrandom(&ticket.name, sizeof(ticket.name), 0) != sizeof(ticket.name) ||
      pwrite(file.get(), &ticket.name, sizeof(ticket.name), 0) != sizeof(ticket.name)) {
    *why = fmt::format("no memory can be shared with other processes: {}", std::strerror(errno));
    return false;
  }
  ticket.file = file.get();
  open_doors().add(ticket.name, file.release());
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id, &ticket, sizeof(ticket));
  return true;
}

std::shared_ptr<Meeting> Meeting::enter(const ncclUniqueId& id, std::uint32_t ranks,
                                        ncclResult_t* result, std::string* why) {
  Ticket ticket;
  std::memcpy(static_cast<void*>(&ticket), &id, sizeof(ticket));
  *result = ncclInvalidArgument;
  if (ticket.magic != Ticket::kMagic) {
    *why = "the ncclUniqueId does not come from the emulated NCCL's ncclGetUniqueId";
    return nullptr;
  }
  *result = ncclSystemError;
  const File file(open(fmt::format("/proc/{}/fd/{}", ticket.maker.id, ticket.file).c_str(),
                       O_RDWR | O_CLOEXEC));
  Name name{};
  if (file.get() < 0 || pread(file.get(), &name, sizeof(name), 0) != sizeof(name) ||
      name != ticket.name) {
    *why = fmt::format(
        "process {}, which made the ncclUniqueId, cannot be reached: it has ended, belongs to "
        "another user, or is on another machine, and emulated ranks are all on one",
        ticket.maker.id);
    return nullptr;
  }
  const std::size_t bytes = bytes_for(ranks);
  if (!make_room(file.get(), bytes)) {
    *why = fmt::format("memory for {} ranks cannot be shared: {}", ranks, std::strerror(errno));
    return nullptr;
  }
  void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (block == MAP_FAILED) {
    *why = fmt::format("memory for {} ranks cannot be shared: {}", ranks, std::strerror(errno));
    return nullptr;
  }
  std::shared_ptr<Meeting> meeting(new Meeting(block, bytes, ranks));
  std::uint32_t expected = 0;
  if (!meeting->header_->ranks.compare_exchange_strong(expected, ranks) && expected != ranks) {
    *result = ncclInvalidArgument;
    *why = fmt::format("a communicator has {} ranks by one of them, and {} by another", expected,
                       ranks);
    return nullptr;
  }
  *result = ncclSuccess;
  return meeting;
}

const Failure& Meeting::failure() const { return header_->failure; }

bool Meeting::fail(ncclResult_t result, const std::string& why) {
  Failure& failure = header_->failure;
  std::uint32_t none = 0;
  if (!failure.state.compare_exchange_strong(none, 1)) return false;
  failure.result = result;
  std::strncpy(failure.text, why.c_str(), sizeof(failure.text) - 1);
  failure.state = 2;
  changed();
  return true;
}

bool Meeting::join(std::uint32_t rank, const char* device) {
  Member& me = member(rank);
  Presence expected = Presence::kAbsent;
  if (!me.presence.compare_exchange_strong(expected, Presence::kComing)) return false;
  me.process = self_;
  me.proof_value = header_->name[0];
  me.proof = reinterpret_cast<std::uint64_t>(&me.proof_value);
  std::strncpy(me.device, device, sizeof(me.device) - 1);
  me.presence = Presence::kThere;
  header_->joined.fetch_add(1);
  changed();
  return true;
}

bool Meeting::all_joined() const { return header_->joined == ranks_; }

void Meeting::settle() {
  header_->settled.fetch_add(1);
  changed();
}

bool Meeting::all_settled() const { return header_->settled == ranks_; }

void Meeting::close_door() const { open_doors().close(header_->name); }

int Meeting::read(std::uint32_t rank, std::uint64_t address, void* to, std::size_t bytes) const {
  if (!is_here(rank)) return read_memory(member(rank).process, address, to, bytes);
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return 0;
}

bool Meeting::is_lost(std::uint32_t rank, bool slow) const {
  const Presence presence = member(rank).presence;
  if (presence == Presence::kLeft || presence == Presence::kAborted) return true;
  return slow && presence == Presence::kThere && !is_here(rank) && !is_alive(member(rank).process);
}

void Meeting::changed() const {
  header_->changes.fetch_add(1);
  if (header_->waiting.load() != 0) futex(&header_->changes, FUTEX_WAKE, INT_MAX, nullptr);
}

std::uint32_t Meeting::changes() const { return header_->changes.load(); }

void Meeting::wait(std::uint32_t seen, std::uint64_t nanoseconds) const {
  const timespec timeout{static_cast<time_t>(nanoseconds / 1'000'000'000),
                         static_cast<long>(nanoseconds % 1'000'000'000)};
  header_->waiting.fetch_add(1);
  futex(&header_->changes, FUTEX_WAIT, seen, &timeout);
  header_->waiting.fetch_sub(1);
}

}  // namespace xfer::emulated_nccl
