/* SPDX-License-Identifier: Apache-2.0
 * A caller that was compiled against structs of another release: of 0.2, which had no size, of an older one, which
 * knew fewer fields, and of a newer one, which sets a field that nobody knows here. */
#include <heddle/model.h>
#include <heddle/pages.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct heddle_model_config config = {
    .size = sizeof config, .base = 0x1000, .bytes = 4096, .warp_slots = 1, .block_slots = 1};

static const uint8_t code[ISA_WORD_BYTES];

/* Where the fields of then lie in memory: without the size. */
static int without_a_size(struct heddle_model *m, const struct heddle_launch *l) {
  unsigned char then[2 * sizeof *l] = {0};
  struct heddle_launch given;
  memcpy(then, (const unsigned char *)l + sizeof l->size, sizeof *l - sizeof l->size);
  memcpy(&given, then, sizeof given);
  return heddle_model_launch(m, &given) == HEDDLE_ERROR_INVALID_VALUE &&
         strstr(heddle_model_diag(m), "another release") != NULL;
}

static int older(struct heddle_model *m, const struct heddle_launch *l) {
  struct heddle_launch given;
  memset(&given, 0xff, sizeof given); /* what lies behind its end is not read */
  memcpy(&given, l, offsetof(struct heddle_launch, pages));
  given.size = offsetof(struct heddle_launch, pages);
  return heddle_model_launch(m, &given) == HEDDLE_SUCCESS;
}

static int newer(struct heddle_model *m, const struct heddle_launch *l, uint64_t field) {
  struct {
    struct heddle_launch known;
    uint64_t field;
  } given = {*l, field};
  given.known.size = sizeof given;
  return heddle_model_launch(m, &given.known) == (field == 0 ? HEDDLE_SUCCESS : HEDDLE_ERROR_INVALID_VALUE);
}

int main(void) {
  struct heddle_model *m = heddle_model_new(&config);
  struct heddle_launch l = {.size = sizeof l, .grid = {1, 1, 1}, .block = {32, 1, 1}, .regs = 8, .units = ~0u};
  struct heddle_page p = {.size = 0};
  uint64_t root;
  l.code = code, l.code_bytes = sizeof code;
  if (m == NULL || heddle_model_launch(m, &l) != HEDDLE_SUCCESS) return 2;
  const int well =
      without_a_size(m, &l) && older(m, &l) && newer(m, &l, 0) && newer(m, &l, 1) &&
      heddle_pages_new((const struct heddle_page_memory *)(const void *)&p, &root) == HEDDLE_ERROR_INVALID_VALUE;
  if (!well) printf("%s\n", heddle_model_diag(m));
  heddle_model_free(m);
  return well ? 0 : 1;
}
