// SPDX-License-Identifier: Apache-2.0
// Crossbar between the request channels of the SMs and the banks of memory: a queue for each bank in each SM, a turn for each SM at
// each bank. The lowest bits of a line choose its bank. Requests of an SM to one bank keep their order.
// Latency: three cycles from an SM to a bank, none back. A bank takes a beat or a request a cycle, an SM sends one a cycle.
// Handshake: the request channel's rules on both sides, with two exceptions. A bank's ld_ has a ready, 0 only with several banks; its
// tags name the SM (line_pkg::bank_tag). An end is offered after the beats of its request have been taken.
// The mmu, where there is one, is one more SM, with few beats in its requests.
// With one SM and one bank it is wires.
module crossbar #(
  localparam int unsigned SMS   = line_pkg::SENDERS,
  localparam int unsigned BANKS = line_pkg::MEM_BANKS
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from and to the SMs, one of each
  input  line_pkg::sent_t [SMS-1:0]       ch_i,
  output line_pkg::got_t [SMS-1:0]        ch_o,
  // to and from the banks, one of each
  output line_pkg::sent_t [BANKS-1:0]     bk_o,
  output logic [BANKS-1:0]                bk_ld_ready_o,
  input  line_pkg::bank_got_t [BANKS-1:0] bk_i
);

  if (SMS == 1 && BANKS == 1) begin : gen_wires
    logic unused;
    assign bk_o          = ch_i;
    assign bk_ld_ready_o = 1'b1;
    assign ch_o          = bk_i;
    assign unused        = &{1'b0, clk_i, rst_ni};
  end else begin : gen_cross
    // There: requests by bank, offers to take, requests that go; the piece sent in the cycle before.
    logic [BANKS-1:0][SMS-1:0]  ask, atom, offer, go, more, to;
    logic [SMS-1:0]             q_lw_valid, q_lq_valid;
    line_pkg::request_t [SMS-1:0] q_lq;
    line_pkg::write_t [SMS-1:0] q_lw;
    // Back: SM of each bank's beat and answer.
    logic [BANKS-1:0][SMS-1:0]  ld_for, la_for, ld_take, la_take;
    line_pkg::bank_read_t [BANKS-1:0]   bk_ld;
    line_pkg::bank_answer_t [BANKS-1:0] bk_la;

    // A tag has the number of its SM above the SM's own tag.
    always_comb begin
      ld_for = '0;
      la_for = '0;
      for (int unsigned b = 0; b < BANKS; b++) begin
        ld_for[b][line_pkg::sm_of(bk_i[b].ld.tag)] = bk_i[b].ld_valid;
        la_for[b][line_pkg::sm_of(bk_i[b].la.tag)] = bk_i[b].la_valid;
        bk_ld[b]         = bk_i[b].ld;
        bk_la[b]         = bk_i[b].la;
        bk_ld_ready_o[b] = ld_take[b] != '0;
      end
    end

    for (genvar s = 0; s < SMS; s++) begin : gen_sm
      logic [BANKS-1:0] s_ask, s_atom, s_offer, s_go, s_more, s_to, ld_here, ld_ready, la_here, la_ready;

      for (genvar b = 0; b < BANKS; b++) begin : gen_bank
        assign ask[b][s]    = s_ask[b];
        assign atom[b][s]   = s_atom[b];
        assign go[b][s]     = s_go[b];
        assign more[b][s]   = s_more[b];
        assign to[b][s]     = s_to[b];
        assign s_offer[b]   = offer[b][s];
        assign ld_here[b]   = ld_for[b][s];
        assign la_here[b]   = la_for[b][s];
        assign ld_take[b][s] = ld_ready[b] && ld_for[b][s];
        assign la_take[b][s] = la_ready[b] && la_for[b][s];
      end

      cross_queue #(.MOST((s < line_pkg::SMS) ? line_pkg::MOST_BEATS : 8)) u_queue (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .lw_valid_i (ch_i[s].lw_valid),
        .lw_i       (ch_i[s].lw),
        .lq_valid_i (ch_i[s].lq_valid),
        .lq_i       (ch_i[s].lq),
        .lc_valid_o (ch_o[s].lc_valid),
        .lc_atom_o  (ch_o[s].lc_atom),
        .ask_o      (s_ask),
        .atom_o     (s_atom),
        .offer_i    (s_offer),
        .go_o       (s_go),
        .more_o     (s_more),
        .to_o       (s_to),
        .lw_valid_o (q_lw_valid[s]),
        .lw_o       (q_lw[s]),
        .lq_valid_o (q_lq_valid[s]),
        .lq_o       (q_lq[s])
      );
      cross_back #(.N(BANKS)) u_back (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .ld_valid_i (ld_here),
        .ld_ready_o (ld_ready),
        .ld_i       (bk_ld),
        .la_valid_i (la_here),
        .la_ready_o (la_ready),
        .la_i       (bk_la),
        .ld_valid_o (ch_o[s].ld_valid),
        .ld_o       (ch_o[s].ld),
        .la_valid_o (ch_o[s].la_valid),
        .la_ready_i (ch_i[s].la_ready),
        .la_o       (ch_o[s].la)
      );
    end

    for (genvar b = 0; b < BANKS; b++) begin : gen_bank
      assign bk_o[b].la_ready = la_take[b] != '0;

      cross_turn #(.N(SMS)) u_turn (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .ask_i      (ask[b]),
        .atom_i     (atom[b]),
        .offer_o    (offer[b]),
        .go_i       (go[b]),
        .more_i     (more[b]),
        .to_i       (to[b]),
        .lq_valid_i (q_lq_valid),
        .lq_i       (q_lq),
        .lw_valid_i (q_lw_valid),
        .lw_i       (q_lw),
        .lw_valid_o (bk_o[b].lw_valid),
        .lw_o       (bk_o[b].lw),
        .lq_valid_o (bk_o[b].lq_valid),
        .lq_o       (bk_o[b].lq),
        .lc_valid_i (bk_i[b].lc_valid),
        .lc_atom_i  (bk_i[b].lc_atom)
      );
    end
  end

endmodule
