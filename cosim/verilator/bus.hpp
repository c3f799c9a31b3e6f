// SPDX-License-Identifier: Apache-2.0
//
// The device's AXI4 master ports against the C memory, and its AXI4-Lite port against the host's calls.
#ifndef HEDDLE_BUS_HPP
#define HEDDLE_BUS_HPP

#include <heddle/verilated_ports.hpp>

extern "C" {
#include <heddle/axi_mem.h>
#include <heddle/device.h>
}

namespace bus {

constexpr unsigned AXI_BYTES = HEDDLE_AXI_BITS_OF_CONFIG / 8;
constexpr unsigned AXI_WORDS = AXI_BYTES / 4;
constexpr unsigned PORTS = HEDDLE_AXI_PORTS_OF_CONFIG;
constexpr unsigned ID_BITS = HEDDLE_AXI_ID_BITS_OF_CONFIG; // of a port, where there are several
static_assert(PORTS == 1 || AXI_BYTES <= 64, "several ports are a shared cache's: its bus has 256 bits at most");

// Outputs of the memory in this cycle, at the one port.
template <class Top> inline void drive_one(Top &t, const heddle_axi_mem_out &o)
{
  ports::drive(t.m_axi_awready_i, o.aw_ready);
  ports::drive(t.m_axi_wready_i, o.w_ready);
  ports::drive(t.m_axi_arready_i, o.ar_ready);
  ports::drive(t.m_axi_bvalid_i, o.b_valid);
  ports::drive(t.m_axi_bid_i, o.b_id);
  ports::drive(t.m_axi_bresp_i, o.b_resp);
  ports::drive(t.m_axi_rvalid_i, o.r_valid);
  ports::drive(t.m_axi_rid_i, o.r_id);
  ports::drive(t.m_axi_rresp_i, o.r_resp);
  ports::drive(t.m_axi_rlast_i, o.r_last);
  if (!o.r_valid) return;
  uint32_t w[AXI_WORDS];
  std::memcpy(w, o.r_data, AXI_BYTES);
  ports::drive_words(t.m_axi_rdata_i, w, AXI_WORDS);
}

// Outputs of the master. Payloads are read only where they are valid.
template <class Top> inline void sample_one(const Top &t, heddle_axi_mem_in &in)
{
  in.aw.valid = ports::value(t.m_axi_awvalid_o);
  in.ar.valid = ports::value(t.m_axi_arvalid_o);
  in.w_valid = ports::value(t.m_axi_wvalid_o);
  in.b_ready = ports::value(t.m_axi_bready_o);
  in.r_ready = ports::value(t.m_axi_rready_o);
  if (in.aw.valid) {
    in.aw.id = static_cast<uint32_t>(ports::value(t.m_axi_awid_o));
    in.aw.addr = ports::value(t.m_axi_awaddr_o);
    in.aw.len = static_cast<uint8_t>(ports::value(t.m_axi_awlen_o));
    in.aw.size = static_cast<uint8_t>(ports::value(t.m_axi_awsize_o));
    in.aw.burst = static_cast<uint8_t>(ports::value(t.m_axi_awburst_o));
  }
  if (in.ar.valid) {
    in.ar.id = static_cast<uint32_t>(ports::value(t.m_axi_arid_o));
    in.ar.addr = ports::value(t.m_axi_araddr_o);
    in.ar.len = static_cast<uint8_t>(ports::value(t.m_axi_arlen_o));
    in.ar.size = static_cast<uint8_t>(ports::value(t.m_axi_arsize_o));
    in.ar.burst = static_cast<uint8_t>(ports::value(t.m_axi_arburst_o));
  }
  if (in.w_valid) {
    uint32_t w[AXI_WORDS];
    ports::words(w, t.m_axi_wdata_o, AXI_WORDS);
    std::memcpy(in.w_data, w, AXI_BYTES);
    ports::words(in.w_strb, t.m_axi_wstrb_o, (AXI_BYTES + 31) / 32);
    in.w_last = ports::value(t.m_axi_wlast_o);
  }
}

// Several ports: a signal of the top is an array, of each port `width` bits, the first one lowest.
constexpr unsigned words_of(unsigned bits) { return (bits + 31) / 32; }

// `n` bits from bit `at` on.
inline uint64_t get_bits(const uint32_t *w, unsigned at, unsigned n)
{
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i += 32 - (at + i) % 32)
    v |= static_cast<uint64_t>(w[(at + i) / 32] >> (at + i) % 32) << i;
  return n < 64 ? v & ((uint64_t{1} << n) - 1) : v;
}
// ... of zeros.
inline void put_bits(uint32_t *w, unsigned at, unsigned n, uint64_t v)
{
  for (unsigned i = 0; i < n; i += 32 - (at + i) % 32)
    w[(at + i) / 32] |= static_cast<uint32_t>(v >> i << (at + i) % 32);
}

template <class Port, class Of> inline void drive_all(Port &p, unsigned width, Of of)
{
  uint32_t w[words_of(64 * PORTS)] = {};
  for (unsigned i = 0; i < PORTS; i++) put_bits(w, i * width, width, static_cast<uint64_t>(of(i)));
  ports::drive_words(p, w, words_of(width * PORTS));
}
template <class Port, class Put> inline void sample_all(const Port &p, unsigned width, Put put)
{
  uint32_t w[words_of(64 * PORTS)];
  ports::words(w, p, words_of(width * PORTS));
  for (unsigned i = 0; i < PORTS; i++) put(i, get_bits(w, i * width, width));
}

template <class Top> inline void drive(Top &t, const heddle_axi_mem_out *o)
{
  if constexpr (PORTS == 1) return drive_one(t, *o);
  drive_all(t.m_axi_awready_i, 1, [o](unsigned i) { return o[i].aw_ready; });
  drive_all(t.m_axi_wready_i, 1, [o](unsigned i) { return o[i].w_ready; });
  drive_all(t.m_axi_arready_i, 1, [o](unsigned i) { return o[i].ar_ready; });
  drive_all(t.m_axi_bvalid_i, 1, [o](unsigned i) { return o[i].b_valid; });
  drive_all(t.m_axi_bid_i, ID_BITS, [o](unsigned i) { return o[i].b_id; });
  drive_all(t.m_axi_bresp_i, 2, [o](unsigned i) { return o[i].b_resp; });
  drive_all(t.m_axi_rvalid_i, 1, [o](unsigned i) { return o[i].r_valid; });
  drive_all(t.m_axi_rid_i, ID_BITS, [o](unsigned i) { return o[i].r_id; });
  drive_all(t.m_axi_rresp_i, 2, [o](unsigned i) { return o[i].r_resp; });
  drive_all(t.m_axi_rlast_i, 1, [o](unsigned i) { return o[i].r_last; });
  uint32_t w[AXI_WORDS * PORTS];
  for (unsigned i = 0; i < PORTS; i++) std::memcpy(w + AXI_WORDS * i, o[i].r_data, AXI_BYTES);
  ports::drive_words(t.m_axi_rdata_i, w, AXI_WORDS * PORTS);
}

template <class Port> inline void sample_flag(const Port &p, heddle_axi_mem_in *in, bool heddle_axi_mem_in::*flag)
{
  sample_all(p, 1, [=](unsigned i, uint64_t v) { in[i].*flag = v != 0; });
}

template <class Top> inline void sample(const Top &t, heddle_axi_mem_in *in)
{
  if constexpr (PORTS == 1) return sample_one(t, *in);
  using In = heddle_axi_mem_in;
  sample_all(t.m_axi_awvalid_o, 1, [in](unsigned i, uint64_t v) { in[i].aw.valid = v != 0; });
  sample_all(t.m_axi_arvalid_o, 1, [in](unsigned i, uint64_t v) { in[i].ar.valid = v != 0; });
  sample_flag(t.m_axi_wvalid_o, in, &In::w_valid);
  sample_flag(t.m_axi_bready_o, in, &In::b_ready);
  sample_flag(t.m_axi_rready_o, in, &In::r_ready);
  bool aw = false, ar = false, w = false;
  for (unsigned i = 0; i < PORTS; i++) aw |= in[i].aw.valid, ar |= in[i].ar.valid, w |= in[i].w_valid;
  if (aw) {
    sample_all(t.m_axi_awid_o, ID_BITS, [in](unsigned i, uint64_t v) { in[i].aw.id = static_cast<uint32_t>(v); });
    sample_all(t.m_axi_awaddr_o, 40, [in](unsigned i, uint64_t v) { in[i].aw.addr = v; });
    sample_all(t.m_axi_awlen_o, 8, [in](unsigned i, uint64_t v) { in[i].aw.len = static_cast<uint8_t>(v); });
    sample_all(t.m_axi_awsize_o, 3, [in](unsigned i, uint64_t v) { in[i].aw.size = static_cast<uint8_t>(v); });
    sample_all(t.m_axi_awburst_o, 2, [in](unsigned i, uint64_t v) { in[i].aw.burst = static_cast<uint8_t>(v); });
  }
  if (ar) {
    sample_all(t.m_axi_arid_o, ID_BITS, [in](unsigned i, uint64_t v) { in[i].ar.id = static_cast<uint32_t>(v); });
    sample_all(t.m_axi_araddr_o, 40, [in](unsigned i, uint64_t v) { in[i].ar.addr = v; });
    sample_all(t.m_axi_arlen_o, 8, [in](unsigned i, uint64_t v) { in[i].ar.len = static_cast<uint8_t>(v); });
    sample_all(t.m_axi_arsize_o, 3, [in](unsigned i, uint64_t v) { in[i].ar.size = static_cast<uint8_t>(v); });
    sample_all(t.m_axi_arburst_o, 2, [in](unsigned i, uint64_t v) { in[i].ar.burst = static_cast<uint8_t>(v); });
  }
  if (w) {
    uint32_t data[AXI_WORDS * PORTS];
    ports::words(data, t.m_axi_wdata_o, AXI_WORDS * PORTS);
    for (unsigned i = 0; i < PORTS; i++) std::memcpy(in[i].w_data, data + AXI_WORDS * i, AXI_BYTES);
    sample_all(t.m_axi_wstrb_o, AXI_BYTES, [in](unsigned i, uint64_t v) { std::memcpy(in[i].w_strb, &v, sizeof v); });
    sample_flag(t.m_axi_wlast_o, in, &In::w_last);
  }
}

// The host makes no request. Inputs start at random like everything else, so this comes before the first clock.
template <class Top> inline void host_idle(Top &t)
{
  ports::drive(t.s_axil_awvalid_i, 0);
  ports::drive(t.s_axil_wvalid_i, 0);
  ports::drive(t.s_axil_bready_i, 0);
  ports::drive(t.s_axil_arvalid_i, 0);
  ports::drive(t.s_axil_rready_i, 0);
}

// How the host goes about an access: at once, or (a seed that is not 0) a channel later than another, and slow to take the
// answer. A payload has any value while its valid is low.
struct Manner {
  uint64_t rng = 0;
  uint32_t next()
  {
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return static_cast<uint32_t>(rng >> 32);
  }
  // Cycles to wait: none most often.
  unsigned wait() { return rng == 0 || next() % 2 == 0 ? 0 : next() % 5; }
  uint32_t any(uint32_t value) { return rng == 0 ? value : next(); }
};

// A write on its way: each channel from its cycle on. `drive` before an edge, `look` at it; `idle` when it is over.
template <class Top> struct Write {
  uint32_t addr, data;
  unsigned bytes, aw_from, w_from, b_from;
  bool aw = true, w = true, done = false, aw_now = false, w_now = false, b_now = false;
  heddle_dut_answer answer = HEDDLE_DUT_SILENT;

  Write(uint32_t a, uint32_t d, unsigned which, Manner &m)
      : addr(a), data(d), bytes(which), aw_from(m.wait()), w_from(m.wait()), b_from(m.wait())
  {
  }
  void drive(Top &t, unsigned i, Manner &m)
  {
    aw_now = aw && i >= aw_from, w_now = w && i >= w_from, b_now = i >= b_from;
    ports::drive(t.s_axil_awaddr_i, aw_now ? addr : m.any(addr) % 0x1000);
    ports::drive(t.s_axil_wdata_i, w_now ? data : m.any(data));
    ports::drive(t.s_axil_wstrb_i, w_now ? bytes : m.any(bytes) % 16);
    ports::drive(t.s_axil_awvalid_i, aw_now);
    ports::drive(t.s_axil_wvalid_i, w_now);
    ports::drive(t.s_axil_bready_i, b_now);
  }
  void look(const Top &t)
  {
    aw = aw && !(aw_now && ports::value(t.s_axil_awready_o));
    w = w && !(w_now && ports::value(t.s_axil_wready_o));
    done = b_now && ports::value(t.s_axil_bvalid_o);
    if (done) answer = ports::value(t.s_axil_bresp_o) == 0 ? HEDDLE_DUT_OKAY : HEDDLE_DUT_ERROR;
  }
  static void idle(Top &t)
  {
    ports::drive(t.s_axil_awvalid_i, 0);
    ports::drive(t.s_axil_wvalid_i, 0);
    ports::drive(t.s_axil_bready_i, 0);
  }
};

template <class Top> struct Read {
  uint32_t addr, data = 0;
  unsigned ar_from, r_from;
  bool ar = true, ok = false, done = false, ar_now = false, r_now = false;

  Read(uint32_t a, Manner &m) : addr(a), ar_from(m.wait()), r_from(m.wait()) {}
  void drive(Top &t, unsigned i, Manner &m)
  {
    ar_now = ar && i >= ar_from, r_now = i >= r_from;
    ports::drive(t.s_axil_araddr_i, ar_now ? addr : m.any(addr) % 0x1000);
    ports::drive(t.s_axil_arvalid_i, ar_now);
    ports::drive(t.s_axil_rready_i, r_now);
  }
  void look(const Top &t)
  {
    done = r_now && ports::value(t.s_axil_rvalid_o);
    if (done) data = static_cast<uint32_t>(ports::value(t.s_axil_rdata_o));
    if (done) ok = ports::value(t.s_axil_rresp_o) == 0;
    ar = ar && !(ar_now && ports::value(t.s_axil_arready_o));
  }
  static void idle(Top &t)
  {
    ports::drive(t.s_axil_arvalid_i, 0);
    ports::drive(t.s_axil_rready_i, 0);
  }
};

// AXI4-Lite accesses, to their end; `edge(d)` clocks the device once.
constexpr unsigned PATIENCE = 1000;

template <class Top, class Edge>
heddle_dut_answer host_write(Top &t, uint32_t addr, uint32_t data, unsigned bytes, Manner &manner, Edge edge)
{
  Write<Top> write(addr, data, bytes, manner);
  for (unsigned i = 0; i < PATIENCE && !write.done; i++) {
    write.drive(t, i, manner);
    edge([&] { write.look(t); });
  }
  write.idle(t);
  return write.answer;
}

// False: an error response, or no answer.
template <class Top, class Edge> bool host_read(Top &t, uint32_t addr, uint32_t *data, Manner &manner, Edge edge)
{
  Read<Top> read(addr, manner);
  for (unsigned i = 0; i < PATIENCE && !read.done; i++) {
    read.drive(t, i, manner);
    edge([&] { read.look(t); });
  }
  read.idle(t);
  if (read.done) *data = read.data;
  return read.ok;
}

// A write and a read side by side, neither of which waits for the other. *ok: as host_read.
template <class Top, class Edge>
heddle_dut_answer host_both(Top &t, const heddle_dut_both &b, uint32_t *data, bool *ok, Manner &manner, Edge edge)
{
  Write<Top> write(b.write_addr, b.write_data, b.bytes, manner);
  Read<Top> read(b.read_addr, manner);
  for (unsigned i = 0; i < PATIENCE && !(write.done && read.done); i++) {
    const bool writes = !write.done, reads = !read.done;
    if (writes) write.drive(t, i, manner);
    if (reads) read.drive(t, i, manner);
    edge([&] {
      if (writes) write.look(t);
      if (reads) read.look(t);
    });
    if (write.done) write.idle(t);
    if (read.done) read.idle(t);
  }
  write.idle(t);
  read.idle(t);
  if (read.done) *data = read.data;
  *ok = read.ok;
  return write.answer;
}

} // namespace bus

#endif
