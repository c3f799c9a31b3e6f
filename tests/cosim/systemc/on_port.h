/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel of firmware/kernels through the host driver, over any port: what it leaves and what it took. */
#ifndef ON_PORT_H
#define ON_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/driver.h>

#ifdef __cplusplus
extern "C" {
#endif

struct on_port {
  enum heddle_error error; /* of the launch that failed, if any */
  char message[512];
  uint64_t cycles;                   /* of all launches together */
  uint64_t counter[HEDDLE_COUNTERS]; /* the same */
  uint8_t *memory;                   /* all that the port may hand out; owned */
  uint64_t bytes;
  double seconds; /* of the processor, from the first copy to the end of the last launch */
  bool matches;   /* what C on the host expects of the buffers; false after an error */
};

/* Kernel `name` at scale 0, in the first form that it has, made for configuration `config` (NULL: for the model) from
 * the files in `dir`. False: that could not be done; stderr says why. */
bool on_port_run(const struct heddle_port *port, const char *dir, const char *config, const char *name,
                 struct on_port *out);
void on_port_clear(struct on_port *o);
/* The same error, message, memory, cycles and counters. False: stderr says what differs. */
bool on_port_equal(const struct on_port *a, const struct on_port *b);
/* Its program as an ELF file, made at `path`, which ends in XXXXXX and becomes the name. */
bool on_port_file(const char *dir, const char *config, const char *name, char *path);
/* The same of assembly. */
bool on_port_assemble(const char *text, char *path);
/* Name number i, or NULL behind the last. */
const char *on_port_kernel(unsigned i);

/* A plain board: "model", "model:CONFIG" or "rtl:CONFIG", with memory that answers after `latency` cycles. */
struct plain;
struct plain *plain_open(const char *board, uint64_t base, uint64_t bytes, uint32_t latency, struct heddle_port *port);
void plain_close(struct plain *p);

#ifdef __cplusplus
}
#endif

#endif
