/* SPDX-License-Identifier: Apache-2.0
 * The GTKWave file beside a wave: what a person wants to see first, instruction words shown as assembly. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "wave_save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

/* Flags of GTKWave's save format: hex, decimal, one bit, hex through a filter process, a comment line. */
#define AS_HEX "@22"
#define AS_DECIMAL "@24"
#define AS_BIT "@28"
#define AS_FILTERED "@4022"
#define COMMENT "@200"

#define PS_PER_CYCLE 10000u /* the simulation's clock: 10 ns */

static void show(FILE *f, const char *flags, const char *name) {
  fprintf(f, "%s\nheddle.heddle_gpu.%s\n", flags, name);
}
static void title(FILE *f, const char *text) {
  fprintf(f, COMMENT "\n-%s\n", text);
}

/* GTKWave starts a filter by its path alone. */
static bool write_filter(const char *path) {
  char program[4096];
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  FILE *f = n > 0 ? fopen(path, "w") : NULL;
  if (!f) return false;
  program[n] = 0;
  fprintf(f, "#!/bin/sh\nexec '%s' dis --words\n", program);
  return fclose(f) == 0 && chmod(path, 0755) == 0;
}

static void issue_group(FILE *f, const char *filter) {
  title(f, "issue");
  show(f, AS_BIT, "ret_issue_valid_o");
  show(f, AS_DECIMAL, "ret_issue_slot_o[7:0]");
  show(f, AS_DECIMAL, "ret_issue_seq_o[31:0]");
  show(f, AS_HEX, "ret_issue_pc_o[31:0]");
  fprintf(f, AS_FILTERED "\n^>1 %s\nheddle.heddle_gpu.ret_issue_word_o[127:0]\n", filter);
  show(f, AS_HEX, "ret_issue_active_o[31:0]");
  show(f, AS_HEX, "ret_issue_exec_o[31:0]");
  show(f, AS_HEX, "ret_issue_dhash_o[63:0]");
}

static void write_group(FILE *f, const struct heddle_config *c) {
  char name[64];
  for (unsigned b = 0; b < c->banks; b++) {
    snprintf(name, sizeof name, "register file, write port of bank %u", b);
    title(f, name);
    static const char *const parts[] = {"valid_o", "slot_o[7:0]", "seq_o[31:0]", "rd_o[7:0]", "beat_o[7:0]"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
      snprintf(name, sizeof name, "ret_wb%u_%s", b, parts[i]);
      show(f, i == 0 ? AS_BIT : AS_DECIMAL, name);
    }
    snprintf(name, sizeof name, "ret_wb%u_mask_o[%u:0]", b, c->lanes - 1);
    show(f, AS_HEX, name);
    snprintf(name, sizeof name, "ret_wb%u_data_o[%u:0]", b, c->lanes * 32 - 1);
    show(f, AS_HEX, name);
  }
}

static void divergence_group(FILE *f, const struct heddle_config *c) {
  char name[96];
  title(f, "divergence: depth of each warp's stack, then the unit");
  for (unsigned w = 0; w < c->warps; w++) {
    snprintf(name, sizeof name, "u_sm.u_divergence.depth_q[%u][4:0]", w);
    show(f, AS_DECIMAL, name);
  }
  show(f, AS_HEX, "u_sm.u_divergence.active[31:0]");
  show(f, AS_HEX, "u_sm.u_divergence.live[31:0]");
  show(f, AS_BIT, "u_sm.u_divergence.dv_done_valid_o");
  show(f, AS_HEX, "u_sm.u_divergence.dv_done_pc_o[31:0]");
}

static void memory_group(FILE *f) {
  title(f, "accesses performed");
  show(f, AS_BIT, "ret_gmem_valid_o");
  show(f, AS_DECIMAL, "ret_gmem_slot_o[7:0]");
  show(f, AS_DECIMAL, "ret_gmem_seq_o[31:0]");
  show(f, AS_HEX, "ret_gmem_sector_o[34:0]");
  show(f, AS_HEX, "ret_gmem_lanes_o[31:0]");
  show(f, AS_BIT, "ret_shm_valid_o");
  show(f, AS_DECIMAL, "ret_shm_slot_o[7:0]");
  show(f, AS_HEX, "ret_shm_lanes_o[31:0]");
  title(f, "AXI");
  static const char *const channels[] = {"ar", "r", "aw", "w", "b"};
  for (unsigned i = 0; i < 5; i++) {
    char name[64];
    bool from_core = i != 1 && i != 4;
    snprintf(name, sizeof name, "m_axi_%svalid_%c", channels[i], from_core ? 'o' : 'i');
    show(f, AS_BIT, name);
    snprintf(name, sizeof name, "m_axi_%sready_%c", channels[i], from_core ? 'i' : 'o');
    show(f, AS_BIT, name);
  }
  show(f, AS_HEX, "m_axi_araddr_o[39:0]");
  show(f, AS_HEX, "m_axi_awaddr_o[39:0]");
}

bool wave_save(const char *wave, const struct heddle_config *config, uint64_t cycle) {
  char save[4096], filter[4096];
  char *whole = realpath(wave, NULL);
  snprintf(save, sizeof save, "%s.gtkw", wave);
  snprintf(filter, sizeof filter, "%s.filter", whole ? whole : wave);
  FILE *f = fopen(save, "w");
  bool ok = f && write_filter(filter);
  if (ok) {
    uint64_t from = cycle > 50 ? (cycle - 50) * PS_PER_CYCLE : 0;
    fprintf(f, "[dumpfile] \"%s\"\n[timestart] %llu\n[size] 1600 900\n*-16.0 %llu\n", whole ? whole : wave,
            (unsigned long long)from, (unsigned long long)(cycle * PS_PER_CYCLE));
    title(f, "clock");
    show(f, AS_BIT, "clk_i");
    issue_group(f, filter);
    divergence_group(f, config);
    write_group(f, config);
    memory_group(f);
  }
  if (f && fclose(f) != 0) ok = false;
  if (!ok) tool_error("%s: cannot be written", save);
  free(whole);
  return ok;
}
