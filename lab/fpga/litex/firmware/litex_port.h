/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's port (heddle/port.h) over the memory map of an SoC of LiteX: registers at HEDDLE_BASE, memory that
 * the CPU shares with the device. The CPU's data cache and the SoC's L2 are between the two: flushed here. */
#ifndef LITEX_PORT_H
#define LITEX_PORT_H

#include <heddle/port.h>

/* Interrupts must be there (irq_setie) for a port with `sleeps`; else it polls. One device: one port. */
void litex_port_open(struct heddle_port *port, bool sleeps);

/* Times that the device's interrupt was taken. */
unsigned litex_port_interrupts(void);

/* Resets the core: its launches are dropped, after its accesses have ended. False: it did not become idle. */
bool litex_port_reset(void);

/* Cycles since the first call, modulo 2^32. Uses timer0. */
uint32_t litex_port_cycles(void);

#endif
