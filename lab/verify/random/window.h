/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: windows of memory, and accesses at their edges. */
#ifndef HEDDLE_RANDOM_WINDOW_H
#define HEDDLE_RANDOM_WINDOW_H

#include "lab/verify/random/node.h"

enum space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL };

struct window {
  enum space space;
  unsigned region;    /* of global memory: which of launch.more; INPUT_REGION: the input */
  uint32_t at, bytes; /* from the buffer's beginning, or of shared or local memory from 0; it ends the space */
  bool writable;
};
#define INPUT_REGION 0xffu

/* One access: LDG, ST, ATOMS ... */
struct window_access {
  char text[24]; /* mnemonic with its suffixes; of atomics without the operation */
  unsigned bytes;
  enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOM, ACCESS_RED } kind;
  bool generic;
};

struct window window_draw(struct random_program *p, enum space s);
/* Of a constant bank; 0: it is not there. */
unsigned bank_bytes(const struct random_program *p, unsigned bank);
/* A load, or any that the window allows. */
struct window_access window_access_draw(struct random_program *p, const struct window *w, bool writes);
/* The last place for so many bytes that ends in the window, as an offset like `at`: with the one in front of it and the
 * first one. */
uint32_t window_last(const struct window *w, unsigned bytes);
uint32_t window_inside(struct random_program *p, const struct window *w, unsigned bytes);
/* Lanes that have P6 go to `off` of the window, the others to what is their own: R36 (and R37) hold it, less *less.
 * `over`: what is turned in the address's upper word. Emits P6 itself, by `lanes`. */
enum who { WHO_ALL, WHO_SOME, WHO_THREAD, WHO_OF_BLOCK };
void window_address(struct random_program *p, const struct window *w, const struct window_access *a, uint32_t off,
                    uint32_t over, enum who who, unsigned which, int *less);
/* The access itself, at what window_address has made. */
void window_emit(struct random_program *p, const struct window_access *a, int less);

/* What traps at an edge, a function for each cause (edge_trap.c). */
void edge_misaligned(struct random_program *p);
void edge_out_of_range(struct random_program *p);
void edge_write_protected(struct random_program *p);
void edge_const_range(struct random_program *p);
void edge_bad_pc(struct random_program *p);

#endif
