// SPDX-License-Identifier: Apache-2.0
// Files of tests/silicon, as the benches of pipes and units read them. What is not there is empty.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

// Elements of 1 to 8 bytes, little-endian.
inline std::vector<uint64_t> read_elements(const std::string &path, size_t bytes) {
  std::vector<uint64_t> all;
  FILE *f = std::fopen(path.c_str(), "rb");
  if (!f) return all;
  uint64_t w = 0;
  while (std::fread(&w, bytes, 1, f) == 1) all.push_back(w);
  std::fclose(f);
  return all;
}

// A line `form a b c -> d` of nan.txt; it has one to three operands.
struct NanRow {
  uint64_t in[3] = {0, 0, 0};
  unsigned operands = 0;
  uint64_t result = 0;
};

inline std::vector<NanRow> read_nan_rows(const std::string &dir, const std::string &form) {
  std::vector<NanRow> all;
  FILE *f = std::fopen((dir + "/nan.txt").c_str(), "r");
  if (!f) return all;
  char line[256];
  while (std::fgets(line, sizeof line, f)) {
    char name[64];
    int used = 0;
    if (std::sscanf(line, "%63s%n", name, &used) != 1 || form != name) continue;
    NanRow row;
    unsigned long long x;
    const char *p = line + used;
    for (; row.operands < 3 && std::sscanf(p, " %llx%n", &x, &used) == 1; row.operands++) {
      row.in[row.operands] = x;
      p += used;
    }
    if (std::sscanf(p, " -> %llx", &x) != 1) continue;
    row.result = x;
    all.push_back(row);
  }
  std::fclose(f);
  return all;
}
