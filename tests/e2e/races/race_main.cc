// race_cases NAME [right]

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "race_registry.h"

namespace {
std::map<std::string, RaceCase>& cases() {
  static std::map<std::string, RaceCase> all;
  return all;
}
}  // namespace

RegisterRace::RegisterRace(const char* name, RaceCase run) { cases()[name] = run; }

int main(int argc, char** argv) {
  const auto found = argc > 1 ? cases().find(argv[1]) : cases().end();
  if (found == cases().end()) {
    std::fprintf(stderr, "race_cases: no such case; there are:");
    for (const auto& [name, run] : cases()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  found->second(argc > 2 && std::strcmp(argv[2], "right") == 0);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
