/* SPDX-License-Identifier: Apache-2.0
 *
 * What QEMU's user mode prints with -singlestep -d exec,nochain: a line "Trace CPU: HOST [BASE/PC/FLAGS/...] NAME"
 * before each instruction. */
#ifndef SIMD_EXECLOG_H
#define SIMD_EXECLOG_H

#include "lab/study/simd/count/listing.h"

/* Counts each PC inside the listing. False: a line that is none of these, a PC between two instructions, a block that
 * QEMU gave up again, or nothing at all was executed; err says it. */
bool simd_execlog_read(struct simd_listing *l, FILE *from, char err[SIMD_ERROR]);

#endif
