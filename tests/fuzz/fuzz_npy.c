/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as a .npy file. What is read lies inside the file and is as much as its shape says; written again it is read as
 * the same. */
#include <string.h>

#include "run/job/elements.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct npy_array a, b;
  size_t bytes, again;
  const char *why = NULL;
  const uint8_t *numbers = npy_read(data, size, &a, &bytes, &why);
  FUZZ_CHECK((numbers == NULL) == (why != NULL), "refused without a word, or the reverse");
  if (!numbers) return 0;
  FUZZ_CHECK(numbers >= data && bytes <= size && numbers + bytes == data + size, "numbers outside of the file");
  FUZZ_CHECK(bytes % element_width(a.type) == 0, "no whole numbers");
  if (a.dims < NPY_DIMS) { /* one empty dimension more: a file that is a head alone */
    char head[NPY_HEAD];
    a.shape[a.dims++] = 0;
    const size_t n = npy_head(&a, head);
    FUZZ_CHECK(npy_read((const uint8_t *)head, n, &b, &again, &why) != NULL, "what was written is refused: %s", why);
    FUZZ_CHECK(again == 0 && b.dims == a.dims && strcmp(a.type, b.type) == 0, "what was written reads otherwise");
    FUZZ_CHECK(memcmp(a.shape, b.shape, a.dims * sizeof *a.shape) == 0, "another shape");
  }
  return 0;
}
