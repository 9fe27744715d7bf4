#pragma once
// A unit's facts as bytes. They mean the same to the program that wrote them, with the same models;
// whoever keeps them sees to that, and that they are whole.

#include <string>
#include <string_view>

#include "analyzer/facts/unit.h"

namespace xfer::analyzer {

std::string to_bytes(const Unit& unit, const ModelSet& models);

/// Throws std::runtime_error where the bytes end early.
Unit unit_from_bytes(std::string_view bytes, const ModelSet& models);

}  // namespace xfer::analyzer
