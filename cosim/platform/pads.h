/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: bytes behind each allocation for hosts that go beyond it (HEDDLE_PAD), and who has written
 * there. What is only read there shows nowhere. */
#ifndef HEDDLE_PLATFORM_PADS_H
#define HEDDLE_PLATFORM_PADS_H

#include "cosim/platform/sites.h"

#include <heddle/port.h>

struct pads;
/* NULL: no memory. Memory is reached through *port, which is copied. */
struct pads *pads_new(uint64_t bytes, const struct heddle_port *port);
void pads_allocated(struct pads *p, uint64_t at, uint64_t bytes); /* zeros behind it; 0 bytes: it is given back */
void pads_begin(struct pads *p, const struct sites *s);           /* a launch */
void pads_end(struct pads *p, const struct sites *s, const char *kernel);
void pads_close(struct pads *p); /* says on stderr what was seen; NULL is fine */

#endif
