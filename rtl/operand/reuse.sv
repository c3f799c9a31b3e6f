// SPDX-License-Identifier: Apache-2.0
// Reuse cache: for each warp and each operand place a, b, c one register row set, kept at the request of an instruction.
// Latency: looked up when an instruction issues, hit_o combinational; fill_o holds while it is read. Data one cycle after rd_en_i,
// else zero.
// No handshake. The next instruction of the warp finds the entry, but for one case: with one beat an instruction, an
// instruction that is read right after the one that fills the entry reads the bank.
// Any write to the register by the warp drops the entry, so it never changes a result. (A late result's comes a cycle after: its
// instruction has not ended before, so none that issues until then reads it.)
// It does not cache pairs, immediates, constants or RZ, and an instruction that hits does not fill again.
`include "heddle_idle.svh"

module reuse #(
  localparam int unsigned PLACES = 3
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  // from the dispatcher of blocks: a warp begins in this slot
  input  logic                                                start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          start_slot_i,
  // from issue: an instruction that issues; whether one does comes late, and ready_i, that one may, before it
  input  logic                                                ready_i,
  input  logic                                                arrive_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          arrive_slot_i,
  input  isa_pkg::dec_t                                       arrive_dec_i,
  output logic [PLACES-1:0]                                   hit_o,    // places that are read here, not from a bank
  // of the instruction that is read: which places are filled
  input  logic                                                read_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          rd_slot_i,
  output logic [PLACES-1:0]                                   fill_o,
  // reads for the beat that leaves next
  input  logic [PLACES-1:0]                                   rd_en_i,
  input  logic [cfg_pkg::BEAT_W-1:0]                          rd_beat_i,
  output logic [PLACES-1:0][cfg_pkg::LANES-1:0][31:0]         rd_data_o,
  // from dispatch: a beat is on its way to the bus, with what is kept of it
  input  back_pkg::kept_t                                     ds_kept_i,
  // from the write ports
  input  bus_pkg::drop_t                                      wb_drop_i
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned BEATS  = cfg_pkg::BEATS;
  localparam int unsigned DEPTH  = WARPS * BEATS;
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  function automatic logic [ADDR_W-1:0] row_of(logic [cfg_pkg::WARP_W-1:0] slot, logic [cfg_pkg::BEAT_W-1:0] beat);
    row_of = ADDR_W'(32'(slot) * BEATS + ((BEATS > 1) ? 32'(beat) : 32'd0));
  endfunction

  logic [WARPS-1:0][PLACES-1:0]      valid_q, kill;
  logic [PLACES-1:0][7:0]            regs, kept;
  logic [PLACES-1:0]                 can, hit, fill, fill_q, late;

  // ---- what the instruction that issues wants ---------------------------------------------------------------------
  // One register, not RZ: what can be kept.
  function automatic logic single(logic is_reg, logic [7:0] number, logic [1:0] words);
    single = is_reg && number != isa_pkg::RZ && words == 2'd0;
  endfunction

  assign regs = {arrive_dec_i.c_reg, arrive_dec_i.b_reg, arrive_dec_i.a_reg};
  assign can  = kind_pkg::collected(arrive_dec_i.unit) ? '0 :
                {single(arrive_dec_i.c_kind == isa_pkg::SRC_REG, arrive_dec_i.c_reg, arrive_dec_i.c_n),
                 single(arrive_dec_i.b_kind == isa_pkg::SRC_REG, arrive_dec_i.b_reg, 2'd0),
                 single(arrive_dec_i.a_kind == isa_pkg::SRC_REG, arrive_dec_i.a_reg, arrive_dec_i.a_n)};

  // Which register an entry holds: in LUT memory, once for the instruction that issues and once for each write.
  logic [back_pkg::DROPS-1:0][PLACES-1:0][7:0] held;
  logic [back_pkg::DROPS-1:0][PLACES-1:0]      same;   // it is the register that is written

  for (genvar p = 0; p < PLACES; p++) begin : gen_reg
    ram_async #(.WIDTH(8), .DEPTH(WARPS)) u_kept (
      .clk_i     (clk_i),
      .wr_en_i   (arrive_i && fill[p]),
      .wr_addr_i (arrive_slot_i),
      .wr_data_i (regs[p]),
      .rd_addr_i (arrive_slot_i),
      .rd_data_o (kept[p])
    );
    for (genvar d = 0; d < back_pkg::DROPS; d++) begin : gen_drop
      ram_async #(.WIDTH(8), .DEPTH(WARPS)) u_held (
        .clk_i     (clk_i),
        .wr_en_i   (arrive_i && fill[p]),
        .wr_addr_i (arrive_slot_i),
        .wr_data_i (regs[p]),
        .rd_addr_i (wb_drop_i.slot[d]),
        .rd_data_o (held[d][p])
      );
    end
  end

  always_comb begin
    same = '0;
    for (int unsigned d = 0; d < back_pkg::DROPS; d++) begin
      `HEDDLE_ONLY(wb_drop_i.valid[d]) begin
        for (int unsigned p = 0; p < PLACES; p++) begin
          same[d][p] = held[d][p][7:1] == wb_drop_i.rd[d][7:1] && (wb_drop_i.pair[d] || held[d][p][0] == wb_drop_i.rd[d][0]);
        end
      end
    end
  end

  // Entries of a register that is written (in this cycle; a late result a cycle ago), and all of a slot that starts anew.
  always_comb begin
    kill = '0;
    for (int unsigned d = 0; d < back_pkg::DROPS; d++) begin
      if (wb_drop_i.valid[d]) begin
        for (int unsigned p = 0; p < PLACES; p++) begin
          if (same[d][p]) kill[wb_drop_i.slot[d]][p] = 1'b1;
        end
      end
    end
    if (start_valid_i) kill[start_slot_i] = '1;
  end

  // With one beat the row of the instruction that is read now is not yet there for the next one.
  assign late = (BEATS == 1 && read_i && rd_slot_i == arrive_slot_i) ? fill_q : '0;

  always_comb begin
    hit = '0;
    `HEDDLE_ONLY(arrive_i) begin
      for (int unsigned p = 0; p < PLACES; p++) begin
        hit[p] = can[p] && valid_q[arrive_slot_i][p] && !kill[arrive_slot_i][p] && !late[p]
                 && kept[p] == regs[p];
      end
    end
  end
  assign fill = can & arrive_dec_i.reuse[2:0] & ~hit;

  // Where none arrives, what it would have found is not read.
  always_ff @(posedge clk_i) begin
    if (ready_i) fill_q <= fill;
  end

  assign hit_o  = hit;
  assign fill_o = fill_q;

  // ---- entries ----------------------------------------------------------------------------------------------------
  // Rows of a beat are written before the next instruction reads them: instructions are read in order.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else if (`HEDDLE_LIVE(kill != '0 || arrive_i)) begin   // nothing changes otherwise
      for (int unsigned w = 0; w < WARPS; w++) begin
        for (int unsigned p = 0; p < PLACES; p++) begin
          if (kill[w][p]) valid_q[w][p] <= 1'b0;
        end
      end
      for (int unsigned p = 0; p < PLACES; p++) begin
        if (arrive_i && fill[p]) valid_q[arrive_slot_i][p] <= 1'b1;
      end
    end
  end

  for (genvar p = 0; p < PLACES; p++) begin : gen_place
    ram_1r1w #(
      .WIDTH (cfg_pkg::LANES * 32),
      .DEPTH (DEPTH),
      .ZERO  (1'b1),
      .RACE  (1'b1)   // an entry is read only once it has been filled
    ) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (ds_kept_i.valid && ds_kept_i.fill[p]),
      .wr_addr_i (row_of(ds_kept_i.slot, ds_kept_i.beat)),
      .wr_data_i (ds_kept_i.word[p]),
      .rd_en_i   (rd_en_i[p]),
      .rd_addr_i (row_of(rd_slot_i, rd_beat_i)),
      .rd_data_o (rd_data_o[p])
    );
  end

  logic unused;
  assign unused = ^arrive_dec_i;

endmodule
