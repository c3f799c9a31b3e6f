/* SPDX-License-Identifier: Apache-2.0
 * Shared options as text that repeats a run. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <heddle/model.h>
#include "run/options/options.h"

const char *run_config_text(const struct run_options *o, char buf[80]) {
  buf[0] = '\0';
  if (!run_on_whole(o)) snprintf(buf, 80, " --config %s", o->config_name);
  return buf;
}

const char *run_modes_text(const struct run_options *o, char buf[64]) {
  char pages[24] = "";
  const bool chosen = o->sched != HEDDLE_POLICY_DEFAULT, told = o->undefined != HEDDLE_TELL_USES;
  if (o->pages != 0) snprintf(pages, sizeof pages, " --pages=%u", o->pages);
  snprintf(buf, 64, "%s%s%s%s%s%s", o->its ? " --div its" : "", chosen ? " --sched " : "",
           chosen ? run_sched_name(o) : "", told ? " --undefined " : "", told ? run_undefined_name(o) : "", pages);
  return buf;
}

static int put_formatted(char *buf, size_t size, int used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static int put_formatted(char *buf, size_t size, int used, const char *format, ...) {
  va_list ap;
  if (used < 0 || (size_t)used >= size) return used;
  va_start(ap, format);
  const int n = vsnprintf(buf + used, size - (size_t)used, format, ap);
  va_end(ap);
  return n < 0 ? n : used + n;
}

static int put_number(char *buf, size_t size, int used, const char *name, uint64_t value) {
  return value == 0 ? used : put_formatted(buf, size, used, " --%s %" PRIu64, name, value);
}

const char *run_repeat_text(const struct run_options *o, char *buf, size_t size) {
  char modes[64], config[80];
  int n = put_formatted(buf, size, 0, "--on %s%s --dep %s%s --seed %" PRIu64, run_on_name(o->on),
                        run_config_text(o, config), o->scoreboard ? "scoreboard" : "control", run_modes_text(o, modes),
                        o->seed);
  n = put_number(buf, size, n, "memory-seed", o->memory_seed);
  n = put_number(buf, size, n, "init-seed", o->init_seed);
  if (o->withhold_ready) n = put_number(buf, size, n, "ready-seed", o->ready_seed);
  if (o->board != NULL)
    n = put_formatted(buf, size, n, " --board %s%s", o->board, o->stream_drop ? " --stream-drop" : "");
  n = put_formatted(buf, size, n, "%s%s", o->calm ? " --calm" : "", o->withhold_ready ? " --hold" : "");
  n = put_number(buf, size, n, "latency", o->latency);
  if (o->l1 != NULL) n = put_formatted(buf, size, n, " --l1 %s", o->l1);
  n = put_number(buf, size, n, "fault", o->fault);
  (void)put_number(buf, size, n, "max-cycles", o->max_cycles);
  return buf;
}
