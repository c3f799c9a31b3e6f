/* SPDX-License-Identifier: Apache-2.0
 * What a suite leaves: failures by signature, JUnit XML, the report. */
#include "suite_report.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/command/json_out.h"
#include "run/command/tool.h"
#include "run/job/result.h"
#include "run/runner/conclude.h"

/* Failures by signature. */

static json_int_t count_of(const json_t *bucket) {
  return json_integer_value(json_object_get(bucket, "count"));
}

static const char *text_of_bucket(const json_t *bucket, const char *key) {
  return json_string_value(json_object_get(bucket, key));
}

json_t *bucket_add(json_t *buckets, const char *signature, json_t *first) {
  json_t *b = json_object_get(buckets, signature);
  if (b) {
    json_decref(first);
  } else {
    b = first;
    (void)json_object_set_new(buckets, signature, b);
  }
  (void)json_object_set_new(b, "count", json_integer(count_of(b) + 1));
  return b;
}

json_int_t buckets_waive(json_t *buckets, struct waivers *w) {
  json_int_t waived = 0;
  const char *signature;
  json_t *b;
  json_object_foreach(buckets, signature, b) {
    const struct waiver *of = waivers_match(w, signature);
    if (!of) continue;
    (void)json_object_set_new(b, "waived", waiver_json(of));
    waived += count_of(b);
  }
  return waived;
}

static void print_small(const json_t *b) {
  const char *small = text_of_bucket(b, "smallest");
  const json_int_t left = json_integer_value(json_object_get(b, "instructions"));
  if (small) printf("  small: sh %s\n", small);
  if (!small && left > 0) printf("  small: %" JSON_INTEGER_FORMAT " instructions, as printed above\n", left);
}

void buckets_print(json_t *buckets) {
  const char *signature;
  json_t *b;
  json_object_foreach(buckets, signature, b) {
    const json_t *waived = json_object_get(b, "waived");
    printf("%" JSON_INTEGER_FORMAT " x %s\n", count_of(b), signature);
    if (waived) printf("  waived until %s: %s\n", text_of_bucket(waived, "until"), text_of_bucket(waived, "reason"));
    printf("  repeat: %s\n", text_of_bucket(b, "repeat"));
    print_small(b);
  }
}

/* JUnit XML by libxml2. */

/* What XML cannot hold becomes '?': control characters, and bytes that are no UTF-8. The caller frees. */
static char *clean(const char *text) {
  char *copy = strdup(text);
  for (char *c = copy; c && *c; c++)
    if ((unsigned char)*c < 32 && *c != '\n' && *c != '\t') *c = '?';
  if (copy && !xmlCheckUTF8(BAD_CAST copy))
    for (char *c = copy; *c; c++)
      if ((unsigned char)*c > 126) *c = '?';
  return copy;
}

static bool attribute(xmlTextWriter *w, const char *name, const char *text) {
  char *copy = clean(text);
  const bool ok = copy && xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST copy) >= 0;
  free(copy);
  return ok;
}

static bool failure(xmlTextWriter *w, const struct junit_case *c) {
  char *again = clean(c->again ? c->again : "");
  bool ok = again && xmlTextWriterStartElement(w, BAD_CAST "failure") >= 0 && attribute(w, "message", c->failure);
  if (ok && c->again) ok = xmlTextWriterWriteFormatString(w, "repeat: %s", again) >= 0;
  free(again);
  return ok && xmlTextWriterEndElement(w) >= 0;
}

static bool write_testcase(xmlTextWriter *w, const struct junit_case *c) {
  char seconds[32];
  (void)snprintf(seconds, sizeof seconds, "%.3f", c->seconds);
  return xmlTextWriterStartElement(w, BAD_CAST "testcase") >= 0 && attribute(w, "name", c->name) &&
         attribute(w, "time", seconds) && (!c->failure || failure(w, c)) && xmlTextWriterEndElement(w) >= 0;
}

static bool begin_testsuite(xmlTextWriter *w, const char *suite, size_t count, size_t failed) {
  return xmlTextWriterSetIndent(w, 1) >= 0 && xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL) >= 0 &&
         xmlTextWriterStartElement(w, BAD_CAST "testsuite") >= 0 && attribute(w, "name", suite) &&
         xmlTextWriterWriteFormatAttribute(w, BAD_CAST "tests", "%zu", count) >= 0 &&
         xmlTextWriterWriteFormatAttribute(w, BAD_CAST "failures", "%zu", failed) >= 0;
}

bool result_write_junit(const char *path, const char *suite, const struct junit_case *cases, size_t count) {
  size_t failed = 0;
  for (size_t i = 0; i < count; i++) failed += cases[i].failure != NULL;
  xmlTextWriter *w = xmlNewTextWriterFilename(path, 0);
  bool ok = w && begin_testsuite(w, suite, count, failed);
  for (size_t i = 0; ok && i < count; i++) ok = write_testcase(w, &cases[i]);
  ok = ok && xmlTextWriterEndDocument(w) >= 0 && xmlTextWriterFlush(w) >= 0;
  xmlFreeTextWriter(w);
  if (!ok) tool_error("%s: cannot write JUnit XML", path);
  return ok;
}

/* Failures on stderr, in the order of the cases; figures and the closing line on stdout. */

void suite_progress(const struct suite *s, size_t said) {
  if (!isatty(STDERR_FILENO)) return;
  fprintf(stderr, "\r%zu/%zu %s%s", said, s->items, s->what, said == s->items ? "\n" : "");
}

static void repeat_command(const struct suite *s, const struct suite_verdict *v, char *text, size_t size) {
  struct run_options o = *s->run;
  char command[400] = "", options[400];
  if (s->options) s->options(s->ctx, v->item, &o);
  if (v->max_cycles != 0) o.max_cycles = v->max_cycles;
  if (s->dir) snprintf(command, sizeof command, "%s %s %s", tool_program, s->command, s->dir);
  snprintf(text, size, "%s --only %s %s", s->again ? s->again : command, s->name(s->ctx, v->item),
           run_repeat_text(&o, options, sizeof options));
}

static void print_failure(const struct suite *s, const struct suite_verdict *v) {
  char again[1024];
  repeat_command(s, v, again, sizeof again);
  tool_error("%s: %s", s->name(s->ctx, v->item), v->why);
  tool_log("repeat: %s", again);
}

/* Failures that have a signature; a wrong result has none. */
static json_t *buckets_of(const struct suite *s, const struct suite_verdict *verdict) {
  json_t *all = json_object();
  for (size_t i = 0; i < s->items; i++) {
    const struct suite_verdict *v = &verdict[i];
    char signature[SIGNATURE_BYTES], again[1024];
    if (v->passed || v->diagnosis.kind[0] == '\0') continue;
    repeat_command(s, v, again, sizeof again);
    json_t *b = bucket_add(all, signature_text(&v->diagnosis, signature),
                           json_pack("{s:s, s:s, s:s}", "first", s->name(s->ctx, i), "why", v->why, "repeat", again));
    const json_int_t least = json_integer_value(json_object_get(b, "instructions"));
    if (v->left == 0 || (least != 0 && least <= (json_int_t)v->left)) continue;
    (void)json_object_set_new(b, "instructions", json_integer(v->left));
    if (v->small[0] != '\0') (void)json_object_set_new(b, "smallest", json_string(v->small));
  }
  return all;
}

/* Of all cases together. */
static json_t *counters(const struct suite *s, const struct suite_verdict *verdict) {
  uint64_t retired = 0, cycles = 0, sum[RUN_COUNTERS] = {0};
  for (size_t i = 0; i < s->items; i++) {
    retired += verdict[i].retired;
    cycles += verdict[i].cycles;
    for (unsigned c = 0; c < RUN_COUNTERS; c++) sum[c] += verdict[i].counter[c];
  }
  return result_counters(s->run, retired, cycles, sum);
}

struct figures {
  size_t passed, failed, refused, waived;
  uint64_t retired;
  double seconds;
};

static bool write_suite_json(const struct suite *s, const struct suite_verdict *verdict, const struct figures *f,
                             json_t *buckets, int status) {
  if (!s->run->json) return true;
  json_t *root = result_header(s->run), *list = json_array();
  for (size_t i = 0; i < s->items; i++) {
    const struct suite_verdict *v = &verdict[i];
    char again[1024];
    repeat_command(s, v, again, sizeof again);
    json_t *j = json_pack("{s:s, s:b, s:s, s:I, s:I, s:f, s:s}", "name", s->name(s->ctx, i), "passed", v->passed,
                          "status", run_status_name(v->status), "warp_instructions", (json_int_t)v->retired, "cycles",
                          (json_int_t)v->cycles, "seconds", v->seconds, "repeat", again);
    if (v->note[0] != '\0') (void)json_object_set_new(j, "note", json_string(v->note));
    if (!v->passed) (void)json_object_set_new(j, "why", json_string(v->why));
    if (v->refused) (void)json_object_set(j, "refused", v->refused);
    if (v->diagnosis.kind[0] != '\0') (void)json_object_set_new(j, "diagnosis", result_diagnosis(&v->diagnosis));
    (void)json_object_set_new(j, "counters", result_counters(s->run, v->retired, v->cycles, v->counter));
    (void)json_array_append_new(list, j);
  }
  (void)json_object_set_new(root, "counters", counters(s, verdict));
  if (s->dir) (void)json_object_set_new(root, "dir", json_string(s->dir));
  (void)json_object_set_new(root, "exit", json_integer(status));
  (void)json_object_set_new(root, "passed", json_integer((json_int_t)f->passed));
  (void)json_object_set_new(root, "failed", json_integer((json_int_t)f->failed));
  (void)json_object_set_new(root, "waived", json_integer((json_int_t)f->waived));
  (void)json_object_set(root, "signatures", buckets);
  (void)json_object_set_new(root, "warp_instructions", json_integer((json_int_t)f->retired));
  (void)json_object_set_new(root, s->what, list);
  return json_out_dump(s->run->json, root);
}

static bool write_junit(const struct suite *s, const struct suite_verdict *verdict) {
  if (!s->run->junit) return true;
  struct junit_case *c = calloc(s->items, sizeof *c);
  char(*again)[1024] = calloc(s->items, sizeof *again);
  for (size_t i = 0; c && again && i < s->items; i++) {
    const struct suite_verdict *v = &verdict[i];
    repeat_command(s, v, again[i], sizeof again[i]);
    c[i] = (struct junit_case){s->name(s->ctx, i), v->passed ? NULL : v->why, again[i], v->seconds};
  }
  const bool ok = c && again && result_write_junit(s->run->junit, s->command, c, s->items);
  free(again);
  free(c);
  return ok;
}

static int status_of_suite(const struct suite *s, const struct suite_verdict *verdict, const struct figures *f) {
  for (size_t i = 0; i < s->items; i++)
    if (verdict[i].status == RUN_MISSING) return TOOL_MISSING;
  return f->failed + f->waived > 0 ? TOOL_DIFFERENCE : TOOL_OK;
}

static struct figures print_each(const struct suite *s, const struct suite_verdict *verdict) {
  struct figures f = {0};
  for (size_t i = 0; i < s->items; i++) {
    const struct suite_verdict *v = &verdict[i];
    f.passed += v->passed;
    f.failed += !v->passed;
    f.refused += v->refused != NULL;
    f.retired += v->retired;
    f.seconds += v->seconds;
    if (!v->passed) print_failure(s, v);
    if (v->note[0] != '\0') printf("%s: %s\n", s->name(s->ctx, i), v->note);
    if (s->run->profile) profile_print(stdout, s->name(s->ctx, i), v->retired, v->cycles, v->counter);
  }
  return f;
}

int suite_report(const struct suite *s, const struct suite_verdict *verdict, struct waivers *w) {
  char modes[64], config[80];
  struct figures f = print_each(s, verdict);
  json_t *buckets = buckets_of(s, verdict);
  f.waived = (size_t)buckets_waive(buckets, w);
  f.failed -= f.waived;
  tool_log("%zu %s, %" PRIu64 " warp instructions, %.1f s; --on %s%s --dep %s%s --seed %" PRIu64, s->items, s->what,
           f.retired, f.seconds, run_on_name(s->run->on), run_config_text(s->run, config),
           s->run->scoreboard ? "scoreboard" : "control", run_modes_text(s->run, modes), s->run->seed);
  int status = status_of_suite(s, verdict, &f);
  if (!write_suite_json(s, verdict, &f, buckets, status) || !write_junit(s, verdict)) status = TOOL_USAGE;
  waivers_tell(w, false);
  buckets_print(buckets);
  json_decref(buckets);
  if (f.refused > 0) printf("%zu refused: they need more than the machine has\n", f.refused);
  printf("%zu passed, %zu failed", f.passed, f.failed);
  if (w) printf(", %zu waived", f.waived);
  printf("\n");
  return status;
}
