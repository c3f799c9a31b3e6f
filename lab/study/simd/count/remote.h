/* SPDX-License-Identifier: Apache-2.0
 *
 * A program under QEMU's user mode, as its debugger's port shows it (GDB's remote protocol on a socket of the file
 * system, qemu -g PATH). What comes from there is bounded and checked as any input. */
#ifndef SIMD_REMOTE_H
#define SIMD_REMOTE_H

#include "lab/study/simd/count/listing.h"

#define SIMD_REGISTER_MAX 1024u /* bytes: no vector register of QEMU's is longer */

struct simd_remote {
  int fd;
  char buffer[4096]; /* received, not yet taken */
  size_t have;
  char reply[8192];
  char error[SIMD_ERROR]; /* of the first call that failed */
};

/* Waits up to ten seconds for somebody to listen. */
bool simd_remote_open(struct simd_remote *r, const char *path);
void simd_remote_close(struct simd_remote *r);

/* Goes on until it comes to `at`. */
bool simd_remote_run_to(struct simd_remote *r, uint64_t at);
bool simd_remote_step(struct simd_remote *r); /* one instruction */
/* The number of register NAME in the description FILE that the port gives ("riscv-vector.xml"). */
bool simd_remote_number(struct simd_remote *r, const char *file, const char *name, unsigned *number);
/* Little-endian bytes of a register; *bytes says how many. */
bool simd_remote_register(struct simd_remote *r, unsigned number, uint8_t to[SIMD_REGISTER_MAX], size_t *bytes);
bool simd_remote_word(struct simd_remote *r, unsigned number, uint64_t *value); /* one of 8 bytes */

#endif
