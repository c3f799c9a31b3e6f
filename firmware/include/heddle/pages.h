/* SPDX-License-Identifier: Apache-2.0
 *
 * Page tables: a host makes, changes and reads them (isa/doc/18-virtual-memory.md). Needs no operating system, and
 * keeps nothing: tables are in the device's memory, which is reached through functions. */
#ifndef HEDDLE_PAGES_H
#define HEDDLE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of an entry. */
#define HEDDLE_ENTRY_PRESENT 0x001u
#define HEDDLE_ENTRY_PAGE 0x002u /* not a table */
#define HEDDLE_ENTRY_WRITE 0x004u
#define HEDDLE_ENTRY_GLOBAL 0x008u /* the same in all spaces */
#define HEDDLE_ENTRY_ACCESSED 0x010u
#define HEDDLE_ENTRY_DIRTY 0x020u
#define HEDDLE_ENTRY_SOFTWARE 0x1c0u
#define HEDDLE_ENTRY_PLACE UINT64_C(0xfffffff000)

#define HEDDLE_PAGE_SMALL UINT64_C(4096)
#define HEDDLE_PAGE_BIG UINT64_C(0x200000)
#define HEDDLE_PAGE_ROOT UINT64_C(8192) /* bytes of a root; of other tables HEDDLE_PAGE_SMALL */
#define HEDDLE_VIRTUAL_BITS 49

/* How tables are reached; addresses are physical. False: the device does not answer. */
struct heddle_page_memory {
  size_t size; /* sizeof(struct heddle_page_memory) */
  void *self;
  bool (*read)(void *self, uint64_t at, uint64_t *entry);
  /* Writes an entry and leaves in *old what was there; while a launch runs as one access at the point of order
   * (EXCHANGE). */
  bool (*exchange)(void *self, uint64_t at, uint64_t entry, uint64_t *old);
  /* Memory for a table, `bytes` of zeros at a multiple of that; 0: there is none. NULL where nothing is mapped. */
  uint64_t (*table)(void *self, uint64_t bytes);
};

/* An empty space. OUT_OF_MEMORY: no table. Here and below INVALID_VALUE: a struct of another release, too. */
HEDDLE_API enum heddle_error heddle_pages_new(const struct heddle_page_memory *m, uint64_t *root);

/* Maps a page of `bytes` (_SMALL or _BIG) at virtual address `virt` to physical address `phys`; `flags`: _WRITE,
 * _GLOBAL, _ACCESSED, _DIRTY, _SOFTWARE. INVALID_VALUE: addresses that are no multiples of `bytes`, or too high, or
 * other flags. INVALID_ADDRESS: a page is there, or a table in place of the big page. OUT_OF_MEMORY: no table; those
 * that were made stay. BUS. */
HEDDLE_API enum heddle_error heddle_pages_map(const struct heddle_page_memory *m, uint64_t root, uint64_t virt,
                                              uint64_t phys, uint64_t bytes, uint64_t flags);

/* Result of a walk at `virt`. */
struct heddle_page {
  size_t size;       /* sizeof(struct heddle_page) */
  unsigned level;    /* at which it ended: 0 for a small page, 1 for a big one, or where an entry is absent */
  uint64_t entry_at; /* address of that entry */
  uint64_t entry;    /* 0 in bit 0: absent */
  uint64_t at;       /* address of the byte `virt`, of a present page */
};
/* The host's own walk; it changes nothing. INVALID_ADDRESS: absent. INVALID_IMAGE: the entry is malformed. BUS. *out is
 * filled in all three, as far as it went. */
HEDDLE_API enum heddle_error heddle_pages_find(const struct heddle_page_memory *m, uint64_t root, uint64_t virt,
                                               struct heddle_page *out);

/* The page of `virt` becomes absent; *was (may be NULL): its entry as it was, with ACCESSED and DIRTY. Tables stay.
 * The caller invalidates the device's translation. Else as heddle_pages_find. */
HEDDLE_API enum heddle_error heddle_pages_unmap(const struct heddle_page_memory *m, uint64_t root, uint64_t virt,
                                                uint64_t *was);

/* Bytes of tables that pages of size `page` for all of [virt, virt + bytes) need at most, beside the root. */
HEDDLE_API uint64_t heddle_pages_bytes(uint64_t virt, uint64_t bytes, uint64_t page);

#ifdef __cplusplus
}
#endif

#endif
