// SPDX-License-Identifier: Apache-2.0
// Constant operand prefetch: looks up the constant operand of buffered instructions, oldest first, before they may issue.
// Latency: an entry pushed in cycle t asks the constant cache in t+2; a word that arrives in t makes the entry ready in t+1.
// Handshake: if_cst valid/ready, held until taken; responses are events, in any order, each with the tag of its request: the
// first of two words, warp, place in its buffer. At most one request a warp is under way;
// a flush marks it, and its response is dropped. The two words of a 64-bit constant are asked for one after the other.
// Of the oldest entry of a warp that is to ask the host for pages (if_wants_i) a fault comes to the host's list.
// It does not serve LDC, which goes through the load/store unit.
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module const_fetch (
  input  logic                                              clk_i,
  input  logic                                              rst_ni,
  // from the instruction buffer
  input  issue_pkg::want_t                                  ib_cst_i,
  input  logic [cfg_pkg::IBUF-1:0][cfg_pkg::WARPS-1:0]      ib_at_i,
  input  logic [cfg_pkg::WARPS-1:0]                         if_flush_i,
  input  logic [cfg_pkg::WARPS-1:0]                         if_wants_i,     // where there is an MMU
  // to and from the constant cache
  output logic                                              if_cst_valid_o,
  input  logic                                              if_cst_ready_i,
  output sm_pkg::const_at_t                                 if_cst_o,
  output logic [core_pkg::CST_TAG_W-1:0]                    if_cst_tag_o,
  input  logic                                              cc_cst_valid_i,
  input  sm_pkg::const_word_t                               cc_cst_i,
  input  logic [core_pkg::CST_TAG_W-1:0]                    cc_cst_tag_i,
  // to issue
  output logic [cfg_pkg::WARPS-1:0]                         cf_ready_o,     // the head has its constant, or needs none
  input  logic [cfg_pkg::WARP_W-1:0]                        is_s1_slot_i,
  input  logic [issue_pkg::IDX_W-1:0]                       ib_s1_index_i,
  output logic [1:0][31:0]                                  cf_data_o,      // second word: of a 64-bit constant
  output front_pkg::const_t                                 cf_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned IBUF   = cfg_pkg::IBUF;
  localparam int unsigned IDX_W  = issue_pkg::IDX_W;
  localparam int unsigned DEPTH  = WARPS << IDX_W;

  // Of each place: constant to be asked for; entry may issue.
  logic [WARPS-1:0]            need_q [IBUF], need_d [IBUF], ready_q [IBUF], ready_d [IBUF];
  logic [WARPS-1:0]            any_need, busy_q, drop_q, req, grant, push, done;
  logic [WARPS-1:0]            second_q;          // the first of the two words that it wants has come
  logic                        can_send, take, req_valid_q, sel_pair, sel_first, sel_lists;
  logic [WARP_W-1:0]           sel_slot;
  logic [IDX_W-1:0]            sel_index;
  logic [4:0]                  sel_bank, req_bank_q;
  logic [15:0]                 sel_off, req_off_q;
  logic [core_pkg::CST_TAG_W-1:0] req_tag_q;

  // ---- the warp that asks next: of the warp's entries that need a constant the oldest ------------------------------------------------
  logic [WARPS-1:0] oldest [IBUF];   // of each place the warps that have their oldest there

  always_comb begin
    any_need = '0;
    for (int unsigned i = 0; i < IBUF; i++) any_need = any_need | need_q[i];
  end

  // It counts for a warp that asks. Found for each of them: the grant comes late, and only chooses.
  always_comb begin
    oldest    = '{default: 'x};
    sel_index = 'x;
    if (`HEDDLE_LIVE(req != '0)) begin
      sel_index = '0;
      for (int unsigned i = 0; i < IBUF; i++) begin
        oldest[i] = ib_at_i[(i + 1) % IBUF];
        for (int unsigned n = 2; n <= IBUF; n++) begin   // from the head on, none but this one
          oldest[i] = (oldest[i] & ~need_q[(i + n - 1) % IBUF]) | ib_at_i[(i + n) % IBUF];
        end
        oldest[i] = oldest[i] & need_q[i];
        if ((grant & oldest[i]) != '0) sel_index |= IDX_W'(i);
      end
    end
  end

  assign req = any_need & ~busy_q & ~if_flush_i;

  assign can_send = !req_valid_q || if_cst_ready_i;
  assign take     = can_send && req != '0;

  arb_rr #(.N(WARPS)) u_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (req),
    .grant_o (grant),
    .take_i  (can_send)
  );
  onehot_index #(.N(WARPS)) u_slot (
    .onehot_i (grant),
    .index_o  (sel_slot)
  );
  ram_async #(.WIDTH(22), .DEPTH(DEPTH)) u_where (
    .clk_i     (clk_i),
    .wr_en_i   (ib_cst_i.valid),
    .wr_addr_i ({ib_cst_i.slot, ib_cst_i.index}),
    .wr_data_i ({ib_cst_i.wide, ib_cst_i.bank, ib_cst_i.off}),
    .rd_addr_i ({sel_slot, sel_index}),
    .rd_data_o ({sel_pair, sel_bank, sel_off})
  );

  assign sel_first = sel_pair && !second_q[sel_slot];
  assign sel_lists = (grant & if_wants_i & ib_at_i[sel_index]) != '0;   // counts where tags have a bit for it

  always_ff @(posedge clk_i) begin
    if (!rst_ni) req_valid_q <= 1'b0;
    else if (can_send) req_valid_q <= take;
  end
  always_ff @(posedge clk_i) begin
    if (can_send) begin
      req_bank_q <= sel_bank;
      req_off_q  <= sel_off | (second_q[sel_slot] ? 16'd4 : 16'd0);   // a pair starts at a multiple of 8
      req_tag_q  <= core_pkg::CST_TAG_W'({sel_lists, sel_first, sel_slot, sel_index});
    end
  end

  assign if_cst_valid_o = req_valid_q;
  assign if_cst_o       = '{bank: req_bank_q, off: req_off_q};
  assign if_cst_tag_o   = req_tag_q;

  // ---- the warp that asked: never more than one a warp ------------------------------------------------------------------------------
  logic              ask_first, keep, keep_last;
  logic [WARP_W-1:0] ask_slot;
  logic [IDX_W-1:0]  ask_index;

  assign {ask_first, ask_slot, ask_index} = cc_cst_tag_i[core_pkg::CST_TAG_W-core_pkg::WANT_W-1:0];
  logic unused;
  assign unused = ^cc_cst_tag_i;

  assign keep = cc_cst_valid_i && !drop_q[ask_slot] && !if_flush_i[ask_slot];

  assign keep_last = keep && !ask_first;   // with it the entry has all that it wants

  logic           second, range_lo, range_hi;
  core_pkg::err_t err_lo, err_hi;

  assign second = second_q[ask_slot];

  ram_async #(.WIDTH(33 + core_pkg::ERR_W), .DEPTH(DEPTH)) u_words (
    .clk_i     (clk_i),
    .wr_en_i   (keep && !second),
    .wr_addr_i ({ask_slot, ask_index}),
    .wr_data_i ({cc_cst_i.range, cc_cst_i.err, cc_cst_i.data}),
    .rd_addr_i ({is_s1_slot_i, ib_s1_index_i}),
    .rd_data_o ({range_lo, err_lo, cf_data_o[0]})
  );

  // The second word: zero for a constant of one.
  ram_async #(.WIDTH(33 + core_pkg::ERR_W), .DEPTH(DEPTH)) u_words_hi (
    .clk_i     (clk_i),
    .wr_en_i   (keep_last),
    .wr_addr_i ({ask_slot, ask_index}),
    .wr_data_i (second ? {cc_cst_i.range, cc_cst_i.err, cc_cst_i.data} : '0),
    .rd_addr_i ({is_s1_slot_i, ib_s1_index_i}),
    .rd_data_o ({range_hi, err_hi, cf_data_o[1]})
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) second_q <= '0;
    else         second_q <= (second_q | ((keep && ask_first) ? done : '0)) & ~(keep_last ? done : '0) & ~if_flush_i;
  end

  assign cf_o = '{range: range_lo || range_hi, err: err_lo | err_hi};

  // ---- flags ----------------------------------------------------------------------------------------------------------------
  assign push = WARPS'(ib_cst_i.valid) << ib_cst_i.slot;
  assign done = WARPS'(cc_cst_valid_i) << ask_slot;

  always_comb begin
    cf_ready_o = '0;
    for (int unsigned i = 0; i < IBUF; i++) cf_ready_o = cf_ready_o | (ready_q[i] & ib_at_i[i]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= '0;
      drop_q <= '0;
    end else begin
      busy_q <= (busy_q & ~done) | (take ? grant : '0);
      drop_q <= (drop_q | (if_flush_i & busy_q)) & ~done;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      need_q <= '{default: '0};
    end else if (`HEDDLE_LIVE(take || ib_cst_i.valid || keep || if_flush_i != '0)) begin
      `LANE_LOOP (int i = 0; i < IBUF; i++) begin
        need_d[i] = ((need_q[i] & ~(take ? grant & oldest[i] : '0)
          & ~((ib_cst_i.index == IDX_W'(i)) ? push : '0))
          | ((ib_cst_i.index == IDX_W'(i) && ib_cst_i.need) ? push : '0)
          | ((keep && ask_first && ask_index == IDX_W'(i)) ? done : '0)) & ~if_flush_i;
      end
      need_q <= need_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (`HEDDLE_LIVE(ib_cst_i.valid || keep_last)) begin
      `LANE_LOOP (int i = 0; i < IBUF; i++) begin
        ready_d[i] = (ready_q[i] & ~((ib_cst_i.index == IDX_W'(i)) ? push : '0))
          | ((ib_cst_i.index == IDX_W'(i) && !ib_cst_i.need) ? push : '0)
          | ((keep_last && ask_index == IDX_W'(i)) ? done : '0);
      end
      ready_q <= ready_d;
    end
  end

  // A response belongs to a request.
  `ASSERT(a_asked, !cc_cst_valid_i || (busy_q & done) != '0)

endmodule
