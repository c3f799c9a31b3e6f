// SPDX-License-Identifier: Apache-2.0
// The command line of a bench: "--name VALUE" and "--name", in any order. Options are taken one by one; any other word
// then ends the bench with status 2, so that no misspelt option runs the bench without it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

class Arguments {
public:
  Arguments(int argc, char **argv) : bench_(argv[0]), words_(argv + 1, argv + argc) {}
  std::string text(const std::string &name, const std::string &otherwise = "") {
    usage_ += " [" + name + " VALUE]";
    for (size_t i = 0; i + 1 < words_.size(); i++)
      if (words_[i] == name) {
        const std::string value = words_[i + 1];
        words_.erase(words_.begin() + long(i), words_.begin() + long(i) + 2);
        return value;
      }
    return otherwise;
  }
  uint64_t number(const std::string &name, uint64_t otherwise) {
    return std::strtoull(text(name, std::to_string(otherwise)).c_str(), nullptr, 0);
  }
  unsigned small(const std::string &name, unsigned otherwise) { return unsigned(number(name, otherwise)); }
  bool flag(const std::string &name) {
    usage_ += " [" + name + "]";
    for (size_t i = 0; i < words_.size(); i++)
      if (words_[i] == name) return words_.erase(words_.begin() + long(i)), true;
    return false;
  }
  void all() const {
    if (words_.empty()) return;
    std::fprintf(stderr, "%s: not understood: %s\nusage: %s%s\n", bench_.c_str(), words_[0].c_str(), bench_.c_str(),
                 usage_.c_str());
    std::exit(2);
  }

private:
  std::string bench_, usage_;
  std::vector<std::string> words_;
};
