/* SPDX-License-Identifier: Apache-2.0
 * Which program this is. */
#include "version.h"

#include <inttypes.h>

#include "gen/commit/commit.h" /* made by every build: HEDDLE_COMMIT, HEDDLE_VERSION */
#include <heddle/config.h>
#include <heddle/device.h>
#include <heddle/isa.h>

const char *version_number(void) {
  return HEDDLE_VERSION;
}

void version_print(FILE *to) {
  fprintf(to, "heddle %s (commit %s)\ninstruction set %016" PRIx64 "\nconfigurations built:", HEDDLE_VERSION,
          HEDDLE_COMMIT, heddle_isa_hash());
  unsigned n = 0;
  for (size_t i = 0; i < heddle_config_count(); i++) {
    const char *name = heddle_config_at(i)->name;
    if (!heddle_dut_built(NULL, "verilator", name)) continue;
    fprintf(to, " %s", name);
    n++;
  }
  fputs(n > 0 ? "\n" : " none, the model alone\n", to);
}

json_t *version_json(void) {
  char isa[20];
  (void)snprintf(isa, sizeof isa, "%016" PRIx64, heddle_isa_hash());
  return json_pack("{s:s, s:s, s:s}", "version", HEDDLE_VERSION, "commit", HEDDLE_COMMIT, "isa", isa);
}
