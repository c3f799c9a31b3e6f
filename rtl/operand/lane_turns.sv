// SPDX-License-Identifier: Apache-2.0
// Where lanes come to the bus one by one (back_pkg::SERIAL): which lane of a row is read from the
// side memories now, which arrives, which stands on the bus, and what follows from a lane's number.
// Elsewhere rows come whole: all of it is zero.
// Latency: a row's first lane is read as the row is completed, the others a cycle each after it; a
// lane arrives one cycle after it is read, and is on the bus in the next.
// Handshake: none.
// It does not hold words. What is read of a row's first lane is read of the others.
`default_nettype none

module lane_turns #(
  localparam int unsigned LANE_W = back_pkg::STAY_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // of the row that is completed now
  input  logic                        complete_i,
  input  logic                        coll_i,
  input  core_pkg::uop_t              uop_i,
  input  logic                        lane_b_i,     // operand b follows from the number of the lane
  input  logic [2:0]                  reuse_en_i,
  input  logic [cfg_pkg::BEAT_W-1:0]  beat_i,
  // of the one before it, whose lanes pass
  input  back_pkg::dest_t             dest_i,
  // to the reuse cache: a lane that is read
  output logic [2:0]                  en_o,
  output logic [cfg_pkg::WARP_W-1:0]  slot_o,
  output logic [cfg_pkg::BEAT_W-1:0]  beat_o,
  output logic [LANE_W-1:0]           read_o,
  // to dispatch: the one that arrives, its value; to the reuse cache: the one on the bus
  output logic [LANE_W-1:0]           here_o,
  output logic [31:0]                 value_o,
  output logic [LANE_W-1:0]           bus_o
);

  if (back_pkg::SERIAL) begin : gen_turns
    logic [LANE_W-1:0] read_q, here_q, bus_q;
    logic [2:0]        en_q;
    logic              value_q, later;
    logic [3:0]        sreg, sreg_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)             read_q <= '0;
      else if (complete_i)     read_q <= coll_i ? '0 : LANE_W'(1);
      else if (read_q != '0)   read_q <= read_q + 1'b1;
      here_q <= rst_ni ? read_q : '0;
      bus_q  <= rst_ni ? here_q : '0;
    end
    always_ff @(posedge clk_i) begin
      if (complete_i) begin
        en_q    <= reuse_en_i;
        value_q <= lane_b_i;
        sreg_q  <= sreg;
      end
    end
    assign later = read_q != '0;   // not a row's first lane
    assign sreg  = 4'(isa_pkg::f_sreg(uop_i.word));

    lane_table u_values (
      .clk_i  (clk_i),
      .en_i   (later ? value_q : complete_i && lane_b_i),
      .sreg_i (later ? sreg_q : sreg),
      .lane_i (later ? 5'({dest_i.beat, read_q}) : 5'({beat_i, read_q})),
      .data_o (value_o)
    );

    assign en_o   = later ? en_q : reuse_en_i;
    assign read_o = read_q;
    assign here_o = here_q;
    assign bus_o  = bus_q;
  end else begin : gen_rows
    assign en_o    = '0;
    assign read_o  = '0;
    assign here_o  = '0;
    assign bus_o   = '0;
    assign value_o = '0;
    logic unused_rows;
    assign unused_rows = ^{clk_i, rst_ni, complete_i, coll_i, lane_b_i, reuse_en_i};
  end

  assign slot_o = core_pkg::local_slot((read_o != '0) ? dest_i.id.slot : uop_i.id.slot);
  assign beat_o = (read_o != '0) ? dest_i.beat[cfg_pkg::BEAT_W-1:0] : beat_i;

  logic unused;
  assign unused = ^{uop_i, dest_i};

endmodule

`default_nettype wire
