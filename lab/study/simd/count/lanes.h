/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting by stepping a RISC-V program: of vector instructions also how many elements each works on, from vl, vtype
 * and the mask in v0 as they are when it is executed. */
#ifndef SIMD_LANES_H
#define SIMD_LANES_H

#include "lab/study/simd/count/remote.h"

/* What vtype says: elements of a group at `vlenb` bytes a register; 0: the type is illegal. */
unsigned simd_vlmax(uint64_t vtype, unsigned vlenb);
/* Elements of an instruction on whole registers ("vl2re64.v", "vmv1r.v") under that type. 0: it is none. */
unsigned simd_whole(const char *mnemonic, uint64_t vtype, unsigned vlenb);
/* Of the first vl elements, how many the mask selects. */
unsigned simd_selected(const uint8_t *mask, size_t bytes, uint64_t vl);

/* Steps from the first instruction of the listing's function to the one behind its call; the function calls nobody. */
bool simd_lanes(struct simd_listing *l, struct simd_remote *r);

#endif
