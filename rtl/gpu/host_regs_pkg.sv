// SPDX-License-Identifier: Apache-2.0
// The register map of the host port, as word numbers (byte offset / 4). The table is in rtl/gpu/README.md, the C side in
// firmware/include/heddle/regs.h; the module test of rtl/gpu reads every register through the C header.
`default_nettype none

package host_regs_pkg;

  localparam logic [31:0] ID      = 32'h4845_444c;   // "HEDL"
  localparam logic [31:0] VERSION = 32'h0001_0000;

  // Identity and capabilities.
  localparam logic [9:0] W_ID = 10'h000, W_VERSION = 10'h001, W_CAP_LANES = 10'h002, W_CAP_WARPS = 10'h003, W_CAP_REGS = 10'h004,
    W_CAP_SHARED = 10'h005, W_CAP_BLOCKS = 10'h006, W_CAP_AXI_BITS = 10'h007, W_CFG_HASH_LO = 10'h008, W_CFG_HASH_HI = 10'h009,
    W_ISA_HASH_LO = 10'h00a, W_ISA_HASH_HI = 10'h00b, W_LATENCY_HASH_LO = 10'h00c, W_LATENCY_HASH_HI = 10'h00d,
    W_CAP_UNITS = 10'h00e, W_CAP_COUNTERS = 10'h00f;

  // Control, status, counters.
  localparam logic [9:0] W_CONTROL = 10'h010, W_STATUS = 10'h011, W_CYCLES_LO = 10'h012, W_CYCLES_HI = 10'h013,
    W_COUNTER = 10'h020;   // 16 words

  // The trap that stopped the grid.
  localparam logic [9:0] W_TRAP_CAUSE = 10'h030, W_TRAP_CTAID_X = 10'h031, W_TRAP_CTAID_Y = 10'h032, W_TRAP_CTAID_Z = 10'h033,
    W_TRAP_WARP = 10'h034, W_TRAP_SLOT = 10'h035, W_TRAP_SEQ = 10'h036, W_TRAP_PC = 10'h037, W_TRAP_LANES = 10'h038,
    W_TRAP_ADDR_LO = 10'h039, W_TRAP_ADDR_HI = 10'h03a;

  // The launch.
  localparam logic [9:0] W_GRID_X = 10'h040, W_GRID_Y = 10'h041, W_GRID_Z = 10'h042, W_BLOCK_X = 10'h043, W_BLOCK_Y = 10'h044,
    W_BLOCK_Z = 10'h045, W_ENTRY_PC = 10'h046, W_REGS = 10'h047, W_SHARED_BYTES = 10'h048, W_CODE_BASE_LO = 10'h049,
    W_CODE_BASE_HI = 10'h04a, W_CODE_BYTES = 10'h04b, W_MODE = 10'h04c, W_REGION_WRITE = 10'h04d,
    W_CBANK = 10'h050,     // 4 x {base low, base high, bytes, -}
    W_REGION = 10'h080;    // 16 x {base low, base high, limit low, limit high}

endpackage

`default_nettype wire
