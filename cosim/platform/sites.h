/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: where a host allocated device memory. */
#ifndef HEDDLE_PLATFORM_SITES_H
#define HEDDLE_PLATFORM_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sites;
struct sites *sites_new(void);
void sites_free(struct sites *s); /* NULL is fine */
/* As heddle_watch.allocated; 0 bytes: it is forgotten. */
void sites_allocated(struct sites *s, uint64_t at, uint64_t bytes, const void *caller);
/* "main.cu:12" where the host has debug information and this machine addr2line; else "main+0x1a2 of /path/host", or
 * without the function's name. False: nothing is known. Starts a process. */
bool sites_text(const struct sites *s, uint64_t at, char *text, size_t size);
/* Each allocation in turn, by address. */
void sites_each(const struct sites *s, void (*each)(void *ctx, uint64_t at, uint64_t bytes), void *ctx);

#endif
