/* SPDX-License-Identifier: Apache-2.0
 * --arg: one launch argument as text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "tool.h"

static bool bad(char *err, size_t n, const char *text, const char *why) {
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
  if ((size = type_size(type, "f")) >= 4) return add_float(j, value, size);
  *known = false;
  return false;
}

static bool add_input(struct job *j, const char *path, bool writable, const char *out_file) {
  size_t size;
  uint8_t *data = tool_read_file(path, JOB_BYTES_MAX, &size);
  if (!data) return false;
  if (!job_add_buffer(j, data, size, writable)) {
    free(data);
    return false;
  }
  j->arg[j->args - 1].owned = data;
  j->arg[j->args - 1].out_file = out_file;
  return true;
}

bool job_add_arg(struct job *j, const char *text, char *err, size_t n) {
  char type[16];
  const char *colon = strchr(text, ':');
  if (j->args >= JOB_ARGS_MAX) return bad(err, n, text, "too many arguments");
  if (!colon || (size_t)(colon - text) >= sizeof type)
    return bad(err, n, text, "expected TYPE:VALUE; types are u8-u64 s8-s64 bits8-bits64 f32 f64 in out inout");
  memcpy(type, text, (size_t)(colon - text));
  type[colon - text] = 0;
  const char *value = colon + 1, *second = strchr(value, ':');
  if (strcmp(type, "in") == 0) return add_input(j, value, false, NULL) || bad(err, n, text, "cannot read the file");
  if (strcmp(type, "out") == 0) {
    char count[24];
    uint64_t bytes;
    if (!second || (size_t)(second - value) >= sizeof count) return bad(err, n, text, "expected out:BYTES:FILE");
    memcpy(count, value, (size_t)(second - value));
    count[second - value] = 0;
    if (!tool_number(count, JOB_BYTES_MAX, &bytes) || !job_add_buffer(j, NULL, bytes, true))
      return bad(err, n, text, "BYTES must be a number up to 256 MiB");
    j->arg[j->args - 1].out_file = second + 1;
    return true;
  }
  if (strcmp(type, "inout") == 0) {
    char path[1024];
    if (!second || (size_t)(second - value) >= sizeof path) return bad(err, n, text, "expected inout:FILE:FILE");
    memcpy(path, value, (size_t)(second - value));
    path[second - value] = 0;
    return add_input(j, path, true, second + 1) || bad(err, n, text, "cannot read the file");
  }
  bool known;
  if (add_scalar(j, type, value, &known)) return true;
  return bad(err, n, text, known ? "the value does not fit the type" : "unknown type");
}
