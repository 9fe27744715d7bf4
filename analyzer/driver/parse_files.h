#pragma once
// Carries a plan out on worker processes: source files in, facts out.

#include <set>
#include <string>
#include <vector>

#include "analyzer/driver/facts_store.h"
#include "analyzer/driver/plan.h"
#include "analyzer/driver/worker.h"

namespace xfer::lint {

struct ParsedFile {
  FileFacts facts;
  ParseReply reply;
  std::string failure;         ///< the worker crashed or took too long: there is nothing else
  std::set<std::string> read;  ///< files, its precompiled header's too; where they were asked for
};

struct ParsedFiles {
  std::vector<ParsedFile> files;  ///< as in the plan
  std::size_t pchs_built = 0;
  std::size_t pchs_used = 0;
};

struct RunLimits {
  unsigned workers = 1;
  unsigned timeout_seconds = 300;  ///< for one file
  bool keep_read = false;          ///< thousands of names for each file
};

/// As many workers as the person wants (0: by cores), and by free memory.
RunLimits run_limits(unsigned jobs, unsigned timeout_seconds, std::size_t files);

/// Files whose precompiled header is to be built wait for it; if that fails they are parsed
/// without. The facts of parsed files go into the store, unless that is null.
ParsedFiles parse_files(Plan& plan, const WorkerSetup& setup, const FactsFormat& format,
                        const PchCache* cache, FactsStore* store, const RunLimits& limits);

}  // namespace xfer::lint
