/* SPDX-License-Identifier: Apache-2.0 */
#include <heddle/host.h>

#include <stdio.h>
#include <string.h>

#include <heddle/explain.h>

enum heddle_refuse heddle_host_check_shape(const uint32_t grid[3], const uint32_t block[3]) {
  for (unsigned d = 0; d < 3; d++)
    if (grid[d] == 0) return HEDDLE_REFUSE_GRID;
  const bool fits =
      block[0] <= HEDDLE_BLOCK_XY_MAX && block[1] <= HEDDLE_BLOCK_XY_MAX && block[2] <= HEDDLE_BLOCK_Z_MAX;
  const uint64_t threads = fits ? (uint64_t)block[0] * block[1] * block[2] : 0;
  return threads == 0 || threads > HEDDLE_BLOCK_THREADS_MAX ? HEDDLE_REFUSE_BLOCK : HEDDLE_REFUSE_NONE;
}

bool heddle_host_check_block(const struct heddle_kernel *k, const uint32_t block[3], char *text, size_t size) {
  const struct heddle_promise *p = &k->promise;
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  char name[400];
  if (p->block[0] != 0 && memcmp(p->block, block, sizeof p->block) != 0) {
    snprintf(text, size, "kernel '%s' requires blocks of %ux%ux%u (.reqntid); the launch has %ux%ux%u",
             heddle_name_text(k->name, name, sizeof name), p->block[0], p->block[1], p->block[2], block[0], block[1],
             block[2]);
    return false;
  }
  if (p->threads == 0 || threads <= p->threads) return true;
  snprintf(text, size, "kernel '%s' takes blocks of at most %u threads (.maxntid); the launch has %ux%ux%u",
           heddle_name_text(k->name, name, sizeof name), p->threads, block[0], block[1], block[2]);
  return false;
}

bool heddle_host_check_address(const struct heddle_kernel *k, uint32_t i, const void *value, char *text, size_t size) {
  const struct heddle_param *p = &k->param[i];
  const uint8_t *byte = value;
  uint64_t at = 0;
  char name[400];
  for (uint32_t b = 0; p->align != 0 && b < p->size && b < sizeof at; b++) at |= (uint64_t)byte[b] << (8 * b);
  if (p->align == 0 || at % p->align == 0) return true;
  snprintf(text, size, "kernel '%s': argument %u (%s) is promised to be a multiple of %u (.ptr .align); it is 0x%llx",
           heddle_name_text(k->name, name, sizeof name), i, p->name, p->align, (unsigned long long)at);
  return false;
}

uint32_t heddle_host_block_threads(const struct heddle_promise *p) {
  uint64_t most = HEDDLE_BLOCK_THREADS_MAX;
  const uint64_t required = (uint64_t)p->block[0] * p->block[1];
  if (p->threads != 0 && p->threads < most) most = p->threads;
  if (required != 0 && required < most && required * p->block[2] < most) most = required * p->block[2];
  return (uint32_t)most;
}

uint32_t heddle_bank0_bytes(const struct heddle_kernel *k) {
  return (HEDDLE_BANK0_PARAMS + k->param_bytes + 15) / 16 * 16;
}

static void put_little_endian(uint8_t *at, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(v >> (8 * i));
}

void heddle_bank0_fill(uint8_t *bank, const struct heddle_kernel *k, const uint32_t grid[3], const uint32_t block[3],
                       uint64_t globals) {
  static const uint32_t ntid[3] = {HEDDLE_BANK0_NTID_X, HEDDLE_BANK0_NTID_Y, HEDDLE_BANK0_NTID_Z};
  static const uint32_t nctaid[3] = {HEDDLE_BANK0_NCTAID_X, HEDDLE_BANK0_NCTAID_Y, HEDDLE_BANK0_NCTAID_Z};
  memset(bank, 0, heddle_bank0_bytes(k));
  for (unsigned d = 0; d < 3; d++) {
    put_little_endian(bank + ntid[d], block[d], 4);
    put_little_endian(bank + nctaid[d], grid[d], 4);
  }
  put_little_endian(bank + HEDDLE_BANK0_STACK, k->local_bytes, 4);
  put_little_endian(bank + HEDDLE_BANK0_GLOBALS, globals, 8);
}

void heddle_bank0_environment(uint8_t *bank, const uint32_t words[4]) {
  for (unsigned i = 0; i < 4; i++) put_little_endian(bank + HEDDLE_BANK0_ENVIRONMENT(i), words[i], 4);
}

void heddle_bank0_shared(uint8_t *bank, uint32_t bytes) {
  put_little_endian(bank + HEDDLE_BANK0_SHARED, bytes, 4);
}

void heddle_bank0_param(uint8_t *bank, const struct heddle_kernel *k, uint32_t i, const void *value) {
  memcpy(bank + HEDDLE_BANK0_PARAMS + k->param[i].offset, value, k->param[i].size);
}
