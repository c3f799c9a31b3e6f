/* SPDX-License-Identifier: Apache-2.0
 * Binaries: magic, kind, lengths of three texts (options, what is known of kernels, PTX or LLVM's text), these, a
 * checksum of all of it. Numbers are of eight bytes, the low one first. PTX is compiled for the device that loads it.
 */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "HEDDLECL"
enum { NUMBER = 8, HEAD = 5 * NUMBER, PARTS = 3 };

static bool add_number(struct text *t, uint64_t v) {
  char b[NUMBER];
  for (unsigned i = 0; i < NUMBER; i++) b[i] = (char)(v >> (8 * i) & 0xff);
  return text_add(t, b, sizeof b);
}

static uint64_t read_number_at(const unsigned char *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < NUMBER; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static uint64_t sum_of(const void *data, size_t bytes) {
  struct ocl_key k;
  ocl_key_start(&k);
  ocl_key_add(&k, data, bytes);
  return k.word[0] ^ k.word[1];
}

bool ocl_binary_make(const struct ocl_build *b, struct text *out) {
  const char *options = b->options ? b->options : "";
  return text_put(out, MAGIC) && add_number(out, b->type) && add_number(out, strlen(options)) &&
         add_number(out, b->meta.bytes) && add_number(out, b->body.bytes) && text_put(out, options) &&
         text_add(out, b->meta.at, b->meta.bytes) && text_add(out, b->body.at, b->body.bytes) &&
         add_number(out, sum_of(out->at, out->bytes));
}

static bool is_kind(uint64_t type) {
  return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
         type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

bool ocl_binary_take(const unsigned char *data, size_t bytes, struct ocl_build *b) {
  uint64_t part[PARTS];
  if (bytes < HEAD + NUMBER || memcmp(data, MAGIC, NUMBER) != 0 || !is_kind(read_number_at(data + NUMBER)))
    return false;
  size_t left = bytes - HEAD - NUMBER;
  for (unsigned i = 0; i < PARTS; i++) {
    part[i] = read_number_at(data + (2 + i) * NUMBER);
    if (part[i] > left) return false;
    left -= part[i];
  }
  if (left != 0 || read_number_at(data + bytes - NUMBER) != sum_of(data, bytes - NUMBER)) return false;
  const char *text = (const char *)data + HEAD;
  b->type = (cl_program_binary_type)read_number_at(data + NUMBER);
  b->options = strndup(text, part[0]);
  return b->options && text_add(&b->meta, text + part[0], part[1]) &&
         text_add(&b->body, text + part[0] + part[1], part[2]) && strlen(b->meta.at) == part[1] &&
         strlen(b->body.at) == part[2];
}
