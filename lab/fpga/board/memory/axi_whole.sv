// SPDX-License-Identifier: Apache-2.0
// Writes for a memory that has no byte masks: each beat is written whole. One without all of its strobes is read
// first, and what has none is written back; one without any is not written.
// Latency: none for reads, which pass. A whole beat takes two cycles and as long as memory lets it wait; a part waits
// for its read. A burst is answered when all of its beats have been, and the next one begins after that: so what is
// read is never still on its way.
// Handshake: AXI4, one burst of writes at a time, INCR and whole words (size 3) alone. Beats go on as bursts of one.
// The highest bit of an id is its own: masters have it 0.
`include "heddle_assert.svh"

module axi_whole #(
  parameter int unsigned ADDR_W = 23,
  parameter int unsigned ID_W   = 8
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from the masters
  input  logic              s_awvalid_i,
  output logic              s_awready_o,
  input  logic [ID_W-1:0]   s_awid_i,
  input  logic [ADDR_W-1:0] s_awaddr_i,
  input  logic              s_wvalid_i,
  output logic              s_wready_o,
  input  logic [63:0]       s_wdata_i,
  input  logic [7:0]        s_wstrb_i,
  input  logic              s_wlast_i,
  output logic              s_bvalid_o,
  input  logic              s_bready_i,
  output logic [ID_W-1:0]   s_bid_o,
  output logic [1:0]        s_bresp_o,
  input  logic              s_arvalid_i,
  output logic              s_arready_o,
  input  logic [ID_W-1:0]   s_arid_i,
  input  logic [ADDR_W-1:0] s_araddr_i,
  input  logic [7:0]        s_arlen_i,
  output logic              s_rvalid_o,
  input  logic              s_rready_i,
  // to memory; of what it reads, data, id, response and last pass by
  output logic              m_awvalid_o,
  input  logic              m_awready_i,
  output logic [ID_W-1:0]   m_awid_o,
  output logic [ADDR_W-1:0] m_awaddr_o,
  output logic              m_wvalid_o,
  input  logic              m_wready_i,
  output logic [63:0]       m_wdata_o,
  input  logic              m_bvalid_i,
  output logic              m_bready_o,
  input  logic [1:0]        m_bresp_i,
  output logic              m_arvalid_o,
  input  logic              m_arready_i,
  output logic [ID_W-1:0]   m_arid_o,
  output logic [ADDR_W-1:0] m_araddr_o,
  output logic [7:0]        m_arlen_o,
  input  logic              m_rvalid_i,
  output logic              m_rready_o,
  input  logic [63:0]       m_rdata_i,
  input  logic [ID_W-1:0]   m_rid_i
);

  typedef enum logic [2:0] {IDLE, BEAT, ASK, DATA, GIVE, DRAIN, TELL} step_e;

  localparam int unsigned COUNT_W = 5;

  step_e              step_q;
  logic [ID_W-1:0]    id_q;
  logic [ADDR_W-4:0]  word_q;        // of the beat
  logic [63:0]        data_q;
  logic               last_q;        // the beat is the burst's last
  logic               aw_q, w_q;     // still to be taken
  logic [1:0]         resp_q;
  logic [COUNT_W-1:0] open_q;        // beats written and not answered
  logic               mine, whole, none, given, room;
  logic               free;          // the read channel may change hands
  logic [63:0]        merged;

  assign mine  = step_q == ASK;
  assign whole = s_wstrb_i == '1;
  assign none  = s_wstrb_i == '0;
  assign room  = open_q != '1;
  assign free  = !s_arvalid_i || m_arready_i;
  assign given = (!aw_q || m_awready_i) && (!w_q || m_wready_i);

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) merged[8*i +: 8] = s_wstrb_i[i] ? s_wdata_i[8*i +: 8] : m_rdata_i[8*i +: 8];
  end

  assign s_awready_o = step_q == IDLE;
  assign s_wready_o  = (step_q == BEAT && (none || (whole && room)))
                       || (step_q == DATA && m_rvalid_i && m_rid_i[ID_W-1]);
  assign s_bvalid_o  = step_q == TELL;
  assign s_bid_o     = id_q;
  assign s_bresp_o   = resp_q;
  assign m_awvalid_o = step_q == GIVE && aw_q;
  assign m_awid_o    = id_q;
  assign m_awaddr_o  = {word_q, 3'd0};
  assign m_wvalid_o  = step_q == GIVE && w_q;
  assign m_wdata_o   = data_q;
  assign m_bready_o  = 1'b1;

  assign m_arvalid_o = mine || s_arvalid_i;
  assign m_arid_o    = mine ? {1'b1, (ID_W-1)'(0)} : s_arid_i;
  assign m_araddr_o  = mine ? {word_q, 3'd0} : s_araddr_i;
  assign m_arlen_o   = mine ? 8'd0 : s_arlen_i;
  assign s_arready_o = m_arready_i && !mine;
  assign s_rvalid_o  = m_rvalid_i && !m_rid_i[ID_W-1];
  assign m_rready_o  = m_rid_i[ID_W-1] || s_rready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= IDLE;
      open_q <= '0;
    end else begin
      open_q <= open_q + COUNT_W'(step_q == GIVE && given) - COUNT_W'(m_bvalid_i);
      case (step_q)
        IDLE: if (s_awvalid_i) step_q <= BEAT;
        BEAT:
          if (s_wvalid_i) begin
            if (none)                       step_q <= s_wlast_i ? DRAIN : BEAT;
            else if (whole && room)         step_q <= GIVE;
            else if (!whole && room && free) step_q <= ASK;
          end
        ASK:   if (m_arready_i) step_q <= DATA;
        DATA:  if (m_rvalid_i && m_rid_i[ID_W-1]) step_q <= GIVE;
        GIVE:  if (given) step_q <= last_q ? DRAIN : BEAT;
        DRAIN: if (open_q == '0) step_q <= TELL;
        TELL:  if (s_bready_i) step_q <= IDLE;
        default: step_q <= IDLE;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_q == IDLE) begin
      id_q   <= s_awid_i;
      word_q <= s_awaddr_i[ADDR_W-1:3];
      resp_q <= '0;
    end
    if (s_wready_o && s_wvalid_i) begin
      data_q <= (step_q == DATA) ? merged : s_wdata_i;
      last_q <= s_wlast_i;
    end
    if ((step_q == GIVE && given) || (step_q == BEAT && s_wvalid_i && none)) word_q <= word_q + 1'b1;
    aw_q <= step_q != GIVE || (aw_q && !m_awready_i);
    w_q  <= step_q != GIVE || (w_q && !m_wready_i);
    if (m_bvalid_i) resp_q <= resp_q | m_bresp_i;
  end

  `ASSERT(a_ids, !(s_arvalid_i && s_arid_i[ID_W-1]) && !(s_awvalid_i && s_awid_i[ID_W-1]))

  logic unused;
  assign unused = ^s_awaddr_i[2:0];

endmodule
