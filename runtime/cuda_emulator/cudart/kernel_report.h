#pragma once
// How faithful a run was: which kernels ran, from what, with which approximations, and which were
// skipped and why. As JSON:
//
//   {"executed": 3,            kernels all of whose launches ran
//    "approximate": 1,         of those that ran: with instructions whose last bits may differ
//    "skipped": 1,             kernels of which launches were skipped
//    "failed": 0,              kernels that ran and could not compute: PyTorch's operators
//    "launches": 40,
//    "launches_skipped": 2,
//    "kernels": [{"name": "f(float*)", "from_ptx": 20, "from_host": 0, "skipped": 0,
//                 "failed": 0, "approximate": ["ex2.approx"], "why": null}]}

#include <map>
#include <string>

#include "machine/kernel_registry.h"

namespace xfer::emulator {

/// `uses` by mangled name. `indent` as of nlohmann::json::dump: -1 for one line.
std::string kernel_report(const std::map<std::string, KernelUse>& uses, int indent);

/// Of the first launch that is skipped, with its kernel's mangled name.
std::string first_skipped_text(const std::string& name, const std::string& why,
                               bool missing_is_nan);

}  // namespace xfer::emulator
