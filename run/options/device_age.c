/* SPDX-License-Identifier: Apache-2.0
 * Devices and the RTL: which is newer. */
#include "device_age.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <heddle/device.h>
#include "run/command/data.h"

static bool is_newer(const struct stat *a, const struct stat *b) {
  if (a->st_mtim.tv_sec != b->st_mtim.tv_sec) return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
  return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* The newest of the files that devices are made of (cosim/CMakeLists.txt), seen from `rtl`, if it is newer than
 * `least`, which then is its. */
static void find_newer(const char *rtl, const char *pattern, struct stat *least, char file[128]) {
  char path[4096];
  glob_t g = {0};
  struct stat s;
  (void)snprintf(path, sizeof path, "%s%s", rtl, pattern);
  if (glob(path, 0, NULL, &g) != 0) return;
  for (size_t i = 0; i < g.gl_pathc; i++) {
    if (stat(g.gl_pathv[i], &s) != 0 || !is_newer(&s, least)) continue;
    *least = s;
    (void)snprintf(file, 128, "%s", g.gl_pathv[i] + strlen(rtl));
  }
  globfree(&g);
}

void device_age_tell(const struct run_options *o) {
  char rtl[3584], path[3584], name[72], file[128] = "";
  const char *backend = o->on == ON_SYSTEMC ? "systemc" : "verilator";
  struct heddle_message m = {.file = "heddle", .warning = true};
  struct stat s;
  if (o->on == ON_MODEL || o->on == ON_BOARD || !data_has("rtl", rtl, sizeof rtl)) return;
  heddle_dut_variant(o->config_name, o->wave != NULL, o->fault != 0, name, sizeof name);
  if (!heddle_dut_path(NULL, backend, name, path, sizeof path) || stat(path, &s) != 0) return;
  find_newer(rtl, "/*.sv", &s, file);
  find_newer(rtl, "/*/*.sv", &s, file);
  find_newer(rtl, "/*/*.svh", &s, file);
  find_newer(rtl, "/*/*/*.sv", &s, file);
  if (file[0] == '\0') return;
  (void)snprintf(m.text, sizeof m.text, "%s_%s.so is older than rtl%s: cmake --build build --target device_%s_%s",
                 backend, name, file, backend, name);
  tool_message(NULL, &m);
}
