/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside firmware/driver: what unified.c, home.c, evict.c and page_server.c have in common. What the rest of
 * the driver knows of unified memory: internal.h. */
#ifndef HEDDLE_DRIVER_UNIFIED_H
#define HEDDLE_DRIVER_UNIFIED_H

#include <stdbool.h>
#include <stdint.h>

#include <heddle/error.h>
#include <heddle/host_regs.h>
#include <heddle/pages.h>
#include "firmware/driver/space.h"

#define PAGE HEDDLE_PAGE_SMALL
#define HOST_HIGHEST (UINT64_C(1) << 47) /* addresses of the host lie below */

enum { PAGES_AT_ONCE = HEDDLE_FAULT_PLACES /* that come or go */ };

static inline void *unified_host_of(uint64_t page) {
  return (void *)(uintptr_t)page;
}

/* ---- pages go home (home.c) */
/* Who hands over the host's memory hears whether the host may write that page. */
void unified_let_host_write(const struct heddle_context *c, uint64_t page, bool may);
/* The frame's page is copied to the host; tables stay as they are. */
enum heddle_error unified_copy_home(struct heddle_context *c, const struct space_frame *f);

/* ---- pages give way while a grid runs (evict.c) */
/* Of the pages that came first, until so many frames are free; PAGES_AT_ONCE go at most. */
enum heddle_error unified_evict_until(struct heddle_context *c, uint32_t frames);
/* Tables have pieces of the heap of their own: where it is full, pages give one up. */
enum heddle_error unified_make_room_for_tables(struct heddle_context *c);

#endif
