/* SPDX-License-Identifier: Apache-2.0
 * QEMU's log of executed instructions. */
#include "execlog.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "Trace 0: 0x7f22 [0000000000000000/0000000000011790/03206688/00000201] mandel": the second number. */
static bool program_counter(const char *line, uint64_t *pc) {
  if (strncmp(line, "Trace ", 6) != 0) return false;
  const char *p = strchr(line, '[');
  p = p ? strchr(p, '/') : NULL;
  if (!p) return false;
  char *end;
  *pc = strtoull(p + 1, &end, 16);
  return end != p + 1 && *end == '/';
}

bool simd_execlog_read(struct simd_listing *l, FILE *from, char err[SIMD_ERROR]) {
  char line[512];
  uint64_t pc, counted = 0;
  for (unsigned long n = 1; fgets(line, sizeof line, from); n++) {
    line[strcspn(line, "\n")] = '\0';
    if (!program_counter(line, &pc)) {
      (void)snprintf(err, SIMD_ERROR, "line %lu of the log is no executed instruction: %.80s", n, line);
      return false;
    }
    if (pc < l->start || pc >= l->start + l->bytes) continue;
    struct simd_insn *i = simd_listing_at(l, pc);
    if (!i) {
      (void)snprintf(err, SIMD_ERROR, "line %lu of the log: no instruction of %s begins at 0x%" PRIx64, n, l->function,
                     pc);
      return false;
    }
    i->executed++;
    counted++;
  }
  if (counted > 0) return true;
  (void)snprintf(err, SIMD_ERROR, "the log has no instruction of %s", l->function);
  return false;
}
