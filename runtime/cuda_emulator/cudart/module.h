#pragma once
// A module's device code: what it was compiled for, and its PTX as code of this CPU, made when it
// is first asked for.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"
#include "machine/options.h"

namespace xfer::emulator {

class Module {
 public:
  /// Of what images_of or image_at found.
  explicit Module(std::vector<std::string_view> images);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // With the machine's lock held.

  /// The architecture that the code of it is for that a device runs, as in sm_80. Where none is,
  /// the newest that it could.
  int architecture(const Options& options);
  /// Takes the PTX out of the images, which may go then. False: there is none that can be read;
  /// *why says what stops it.
  bool read(const Options& options, std::string* why);
  bool is_read() const { return program_ != nullptr; }
  /// Of PTX that was read.
  std::vector<std::string> kernels() const;
  const std::map<std::string, const kernels::ModuleVariable*>& variables() const {
    return variables_;
  }
  /// The program takes the image away. Everything made from it stays.
  void close() { images_.clear(); }
  /// Null: it cannot be run; *why says what stops it.
  const kernels::Code* code(const Options& options, const std::string& kernel, kernels::Extra extra,
                            std::string* why);
  /// The same for warps at once; null: its lanes cannot go in step.
  kernels::RunWarp warp_code(const std::string& kernel, kernels::Extra extra,
                             kernels::WarpShape shape);
  /// As Program::place.
  std::string place(const std::string& kernel, const void* at);
  /// The variable as the PTX declares it; null: it does not.
  const kernels::ModuleVariable* variable(const Options& options, const std::string& name);

 private:
  void load(const Options& options);
  std::vector<std::string> read_images(const Options& options, bool of_newer_devices);

  std::vector<std::string_view> images_;
  std::vector<int> architectures_;
  int architecture_run_ = 0;  ///< 0: its PTX does not run
  bool loaded_ = false;
  std::unique_ptr<kernels::Program> program_;  ///< of all images together
  std::map<std::string, const kernels::ModuleVariable*> variables_;
  std::string why_;  ///< an image could not be read, the first of them
};

}  // namespace xfer::emulator
