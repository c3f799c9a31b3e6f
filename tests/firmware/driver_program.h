/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that the driver's tests launch. */
#ifndef HEDDLE_TEST_DRIVER_PROGRAM_H
#define HEDDLE_TEST_DRIVER_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* A program file in memory (free it):
 *   fill(u64 out, u32 value)  out[thread] = value + thread of the grid, one block dimension
 *   poke(u64 at, u32 value)   the first thread stores
 *   peek(u64 from, u64 to)    it copies a word
 *   spare(u64 out, u32 offset)  with 64 bytes of shared memory of its own: stores 7 at `offset`, out[0] = what it reads
 *   sizes(u64 out)            out[0..5] = block and grid sizes
 *   mixed(u64 out, u8 a, u16 b, u32 c, u64 d)  stores the four
 *   local(u64 out)            by way of local memory, 5
 *   constant(u64 out)         from bank 3, 0x1234
 *   forever()                 never ends
 *   wide()                    250 registers */
uint8_t *driver_program(size_t *bytes);

/* Another: 400 bytes of module variables, counter (5), where (the address of there), there (0x12345678), room (zeros).
 *   count(u64 out)   out[0] = what `counter` was, which grows by 1
 *   follow(u64 out)  out[0] = what `where` points to
 *   last()           writes the last word
 *   behind()         the one behind it */
uint8_t *driver_globals_program(size_t *bytes);

#endif
