// Results of collective operations.

#include <algorithm>
#include <cstdio>

#include "nccl_program.h"

namespace xfer::test {
namespace {

/// Small, and exact in every type when all ranks' are joined.
double value(int rank, std::size_t element) {
  return static_cast<double>(1 + rank % 2 + static_cast<int>(element % 2));
}

using Values = std::vector<double>;

Values values(int rank, std::size_t count, std::size_t first = 0) {
  Values all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = value(rank, first + i);
  return all;
}

double joined_element(ncclRedOp_t op, ncclDataType_t type, int ranks, std::size_t element) {
  double all = value(0, element);
  for (int rank = 1; rank < ranks; ++rank) {
    const double next = value(rank, element);
    switch (op) {
      case ncclProd: all *= next; break;
      case ncclMax: all = std::max(all, next); break;
      case ncclMin: all = std::min(all, next); break;
      default: all += next;
    }
  }
  if (op != ncclAvg) return all;
  const bool whole = type <= ncclUint64;
  return whole ? static_cast<double>(static_cast<int>(all) / ranks) : all / ranks;
}

Values joined(ncclRedOp_t op, ncclDataType_t type, int ranks, std::size_t count,
              std::size_t first = 0) {
  Values all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = joined_element(op, type, ranks, first + i);
  return all;
}

/// The values from this one on are others.
Values laid(Values all, std::size_t first, const Values& others) {
  std::copy(others.begin(), others.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
  return all;
}

/// One after the other, of all ranks.
Values gathered(int ranks, std::size_t count) {
  Values all;
  for (int rank = 0; rank < ranks; ++rank) {
    const Values one = values(rank, count);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

class Cases {
 public:
  Cases(std::vector<Rank>& mine, int ranks) : mine_(mine), ranks_(ranks) {}

  void of(ncclDataType_t type, std::size_t count, bool in_place) {
    type_ = type;
    count_ = count;
    in_place_ = in_place;
    for (const ncclRedOp_t op : {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg}) reductions(op);
    gathers();
    for (int root = 0; root < ranks_; ++root) rooted(root);
    scaled();
  }

  int wrong() const { return wrong_; }
  int all() const { return all_; }

 private:
  std::size_t n() const { return static_cast<std::size_t>(ranks_); }

  /// The contents of a rank's send buffer before the call, and of its receive buffer after it. In
  /// place, receive_at and send_at are their places in the one buffer.
  struct Operands {
    std::function<Values(int)> start;
    std::function<Values(int)> expect;
    std::function<std::size_t(int)> receive_at = [](int) { return std::size_t{0}; };
    std::function<std::size_t(int)> send_at = [](int) { return std::size_t{0}; };
  };
  using Call = std::function<ncclResult_t(Rank&, void* send, void* receive)>;

  void run(const char* name, const Operands& operands, const Call& call) {
    std::vector<Buffer> sends;
    std::vector<Buffer> receives;
    std::vector<Values> starts;
    for (const Rank& rank : mine_) {
      const Values start = operands.start(rank.rank);
      const Values blank(operands.expect(rank.rank).size(), 0.0);
      if (in_place_) {
        starts.push_back(
            blank.size() > start.size() ? laid(blank, operands.send_at(rank.rank), start) : start);
        receives.emplace_back(rank, type_, starts.back());
      } else {
        sends.emplace_back(rank, type_, start);
        receives.emplace_back(rank, type_, blank);
      }
    }
    std::size_t next = 0;
    in_group(mine_, [&](Rank& rank) {
      const Buffer& receive = receives[next];
      const Buffer& send = in_place_ ? receive : sends[next];
      ++next;
      return call(rank, in_place_ ? send.at(operands.send_at(rank.rank)) : send.at(0),
                  in_place_ ? receive.at(operands.receive_at(rank.rank)) : receive.at(0));
    });
    synchronize(mine_);
    for (std::size_t i = 0; i < mine_.size(); ++i) {
      const int rank = mine_[i].rank;
      Values expected = operands.expect(rank);
      if (in_place_) expected = laid(starts[i], operands.receive_at(rank), expected);
      ++all_;
      if (receives[i].holds(expected)) continue;
      ++wrong_;
      std::printf("wrong: %s, type %d, %zu elements, in place %d, rank %d\n", name, type_, count_,
                  in_place_, rank);
    }
  }

  void reductions(ncclRedOp_t op) {
    run("all-reduce",
        {[&](int rank) { return values(rank, count_); },
         [&](int) { return joined(op, type_, ranks_, count_); }},
        [&](Rank& rank, void* send, void* receive) {
          return ncclAllReduce(send, receive, count_, type_, op, rank.comm, rank.stream);
        });
    run("reduce-scatter",
        {[&](int rank) { return values(rank, count_ * n()); },
         [&](int rank) {
           return joined(op, type_, ranks_, count_, count_ * static_cast<std::size_t>(rank));
         },
         [&](int rank) { return count_ * static_cast<std::size_t>(rank); }},
        [&](Rank& rank, void* send, void* receive) {
          return ncclReduceScatter(send, receive, count_, type_, op, rank.comm, rank.stream);
        });
  }

  void gathers() {
    run("all-gather",
        {[&](int rank) { return values(rank, count_); },
         [&](int) { return gathered(ranks_, count_); }, [](int) { return std::size_t{0}; },
         [&](int rank) { return count_ * static_cast<std::size_t>(rank); }},
        [&](Rank& rank, void* send, void* receive) {
          return ncclAllGather(send, receive, count_, type_, rank.comm, rank.stream);
        });
    run("all-to-all",
        {[&](int rank) { return values(rank, count_ * n()); },
         [&](int rank) {
           Values all;
           for (int from = 0; from < ranks_; ++from) {
             const Values one = values(from, count_, count_ * static_cast<std::size_t>(rank));
             all.insert(all.end(), one.begin(), one.end());
           }
           return all;
         }},
        [&](Rank& rank, void* send, void* receive) {
          return ncclAlltoAll(send, receive, count_, type_, rank.comm, rank.stream);
        });
  }

  void rooted(int root) {
    // Ranks that receive nothing keep what they have; in place, those that send nothing too.
    run("broadcast",
        {[&](int rank) { return values(rank, count_); }, [&](int) { return values(root, count_); }},
        [&](Rank& rank, void* send, void* receive) {
          return send == receive
                     ? ncclBcast(receive, count_, type_, root, rank.comm, rank.stream)
                     : ncclBroadcast(send, receive, count_, type_, root, rank.comm, rank.stream);
        });
    run("reduce",
        {[&](int rank) { return values(rank, count_); },
         [&](int rank) {
           if (rank == root) return joined(ncclSum, type_, ranks_, count_);
           return in_place_ ? values(rank, count_) : Values(count_, 0.0);
         }},
        [&](Rank& rank, void* send, void* receive) {
          return ncclReduce(send, receive, count_, type_, ncclSum, root, rank.comm, rank.stream);
        });
    if (in_place_) return;
    run("gather",
        {[&](int rank) { return values(rank, count_); },
         [&](int rank) {
           return rank == root ? gathered(ranks_, count_) : Values(count_ * n(), 0.0);
         }},
        [&](Rank& rank, void* send, void* receive) {
          return ncclGather(send, receive, count_, type_, root, rank.comm, rank.stream);
        });
    run("scatter",
        {[&](int rank) { return values(rank, count_ * n()); },
         [&](int rank) { return values(root, count_, count_ * static_cast<std::size_t>(rank)); }},
        [&](Rank& rank, void* send, void* receive) {
          return ncclScatter(send, receive, count_, type_, root, rank.comm, rank.stream);
        });
  }

  /// Each rank multiplies with its own scalar: the rank's number and 1.
  void scaled() {
    std::vector<Buffer> scalars;
    std::vector<ncclRedOp_t> ops(mine_.size());
    for (std::size_t i = 0; i < mine_.size(); ++i) {
      scalars.emplace_back(mine_[i], type_, Values{1.0 + mine_[i].rank % 2});
      check("ncclRedOpCreatePreMulSum", ncclRedOpCreatePreMulSum(&ops[i], scalars[i].at(0), type_,
                                                                 ncclScalarDevice, mine_[i].comm));
    }
    run("scaled sum",
        {[&](int rank) { return values(rank, count_); },
         [&](int) {
           Values all(count_, 0.0);
           for (std::size_t i = 0; i < count_; ++i)
             for (int rank = 0; rank < ranks_; ++rank) all[i] += value(rank, i) * (1.0 + rank % 2);
           return all;
         }},
        [&](Rank& rank, void* send, void* receive) {
          const auto which = static_cast<std::size_t>(&rank - mine_.data());
          return ncclAllReduce(send, receive, count_, type_, ops[which], rank.comm, rank.stream);
        });
    for (std::size_t i = 0; i < mine_.size(); ++i)
      check("ncclRedOpDestroy", ncclRedOpDestroy(ops[i], mine_[i].comm));
  }

  std::vector<Rank>& mine_;
  const int ranks_;
  ncclDataType_t type_ = ncclInt8;
  std::size_t count_ = 0;
  bool in_place_ = false;
  int wrong_ = 0;
  int all_ = 0;
};

}  // namespace

void collectives(std::vector<Rank>& mine, int ranks) {
  Cases cases(mine, ranks);
  for (int type = 0; type < ncclNumTypes; ++type)
    for (const std::size_t count : {0, 5, 20011})
      for (const bool in_place : {false, true})
        cases.of(static_cast<ncclDataType_t>(type), count, in_place);
  std::printf("%s", cases.wrong() == 0 && cases.all() > 1000 ? "right\n" : "WRONG\n");
}

}  // namespace xfer::test
