// A program of NCCL. Prints what came out, and nothing that differs from run to run.

#include "nccl_program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

namespace xfer::test {
namespace {

std::vector<double> numbers(std::size_t count, double first) {
  std::vector<double> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

void say(const char* what, bool right) { std::printf("%s: %s\n", what, right ? "right" : "WRONG"); }

const char* name(ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return "success";
    case ncclUnhandledCudaError: return "CUDA's error";
    case ncclSystemError: return "system error";
    case ncclInvalidArgument: return "invalid argument";
    case ncclInvalidUsage: return "invalid usage";
    case ncclRemoteError: return "remote error";
    default: return "?";
  }
}

ncclResult_t async_error(const Rank& rank) {
  ncclResult_t error = ncclInternalError;
  check("ncclCommGetAsyncError", ncclCommGetAsyncError(rank.comm, &error));
  return error;
}

/// An all-reduce of one number that no other rank takes part in, until it ends.
ncclResult_t wait_in_vain(Rank& rank) {
  const Buffer buffer(rank, ncclFloat32, {1});
  check("ncclAllReduce",
        ncclAllReduce(buffer.at(0), buffer.at(0), 1, ncclFloat32, ncclSum, rank.comm, rank.stream));
  rank.synchronize();
  return async_error(rank);
}

}  // namespace

/// To the next rank and from the one before, of more and more bytes; to itself; more at once than
/// go through the block.
void sends(std::vector<Rank>& mine, int ranks) {
  bool right = true;
  for (const std::size_t count : {0, 1, 1000, 300'000}) {
    std::vector<Buffer> sent;
    std::vector<Buffer> received;
    for (const Rank& rank : mine) {
      sent.emplace_back(rank, ncclInt32, numbers(count, rank.rank));
      received.emplace_back(rank, ncclInt32, std::vector<double>(count));
    }
    std::size_t next = 0;
    in_group(mine, [&](Rank& rank) {
      check("ncclSend", ncclSend(sent[next].at(0), count, ncclInt32, (rank.rank + 1) % ranks,
                                 rank.comm, rank.stream));
      return ncclRecv(received[next++].at(0), count, ncclInt32, (rank.rank + ranks - 1) % ranks,
                      rank.comm, rank.stream);
    });
    synchronize(mine);
    for (std::size_t i = 0; i < mine.size(); ++i)
      right &= received[i].holds(numbers(count, (mine[i].rank + ranks - 1) % ranks));
  }
  say("ring", right);

  right = true;
  constexpr std::size_t kEach = 3000;
  constexpr std::size_t kParcels = 20;
  std::vector<Buffer> sent;
  std::vector<Buffer> received;
  for (const Rank& rank : mine) {
    sent.emplace_back(rank, ncclInt32, numbers(kEach * kParcels, rank.rank));
    received.emplace_back(rank, ncclInt32, std::vector<double>(kEach * kParcels));
  }
  std::size_t next = 0;
  in_group(mine, [&](Rank& rank) {
    for (std::size_t i = 0; i < kParcels; ++i) {
      const int peer = i % 2 == 0 ? rank.rank : (rank.rank ^ 1) % ranks;
      check("ncclSend",
            ncclSend(sent[next].at(i * kEach), kEach, ncclInt32, peer, rank.comm, rank.stream));
      check("ncclRecv",
            ncclRecv(received[next].at(i * kEach), kEach, ncclInt32, peer, rank.comm, rank.stream));
    }
    ++next;
    return ncclSuccess;
  });
  synchronize(mine);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    std::vector<double> expected;
    for (std::size_t parcel = 0; parcel < kParcels; ++parcel) {
      const int from = parcel % 2 == 0 ? mine[i].rank : (mine[i].rank ^ 1) % ranks;
      const auto one = numbers(kEach, from + static_cast<double>(parcel * kEach));
      expected.insert(expected.end(), one.begin(), one.end());
    }
    right &= received[i].holds(expected);
  }
  say("many", right);

  if (mine.size() > 1) return;  // one thread cannot send before it receives
  Rank& me = mine.front();
  const Buffer small(me, ncclInt32, numbers(10, 10 * me.rank));
  const Buffer large(me, ncclInt32, numbers(100'000, 5));
  if (me.rank % 2 == 0) {
    check("ncclSend", ncclSend(small.at(0), 10, ncclInt32, me.rank + 1, me.comm, me.stream));
    me.synchronize();  // it is on its way, as NCCL has buffers
    check("ncclSend", ncclSend(large.at(0), 100'000, ncclInt32, me.rank + 1, me.comm, me.stream));
    me.synchronize();
    return say("one after the other", true);
  }
  const Buffer first(me, ncclInt32, std::vector<double>(10));
  const Buffer second(me, ncclInt32, std::vector<double>(100'000));
  check("ncclRecv", ncclRecv(first.at(0), 10, ncclInt32, me.rank - 1, me.comm, me.stream));
  check("ncclRecv", ncclRecv(second.at(0), 100'000, ncclInt32, me.rank - 1, me.comm, me.stream));
  me.synchronize();
  say("one after the other",
      first.holds(numbers(10, 10 * (me.rank - 1))) && second.holds(numbers(100'000, 5)));
}

/// Even and odd ranks apart, in the other order; and without the last rank.
void splits(std::vector<Rank>& mine, int ranks) {
  for (const bool by_parity : {true, false}) {
    std::vector<Rank> parts = mine;
    std::size_t next = 0;
    in_group(mine, [&](Rank& rank) {
      const int color = by_parity ? rank.rank % 2 : rank.rank == ranks - 1 ? kNcclSplitNoColor : 7;
      return ncclCommSplit(rank.comm, color, -rank.rank, &parts[next++].comm, nullptr);
    });
    std::erase_if(parts, [](const Rank& part) { return part.comm == nullptr; });
    std::vector<Buffer> buffers;
    for (const Rank& part : parts)
      buffers.emplace_back(part, ncclFloat32, std::vector<double>{1.0 * part.rank});
    next = 0;
    in_group(parts, [&](Rank& part) {
      void* const buffer = buffers[next++].at(0);
      return ncclBcast(buffer, 1, ncclFloat32, 0, part.comm, part.stream);
    });
    synchronize(parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      int count = 0;
      int number = -1;
      check("ncclCommCount", ncclCommCount(parts[i].comm, &count));
      check("ncclCommUserRank", ncclCommUserRank(parts[i].comm, &number));
      // The highest rank comes first.
      const int first = by_parity ? ranks - 2 + parts[i].rank % 2 : ranks - 2;
      say("part", buffers[i].holds({1.0 * first}) && count == (by_parity ? ranks / 2 : ranks - 1) &&
                      number == (first - parts[i].rank) / (by_parity ? 2 : 1));
    }
    destroy(parts);
  }
}

/// A captured all-reduce doubles and doubles.
void graphs(std::vector<Rank>& mine, int ranks) {
  std::vector<Buffer> buffers;
  std::vector<cudaGraphExec_t> executables;
  for (const Rank& rank : mine) {
    buffers.emplace_back(rank, ncclFloat64, std::vector<double>(5000, 1.0));
    check("cudaStreamBeginCapture",
          cudaStreamBeginCapture(rank.stream, cudaStreamCaptureModeRelaxed));
  }
  std::size_t next = 0;
  in_group(mine, [&](Rank& rank) {
    void* const buffer = buffers[next++].at(0);
    return ncclAllReduce(buffer, buffer, 5000, ncclFloat64, ncclSum, rank.comm, rank.stream);
  });
  for (const Rank& rank : mine) {
    cudaGraph_t graph = nullptr;
    check("cudaStreamEndCapture", cudaStreamEndCapture(rank.stream, &graph));
    cudaGraphExec_t executable = nullptr;
    check("cudaGraphInstantiate", cudaGraphInstantiate(&executable, graph, 0));
    executables.push_back(executable);
  }
  for (std::size_t i = 0; i < mine.size(); ++i)
    say("captured only", buffers[i].holds(std::vector<double>(5000, 1.0)));
  double expected = 1;
  for (int replay = 0; replay < 3; ++replay) {
    for (std::size_t i = 0; i < mine.size(); ++i)
      check("cudaGraphLaunch", cudaGraphLaunch(executables[i], mine[i].stream));
    expected *= ranks;
  }
  synchronize(mine);
  for (const Buffer& buffer : buffers)
    say("replayed", buffer.holds(std::vector<double>(5000, expected)));
}

/// One communicator in two streams: its operations keep their order.
void streams(std::vector<Rank>& mine, int ranks) {
  std::vector<Rank> others;
  std::vector<Buffer> buffers;
  for (const Rank& rank : mine) {
    others.emplace_back(rank.rank).comm = rank.comm;
    buffers.emplace_back(rank, ncclFloat64, std::vector<double>(20'000, 1.0));
  }
  double expected = 1;
  for (int i = 0; i < 6; ++i) {
    std::size_t next = 0;
    in_group(i % 2 == 0 ? mine : others, [&](Rank& rank) {
      void* const buffer = buffers[next++].at(0);
      return ncclAllReduce(buffer, buffer, 20'000, ncclFloat64, i % 3 == 0 ? ncclSum : ncclAvg,
                           rank.comm, rank.stream);
    });
    if (i % 3 == 0) expected *= ranks;
  }
  synchronize(others);
  for (const Buffer& buffer : buffers)
    say("two streams", buffer.holds(std::vector<double>(20'000, expected)));
}

void misuse() {
  ncclUniqueId id;
  check("ncclGetUniqueId", ncclGetUniqueId(&id));
  std::vector<Rank> mine = join({0}, 1, id);
  const Rank& me = mine.front();
  const Buffer buffer(me, ncclFloat32, {1});
  void* const place = buffer.at(0);
  const auto tell = [](const char* what, ncclResult_t result) {
    std::printf("%s: %s: %s\n", what, name(result), ncclGetLastError(nullptr));
  };
  tell("no communicator", ncclAllReduce(place, place, 1, ncclFloat32, ncclSum, nullptr, me.stream));
  tell("no type", ncclAllReduce(place, place, 1, static_cast<ncclDataType_t>(12), ncclSum, me.comm,
                                me.stream));
  tell("no reduction", ncclAllReduce(place, place, 1, ncclFloat32, static_cast<ncclRedOp_t>(9),
                                     me.comm, me.stream));
  tell("no rank", ncclBcast(place, 1, ncclFloat32, 1, me.comm, me.stream));
  tell("no group", ncclGroupEnd());
  ncclGroupStart();
  ncclBcast(place, 1, ncclFloat32, 1, me.comm, me.stream);
  tell("a group with a wrong call", ncclGroupEnd());
  ncclComm_t comm = nullptr;
  tell("rank 2 of 2", ncclCommInitRank(&comm, 2, id, 2));
  std::memset(&id, 1, sizeof(id));
  tell("no id", ncclCommInitRank(&comm, 1, id, 0));
  const int twice[] = {0, 0};
  ncclComm_t comms[2];
  tell("a device twice", ncclCommInitAll(comms, 2, twice));
  const Rank other(1);
  tell("another device's stream",
       ncclAllReduce(place, place, 1, ncclFloat32, ncclSum, me.comm, other.stream));
  check("ncclCommDestroy", ncclCommDestroy(me.comm));
  tell("destroyed", ncclAllReduce(place, place, 1, ncclFloat32, ncclSum, me.comm, me.stream));
  int version = 0;
  ncclGetVersion(&version);
  std::printf("version %d, %s\n", version, ncclGetErrorString(ncclRemoteError));
}

/// Rank 1 does something else than the others.
void differing(const std::string& way) {
  run_ranks(way, 2, [](std::vector<Rank>& mine, int) {
    std::vector<Buffer> buffers;
    for (const Rank& rank : mine)
      buffers.emplace_back(rank, ncclFloat32, std::vector<double>(8, 1.0));
    std::size_t next = 0;
    in_group(mine, [&](Rank& rank) {
      void* const buffer = buffers[next++].at(0);
      return rank.rank == 1
                 ? ncclAllReduce(buffer, buffer, 8, ncclFloat32, ncclMax, rank.comm, rank.stream)
                 : ncclAllReduce(buffer, buffer, 4, ncclFloat32, ncclSum, rank.comm, rank.stream);
    });
    synchronize(mine);
    for (const Rank& rank : mine) {
      std::printf("async error: %s\n", name(async_error(rank)));
      std::printf("further calls: %s\n",
                  name(ncclAllReduce(buffers[0].at(0), buffers[0].at(0), 4, ncclFloat32, ncclSum,
                                     rank.comm, rank.stream)));
    }
  });
}

void dead_peer() {
  run_ranks("processes", 2, [](std::vector<Rank>& mine, int) {
    Rank& me = mine.front();
    if (me.rank == 1) raise(SIGKILL);
    std::printf("async error: %s\n", name(wait_in_vain(me)));
  });
}

void aborted() {
  run_ranks("threads", 2, [](std::vector<Rank>& mine, int) {
    Rank& me = mine.front();
    if (me.rank == 1) {
      // While its own operation waits, in a stream that nobody looks at.
      const Buffer buffer(me, ncclFloat32, {1});
      check("ncclRecv", ncclRecv(buffer.at(0), 1, ncclFloat32, 0, me.comm, me.stream));
      check("ncclCommAbort", ncclCommAbort(me.comm));
      me.synchronize();
      me.comm = nullptr;
      return;
    }
    std::printf("async error: %s\n", name(wait_in_vain(me)));
  });
}

void gone() {
  run_ranks("processes", 2, [](std::vector<Rank>& mine, int) {
    Rank& me = mine.front();
    if (me.rank == 1) return;
    std::printf("async error: %s\n", name(wait_in_vain(me)));
  });
}

void same_device() {
  ncclUniqueId id;
  check("ncclGetUniqueId", ncclGetUniqueId(&id));
  check("cudaSetDevice", cudaSetDevice(0));
  ncclComm_t comms[2];
  check("ncclGroupStart", ncclGroupStart());
  for (int rank = 0; rank < 2; ++rank)
    check("ncclCommInitRank", ncclCommInitRank(&comms[rank], 2, id, rank));
  std::printf("%s\n", name(ncclGroupEnd()));
}

}  // namespace xfer::test

int main(int argc, char** argv) {
  using namespace xfer::test;
  const std::string act = argc > 1 ? argv[1] : "";
  const std::string way = argc > 2 ? argv[2] : "thread";
  constexpr int kRanks = 4;
  if (act == "collectives") run_ranks(way, kRanks, collectives);
  if (act == "sends") run_ranks(way, kRanks, sends);
  if (act == "splits") run_ranks(way, kRanks, splits);
  if (act == "graphs") run_ranks(way, kRanks, graphs);
  if (act == "streams") run_ranks(way, kRanks, streams);
  if (act == "misuse") misuse();
  if (act == "differing") differing(way);
  if (act == "dead_peer") dead_peer();
  if (act == "aborted") aborted();
  if (act == "gone") gone();
  if (act == "same_device") same_device();
}
