// SPDX-License-Identifier: Apache-2.0
// The row of which the reuse cache may keep words: on the bus, where the next instruction's same beat
// is read late enough for that (back_pkg::FILL_LATE), else on its way there.
// Latency: combinational from the row that is named.
// Handshake: event. It does not hold words, nor decide which are kept.
module reuse_row (
  input  logic                        clk_i,
  // a row on its way; the row on the bus
  input  bus_pkg::coming_t            coming_i,
  input  bus_pkg::row_t               op_row_i,
  // to the reuse cache
  output logic                        valid_o,
  output logic [cfg_pkg::WARP_W-1:0]  slot_o,
  output logic [cfg_pkg::BEAT_W-1:0]  beat_o,
  output logic [2:0]                  fill_o
);

  back_pkg::dest_t dest;

  if (back_pkg::FILL_LATE) begin : gen_late
    logic [2:0] fill_q;
    always_ff @(posedge clk_i) begin
      if (coming_i.last_read) fill_q <= coming_i.fill;
    end
    assign valid_o = op_row_i.valid;
    assign fill_o  = fill_q;
    assign dest    = op_row_i.dest;
  end else begin : gen_now
    assign valid_o = coming_i.last_read && coming_i.beat.into == '0;
    assign fill_o  = coming_i.fill;
    assign dest    = coming_i.beat.dest;
    logic unused_clk;
    assign unused_clk = clk_i;
  end

  assign slot_o = core_pkg::local_slot(dest.id.slot);
  assign beat_o = dest.beat[cfg_pkg::BEAT_W-1:0];

  logic unused;
  assign unused = ^{coming_i, op_row_i, dest};

endmodule
