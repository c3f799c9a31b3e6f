// SPDX-License-Identifier: Apache-2.0
// Files of tests/silicon, as the benches of pipes and units read them, loose or in the archive of their folder. A file
// that is absent is empty.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "run/job/case_data.h"

inline std::vector<uint8_t> read_bytes(const std::string &path) {
  char why[512];
  size_t size = 0;
  uint8_t *data = case_data_read_path(path.c_str(), CASE_DATA_MOST, &size, why, sizeof why);
  std::vector<uint8_t> all(data, data + size);
  std::free(data);
  return all;
}

// The same as a stream; NULL where there is nothing.
inline FILE *open_text(const std::string &path) {
  const std::vector<uint8_t> all = read_bytes(path);
  FILE *f = all.empty() ? nullptr : fmemopen(nullptr, all.size() + 1, "w+");
  if (!f) return f;
  std::fwrite(all.data(), 1, all.size(), f);
  std::rewind(f);
  return f;
}

// Elements of 1 to 8 bytes, little-endian; T has room for one.
template <typename T = uint64_t> std::vector<T> read_elements(const std::string &path, size_t bytes = sizeof(T)) {
  const std::vector<uint8_t> data = read_bytes(path);
  std::vector<T> all(data.size() / bytes);
  for (size_t k = 0; k < all.size(); k++) std::memcpy(&all[k], &data[k * bytes], bytes);
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
  FILE *f = open_text(dir + "/nan.txt");
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
