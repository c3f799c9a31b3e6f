/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as a binary of OpenCL: as they are; with magic and checksum that are right; and as its three texts, with zeros
 * between them. What is taken is made again as the same bytes. Of its kernels' arguments nothing is believed that the
 * compiled program has otherwise: a launch hands over as many values, of that size. Its text of LLVM, if it is one, is
 * searched for calls to the end.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "firmware/host/opencl/internal.h"
#include <heddle/ptx.h>

enum { NUMBER = 8, LEAST = 6 * NUMBER, BODY_MOST = 4096 };

static void free_build(struct ocl_build *b) {
  text_free(&b->meta);
  text_free(&b->body);
  ocl_kernels_free(&b->kernels);
  free(b->options);
}

static void compiled(const struct ocl_build *b) {
  const struct heddle_ptx_options o = {.size = sizeof o, .target = HEDDLE_PTX_TARGET_MODEL};
  struct heddle_program *p = NULL;
  if (b->body.bytes <= BODY_MOST) (void)heddle_ptx_compile(b->body.at, b->body.bytes, "fuzz", &o, &p, NULL, NULL);
  for (cl_uint i = 0; p != NULL && ocl_meta_fits(&b->kernels, p) && i < b->kernels.count; i++) {
    const struct ocl_kernel_info *info = &b->kernels.at[i];
    const struct heddle_kernel *k = heddle_program_kernel(p, info->name);
    FUZZ_CHECK(k == NULL || k->params == info->arguments, "more parameters than arguments");
    for (cl_uint a = 0; k != NULL && a < info->arguments; a++)
      FUZZ_CHECK(info->argument[a].space == CL_KERNEL_ARG_ADDRESS_PRIVATE || k->param[a].size <= sizeof(uint64_t),
                 "a pointer of %u bytes", k->param[a].size);
  }
  heddle_program_free(p);
}

static void calls(const char *ir) {
  struct ocl_names names = {0};
  struct text out = {0}, own = {0}, meta = {0};
  if (ocl_ir_calls(ir, &names) && names.count < 16) (void)ocl_ir_callable(ir, &names, &out);
  FUZZ_CHECK(text_put(&own, ir) && ocl_ir_finish(&own) && ocl_meta_extract(ir, &meta), "no memory");
  ocl_names_free(&names);
  text_free(&meta);
  text_free(&own);
  text_free(&out);
}

static bool take(const uint8_t *data, size_t size) {
  struct ocl_build b = {0};
  struct text same = {0};
  const bool well = ocl_binary_take(data, size, &b);
  if (well) {
    FUZZ_CHECK(ocl_binary_make(&b, &same) && same.bytes == size && memcmp(same.at, data, size) == 0, "made otherwise");
    if (ocl_meta_parse(b.meta.at, &b.kernels)) compiled(&b);
    calls(b.body.at);
  }
  text_free(&same);
  free_build(&b);
  return well;
}

/* The sum is the last number of what ocl_binary_make adds. */
static void with_sum(const uint8_t *data, size_t size) {
  static const char magic[NUMBER + 1] = "HEDDLECL";
  uint8_t *copy = size < LEAST ? NULL : malloc(size);
  if (copy == NULL) return;
  struct ocl_key k;
  memcpy(copy, data, size);
  memcpy(copy, magic, NUMBER);
  ocl_key_start(&k);
  ocl_key_add(&k, copy, size - NUMBER);
  for (unsigned i = 0; i < NUMBER; i++) copy[size - NUMBER + i] = (uint8_t)((k.word[0] ^ k.word[1]) >> (8 * i));
  (void)take(copy, size);
  free(copy);
}

static void of_texts(const uint8_t *data, size_t size) {
  const uint8_t *one = size > 0 ? memchr(data, 0, size) : NULL;
  const uint8_t *two = one ? memchr(one + 1, 0, size - (size_t)(one + 1 - data)) : NULL;
  if (!two) return;
  const size_t left = size - (size_t)(two + 1 - data);
  struct ocl_build b = {.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE, .options = strdup((const char *)data)};
  struct text made = {0};
  FUZZ_CHECK(b.options != NULL && text_put(&b.meta, (const char *)one + 1) &&
                 text_add(&b.body, (const char *)two + 1, left) && ocl_binary_make(&b, &made),
             "no memory");
  FUZZ_CHECK(take((const uint8_t *)made.at, made.bytes) == (memchr(b.body.at, 0, left) == NULL),
             "what was made is refused, or a zero taken");
  text_free(&made);
  free_build(&b);
}

int fuzz_opencl(const uint8_t *data, size_t size) {
  (void)take(data, size);
  with_sum(data, size);
  of_texts(data, size);
  return 0;
}
