/* SPDX-License-Identifier: Apache-2.0
 * The board's end of the link (lab/fpga/board/link/README.md) in software: an SoC of LiteX as a board of `heddle
 * board`, over its UART, with the stream of what the core retires where the SoC has it. */
#include <string.h>

#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>
#include <irq.h>

#include <heddle/host_regs.h>
#include "firmware/board/frame.h"

#include "lab/fpga/litex/firmware/litex_port.h"

enum command { IDENTIFY = 1, ECHO, READ_REG, WRITE_REG, READ_MEM, WRITE_MEM, RESET, COUNTERS, TRACE_MODE };
enum state { DONE, UNKNOWN, MALFORMED, BUS_ERROR, NO_ANSWER };
enum { INFO = 32, RING = 4096, TRACE_BYTES = 240, TRACE_IDLE = 64, RX_TAKEN = 2 };
enum { CONTROL_TRACE = 2, CONTROL_DROP = 4 }; /* of the CSR `control` */

static struct heddle_port port;

/* ---- the line: what comes is kept while something is sent */

static struct {
  uint8_t byte[RING];
  unsigned in, out;
} ring;

static void take_uart_bytes(void) {
  while (!uart_rxempty_read() && ring.in - ring.out < RING) {
    ring.byte[ring.in++ % RING] = (uint8_t)uart_rxtx_read();
    uart_ev_pending_write(RX_TAKEN);
  }
}

static void send(uint8_t channel, uint32_t seq, const uint8_t *payload, size_t n) {
  static uint8_t wire[FRAME_WIRE];
  const size_t bytes = frame_encode(channel, seq, payload, n, wire);
  for (size_t i = 0; i < bytes; i++) {
    while (uart_txfull_read()) take_uart_bytes();
    uart_rxtx_write(wire[i]);
  }
}

/* ---- the trace */

static struct {
  uint8_t payload[1 + TRACE_BYTES + 2]; /* flags; and up to two bytes more, of the word that fills it */
  unsigned n, idle;
  uint32_t seq;
  bool on;
} trace;

static void trace_send(void) {
  if (trace.n == 0) return;
  send(FRAME_TRACE, trace.seq++, trace.payload, 1 + trace.n);
  trace.n = trace.idle = 0;
}

#if HEDDLE_STREAM
static void trace_take(void) {
  while (trace.on) {
    const uint32_t word = heddle_trace_read();
    const unsigned count = word >> CSR_HEDDLE_TRACE_COUNT_OFFSET & 3;
    const bool lost = (word >> CSR_HEDDLE_TRACE_LOST_OFFSET & 1) != 0;
    if (count == 0) {
      if (++trace.idle >= TRACE_IDLE) trace_send();
      return;
    }
    if (lost) trace_send();
    if (trace.n == 0) trace.payload[0] = lost;
    for (unsigned i = 0; i < count; i++) trace.payload[1 + trace.n++] = (uint8_t)(word >> 8 * i);
    trace.idle = 0;
    if (trace.n >= TRACE_BYTES) {
      trace_send();
      return;
    }
  }
}
#else
static void trace_take(void) {}
#endif

static void trace_mode(unsigned mode) {
  heddle_control_write(0); /* what feeds it is in reset, and empty */
  trace.n = trace.idle = 0;
  trace.seq = 0;
  trace.on = HEDDLE_STREAM && mode != 0;
  if (trace.on) heddle_control_write(CONTROL_TRACE | (mode == 2 ? CONTROL_DROP : 0));
}

/* ---- commands */

static struct {
  uint8_t answer[FRAME_PAYLOAD];
  size_t bytes;
  uint32_t seq, crc;
  bool kept;
  uint32_t repeated, refused, done;
} served;

static bool command_fits(const uint8_t *p, size_t n) {
  switch (p[0]) {
  case IDENTIFY:
  case RESET:
  case COUNTERS:
    return n == 1;
  case ECHO:
    return n <= FRAME_DATA + 1;
  case TRACE_MODE:
    return n == 2 && p[1] <= 2;
  case READ_REG:
    return n == 3;
  case WRITE_REG:
    return n == 7;
  case READ_MEM:
    return n == 8 && p[6] + (p[7] << 8) > 0 && p[6] + (p[7] << 8) <= FRAME_DATA;
  default:
    return n >= 7 && n <= FRAME_DATA + 6;
  }
}

static void identify(uint8_t *to) {
  memset(to, 0, INFO);
  memcpy(to, "HLNK", 4);
  to[4] = 1;
  to[5] = (uint8_t)(1 | (HEDDLE_STREAM ? 1 << 4 : 0)); /* memory is ready; what feeds the trace */
  frame_put(to + 6, FRAME_DATA, 2);
  frame_put(to + 8, CONFIG_CLOCK_FREQUENCY, 4);
  frame_put(to + 12, HEDDLE_MEMORY_BASE, 8);
  frame_put(to + 20, HEDDLE_MEMORY_BYTES, 8);
  memcpy(to + 28, "LiTX", 4);
}

static void counters(const struct frame_reader *r, uint8_t *to) {
  memset(to, 0, INFO);
  frame_put(to, r->bad, 4);
  frame_put(to + 8, served.repeated, 4);
  frame_put(to + 12, served.refused, 4);
  frame_put(to + 16, served.done, 4);
  frame_put(to + 20, trace.seq, 4);
  to[24] = trace.n == 0;
}

/* The data of the answer to `to`; *bytes: how many. */
static enum state execute(const struct frame_reader *r, const uint8_t *p, size_t n, uint8_t *to, size_t *bytes) {
  const uint32_t reg = p[1] | (uint32_t)p[2] << 8;
  const uint64_t addr = frame_u32(p + 1) | (uint64_t)p[5] << 32;
  uint32_t value;
  switch (p[0]) {
  case IDENTIFY:
    identify(to);
    *bytes = INFO;
    return DONE;
  case ECHO:
    memcpy(to, p + 1, *bytes = n - 1);
    return DONE;
  case READ_REG:
    if (reg >= HEDDLE_SIZE || reg % 4 != 0 || !port.read32(port.self, reg, &value)) return BUS_ERROR;
    frame_put(to, value, *bytes = 4);
    return DONE;
  case WRITE_REG:
    return reg < HEDDLE_SIZE && reg % 4 == 0 && port.write32(port.self, reg, frame_u32(p + 3)) ? DONE : BUS_ERROR;
  case READ_MEM:
    *bytes = p[6] | (size_t)p[7] << 8;
    if (port.read(port.self, addr, to, *bytes)) return DONE;
    *bytes = 0;
    return BUS_ERROR;
  case WRITE_MEM:
    return port.write(port.self, addr, p + 6, n - 6) ? DONE : BUS_ERROR;
  case RESET:
    trace_mode(0);
    return litex_port_reset() ? DONE : NO_ANSWER;
  case COUNTERS:
    counters(r, to);
    *bytes = INFO;
    return DONE;
  default:
    trace_mode(p[1]);
    return DONE;
  }
}

static void serve_frame(const struct frame_reader *r, const struct frame *f) {
  const uint32_t crc = frame_u32(f->payload + f->n);
  const bool known = f->n > 0 && f->payload[0] >= IDENTIFY && f->payload[0] <= TRACE_MODE;
  const bool again = served.kept && f->seq == served.seq && crc == served.crc && !(known && f->payload[0] == IDENTIFY);
  if (f->channel != FRAME_COMMANDS) return;
  if (again) {
    served.repeated++;
  } else {
    uint8_t p[FRAME_PAYLOAD + 8] = {0};
    size_t bytes = 0;
    enum state s = !known ? UNKNOWN : MALFORMED;
    memcpy(p, f->payload, f->n);
    if (known && command_fits(p, f->n)) {
      s = execute(r, p, f->n, served.answer + 1, &bytes);
      served.done++;
    } else {
      served.refused++;
    }
    served.answer[0] = (uint8_t)s;
    served.bytes = 1 + bytes;
    served.seq = f->seq;
    served.crc = crc;
    served.kept = true;
  }
  send(FRAME_COMMANDS, f->seq, served.answer, served.bytes);
}

int main(void) {
  static struct frame_reader reader;
  struct frame f;
  irq_setmask(0);
  irq_setie(0);
  uart_ev_enable_write(0);
  litex_port_open(&port, false);
  uart_rxtx_write(FRAME_END); /* whoever waits for it: what comes now is heard */
  for (;;) {
    take_uart_bytes();
    while (ring.in != ring.out)
      if (frame_read(&reader, ring.byte[ring.out++ % RING], &f)) serve_frame(&reader, &f);
    trace_take();
  }
}
