/* SPDX-License-Identifier: Apache-2.0
 *
 * The model of the instruction cache against the RTL: kernels in lockstep on a device whose memory is this program's,
 * which counts the lines of code that the RTL reads. The model is driven by the program counters of the device's own
 * issue records, in their order.
 * usage: icache_rtl DEVICES CONFIG KERNELS PERCENT KERNEL ...: lines within PERCENT of the RTL's, of each kernel
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include <heddle/config.h>
#include <heddle/session.h>
#include "isa/measure/icache.h"
#include "run/cases/kernel_run.h"

enum { LATENCY = 100, QUEUE = HEDDLE_AXI_MEM_QUEUE, BEHIND = 64 << 20 };

struct answer {
  bool write;
  uint16_t at;
  uint64_t due;
  uint8_t data[32768];
};

struct issued {
  uint64_t cycle;
  uint32_t pc;
};

struct rig {
  struct heddle_dut *device;
  struct answer *queue; /* a ring of QUEUE + 1 for both directions: answers leave in the order of their requests */
  size_t first, n;
  uint64_t cycle;
  uint64_t code_at, code_bytes, lines; /* of code that were read */
  struct issued *issued;
  size_t n_issued, room;
};

static void ask(void *self, const struct heddle_axi_mem_ask *a) {
  struct rig *r = self;
  struct answer *to = &r->queue[(r->first + r->n++) % (2 * QUEUE)];
  *to = (struct answer){.write = a->write, .at = a->at, .due = r->cycle + LATENCY};
  if (!a->write) (void)heddle_dut_memory_load(r->device, a->addr, to->data, a->bytes);
  if (!a->write && a->addr >= r->code_at && a->addr < r->code_at + r->code_bytes)
    r->lines += (a->bytes + ICACHE_LINE - 1) / ICACHE_LINE;
  for (unsigned i = 0; a->write && i < a->bytes; i++)
    if (a->strobe[i]) (void)heddle_dut_memory_store(r->device, a->addr + i, &a->data[i], 1);
}

static void pass(void *self) {
  struct rig *r = self;
  r->cycle++;
  while (r->n > 0 && r->queue[r->first].due <= r->cycle) {
    const struct answer *a = &r->queue[r->first];
    heddle_dut_memory_answer(r->device, a->write, a->at, 0, a->data);
    r->first = (r->first + 1) % (2 * QUEUE);
    r->n--;
  }
}

static void observe(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                    const struct heddle_retire_record *rec) {
  struct rig *r = ctx;
  (void)m;
  if (!rec) r->code_at = l->code_at, r->code_bytes = l->code_bytes;
  if (!rec || rec->kind != HEDDLE_RECORD_ISSUE) return;
  if (!array_room(&r->issued, &r->room, r->n_issued + 1, sizeof *r->issued)) abort();
  r->issued[r->n_issued++] = (struct issued){rec->cycle, rec->u.issue.pc};
}

static uint64_t model_lines(const struct rig *r, const struct heddle_config *m) {
  const uint32_t base = (uint32_t)(r->code_at % (64 * 1024)) & ~(ICACHE_LINE - 1);
  const struct icache_config c = {.bytes = m->icache_bytes,
                                  .ahead = m->icache_misses,
                                  .last = base + (uint32_t)r->code_bytes - 1,
                                  .latency = LATENCY + 20 + 512 / m->axi_bits};
  struct icache_counts n = {0};
  struct icache *i = icache_new(&c);
  for (size_t k = 0; i && k < r->n_issued; k++) icache_fetch(i, base + r->issued[k].pc, r->issued[k].cycle, &n);
  icache_free(i);
  return n.refills;
}

static bool run(struct rig *r, const char *devices, const char *config, const struct job *j, char *err, size_t bytes) {
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = j->mem_base, .bytes = j->mem_bytes + BEHIND};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .records = true, .seed = 1};
  heddle_axi_mem_calm(&m);
  const struct heddle_axi_mem_outside outside = {sizeof outside, r, ask, pass};
  struct heddle_message msg;
  struct heddle_session *s = NULL;
  enum heddle_error e = heddle_dut_open(devices, "verilator", config, &o, &r->device, &msg);
  if (e == HEDDLE_SUCCESS && !heddle_dut_memory_outside(r->device, &outside)) return false;
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .config = config,
                                          .device = r->device,
                                          .seed = 1,
                                          .memory_base = j->mem_base,
                                          .memory_bytes = j->mem_bytes,
                                          .observe = observe,
                                          .observe_ctx = r};
  if (e == HEDDLE_SUCCESS) e = heddle_session_open(&c, &s, &msg);
  snprintf(err, bytes, "%s", msg.text);
  if (e != HEDDLE_SUCCESS) return false;
  struct heddle_session_result result = {.size = sizeof result};
  job_store_inputs(j, heddle_session_memory(s));
  const bool ok = heddle_session_run(s, &j->launch, &result) == HEDDLE_SESSION_OK;
  if (!ok) snprintf(err, bytes, "%s", result.message);
  return heddle_session_close(s, NULL) == HEDDLE_SUCCESS && ok;
}

static bool one(const char *devices, const char *config, const char *folder, const char *name, double percent) {
  const struct kernel_info *k = kernel_find(name);
  const struct heddle_config *m = heddle_config_find(config);
  const struct source_options with = {.target = HEDDLE_PTX_TARGET_RTL, .units = heddle_config_units(m), .level = 1};
  struct heddle_program *p = k ? kernel_program(folder, k, KERNEL_PTX, &with) : NULL;
  struct kernel_case *c = calloc(1, sizeof *c);
  struct rig r = {.queue = calloc(2 * QUEUE, sizeof *r.queue)};
  struct job j = {0};
  char err[512] = "no such kernel, or no memory";
  bool ok = p && c && r.queue && kernel_prepare(k, KERNEL_PTX, 1, 0, c) &&
            kernel_job(&j, p, c, 0, NULL, err, sizeof err) && run(&r, devices, config, &j, err, sizeof err);
  if (!ok) {
    printf("%s on %s: %s\n", name, config, err);
    return false;
  }
  const uint64_t model = model_lines(&r, m);
  const double off = r.lines > 0 ? 100 * ((double)model - (double)r.lines) / (double)r.lines : 100;
  ok = off <= percent && off >= -percent;
  printf("%s on %s: %u bytes of code in %u of cache, %zu issued: RTL reads %" PRIu64 " lines, model %" PRIu64
         " (%+.1f %%)%s\n",
         name, config, p->code_bytes, m->icache_bytes, r.n_issued, r.lines, model, off, ok ? "" : " FAILED");
  job_clear(&j);
  kernel_case_clear(c);
  free(c);
  free(r.queue);
  free(r.issued);
  heddle_dut_free(r.device);
  heddle_program_free(p);
  return ok;
}

int main(int argc, char **argv) {
  bool ok = argc > 5;
  if (!ok) fprintf(stderr, "usage: icache_rtl DEVICES CONFIG KERNELS PERCENT KERNEL ...\n");
  for (int i = 5; i < argc; i++) ok = one(argv[1], argv[2], argv[3], argv[i], atof(argv[4])) && ok;
  return ok ? 0 : 1;
}
