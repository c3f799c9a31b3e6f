/* SPDX-License-Identifier: Apache-2.0
 *
 * A program under QEMU's user mode, through its debugger's port (GDB's remote protocol on a socket of the file system,
 * qemu -g PATH). Input from there is bounded and checked as any input.
 */
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

/* Waits up to ten seconds for a listener. */
bool simd_remote_open(struct simd_remote *r, const char *path);
void simd_remote_close(struct simd_remote *r);

/* Goes on until it comes to `at`. */
bool simd_remote_step(struct simd_remote *r); /* one instruction */
/* The number of register NAME in the description FILE that the port gives ("riscv-vector.xml"). */
bool simd_remote_number(struct simd_remote *r, const char *file, const char *name, unsigned *number);
/* Little-endian bytes of a register; *bytes says how many. */
bool simd_remote_register(struct simd_remote *r, unsigned number, uint8_t to[SIMD_REGISTER_MAX], size_t *bytes);
bool simd_remote_word(struct simd_remote *r, unsigned number, uint64_t *value); /* one of 8 bytes */

/* Counting by stepping a RISC-V program. For vector instructions also the number of elements of each, from vl, vtype
 * and the mask in v0 at its execution. */

/* Meaning of vtype: elements of a group at `vlenb` bytes a register; 0: the type is illegal. */
unsigned simd_vlmax(uint64_t vtype, unsigned vlenb);
/* Elements of an instruction on whole registers ("vl2re64.v", "vmv1r.v") under that type. 0: it is none. */
unsigned simd_whole(const char *mnemonic, uint64_t vtype, unsigned vlenb);
/* Elements among the first vl that the mask selects. */
unsigned simd_selected(const uint8_t *mask, size_t bytes, uint64_t vl);

/* Steps from the first instruction of the listing's function to the one behind its call; the function has no calls. */
bool simd_lanes(struct simd_listing *l, struct simd_remote *r);

/* Output of QEMU's user mode with -singlestep -d exec,nochain: a line "Trace CPU: HOST [BASE/PC/FLAGS/...] NAME"
 * before each instruction. */

/* Counts each PC inside the listing. False: an unknown line, a PC between two instructions, a block that QEMU
 * abandoned, or no execution at all; err has the cause. */
bool simd_execlog_read(struct simd_listing *l, FILE *from, char err[SIMD_ERROR]);

#endif
