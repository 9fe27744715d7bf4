#include "xfer/trace_reader.h"

#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <optional>
#include <unordered_map>

#include "trace_format.h"

namespace xfer {
namespace {

using format::BlockHeader;

constexpr std::size_t kMaxProblems = 20;

}  // namespace

struct TraceReader::State {
  std::unique_ptr<std::istream> in;
  std::string name;
  std::map<std::string, std::string, std::less<>> metadata;
  std::unordered_map<std::uint32_t, std::string> strings;
  std::unordered_map<std::uint32_t, TraceModule> modules;
  std::unordered_map<std::uint32_t, std::vector<TraceFrame>> stacks;
  std::unordered_map<std::uint32_t, TracePythonFrame> python_frames;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> python_stacks;  // as recorded
  std::vector<std::string> problems;

  std::string stored;
  std::string block;
  format::Cursor cursor{std::string_view()};
  format::EventCoder coder;
  std::uint64_t offset = 0;    // of the next unread byte
  std::uint64_t sequence = 0;  // of the next block
  bool gap_to_tell = false;
  bool at_end = false;
  bool ended = false;  // the end mark was read

  void open();
  bool read(void* to, std::size_t size);
  bool next_block();
  bool load(const BlockHeader& header);
  bool seek_block(BlockHeader& header);
  std::optional<Event> next_record();
  void define(format::RecordTag tag);
  void define_stack(bool has_python);
  void damaged(const std::string& what);
};

void TraceReader::State::damaged(const std::string& what) {
  gap_to_tell = true;
  if (problems.size() < kMaxProblems) problems.push_back(name + ": " + what);
}

bool TraceReader::State::read(void* to, std::size_t size) {
  in->read(static_cast<char*>(to), static_cast<std::streamsize>(size));
  const auto count = static_cast<std::size_t>(in->gcount());
  offset += count;
  return count == size;
}

void TraceReader::State::open() {
  format::FileHeader header{};
  const bool whole = read(&header, sizeof(header));
  const bool ours = std::equal(std::begin(format::kMagic), std::end(format::kMagic), header.magic);
  if (!whole && offset == 0) throw TraceError(name + " is empty: nothing was recorded");
  if (!whole || !ours)
    throw TraceError(name + " is not a trace file (xfertrace --record writes them)");
  if (header.version < format::kOldestVersion || header.version > format::kVersion)
    throw TraceError(
        name + " has trace version " + std::to_string(header.version) +
        ", but this xfertrace reads versions " + std::to_string(format::kOldestVersion) + " to " +
        std::to_string(format::kVersion) + ": record it again, or use the xfertrace that wrote it");
  if (header.header_bytes < sizeof(header) || header.header_bytes > 4096)
    throw TraceError(name + " has a damaged header");
  std::string rest(header.header_bytes - sizeof(header), '\0');
  read(rest.data(), rest.size());
}

// Steps over damage to the next place that looks like a block.
bool TraceReader::State::seek_block(BlockHeader& header) {
  std::uint32_t window = 0;
  char byte = 0;
  while (read(&byte, 1)) {
    window = window >> 8 | std::uint32_t{static_cast<unsigned char>(byte)} << 24;
    if (window != format::kBlockMagic) continue;
    header.magic = window;
    return read(reinterpret_cast<char*>(&header) + sizeof(window), sizeof(header) - sizeof(window));
  }
  return false;
}

bool TraceReader::State::load(const BlockHeader& header) {
  if (XXH3_64bits_withSeed(stored.data(), stored.size(), format::header_seed(header)) !=
      header.checksum)
    return false;
  if (header.codec == format::kPlain) {
    block.swap(stored);
    return block.size() == header.raw_bytes;
  }
  if (header.codec != format::kZstd) return false;
  block.resize(header.raw_bytes);
  const std::size_t size =
      ZSTD_decompress(block.data(), block.size(), stored.data(), stored.size());
  return size == block.size();
}

bool TraceReader::State::next_block() {
  BlockHeader header{};
  const std::uint64_t begin = offset;
  if (!read(&header, sizeof(header))) {
    if (offset != begin)
      damaged("cut off at byte " + std::to_string(begin) + "; what comes before it is used");
    return false;
  }
  for (std::uint64_t block_begin = begin;;) {
    if (header.magic == format::kBlockMagic && header.stored_bytes <= format::kMaxBlockBytes &&
        header.raw_bytes <= format::kMaxBlockBytes) {
      const std::uint64_t body = offset;
      // In steps, so that a damaged length cannot claim memory that the file does not hold.
      stored.clear();
      bool whole = true;
      while (whole && stored.size() < header.stored_bytes) {
        const std::size_t old = stored.size();
        stored.resize(std::min<std::size_t>(old + (1u << 20), header.stored_bytes));
        whole = read(stored.data() + old, stored.size() - old);
      }
      if (whole && load(header)) {
        if (header.sequence != sequence) gap_to_tell = true;
        sequence = header.sequence + 1;
        cursor = format::Cursor(block);
        coder = {};
        return true;
      }
      in->clear();
      in->seekg(static_cast<std::streamoff>(body));
      if (!*in) return false;
      offset = body;
      damaged((whole ? "the block at byte " : "cut off or damaged in the block at byte ") +
              std::to_string(block_begin) +
              (whole ? " is damaged; it is skipped" : "; it is skipped"));
    } else {
      damaged("no block at byte " + std::to_string(block_begin) + "; looking for the next");
      in->seekg(static_cast<std::streamoff>(block_begin + 1));
      offset = block_begin + 1;
    }
    if (!seek_block(header)) return false;
    block_begin = offset - sizeof(header);
  }
}

void TraceReader::State::define(format::RecordTag tag) {
  switch (tag) {
    case format::kMetadata: {
      const std::string_view key = cursor.text();
      const std::string_view value = cursor.text();
      if (cursor.ok()) metadata.insert_or_assign(std::string(key), std::string(value));
      break;
    }
    case format::kString: {
      const auto id = static_cast<std::uint32_t>(cursor.number());
      const std::string_view text = cursor.text();
      if (cursor.ok()) strings.insert_or_assign(id, std::string(text));
      break;
    }
    case format::kModule: {
      const auto id = static_cast<std::uint32_t>(cursor.number());
      TraceModule module;
      module.path = cursor.text();
      module.build_id = cursor.text();
      module.bias = cursor.number();
      if (cursor.ok()) modules.insert_or_assign(id, std::move(module));
      break;
    }
    case format::kStack: define_stack(false); break;
    case format::kPythonStack: define_stack(true); break;
    case format::kPythonFrame: {
      const auto id = static_cast<std::uint32_t>(cursor.number());
      TracePythonFrame frame;
      frame.function = cursor.text();
      frame.file = cursor.text();
      frame.line = static_cast<unsigned>(cursor.number());
      if (cursor.ok()) python_frames.insert_or_assign(id, std::move(frame));
      break;
    }
    default: cursor.fail();
  }
}

void TraceReader::State::define_stack(bool has_python) {
  const auto id = static_cast<std::uint32_t>(cursor.number());
  std::vector<TraceFrame> frames;
  for (std::uint64_t left = cursor.number(); left > 0 && cursor.ok(); --left) {
    TraceFrame frame;
    frame.module = static_cast<std::uint32_t>(cursor.number());
    frame.address = cursor.number();
    frames.push_back(frame);
  }
  std::vector<std::uint64_t> python;
  for (std::uint64_t left = has_python ? cursor.number() : 0; left > 0 && cursor.ok(); --left)
    python.push_back(cursor.number());
  if (!cursor.ok()) return;
  stacks.insert_or_assign(id, std::move(frames));
  if (has_python) python_stacks.insert_or_assign(id, std::move(python));
}

std::optional<Event> TraceReader::State::next_record() {
  while (!cursor.at_end()) {
    const auto tag = static_cast<format::RecordTag>(cursor.plain<std::uint8_t>());
    if (tag == format::kEvent) {
      const Event event = coder.take(cursor);
      if (cursor.ok()) return event;
    } else if (tag == format::kEnd) {
      ended = true;
    } else {
      define(tag);
    }
    if (!cursor.ok()) damaged("a record before byte " + std::to_string(offset) + " is damaged");
  }
  return std::nullopt;
}

TraceReader::TraceReader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw TraceError(path.string() + " is a directory, not a trace file");
  state_->in = std::make_unique<std::ifstream>(path, std::ios::binary);
  state_->name = path.string();
  if (!*state_->in)
    throw TraceError(
        "cannot open " + path.string() + ": " +
        (std::filesystem::exists(path, error) ? "it may not be read" : "no such file"));
  state_->open();
}

TraceReader::TraceReader(std::unique_ptr<std::istream> in, std::string name)
    : state_(std::make_unique<State>()) {
  state_->in = std::move(in);
  state_->name = std::move(name);
  state_->open();
}

TraceReader::~TraceReader() = default;

bool TraceReader::next(Event& event) {
  State& state = *state_;
  for (;;) {
    // The gap is told before the first event behind it.
    if (state.gap_to_tell && !state.at_end) {
      state.gap_to_tell = false;
      event = Event{};
      event.kind = EventKind::kDropped;
      return true;
    }
    if (std::optional<Event> record = state.next_record()) {
      event = *record;
      return true;
    }
    if (state.gap_to_tell && !state.at_end) continue;
    if (state.at_end) return false;
    if (!state.next_block()) state.at_end = true;
  }
}

bool TraceReader::complete() const { return state_->ended && state_->problems.empty(); }

const std::vector<std::string>& TraceReader::problems() const { return state_->problems; }

std::string_view TraceReader::string(std::uint32_t id) const {
  const auto found = state_->strings.find(id);
  return found != state_->strings.end() ? std::string_view(found->second) : std::string_view();
}

std::span<const TraceFrame> TraceReader::stack(std::uint32_t id) const {
  const auto found = state_->stacks.find(id);
  return found != state_->stacks.end() ? std::span<const TraceFrame>(found->second)
                                       : std::span<const TraceFrame>();
}

std::vector<TracePythonFrame> TraceReader::python_stack(std::uint32_t id) const {
  std::vector<TracePythonFrame> frames;
  const auto found = state_->python_stacks.find(id);
  if (found == state_->python_stacks.end()) return frames;
  for (const std::uint64_t call : found->second) {
    const auto frame = state_->python_frames.find(static_cast<std::uint32_t>(call >> 1));
    if (frame == state_->python_frames.end()) continue;
    frames.push_back(frame->second);
    frames.back().entered = (call & 1) != 0;
  }
  return frames;
}

const TraceModule* TraceReader::module(std::uint32_t id) const {
  const auto found = state_->modules.find(id);
  return found != state_->modules.end() ? &found->second : nullptr;
}

const Trace::Metadata& TraceReader::metadata() const { return state_->metadata; }

std::vector<std::string> TraceReader::command_line() const {
  std::vector<std::string> arguments;
  const auto found = state_->metadata.find("command_line");
  if (found == state_->metadata.end()) return arguments;
  std::string_view rest = found->second;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    arguments.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return arguments;
}

}  // namespace xfer
