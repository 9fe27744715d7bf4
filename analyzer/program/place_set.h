#pragma once
// Where the values that something holds may be, over all that gives it a value.

#include <cstdint>

#include "analyzer/flow/lattice.h"

namespace xfer::analyzer {

class PlaceSet {
 public:
  enum Place : std::uint8_t {
    kCpu = 1,
    kCuda = 2,
    kChosen = 4,      ///< a device that is chosen when the program runs, and may be CUDA
    kGiven = 8,       ///< a device that the program is given, by code that is not here
    kNewModule = 16,  ///< the CPU, where a module is made that is yet to be moved
    kUnknown = 32,
    kLoaded = 64,  ///< a module read from a file, which may say where it is
    /// One device in every run, as the callers decide: with kUnknown all of them, else some.
    kSettled = 128,
    /// The program says that it is anywhere but on the CPU.
    kPlaced = kCuda | kChosen | kGiven | kNewModule | kSettled,
  };

  constexpr PlaceSet() = default;
  constexpr explicit PlaceSet(std::uint8_t places) : places_(places) {}

  /// What this did not have before.
  std::uint8_t add(PlaceSet other) {
    const std::uint8_t fresh = other.places_ & static_cast<std::uint8_t>(~places_);
    places_ |= other.places_;
    return fresh;
  }
  bool has(std::uint8_t place) const { return (places_ & place) != 0; }
  bool empty() const { return places_ == 0; }
  std::uint8_t places() const { return places_; }

  bool always_cpu() const { return places_ != 0 && only(kCpu | kNewModule); }
  /// Whatever brings a value there, some run has it on CUDA. Who is given a device is given CUDA
  /// sometimes.
  bool may_be_cuda() const {
    return has(kCuda | kChosen | kGiven) && only(kCuda | kChosen | kGiven | kSettled);
  }
  /// Some of what brings a value there has it on CUDA.
  bool sometimes_cuda() const { return has(kCuda | kChosen | kGiven); }
  /// The same in every run.
  bool settled() const { return has(kSettled) && has(kUnknown); }
  /// Of one of the objects for which these are said: some may be where the others are not.
  PlaceSet of_one_object() const { return has(kSettled) ? PlaceSet(places_ | kUnknown) : *this; }

  /// Of a module. One that is moved once it is made is used by nobody before (`moved`), and what it
  /// is read from was saved where it is. Where others say to what device, it may never be moved.
  PlaceSet of_module(bool moved) const {
    if (!has(kCuda | kChosen | kCpu) || has(kGiven | kUnknown)) return *this;
    const std::uint8_t left = moved ? kNewModule | kLoaded : has(kNewModule) ? 0 : kLoaded;
    return PlaceSet(places_ & static_cast<std::uint8_t>(~left));
  }

  /// Of what is at a place of both: where it is then. Nothing is known of it if nothing is known of
  /// either; if they have no place in common it is nowhere.
  friend PlaceSet common(PlaceSet one, PlaceSet other) {
    constexpr std::uint8_t kDevices = kCuda | kChosen | kGiven;
    constexpr std::uint8_t kHost = kCpu | kNewModule;
    constexpr std::uint8_t kNobodyKnows = kUnknown | kLoaded;
    PlaceSet both;
    for (const std::uint8_t kind : {kDevices, kHost, kNobodyKnows}) {
      const auto may = [kind](PlaceSet set) { return set.has(kind) || set.has(kNobodyKnows); };
      if (may(one) && may(other)) both.places_ |= (one.places_ | other.places_) & kind;
    }
    if (!one.has(kNobodyKnows) || !other.has(kNobodyKnows))
      both.places_ &= static_cast<std::uint8_t>(~kNobodyKnows);
    both.places_ |= (one.places_ | other.places_) & kSettled;
    return both;
  }

  friend bool operator==(PlaceSet, PlaceSet) = default;

 private:
  bool only(int places) const { return (places_ & ~places) == 0; }

  std::uint8_t places_ = 0;
};

}  // namespace xfer::analyzer
