/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch, to its end: the model alone, the device alone, or records of the device judged by the model.
 */
#include <stdlib.h>
#include <string.h>

#include "heddle/config.h"
#include "heddle/host_regs.h"
#include "internal.h"

static enum session_outcome model_launch(struct session *s) {
  memcpy(heddle_model_memory(s->model), s->memory, s->cfg.memory_bytes);
  const enum heddle_status st = heddle_model_launch(s->model, &s->launch);
  return st == HEDDLE_OK
             ? SESSION_OK
             : session_say(s, SESSION_REFUSED, "the model refuses the launch: %s", heddle_model_diag(s->model));
}

enum session_outcome run_model(struct session *s) {
  enum session_outcome o = model_launch(s);
  if (o != SESSION_OK) return o;
  const enum heddle_status st = heddle_model_run(s->model, s->cfg.max_insns, &s->result.insns);
  memcpy(s->memory, heddle_model_memory(s->model), s->cfg.memory_bytes);
  switch (st) {
  case HEDDLE_OK:
    return SESSION_OK;
  case HEDDLE_TRAPPED:
    s->result.trap = *heddle_model_trap(s->model);
    return session_say(s, SESSION_TRAPPED, "%s", heddle_model_diag(s->model));
  case HEDDLE_LIMIT:
    return session_say(s, SESSION_LIMIT, "%s", heddle_model_diag(s->model));
  case HEDDLE_UNDEFINED:
    return session_say(s, SESSION_UNDEFINED, "%s", heddle_model_diag(s->model));
  default:
    return session_say(s, SESSION_FAILED, "the model: %s", heddle_model_diag(s->model));
  }
}

/* ---- lockstep ---- */

static const struct heddle_config *machine_named(const char *name) {
  char config[64];
  if (name == NULL) return NULL;
  snprintf(config, sizeof config, "%.*s", (int)strcspn(name, "_"), name);
  const struct heddle_config *m = heddle_config_find(name);
  return m != NULL ? m : heddle_config_find(config);
}

const struct heddle_config *session_machine(const struct session *s) {
  const bool device = s->cfg.config == NULL && s->device != NULL;
  return machine_named(device ? device_describe(s->device)->config : s->cfg.config);
}

void checker_machine(struct checker_config *cfg, const char *name) {
  const struct heddle_config *m = machine_named(name);
  if (m == NULL) return;
  cfg->writes_back = m->l2_bytes != 0;
  cfg->banks = m->banks;
  cfg->collectors = m->collectors;
  cfg->partitions = m->partitions;
  cfg->gmem_lines = m->gmem_lines;
  cfg->memory_banks = m->l2_banks;
  cfg->regs = m->regs / m->partitions;
  cfg->latency = m->latency_alu > m->latency_fma ? m->latency_alu : m->latency_fma;
  if (m->latency_cvt > cfg->latency) cfg->latency = m->latency_cvt;
  if (m->latency_half > cfg->latency) cfg->latency = m->latency_half;
}

/* A device of ours shows all that it has, a core of somebody else's one of them. */
unsigned session_shown(const struct session *s) {
  const unsigned sms = device_describe(s->device)->sms;
  return device_core(s->device) != NULL || sms == 0 ? 1 : sms;
}

void session_cache(const struct session *s, uint32_t *sectors, uint32_t *promises) {
  const struct device_info *d = device_describe(s->device);
  const bool own = s->cfg.cache_sectors != 0;
  *sectors = own ? s->cfg.cache_sectors : d->cache_sectors;
  *promises = own ? s->cfg.cache_promises : d->cache_promises;
  if (s->cfg.l1 == NULL) return;
  *sectors = (uint32_t)strtoul(s->cfg.l1, NULL, 10) / RECORD_SECTOR; /* as l1_parse has it: bytes first */
  *promises = CHECKER_CACHE_CLOSES;                                  /* a channel stops no warp */
}

static enum session_outcome checker_begin(struct session *s) {
  const struct device_info *d = device_describe(s->device);
  struct checker_config cfg = {.sm = d->sm,
                               .shown = session_shown(s),
                               .lanes = d->lanes,
                               .warp_slots = d->warp_slots,
                               .block_slots = d->block_slots,
                               .shared_bytes = d->shared_bytes,
                               .scoreboard = s->cfg.scoreboard,
                               .its = s->cfg.its,
                               .bus_errors = s->launch.errors.limit != 0,
                               .read_age = d->read_age,
                               .pred_age = d->pred_age,
                               .patience_issue = s->cfg.watchdog_issue,
                               .patience_warp = s->cfg.watchdog_warp,
                               .disasm = s->cfg.disasm,
                               .disasm_ctx = s->cfg.disasm_ctx};
  session_cache(s, &cfg.cache_sectors, &cfg.cache_promises);
  if (device_core(s->device) != NULL)
    core_checker(s, &cfg);
  else
    checker_machine(&cfg, s->cfg.config != NULL ? s->cfg.config : d->config);
  const enum session_outcome o = model_launch(s);
  if (o != SESSION_OK) return o;
  s->checker = checker_new(s->model, &s->launch, &cfg);
  if (s->checker == NULL) return session_say(s, SESSION_FAILED, "no checker: no memory, or a grid that it cannot hold");
  if (s->cfg.observe != NULL) s->cfg.observe(s->cfg.observe_ctx, s->model, &s->launch, NULL);
  return SESSION_OK;
}

static enum session_outcome trace_begin(struct session *s) {
  s->trace_open = s->trace != NULL;
  const bool traced =
      (s->trace == NULL || trace_launch(s->trace, &s->launch, s->cfg.memory_base, s->memory, s->cfg.memory_bytes)) &&
      stream_file_begin(s);
  return traced ? SESSION_OK : session_say(s, SESSION_FAILED, "the trace cannot be written");
}

static enum session_outcome difference(struct session *s) {
  const struct checker_difference *d = checker_first(s->checker);
  s->result.difference = *d;
  if (d->kind == CHECKER_UNDEFINED_READ) return session_say(s, SESSION_UNDEFINED, "%s", d->note);
  return session_say(s, SESSION_DIFFERENCE, "%s in cycle %llu: %s", checker_kind_name(d->kind),
                     (unsigned long long)d->cycle, d->note);
}

/* Records that will be judged soon: the RTL has pushed them out of the near caches. First their heads, then, when it
 * can be seen what they are, what they hold. */
static inline void fetch_bytes(const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)from + at);
}

static inline void fetch_body(const struct retire_record *r) {
  const size_t row = sizeof r->u.write.data;
  switch ((enum record_kind)r->kind) {
  case RECORD_OPERANDS:
  case RECORD_OPERANDS_MEMORY:
    for (unsigned rest = r->u.operands.used % (1u << RECORD_ROWS); rest != 0; rest &= rest - 1)
      fetch_bytes(r->u.operands.data[__builtin_ctz(rest)], row);
    break;
  case RECORD_WRITE:
    fetch_bytes(r->u.write.data, row);
    break;
  case RECORD_SHARED:
    fetch_bytes(&r->u.shared, sizeof r->u.shared);
    break;
  default:
    fetch_bytes(&r->u, 192);
    break;
  }
}

/* Cycle 0 is that of the reset: nothing issues then. */
static void note_first_issue(struct session *s, const struct retire_record *r, size_t n) {
  for (size_t i = 0; i < n && s->result.first_issue == 0; i++)
    if (r[i].kind == RECORD_ISSUE) s->result.first_issue = r[i].cycle;
}

static bool trace_one(struct session *s, const struct retire_record *r) {
  return device_core(s->device) != NULL ? core_trace_record(s, r) : trace_record(s->trace, r);
}

enum session_outcome judge_records(struct session *s, const struct retire_record *r, size_t n) {
  if (n != 0) s->idle_since = r[n - 1].cycle;
  if (s->result.first_issue == 0) note_first_issue(s, r, n);
  for (size_t i = 0; i < n && s->trace != NULL; i++)
    if (!trace_one(s, &r[i])) return session_say(s, SESSION_FAILED, "the trace cannot be written");
  for (size_t i = 0; i < n && s->checker != NULL; i++) {
    if (i + 2 * AHEAD < n) fetch_bytes(&r[i + 2 * AHEAD], 64);
    if (i + AHEAD < n) fetch_body(&r[i + AHEAD]);
    if (!checker_record(s->checker, &r[i])) return difference(s);
    if (s->cfg.observe != NULL) s->cfg.observe(s->cfg.observe_ctx, s->model, &s->launch, &r[i]);
  }
  return SESSION_OK;
}

/* Judge what the device has shown since the last call. */
static enum session_outcome take_records(struct session *s) {
  size_t n;
  const struct retire_record *r = device_records(s->device, &n);
  s->judged_to = device_cycle(s->device);
  if (!stream_file_take(s)) return session_say(s, SESSION_FAILED, "the stream cannot be written");
  const enum session_outcome o = judge_records(s, r, n);
  if (o == SESSION_OK) device_records_clear(s->device);
  return o;
}

/* ---- the device's course ---- */

static bool unsound(const struct session *s) {
  return device_failure(s->device) != NULL || axi_mem_protocol_error(device_memory(s->device)) != NULL;
}

static enum session_outcome device_sound(struct session *s) {
  if (s->wave_failed) return session_say(s, SESSION_FAILED, "%s: the wave cannot be begun", s->cfg.wave);
  const char *why = device_failure(s->device);
  if (why != NULL) return session_say(s, SESSION_DEVICE, "%s", why);
  why = axi_mem_protocol_error(device_memory(s->device));
  return why == NULL ? SESSION_OK : session_say(s, SESSION_DEVICE, "AXI: %s", why);
}

static enum session_outcome patience(struct session *s) {
  const uint64_t now = s->judged_to, limit = s->cfg.watchdog != 0 ? s->cfg.watchdog : 200000;
  if (s->cfg.max_cycles != 0 && device_cycle(s->device) - s->first_cycle > s->cfg.max_cycles) {
    const enum session_outcome o = take_records(s); /* what has been judged until then comes first */
    return o != SESSION_OK
               ? o
               : session_say(s, SESSION_LIMIT, "not finished after %llu cycles", (unsigned long long)s->cfg.max_cycles);
  }
  if (s->checker != NULL && !checker_look(s->checker, now)) return difference(s);
  if (s->checker != NULL && now > s->idle_since + SESSION_DEADLOCK && checker_deadlock(s->checker))
    return session_say(s, SESSION_HUNG, "deadlock: no warp can go on; all wait at barriers that not enough will reach");
  if (s->checker == NULL) {
    uint32_t issued = s->issued;
    (void)device_read32(s->device, HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED), &issued);
    if (issued != s->issued) s->idle_since = now;
    s->issued = issued;
  }
  if (now > s->idle_since + limit)
    return session_say(s, SESSION_HUNG, "no progress since cycle %llu", (unsigned long long)s->idle_since);
  return SESSION_OK;
}

/* Its records have said that the grid is over: the host will see it soon. */
static bool ending(const struct session *s) {
  return s->checker != NULL && (checker_done(s->checker) || checker_trapped(s->checker));
}

/* Clock, and judge what the device shows while it is still in the cache: the device stops whenever it has shown some.
 * Not beyond the end of the grid: the cycles of a short program are many of all that it takes. */
static enum session_outcome clock_and_judge(struct session *s, uint64_t cycles) {
  enum session_outcome o = SESSION_OK;
  const bool was = ending(s);
  for (uint64_t done = 1; o == SESSION_OK && cycles != 0 && done != 0 && ending(s) == was; cycles -= done) {
    done = session_step(s, cycles);
    o = take_records(s);
  }
  return o;
}

/* Clock, while the thread judges what was shown before. In what order the two come to their ends makes no difference:
 * each turn has its cycles, and ends when both are through. */
static enum session_outcome clock_beside(struct session *s, uint64_t cycles) {
  size_t n;
  const struct retire_record *r = device_records_take(s->device, &n);
  s->judged_to = device_cycle(s->device);
  beside_give(s->beside, r, n);
  for (uint64_t done = 1; cycles != 0 && done != 0; cycles -= done) done = session_step(s, cycles);
  const enum session_outcome o = beside_wait(s->beside);
  return o == SESSION_OK && unsound(s) ? take_records(s) : o;
}

/* Cycles until the next look: many, since device and checker each have to fill the caches anew when their turn comes;
 * few where the grid may end, or must. */
static uint64_t stretch(const struct session *s) {
  const uint64_t now = device_cycle(s->device), spent = now - s->first_cycle, limit = s->cfg.max_cycles;
  const uint64_t left = limit == 0 ? UINT64_MAX : limit > spent ? limit - spent + 1 : 1;
  const uint32_t *g = s->launch.grid;
  uint64_t n = SESSION_BATCH;
  if (s->checker != NULL && checker_statistics(s->checker)->blocks < (uint64_t)g[0] * g[1] * g[2]) n = SESSION_STRETCH;
  if (ending(s)) n = SESSION_ENDING;
  return n < left ? n : left;
}

/* Clock until the grid is over; *status then says how. */
static enum session_outcome run_grid(struct session *s, uint32_t *status) {
  for (;;) {
    const uint64_t n = stretch(s);
    const bool beside = s->beside != NULL && n > SESSION_ENDING;
    enum session_outcome o = beside ? clock_beside(s, n) : clock_and_judge(s, n);
    if (o == SESSION_OK) o = device_sound(s);
    if (o == SESSION_OK) session_wave_before_host(s);
    if (o == SESSION_OK && !device_status(s, status)) o = s->result.outcome;
    const uint32_t end = HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED;
    if (o == SESSION_OK && (*status & end) == 0) o = host_meanwhile(s, status);
    const bool over = o == SESSION_OK && (*status & end) != 0;
    if (o == SESSION_OK && (over || !beside)) o = take_records(s);
    if (over || o != SESSION_OK) return o;
    o = patience(s);
    if (o != SESSION_OK) return o;
  }
}

/* After the end, reads may still be on their way (of instructions ahead), and of a grid that trapped, or was refused,
 * anything. But a host that has read DONE reads memory next: writes are there. */
static enum session_outcome drain(struct session *s, uint32_t status) {
  if ((status & HEDDLE_STATUS_DONE) != 0 && s->own_device && axi_mem_writing(device_memory(s->device)))
    return session_say(s, SESSION_DEVICE, "STATUS says that the grid has ended, and AXI writes are outstanding");
  for (unsigned i = 0; i < SESSION_DRAIN / 16 && !axi_mem_idle(device_memory(s->device)); i++)
    (void)session_step(s, 16);
  const enum session_outcome o = take_records(s);
  if (o != SESSION_OK) return o;
  if (!axi_mem_idle(device_memory(s->device)))
    return session_say(s, SESSION_DEVICE, "AXI is not idle after the end of the grid");
  return device_sound(s);
}

/* A grid may trap while warps of a block are still being started: the records of those that are left are its own, not
 * those of the next launch. */
static enum session_outcome settle(struct session *s) {
  enum session_outcome o = SESSION_OK;
  for (unsigned calm = 0, all = 0; o == SESSION_OK && calm < SESSION_SETTLE && all < SESSION_DRAIN; calm++, all++) {
    size_t n;
    (void)session_step(s, 1);
    (void)device_records(s->device, &n);
    if (n != 0) calm = 0;
    o = take_records(s);
  }
  return o;
}

/* Also after a failure: the trace then shows it again. */
static bool trace_end(struct session *s) {
  const bool open = s->trace_open;
  s->trace_open = false;
  if (!stream_file_end(s)) return false;
  const uint64_t from = device_core(s->device) != NULL ? s->first_cycle : 0;
  return !open || trace_launch_end(s->trace, s->memory, device_cycle(s->device) - from);
}

/* The counters of SM number `sm`, which the host chooses. */
static bool read_counters(struct session *s, unsigned sm, uint32_t *counter) {
  bool ok = device_write32(s->device, HEDDLE_REG_SM_SELECT, sm);
  for (unsigned i = 0; ok && i < HEDDLE_COUNTERS; i++)
    ok = device_read32(s->device, HEDDLE_REG_COUNTER(i), &counter[i]);
  for (unsigned i = 0; ok && s->result.has_cache && i < HEDDLE_CACHE_COUNTERS; i++)
    ok = device_read32(s->device, HEDDLE_REG_CACHE_COUNTER(i), &counter[SESSION_CACHE_COUNTERS + i]);
  return ok;
}

/* Counters that a device does not have read as 0. Of a device of somebody else's nobody knows how its port is held; one
 * that sends a stream holds it itself. */
static bool compare_counters(struct session *s) {
  const bool held = s->cfg.withhold_ready || !s->own_device || device_has_stream(s->device);
  const unsigned first = device_describe(s->device)->sm, sms = session_shown(s);
  for (unsigned sm = first; sm < first + sms; sm++) {
    uint32_t own[SESSION_COUNTERS] = {0}, *counter = s->result.counter;
    if (sms > 1 && !read_counters(s, sm, counter = own)) return false;
    if (!checker_counters_of(s->checker, sm, counter, held, device_cycle(s->device)) ||
        (s->result.has_cache && !checker_cache_counters_of(s->checker, sm, counter + SESSION_CACHE_COUNTERS)))
      return false;
  }
  return true;
}

static bool compare_host(struct session *s, uint32_t status) {
  if (device_core(s->device) != NULL) return true; /* its registers are made of its records */
  const bool running = (status & HEDDLE_STATUS_RUNNING) != 0, draining = (status & HEDDLE_STATUS_DRAINING) != 0;
  return checker_idle(s->checker, running, draining) && compare_counters(s) &&
         ((status & HEDDLE_STATUS_TRAPPED) == 0 || checker_trap_registers(s->checker, &s->result.trap));
}

static enum session_outcome compare_end(struct session *s, uint32_t status) {
  const uint64_t now = device_cycle(s->device);
  if (!trace_end(s)) return session_say(s, SESSION_FAILED, "the trace cannot be written");
  checker_lost(s->checker, (status & HEDDLE_STATUS_LOST) != 0);
  if (!checker_finish(s->checker, now) || !compare_host(s, status) ||
      !checker_memory(s->checker, s->cfg.memory_base, s->memory, s->cfg.memory_bytes))
    return difference(s);
  if ((status & HEDDLE_STATUS_TRAPPED) == 0) return SESSION_OK;
  return session_say(s, SESSION_TRAPPED, "trap %s", heddle_cause_name(s->result.trap.cause));
}

static const uint8_t *dram_at(const struct session *s, uint64_t addr) {
  const struct axi_mem *m = device_memory(s->device);
  return axi_mem_view(m) + (addr - axi_mem_configuration(m)->base);
}

/* A write that strayed into code or constants would not show in global memory. */
static enum session_outcome program_intact(struct session *s) {
  const struct heddle_launch *l = &s->launch;
  bool code = memcmp(dram_at(s, s->launch.code_at), l->code, l->code_bytes) == 0, constants = true;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    if (l->cbank_bytes[i] != 0 && memcmp(dram_at(s, s->launch.cbank_at[i]), l->cbank[i], l->cbank_bytes[i]) != 0)
      constants = false;
  if (code && constants) return SESSION_OK;
  if (s->checker == NULL)
    return session_say(s, SESSION_DEVICE, "%s in memory was overwritten", code ? "a constant bank" : "the program");
  (void)checker_code(s->checker, dram_at(s, s->launch.code_at));
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    (void)(l->cbank_bytes[i] == 0 || checker_constants(s->checker, i, dram_at(s, s->launch.cbank_at[i])));
  return difference(s);
}

/* With what the block asks for and what the machine has. */
static enum session_outcome refused(struct session *s) {
  const struct heddle_launch *l = &s->launch;
  const struct heddle_config *c = session_machine(s);
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  const unsigned warps = (unsigned)((threads + HEDDLE_LANES - 1) / HEDDLE_LANES), reason = s->result.refuse;
  if (c != NULL && reason == HEDDLE_REFUSE_WARPS)
    return session_say(s, SESSION_REFUSED, "the device refuses the launch: a block has %u warps, %s has room for %u",
                       warps, c->name, c->warps);
  if (c != NULL && reason == HEDDLE_REFUSE_REGS)
    return session_say(s, SESSION_REFUSED,
                       "the device refuses the launch: a block has %u warps of %u registers, %s has %u warp registers",
                       warps, l->regs, c->name, c->regs);
  if (c != NULL && reason == HEDDLE_REFUSE_SHARED)
    return session_say(s, SESSION_REFUSED,
                       "the device refuses the launch: a block has %u bytes of shared memory, %s has %u",
                       l->shared_bytes, c->name, c->shared_bytes);
  return session_say(s, SESSION_REFUSED, "the device refuses the launch: %s",
                     reason == HEDDLE_REFUSE_GRID    ? "a grid dimension is 0"
                     : reason == HEDDLE_REFUSE_BLOCK ? "a block dimension is 0 or too large, or more than 1,024 threads"
                                                     : "the block does not fit");
}

/* A write-back fails only where memory was told to refuse it. */
static bool may_lose(const struct session *s) {
  const struct heddle_config *c = session_machine(s);
  return c != NULL && c->l2_bytes != 0 && s->cfg.error_limit != 0;
}

/* What the host reads when the grid has ended, and no record shows. */
static enum session_outcome host_plausible(struct session *s, uint32_t status) {
  const uint32_t known = HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED |
                         HEDDLE_STATUS_DRAINING | HEDDLE_STATUS_REFUSE_MASK | (may_lose(s) ? HEDDLE_STATUS_LOST : 0);
  const uint64_t clocked = device_cycle(s->device) - s->first_cycle;
  if ((status & ~known) != 0 || ((status & HEDDLE_STATUS_REFUSED) == 0) != (s->result.refuse == 0))
    return session_say(s, SESSION_DEVICE, "STATUS is 0x%x: %s", status,
                       (status & ~known) != 0 ? "bits that it does not have"
                                              : "a reason without a refusal, or the reverse");
  if (s->result.cycles > clocked)
    return session_say(s, SESSION_DEVICE, "CYCLES says %llu, of %llu since the launch was written",
                       (unsigned long long)s->result.cycles, (unsigned long long)clocked);
  return SESSION_OK;
}

/* What its records do not show, nor what is read back at the end. */
static enum session_outcome kept_inside(struct session *s) {
  uint64_t addr;
  if (!axi_mem_strayed(device_memory(s->device), &addr)) return SESSION_OK;
  return session_say(s, SESSION_DEVICE, "AXI: a write at 0x%llx, which is in no writable region nor in local memory",
                     (unsigned long long)addr);
}

static enum session_outcome finish(struct session *s, uint32_t status) {
  enum session_outcome o = (status & HEDDLE_STATUS_TRAPPED) != 0 ? settle(s) : SESSION_OK;
  if (o == SESSION_OK) o = drain(s, status);
  if (o != SESSION_OK) return o;
  if (!device_status(s, &status) || !device_outcome(s, status)) return s->result.outcome;
  s->host.status = status;
  o = host_plausible(s, status);
  if (o != SESSION_OK) return o;
  o = take_records(s);
  if (o != SESSION_OK) return o;
  if ((status & HEDDLE_STATUS_REFUSED) != 0) return refused(s);
  (void)device_memory_load(s->device, s->cfg.memory_base, s->memory, s->cfg.memory_bytes);
  o = program_intact(s);
  if (o == SESSION_OK && s->checker != NULL) o = compare_end(s, status);
  if ((o == SESSION_OK || o == SESSION_TRAPPED) && kept_inside(s) != SESSION_OK) return s->result.outcome;
  if (s->checker != NULL) return o;
  if (o == SESSION_OK && (status & HEDDLE_STATUS_TRAPPED) != 0)
    return session_say(s, SESSION_TRAPPED, "trap %s at pc 0x%x", heddle_cause_name(s->result.trap.cause),
                       s->result.trap.pc);
  return o;
}

/* Up to START. */
static enum session_outcome begin(struct session *s) {
  device_records_clear(s->device);
  s->first_cycle = s->idle_since = device_cycle(s->device);
  s->issued = 0;
  checker_free(s->checker);
  s->checker = NULL;
  enum session_outcome o = s->cfg.mode == SESSION_LOCKSTEP ? checker_begin(s) : SESSION_OK;
  if (o == SESSION_OK) o = trace_begin(s);
  if (o == SESSION_OK && !device_start(s)) o = s->result.outcome;
  s->host.status = HEDDLE_STATUS_RUNNING;
  return o == SESSION_OK ? host_started(s) : o;
}

/* Whatever hangs, the next launch starts clean. */
static void clean(struct session *s) {
  device_reset(s->device);
  host_was_reset(s);
}

enum session_outcome run_launch(struct session *s) {
  enum session_outcome o = begin(s);
  uint32_t status = 0;
  if (s->cfg.beside && s->checker != NULL) s->beside = beside_new(s);
  if (o == SESSION_OK) o = run_grid(s, &status);
  beside_free(s->beside);
  s->beside = NULL;
  if (o == SESSION_OK) o = finish(s, status);
  s->result.stopped = device_cycle(s->device);
  s->result.device_cycles = s->result.stopped - s->first_cycle;
  s->result.memory = *axi_mem_statistics(device_memory(s->device));
  if (s->checker != NULL) s->result.checked = *checker_statistics(s->checker);
  if (!trace_end(s) && o == SESSION_OK) o = session_say(s, SESSION_FAILED, "the trace cannot be written");
  if (o != SESSION_OK && o != SESSION_TRAPPED) clean(s);
  return o;
}

bool launch_for(struct session *s, uint64_t cycles) {
  return begin(s) == SESSION_OK && launch_on(s, cycles);
}

bool launch_on(struct session *s, uint64_t cycles) {
  enum session_outcome o = SESSION_OK;
  const uint64_t end = device_cycle(s->device) + cycles;
  while (o == SESSION_OK && device_cycle(s->device) < end && !ending(s)) {
    o = clock_and_judge(s, end - device_cycle(s->device));
    if (o == SESSION_OK) o = device_sound(s);
  }
  return o == SESSION_OK;
}

enum session_outcome run_device(struct session *s) {
  enum session_outcome o = host_before(s);
  if (o != SESSION_OK) {
    clean(s);
    return o;
  }
  o = run_launch(s);
  if (o != SESSION_OK && o != SESSION_TRAPPED) return o;
  const enum session_outcome host = host_after(s);
  if (host != SESSION_OK) clean(s);
  return host == SESSION_OK ? o : host;
}
