/* SPDX-License-Identifier: Apache-2.0
 * --arg: one launch argument as text. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/elements.h"
#include "run/job/job.h"
#include "run/command/tool.h"

static bool bad_argument(char *err, size_t n, const char *text, const char *why) {
  snprintf(err, n, "--arg %s: %s", text, why);
  return false;
}

/* u8-u64, s8-s64, bits8-bits64 */
static bool add_integer(struct job *j, const char *value, unsigned size, bool is_signed) {
  bool minus = is_signed && *value == '-';
  uint64_t v, most = size == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * size)) - 1;
  if (!tool_number(value + minus, minus ? most / 2 + 1 : is_signed ? most / 2 : most, &v)) return false;
  return job_add_scalar(j, (minus ? 0 - v : v) & most, size);
}

static bool add_float(struct job *j, const char *value, unsigned size) {
  char *end;
  uint64_t bits = 0;
  double d = strtod(value, &end);
  if (end == value || *end) return false;
  if (size == 4) {
    float f = strtof(value, NULL);
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    bits = word;
  } else if (size == 2) {
    bits = element_half(d);
  } else {
    memcpy(&bits, &d, sizeof bits);
  }
  return job_add_scalar(j, bits, size);
}

static unsigned type_size(const char *type, const char *prefix) {
  size_t n = strlen(prefix);
  uint64_t bits;
  if (strncmp(type, prefix, n) != 0 || !tool_number(type + n, 64, &bits)) return 0;
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? (unsigned)bits / 8 : 0;
}

static bool add_scalar(struct job *j, const char *type, const char *value, bool *known) {
  unsigned size;
  *known = true;
  if ((size = type_size(type, "u")) || (size = type_size(type, "bits"))) return add_integer(j, value, size, false);
  if ((size = type_size(type, "s"))) return add_integer(j, value, size, true);
  if ((size = type_size(type, "f")) >= 2) return add_float(j, value, size);
  *known = false;
  return false;
}

/* A file's bytes, of .npy the numbers: *why is told when there are none, or was told already when it is NULL. */
static bool add_file(struct job *j, const char *path, struct job_arg a, const char **why) {
  size_t size, bytes;
  *why = NULL;
  uint8_t *data = tool_read_file(path, JOB_BYTES_MAX, &size);
  if (!data) return false;
  a.init = data;
  bytes = size;
  if (npy_is_name(path)) a.init = npy_read(data, size, &a.out, &bytes, why);
  a.bytes = bytes;
  a.owned = data;
  if (a.init)
    j->arg[j->args++] = a;
  else
    free(data);
  return a.init != NULL;
}

/* Up to the next ':' of *text, which moves behind it; false: there is none, or too much in front of it. */
static bool take_part(const char **text, char *part, size_t size) {
  const char *colon = strchr(*text, ':');
  if (!colon || colon == *text || (size_t)(colon - *text) >= size) return false;
  memcpy(part, *text, (size_t)(colon - *text));
  part[colon - *text] = '\0';
  *text = colon + 1;
  return true;
}

/* "FILE", "TYPE:FILE" of an argument that was added: what becomes of it. */
static const char *take_out(struct job_arg *a, const char *text) {
  char type[8];
  const char *rest = text;
  if (take_part(&rest, type, sizeof type) && strlen(type) < 4 && element_width(type) != 0) {
    if (strcmp(type, a->out.type) != 0) { /* another than that of the .npy file it began as */
      memcpy(a->out.type, type, sizeof type);
      a->out.dims = 0;
    }
    if (a->bytes % element_width(type) != 0) return "the buffer does not hold whole numbers of that type";
    text = rest;
  }
  if (*text == '\0') return "expected a file, or - for stdout";
  const unsigned width = a->out.type[0] != '\0' ? element_width(a->out.type) : 1;
  if (a->out.dims == 0) {
    a->out.dims = 1;
    a->out.shape[0] = a->bytes / width;
  }
  a->out_file = text;
  return NULL;
}

static const char *add_out(struct job *j, const char *value) {
  char count[24];
  uint64_t bytes;
  if (!take_part(&value, count, sizeof count)) return "expected out:BYTES:FILE or out:BYTES:TYPE:FILE";
  if (!tool_number(count, JOB_BYTES_MAX, &bytes) || !job_add_buffer(j, NULL, bytes, true))
    return "BYTES must be a number up to 256 MiB";
  const char *why = take_out(&j->arg[j->args - 1], value);
  if (why) j->args--;
  return why;
}

static const char *add_inout(struct job *j, const char *value) {
  char path[PATH_MAX];
  const char *why;
  if (!take_part(&value, path, sizeof path)) return "expected inout:FILE:FILE or inout:FILE:TYPE:FILE";
  if (!add_file(j, path, (struct job_arg){.kind = JOB_BUFFER, .writable = true}, &why))
    return why ? why : "cannot read the file";
  why = take_out(&j->arg[j->args - 1], value);
  if (why) free(j->arg[--j->args].owned);
  return why;
}

static const char *add_local(struct job *j, const char *value) {
  uint64_t bytes;
  if (tool_number(value, JOB_SHARED_MAX, &bytes) && bytes > 0 && job_add_local(j, bytes)) return NULL;
  return "BYTES must be a number from 1 to 1 MiB";
}

static const char *add_struct(struct job *j, const char *value) {
  const char *why;
  if (!add_file(j, value, (struct job_arg){.kind = JOB_STRUCT}, &why)) return why ? why : "cannot read the file";
  return NULL;
}

static const char *add_in(struct job *j, const char *value) {
  const char *why;
  if (!add_file(j, value, (struct job_arg){.kind = JOB_BUFFER}, &why)) return why ? why : "cannot read the file";
  return NULL;
}

bool job_add_arg(struct job *j, const char *text, char *err, size_t n) {
  static const struct {
    const char *type;
    const char *(*add)(struct job *j, const char *value); /* what is wrong, or NULL */
  } kinds[] = {{"in", add_in}, {"out", add_out}, {"inout", add_inout}, {"local", add_local}, {"struct", add_struct}};
  char type[16];
  const char *value = text;
  if (j->args >= JOB_ARGS_MAX) return bad_argument(err, n, text, "more arguments than a kernel has");
  if (!take_part(&value, type, sizeof type))
    return bad_argument(
        err, n, text,
        "expected TYPE:VALUE; types are u8-u64 s8-s64 bits8-bits64 f16 f32 f64 in out inout local struct");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(type, kinds[i].type) != 0) continue;
    const char *why = kinds[i].add(j, value);
    return why ? bad_argument(err, n, text, why) : true;
  }
  bool known;
  if (add_scalar(j, type, value, &known)) return true;
  return bad_argument(err, n, text, known ? "the value does not fit the type" : "unknown type");
}
