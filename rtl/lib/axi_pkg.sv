// SPDX-License-Identifier: Apache-2.0
// The two buses of the machine as structs, with AXI's own names: the host's registers (AXI4-Lite), memory (AXI4).
// Latency, handshake: none, this is a package. A `req` is what the master drives, a `rsp` what it is answered.
// Of each channel of AXI4 its payload alone, in the order in which the structs of the bus have it.
package axi_pkg;

  typedef struct packed {
    logic                            awvalid;
    logic [11:0]                     awaddr;
    logic                            wvalid;
    logic [31:0]                     wdata;
    logic [3:0]                      wstrb;
    logic                            bready;
    logic                            arvalid;
    logic [11:0]                     araddr;
    logic                            rready;
  } axil_req_t;

  typedef struct packed {
    logic                            awready;
    logic                            wready;
    logic                            bvalid;
    logic [1:0]                      bresp;
    logic                            arready;
    logic                            rvalid;
    logic [31:0]                     rdata;
    logic [1:0]                      rresp;
  } axil_rsp_t;

  typedef struct packed {
    logic                            awvalid;
    logic [l2_pkg::AXI_ID_W-1:0]     awid;
    logic [39:0]                     awaddr;
    logic [7:0]                      awlen;
    logic [2:0]                      awsize;
    logic [1:0]                      awburst;
    logic                            wvalid;
    logic [cfg_pkg::AXI_BITS-1:0]    wdata;
    logic [cfg_pkg::AXI_BITS/8-1:0]  wstrb;
    logic                            wlast;
    logic                            bready;
    logic                            arvalid;
    logic [l2_pkg::AXI_ID_W-1:0]     arid;
    logic [39:0]                     araddr;
    logic [7:0]                      arlen;
    logic [2:0]                      arsize;
    logic [1:0]                      arburst;
    logic                            rready;
  } axi_req_t;

  typedef struct packed {
    logic                            awready;
    logic                            wready;
    logic                            bvalid;
    logic [l2_pkg::AXI_ID_W-1:0]     bid;
    logic [1:0]                      bresp;
    logic                            arready;
    logic                            rvalid;
    logic [l2_pkg::AXI_ID_W-1:0]     rid;
    logic [cfg_pkg::AXI_BITS-1:0]    rdata;
    logic [1:0]                      rresp;
    logic                            rlast;
  } axi_rsp_t;

  // Payloads, channel by channel: of AW and AR, of W, of B, of R.
  typedef struct packed {
    logic [l2_pkg::AXI_ID_W-1:0]     id;
    logic [39:0]                     addr;
    logic [7:0]                      len;
    logic [2:0]                      size;
    logic [1:0]                      burst;
  } burst_t;

  typedef struct packed {
    logic [cfg_pkg::AXI_BITS-1:0]    data;
    logic [cfg_pkg::AXI_BITS/8-1:0]  strb;
    logic                            last;
  } beat_t;

  typedef struct packed {
    logic [l2_pkg::AXI_ID_W-1:0]     id;
    logic [1:0]                      resp;
  } written_t;

  typedef struct packed {
    logic [l2_pkg::AXI_ID_W-1:0]     id;
    logic [cfg_pkg::AXI_BITS-1:0]    data;
    logic [1:0]                      resp;
    logic                            last;
  } read_t;

  // Bursts of the machine ascend, a beat of the bus each.
  function automatic burst_t burst_of(logic [l2_pkg::AXI_ID_W-1:0] id, logic [39:0] addr, logic [7:0] len);
    burst_of = '{id: id, addr: addr, len: len, size: 3'($clog2(cfg_pkg::AXI_BITS / 8)), burst: 2'b01};
  endfunction

endpackage
