#pragma once
// The texts of the engine's findings, in the catalogue's words.

#include <string>

#include "xfer/engine.h"

namespace xfer {

/// "cuda:1", or "the host".
std::string device_name(std::int16_t device);

std::string message_of(const EngineFinding& found);

/// The remedy for it, in the imperative.
std::string remedy_of(const EngineFinding& found);

/// The rule's; of a hidden wait in each step, more.
Severity severity_of(const EngineFinding& found);

/// Of the finding's other call: "overwritten here".
std::string about_the_other(const EngineFinding& found);

}  // namespace xfer
