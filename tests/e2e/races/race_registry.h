#pragma once

using RaceCase = void (*)(bool right);

/// Registers a case by its name.
struct RegisterRace {
  RegisterRace(const char* name, RaceCase run);
};
