// SPDX-License-Identifier: Apache-2.0
// Where a line lies in memory: one of global memory at its own number, one of local memory in the
// slice of its warp slot, which holds a line (a word of 32 lanes) for each word of a thread; slices of
// an SM lie behind those of the SMs before it. Where each slice begins is kept in a small memory.
// Latency: none. The memory is written a slot a cycle from launch_i on (and after reset), as many
// cycles as there are slots of this SM and those before it, which it counts past.
// Handshake: launch_i is an event, base and size stand from it on; with ready_o low a line of local
// memory has no place yet.
// It does not check addresses: the load/store unit has.
module local_place #(
  localparam int unsigned LINE_W = line_pkg::LINE_W,
  localparam int unsigned KEY_W  = mem_pkg::KEY_W,
  localparam int unsigned WARP_W = cfg_pkg::SM_WARP_W
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [7:0]         sm_i,            // number of the SM: constant
  // from the host
  input  logic               launch_i,
  input  logic [LINE_W-1:0]  local_base_i,    // first line of local memory
  input  logic [19:0]        local_bytes_i,   // of a thread: four of them are a line of its slice
  // from line_request
  input  logic [WARP_W-1:0]  warp_i,
  input  logic [KEY_W-1:0]   key_i,
  output logic               ready_o,
  output logic [LINE_W-1:0]  line_o
);

  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS;
  localparam int unsigned WORD_W = mem_pkg::LOCAL_W - 2;

  localparam int unsigned FILL_W = WARP_W + 1 + ((line_pkg::SMS > 1) ? line_pkg::SM_W : 0);

  logic               is_local, filled;
  logic [FILL_W-1:0]  fill_q, ahead;   // slots that have their slice, of this SM and those before it; those
  logic [LINE_W-1:0]  last_q, next;    // where the slice before begins, and the next one
  logic [LINE_W-1:0]  begins;

  assign is_local = key_i[KEY_W-1];
  assign ahead    = (line_pkg::SMS > 1) ? FILL_W'(32'(sm_i) * WARPS) : '0;
  assign filled   = fill_q == ahead + FILL_W'(WARPS);
  assign next     = last_q + ((fill_q == '0) ? local_base_i : LINE_W'(local_bytes_i[19:2]));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || launch_i) begin
      fill_q <= '0;
      last_q <= '0;
    end else if (!filled) begin
      fill_q <= fill_q + FILL_W'(1);
      last_q <= next;
    end
  end

  ram_async #(.WIDTH(LINE_W), .DEPTH(WARPS)) u_slices (
    .clk_i     (clk_i),
    .wr_en_i   (!filled && !(line_pkg::SMS > 1 && fill_q < ahead)),
    .wr_addr_i (WARP_W'(fill_q - ahead)),
    .wr_data_i (next),
    .rd_addr_i (warp_i),
    .rd_data_o (begins)
  );

  assign ready_o = filled || !is_local;
  // Of a key of local memory the word alone counts: the warp slot above it is in the slice.
  assign line_o  = is_local ? begins + LINE_W'(key_i[WORD_W-1:0]) : key_i[LINE_W-1:0];

  logic unused;
  assign unused = ^{local_bytes_i[1:0], sm_i};

endmodule
