#pragma once
// From a trace to a report: runs the engine, symbolises what it found, says it in the catalogue's
// words and adds up the run. Fingerprints, suppression and writing are the rules library's.
//
// Cost: one pass over the trace; only the stacks of findings are symbolised.

#include <filesystem>
#include <vector>

#include "xfer/engine.h"
#include "xfer/rules/report.h"
#include "xfer/rules/suppressions.h"
#include "xfer/symbolize.h"
#include "xfer/trace.h"

namespace xfer {

struct ReportBuilderOptions {
  EngineOptions engine;
  std::filesystem::path project_root;  ///< see Symbolizer
  std::filesystem::path debug_folder;  ///< see Symbolizer
  bool judge_modelled_times = false;   ///< as if they were a GPU's: for tests of such findings
  Suppressions suppressions;           ///< how many it silenced stands in stats["suppressed"]
};

/// Reads the trace to its end. Findings that cost the host most come first. stats["problems"] lists
/// the faults of the trace and of debug information; stats["damaged"]: the trace had parts that
/// could not be read.
Report build_report(Trace& trace, const ReportBuilderOptions& options = {});

/// Of a program with several processes: all findings, those of the same place summed; the stats of
/// each process in stats["processes"]. Throws TraceError.
Report build_report(const std::vector<std::filesystem::path>& traces,
                    const ReportBuilderOptions& options = {});

}  // namespace xfer
