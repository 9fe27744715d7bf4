// What the dcgan program uses of p-ranav/argparse: named arguments with one value each.
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>

namespace argparse {

struct Argument {
  Argument& help(std::string text) {
    help_ = std::move(text);
    return *this;
  }
  template <class T>
  Argument& default_value(T value) {
    value_ = value;
    return *this;
  }
  template <char, class T>
  Argument& scan() {
    read_ = [](const std::string& text) -> std::any { return static_cast<T>(std::stoll(text)); };
    return *this;
  }

  std::string help_;
  std::any value_;
  std::any (*read_)(const std::string&) = nullptr;
};

class ArgumentParser {
 public:
  explicit ArgumentParser(std::string name) : name_(std::move(name)) {}
  Argument& add_argument(const std::string& name) { return arguments_[name]; }
  void parse_args(int argc, const char* const argv[]) {
    for (int i = 1; i < argc; i += 2) {
      const auto found = arguments_.find(argv[i]);
      if (found == arguments_.end() || found->second.read_ == nullptr || i + 1 == argc) {
        throw std::runtime_error(std::string("Unknown argument: ") + argv[i]);
      }
      found->second.value_ = found->second.read_(argv[i + 1]);
    }
  }
  template <class T>
  T get(const std::string& name) const {
    return std::any_cast<T>(arguments_.at(name).value_);
  }
  friend std::ostream& operator<<(std::ostream& out, const ArgumentParser& parser) {
    out << "usage: " << parser.name_ << '\n';
    for (const auto& [name, argument] : parser.arguments_) {
      out << "  " << name << "  " << argument.help_ << '\n';
    }
    return out;
  }

 private:
  std::string name_;
  std::map<std::string, Argument> arguments_;
};

}  // namespace argparse
