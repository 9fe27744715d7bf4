#pragma once
// c10's, as LibTorch 2 declares it, and what arrived there.

namespace c10 {

struct Device {
  signed char type;
  signed char index;
};
struct Reported {
  int given = 0;
  int taken_back = 0;
};

void reportMemoryUsageToProfiler(void* pointer, long bytes, unsigned long allocated,
                                 unsigned long reserved, Device device);
Reported reported();

}  // namespace c10
