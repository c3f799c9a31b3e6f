// SPDX-License-Identifier: Apache-2.0
// The crossbar in plain ports: of requests, beats and answers the fields that distinguish them.
// Latency, handshake: those of the crossbar.
// Element i of a port is at bit i * its width.
module crossbar_tb #(
  localparam int unsigned SMS   = line_pkg::SMS,
  localparam int unsigned BANKS = line_pkg::MEM_BANKS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic [7:0]              cfg_sms_o,
  output logic [7:0]              cfg_banks_o,
  output logic [7:0]              cfg_tags_o,
  output logic [7:0]              cfg_atoms_o,
  output logic [7:0]              cfg_beats_o,
  // SMs
  input  logic [SMS-1:0]          lw_valid_i,
  input  logic [SMS-1:0][31:0]    lw_data_i,
  input  logic [SMS-1:0]          lq_valid_i,
  input  logic [SMS-1:0][7:0]     lq_tag_i,
  input  logic [SMS-1:0][7:0]     lq_kind_i,
  input  logic [SMS-1:0][31:0]    lq_line_i,
  input  logic [SMS-1:0][31:0]    lq_seq_i,
  output logic [SMS-1:0]          lc_valid_o,
  output logic [SMS-1:0]          lc_atom_o,
  output logic [SMS-1:0]          ld_valid_o,
  output logic [SMS-1:0][7:0]     ld_tag_o,
  output logic [SMS-1:0][31:0]    ld_data_o,
  output logic [SMS-1:0]          la_valid_o,
  input  logic [SMS-1:0]          la_ready_i,
  output logic [SMS-1:0][7:0]     la_tag_o,
  output logic [SMS-1:0]          la_done_o,
  output logic [SMS-1:0][31:0]    la_old_o,
  // banks
  output logic [BANKS-1:0]        bk_lw_valid_o,
  output logic [BANKS-1:0][31:0]  bk_lw_data_o,
  output logic [BANKS-1:0]        bk_lq_valid_o,
  output logic [BANKS-1:0][7:0]   bk_lq_sm_o,
  output logic [BANKS-1:0][7:0]   bk_lq_tag_o,
  output logic [BANKS-1:0][7:0]   bk_lq_kind_o,
  output logic [BANKS-1:0][31:0]  bk_lq_line_o,
  output logic [BANKS-1:0][31:0]  bk_lq_seq_o,
  input  logic [BANKS-1:0]        bk_lc_valid_i,
  input  logic [BANKS-1:0]        bk_lc_atom_i,
  input  logic [BANKS-1:0]        bk_ld_valid_i,
  output logic [BANKS-1:0]        bk_ld_ready_o,
  input  logic [BANKS-1:0][7:0]   bk_ld_sm_i,
  input  logic [BANKS-1:0][7:0]   bk_ld_tag_i,
  input  logic [BANKS-1:0][31:0]  bk_ld_data_i,
  input  logic [BANKS-1:0]        bk_la_valid_i,
  output logic [BANKS-1:0]        bk_la_ready_o,
  input  logic [BANKS-1:0][7:0]   bk_la_sm_i,
  input  logic [BANKS-1:0][7:0]   bk_la_tag_i,
  input  logic [BANKS-1:0]        bk_la_done_i,
  input  logic [BANKS-1:0][31:0]  bk_la_old_i
);

  localparam int unsigned TAG_W = line_pkg::TAG_W;

  line_pkg::sent_t [SMS-1:0]       sent;
  line_pkg::got_t [SMS-1:0]        got;
  line_pkg::sent_t [BANKS-1:0]     bk_sent;
  line_pkg::bank_got_t [BANKS-1:0] bk_got;

  assign cfg_sms_o   = 8'(SMS);
  assign cfg_banks_o = 8'(BANKS);
  assign cfg_tags_o  = 8'(line_pkg::TAGS);
  assign cfg_atoms_o = 8'(line_pkg::ATOMS);
  assign cfg_beats_o = 8'(line_pkg::MOST_BEATS);

  for (genvar s = 0; s < SMS; s++) begin : gen_sm
    line_pkg::write_t   w;
    line_pkg::request_t q;
    line_pkg::read_t    d;
    line_pkg::answer_t  a;
    always_comb begin
      w         = '0;
      w.data    = line_pkg::BITS'(lw_data_i[s]);
      q         = '0;
      q.sm      = 8'(s);
      q.tag     = TAG_W'(lq_tag_i[s]);
      q.kind    = line_pkg::kind_e'(lq_kind_i[s]);
      q.line    = 33'(lq_line_i[s]);
      q.lanes   = lq_seq_i[s];      // which request: what the crossbar passes on
    end
    assign sent[s]       = '{lw_valid: lw_valid_i[s], lw: w, lq_valid: lq_valid_i[s], lq: q, la_ready: la_ready_i[s]};
    assign d             = got[s].ld;
    assign a             = got[s].la;
    assign lc_valid_o[s] = got[s].lc_valid;
    assign lc_atom_o[s]  = got[s].lc_atom;
    assign ld_valid_o[s] = got[s].ld_valid;
    assign la_valid_o[s] = got[s].la_valid;
    assign ld_tag_o[s]  = 8'(d.tag);
    assign ld_data_o[s] = 32'(d.data);
    assign la_tag_o[s]  = 8'(a.tag);
    assign la_done_o[s] = a.done;
    assign la_old_o[s]  = a.old[31:0];
    logic unused;
    assign unused       = ^{d, a, lq_tag_i[s], lq_kind_i[s]};
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    line_pkg::write_t       w;
    line_pkg::request_t     q;
    line_pkg::bank_read_t   d;
    line_pkg::bank_answer_t a;
    assign w                = bk_sent[b].lw;
    assign q                = bk_sent[b].lq;
    assign bk_lw_valid_o[b] = bk_sent[b].lw_valid;
    assign bk_lq_valid_o[b] = bk_sent[b].lq_valid;
    assign bk_la_ready_o[b] = bk_sent[b].la_ready;
    assign bk_lw_data_o[b] = 32'(w.data);
    assign bk_lq_sm_o[b]   = q.sm;
    assign bk_lq_tag_o[b]  = 8'(q.tag);
    assign bk_lq_kind_o[b] = 8'(q.kind);
    assign bk_lq_line_o[b] = 32'(q.line);
    assign bk_lq_seq_o[b]  = q.lanes;
    always_comb begin
      d      = '0;
      d.tag  = line_pkg::bank_tag(bk_ld_sm_i[b], TAG_W'(bk_ld_tag_i[b]));
      d.data = line_pkg::BITS'(bk_ld_data_i[b]);
      a      = '0;
      a.tag  = line_pkg::bank_tag(bk_la_sm_i[b], TAG_W'(bk_la_tag_i[b]));
      a.done = bk_la_done_i[b];
      a.old  = 64'(bk_la_old_i[b]);
    end
    assign bk_got[b] = '{lc_valid: bk_lc_valid_i[b], lc_atom: bk_lc_atom_i[b], ld_valid: bk_ld_valid_i[b], ld: d,
      la_valid: bk_la_valid_i[b], la: a};
    logic unused;
    assign unused   = ^{w, q, bk_ld_tag_i[b], bk_la_tag_i[b], bk_ld_sm_i[b], bk_la_sm_i[b]};
  end

  crossbar u_dut (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ch_i          (sent),
    .ch_o          (got),
    .bk_o          (bk_sent),
    .bk_ld_ready_o (bk_ld_ready_o),
    .bk_i          (bk_got)
  );

endmodule
