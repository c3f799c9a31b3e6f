/* SPDX-License-Identifier: Apache-2.0
 *
 * --pages: a job in an address space. Its memory keeps its addresses, which are virtual then; pages, code, constants
 * and tables are in frames of physical memory, in an order that a seed decides. With an even seed about half of the
 * pages are absent at first, and come when the launch waits for them; with an odd one a fault is a trap. */
#ifndef HEDDLE_PAGED_H
#define HEDDLE_PAGED_H

#include "run/options/options.h"
#include "run/job/job.h"

/* How far on the second name of a job's memory begins, for a job that is to have one: a multiple of HEDDLE_PAGE_SMALL
 * from 256 MiB to 256 GiB. Each page has its own entry under either name, and comes under each by itself. */
uint64_t paged_alias(uint64_t seed);

struct paged;
/* `job` must live as long. NULL: no memory. */
struct paged *paged_new(const struct job *job, uint64_t seed);
void paged_free(struct paged *p);
void paged_memory(const struct paged *p, uint64_t *base, uint64_t *bytes); /* that must exist */
/* Fills it, which is zeros, and changes the launch to one in that space. False: no memory. */
bool paged_store(struct paged *p, uint8_t *memory, struct heddle_launch *l);
/* The entry at physical address `at` becomes `entry`, as one access. False: it cannot. */
typedef bool (*paged_exchange_fn)(void *ctx, uint64_t at, uint64_t entry);
/* A launch waits for these pages: those that are to come do. False: there was none among them, or another one as well,
 * which never comes. */
bool paged_serve(struct paged *p, const struct heddle_page_fault *f, unsigned n, paged_exchange_fn exchange, void *ctx);
/* The job's memory as it was left; bytes that no page holds are 0. */
void paged_load(const struct paged *p, const uint8_t *memory, uint8_t *image);

#endif
