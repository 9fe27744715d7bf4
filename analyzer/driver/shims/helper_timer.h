#pragma once
// The part of the CUDA samples' helper_timer.h that code calls.
#include <sys/time.h>

#include <cstdlib>
#include <ctime>

class StopWatchInterface {
 public:
  virtual ~StopWatchInterface();
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  virtual float getTime() = 0;
  virtual float getAverageTime() = 0;
};

class StopWatchLinux : public StopWatchInterface {
 public:
  StopWatchLinux();
  void start() override;
  void stop() override;
  void reset() override;
  float getTime() override;
  float getAverageTime() override;
};

bool sdkCreateTimer(StopWatchInterface** timer);
bool sdkDeleteTimer(StopWatchInterface** timer);
bool sdkStartTimer(StopWatchInterface** timer);
bool sdkStopTimer(StopWatchInterface** timer);
bool sdkResetTimer(StopWatchInterface** timer);
float sdkGetAverageTimerValue(StopWatchInterface** timer);
float sdkGetTimerValue(StopWatchInterface** timer);
