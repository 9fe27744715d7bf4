#pragma once
// Where the values that something holds may be, over all that gives it a value.

#include <cstdint>

#include "analyzer/flow/lattice.h"

namespace xfer::analyzer {

class DeviceSet {
 public:
  using Bits = std::uint16_t;
  enum Kind : Bits {
    kCpu = 1,
    kCuda = 2,
    kChosen = 4,      ///< a device that is chosen when the program runs, and may be CUDA
    kGiven = 8,       ///< a device that the program is given, by code that is not here
    kNewModule = 16,  ///< the CPU, where a module is made that is yet to be moved
    kUnknown = 32,
    kLoaded = 64,  ///< a module read from a file, which may say where it is
    /// One device in every run, as the callers decide: with kUnknown all of them, else some.
    kSettled = 128,
    kPinned = 256,  ///< memory of the host that devices may follow too
    /// The program says that it is anywhere but on the CPU.
    kPlaced = kCuda | kChosen | kGiven | kNewModule | kSettled,
  };
  static constexpr std::size_t kKinds = 9;

  constexpr DeviceSet() = default;
  constexpr explicit DeviceSet(Bits kinds) : kinds_(kinds) {}

  /// Returns the bits that were not set before.
  Bits add(DeviceSet other) {
    const Bits fresh = other.kinds_ & static_cast<Bits>(~kinds_);
    kinds_ |= other.kinds_;
    return fresh;
  }
  bool has(Bits kind) const { return (kinds_ & kind) != 0; }
  bool empty() const { return kinds_ == 0; }
  Bits kinds() const { return kinds_; }

  bool always_pinned() const { return kinds_ == kPinned; }
  bool always_cpu() const { return kinds_ != 0 && only(kCpu | kNewModule); }
  /// Everything that brings a value there has it on CUDA in some run. Code that is given a device
  /// is given CUDA sometimes.
  bool may_be_cuda() const {
    return has(kCuda | kChosen | kGiven) && only(kCuda | kChosen | kGiven | kSettled);
  }
  /// Some of what brings a value there has it on CUDA.
  bool sometimes_cuda() const { return has(kCuda | kChosen | kGiven); }
  /// The same in every run.
  bool settled() const { return has(kSettled) && has(kUnknown); }
  /// Of one of the objects for which these are said: some may be where the others are not.
  DeviceSet of_one_object() const { return has(kSettled) ? DeviceSet(kinds_ | kUnknown) : *this; }

  /// Of a module. One that is moved once it is made is used by nobody before (`moved`), and what it
  /// is read from was saved where it is. Where others say to what device, it may never be moved.
  DeviceSet of_module(bool moved) const {
    if (!has(kCuda | kChosen | kCpu) || has(kGiven | kUnknown)) return *this;
    const Bits left = moved ? kNewModule | kLoaded : has(kNewModule) ? 0 : kLoaded;
    return DeviceSet(kinds_ & static_cast<Bits>(~left));
  }

  /// Of what is at a place of both: where it is then. Nothing is known of it if nothing is known of
  /// either; if they have no place in common it is nowhere.
  friend DeviceSet common(DeviceSet one, DeviceSet other) {
    constexpr Bits kDevices = kCuda | kChosen | kGiven;
    constexpr Bits kHost = kCpu | kNewModule;
    constexpr Bits kNobodyKnows = kUnknown | kLoaded;
    DeviceSet both;
    for (const Bits kind : {kDevices, kHost, Bits{kPinned}, kNobodyKnows}) {
      const auto may = [kind](DeviceSet set) { return set.has(kind) || set.has(kNobodyKnows); };
      if (may(one) && may(other)) both.kinds_ |= (one.kinds_ | other.kinds_) & kind;
    }
    if (!one.has(kNobodyKnows) || !other.has(kNobodyKnows))
      both.kinds_ &= static_cast<Bits>(~kNobodyKnows);
    both.kinds_ |= (one.kinds_ | other.kinds_) & kSettled;
    return both;
  }

  friend bool operator==(DeviceSet, DeviceSet) = default;

 private:
  bool only(int kinds) const { return (kinds_ & ~kinds) == 0; }

  Bits kinds_ = 0;
};

}  // namespace xfer::analyzer
