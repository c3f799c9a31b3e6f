// SPDX-License-Identifier: Apache-2.0
//
// Calls of a watched device (watch_sv.py): counts for each mutant how often its place was worked out, and how often
// the mutant's value would have been another one. Until reset is over, only what writes a register or not (writes) is
// counted so; of the rest `early` counts what differs, which is all there is of a constant. HEDDLE_WATCH names the file
// of the counts, which is mapped, so that they are there whatever ends the run: by number.
// Included in front of each C++ file of such a device.
#ifndef HEDDLE_WATCH_HPP
#define HEDDLE_WATCH_HPP
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle_watch {

constexpr unsigned limit = 1u << 15; // numbers of mutants are below it (reach.py: LIMIT)
struct Count {
  uint32_t reached, differs, early; // reach.py: COUNT
};
inline bool released = false;
inline Count nowhere[limit];
inline Count *counts = nowhere;

inline bool open_counts() {
  const char *path = std::getenv("HEDDLE_WATCH");
  if (path == nullptr) return false;
  const int file = open(path, O_RDWR | O_CREAT, 0666);
  void *p = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof nowhere) == 0) {
    p = mmap(nullptr, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (file >= 0) close(file);
  if (p == MAP_FAILED) {
    std::perror(path);
    std::exit(5);
  }
  counts = static_cast<Count *>(p);
  return true;
}

inline const bool opened = open_counts();

} // namespace heddle_watch

extern "C" {
__attribute__((used)) inline unsigned char heddle_saw(unsigned int number, unsigned char writes, unsigned char differs) {
  if (number >= heddle_watch::limit) return 0;
  heddle_watch::Count &c = heddle_watch::counts[number];
  if (writes || heddle_watch::released) {
    c.reached++;
    c.differs += differs & 1u;
  } else {
    c.early += differs & 1u;
  }
  return 0;
}

__attribute__((used)) inline void heddle_reset(unsigned char released) {
  heddle_watch::released = released & 1u;
}
}
#endif
