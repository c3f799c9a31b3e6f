/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch in an address space as its host sees it: the list of faults, REPLAY and FAIL, EXCHANGE and INVALIDATE. What
 * the list tells is judged by what walks have shown; the model follows each EXCHANGE by what the host has written.
 */
#include <string.h>

#include "cosim/session/internal.h"

#define POLLS 20000u       /* of STATUS, some cycles each */
#define SERVED_MOST 100000 /* lists of faults in one launch: a host that brings no page would go on for ever */

static bool write_host_register(struct heddle_session *s, uint32_t reg, uint32_t value) {
  host_wrote(s, reg, value);
  if (heddle_dut_write32(s->device, reg, value)) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "the host bus answers a write of register 0x%x with an error", reg);
  return false;
}

static bool write64(struct heddle_session *s, uint32_t reg, uint64_t value) {
  return write_host_register(s, reg, (uint32_t)value) && write_host_register(s, reg + 4, (uint32_t)(value >> 32));
}

static bool read64(struct heddle_session *s, uint32_t reg, uint64_t *value) {
  uint32_t lo = 0, hi = 0;
  if (!device_read32(s, reg, &lo) || !device_read32(s, reg + 4, &hi)) return false;
  *value = (uint64_t)hi << 32 | lo;
  return true;
}

static bool wait_without(struct heddle_session *s, uint32_t bit, uint32_t *status) {
  for (unsigned i = 0; i < POLLS; i++) {
    if (!device_status(s, status)) return false;
    if ((*status & bit) == 0) return true;
    (void)session_step(s, 16);
    if (judge_taken(s) != HEDDLE_SESSION_OK) return false;
  }
  return session_say(s, HEDDLE_SESSION_DEVICE, "STATUS is 0x%x without end", *status) == HEDDLE_SESSION_OK;
}

/* ---- what the host may do ---- */

static bool failed(struct heddle_session *s) {
  s->pages_failed = true;
  return false;
}

static bool exchange_on_device(struct heddle_session *s, uint64_t at, uint64_t value, uint64_t *old, bool *bad) {
  uint32_t status = 0;
  if (!write64(s, HEDDLE_REG_ENTRY_ADDR, at) || !write64(s, HEDDLE_REG_ENTRY_VALUE, value)) return false;
  if (s->checker != NULL) heddle_checker_host_exchange(s->checker, at, value);
  if (!device_command(s, HEDDLE_CONTROL_EXCHANGE) || !wait_without(s, HEDDLE_STATUS_EXCHANGING, &status) ||
      !read64(s, HEDDLE_REG_ENTRY_OLD, old) || judge_taken(s) != HEDDLE_SESSION_OK)
    return false;
  *bad = (status & HEDDLE_STATUS_EXCHANGE_BAD) != 0;
  /* A trap may have ended the launch meanwhile, of which STATUS tells later: then it may have been ignored. */
  if (s->checker != NULL && ((status & HEDDLE_STATUS_RUNNING) == 0 || heddle_checker_trapped(s->checker)) &&
      heddle_checker_host_ignored(s->checker))
    return true;
  if (s->checker == NULL || heddle_checker_host_exchanged(s->checker, *bad, *old)) return true;
  (void)judge_difference(s);
  return false;
}

bool heddle_session_exchange(struct heddle_session *s, uint64_t at, uint64_t value, uint64_t *old) {
  if (session_model_runs(s)) return heddle_entry_exchange(s->model, at, value, old) == HEDDLE_SUCCESS;
  bool bad = false;
  if (!exchange_on_device(s, at, value, old, &bad)) return failed(s);
  return !bad;
}

static bool invalidate_on_device(struct heddle_session *s, unsigned what, uint8_t space, uint64_t addr) {
  uint32_t status = 0;
  if (!write_host_register(s, HEDDLE_REG_TLB_WHAT, what) || !write_host_register(s, HEDDLE_REG_TLB_SPACE, space) ||
      !write64(s, HEDDLE_REG_TLB_ADDR, addr))
    return false;
  if (s->checker != NULL) heddle_checker_host_invalidate(s->checker, what, space, addr);
  return device_command(s, HEDDLE_CONTROL_INVALIDATE) && wait_without(s, HEDDLE_STATUS_INVALIDATING, &status) &&
         judge_taken(s) == HEDDLE_SESSION_OK;
}

bool heddle_session_invalidate(struct heddle_session *s, unsigned what, uint8_t space, uint64_t addr) {
  return session_model_runs(s) || invalidate_on_device(s, what, space, addr) || failed(s);
}

/* ---- the list of faults ---- */

static bool read_fault(struct heddle_session *s, uint32_t i, struct heddle_page_fault *f) {
  uint32_t info = 0;
  if (!write_host_register(s, HEDDLE_REG_FAULT_SELECT, i) || !read64(s, HEDDLE_REG_FAULT_PAGE, &f->page) ||
      !device_read32(s, HEDDLE_REG_FAULT_INFO, &info))
    return false;
  f->kind = (enum heddle_page_kind)((info & HEDDLE_FAULT_INFO_KIND_MASK) >> HEDDLE_FAULT_INFO_KIND_SHIFT);
  f->use = (info & HEDDLE_FAULT_INFO_WRITE) != 0 ? HEDDLE_PAGE_STORE : HEDDLE_PAGE_LOAD;
  f->space = (uint8_t)((info & HEDDLE_FAULT_INFO_SPACE_MASK) >> HEDDLE_FAULT_INFO_SPACE_SHIFT);
  f->warps = 0;
  return true;
}

/* Each page once, of the launch's space, and one whose walk has ended so. */
static bool judge_fault(struct heddle_session *s, const struct heddle_page_fault *f, unsigned i) {
  for (unsigned k = 0; k < i; k++)
    if (f[k].page == f[i].page && f[k].space == f[i].space)
      return session_say(s, HEDDLE_SESSION_DEVICE, "page 0x%llx is twice in the list of faults",
                         (unsigned long long)f[i].page) == HEDDLE_SESSION_OK;
  if (f[i].space != s->launch.space || f[i].kind >= HEDDLE_PAGE_ERROR)
    return session_say(s, HEDDLE_SESSION_DEVICE, "the list of faults has page 0x%llx of space %u, kind %u",
                       (unsigned long long)f[i].page, f[i].space, f[i].kind) == HEDDLE_SESSION_OK;
  if (s->checker == NULL || heddle_checker_host_fault(s->checker, &f[i])) return true;
  (void)judge_difference(s);
  return false;
}

static bool serve_faults(struct heddle_session *s, const struct heddle_page_fault *f, unsigned n) {
  s->pages_failed = false;
  if (++s->pages_served > SERVED_MOST)
    return session_say(s, HEDDLE_SESSION_FAILED, "pages are waited for without end: 0x%llx",
                       (unsigned long long)f[0].page) == HEDDLE_SESSION_OK;
  s->pages_given = s->cfg.pages != NULL && s->cfg.pages(s->cfg.pages_ctx, s, f, n);
  return !s->pages_failed;
}

/* Nothing, of another launch. */
enum heddle_session_outcome session_pages_look(struct heddle_session *s, uint32_t status) {
  struct heddle_page_fault f[HEDDLE_FAULT_PLACES];
  uint32_t n = 0;
  if (!s->launch.pages || s->launch.fault_trap || (status & HEDDLE_STATUS_RUNNING) == 0) return HEDDLE_SESSION_OK;
  if (!device_read32(s, HEDDLE_REG_FAULTS, &n)) return s->result.outcome;
  if (n == 0) return HEDDLE_SESSION_OK;
  if (n > HEDDLE_FAULT_PLACES) return session_say(s, HEDDLE_SESSION_DEVICE, "FAULTS is %u", n);
  for (uint32_t i = 0; i < n; i++)
    if (!read_fault(s, i, &f[i])) return s->result.outcome;
  const enum heddle_session_outcome o = judge_taken(s);
  if (o != HEDDLE_SESSION_OK) return o;
  for (unsigned i = 0; i < n; i++)
    if (!judge_fault(s, f, i)) return s->result.outcome;
  if (!serve_faults(s, f, n)) return s->result.outcome;
  if (s->checker != NULL) heddle_checker_host_replay(s->checker, !s->pages_given);
  s->idle_since = heddle_dut_cycle(s->device);
  return device_command(s, s->pages_given ? HEDDLE_CONTROL_REPLAY : HEDDLE_CONTROL_FAIL) ? HEDDLE_SESSION_OK
                                                                                         : s->result.outcome;
}

bool session_pages_serve_model(struct heddle_session *s) {
  struct heddle_page_fault f[HEDDLE_FAULT_PLACES];
  const unsigned all = heddle_model_faults(s->model, f, HEDDLE_FAULT_PLACES);
  if (!serve_faults(s, f, all < HEDDLE_FAULT_PLACES ? all : HEDDLE_FAULT_PLACES)) return false;
  if (!s->pages_given) heddle_model_fail(s->model);
  return true;
}

/* By the unit that it lacks. */
bool session_pages_allowed(struct heddle_session *s, const struct heddle_launch *l) {
  uint32_t units = 0;
  if (!l->pages) return true;
  if (s->trace != NULL || s->stream != NULL || s->cfg.error_limit != 0)
    return session_say(s, HEDDLE_SESSION_REFUSED,
                       "a launch in an address space has no trace, and no errors of memory") == HEDDLE_SESSION_OK;
  if (heddle_dut_core(s->device) == NULL && !device_read32(s, HEDDLE_REG_CAP_UNITS, &units)) return false;
  if ((units & HEDDLE_CAP_UNITS_MMU) != 0) return true;
  return session_say(s, HEDDLE_SESSION_REFUSED,
                     "the device has no MMU (CAP_UNITS): its launches have physical addresses") == HEDDLE_SESSION_OK;
}
