// SPDX-License-Identifier: Apache-2.0
// Makes the request of a sector; for stores it first merges the data of the lanes, one beat a cycle, highest lane last.
// Latency: one cycle (stores: as many as beats have lanes in the sector). A load sector a cycle.
// Handshake: valid/ready on both sides. Reads the rows of the queue's head while a store is in work and pops it at its end.
// It does not wait for the answer; rq_count_o and rq_close_o tell global_track what to wait for.
`default_nettype none

module store_merge #(
  localparam int unsigned LANES    = cfg_pkg::LANES,
  localparam int unsigned BEATS    = mem_pkg::BEATS,
  localparam int unsigned SECTOR_W = mem_pkg::SECTOR_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    fault_i,
  // from the coalescer
  input  logic                          co_valid_i,
  output logic                          co_ready_o,
  input  core_pkg::id_t                 co_id_i,
  input  isa_pkg::mem_e                 co_mem_i,
  input  logic [2:0]                    co_size_i,
  input  logic [mem_pkg::GSLOT_W-1:0]   co_slot_i,
  input  logic [SECTOR_W-1:0]           co_sector_i,
  input  logic [31:0]                   co_lanes_i,
  input  logic                          co_last_i,
  input  logic                          co_drop_i,
  // from the queue: the row of rd_beat_o
  output logic                          rd_en_o,
  output logic [mem_pkg::BEAT_W-1:0]    rd_beat_o,
  input  logic [LANES-1:0][4:0]         rd_offset_i,
  input  logic [3:0][LANES-1:0][31:0]   rd_data_i,
  output logic                          pop_o,
  // to gmem
  output logic                          rq_valid_o,
  input  logic                          rq_ready_i,
  output mem_pkg::greq_t                rq_o,
  // to global_track
  output logic                          rq_count_o,   // event: an answer will come
  output logic                          rq_close_o,   // event: that was the last sector
  output logic [mem_pkg::GSLOT_W-1:0]   rq_slot_o,
  output logic                          idle_o
);

  logic                         valid_q, last_q, drop_q, store, final_beat, leave, lost;
  core_pkg::id_t                id_q;
  isa_pkg::mem_e                mem_q;
  logic [2:0]                   size_q;
  logic [mem_pkg::GSLOT_W-1:0]  slot_q;
  logic [SECTOR_W-1:0]          sector_q;
  logic [31:0]                  lanes_q;
  logic [BEATS-1:0]             todo_q, beat_hot;
  logic [LANES-1:0]             mine;
  logic [31:0]                  wstrb_q, wstrb;
  logic [255:0]                 wdata_q, wdata;
  logic [3:0]                   every_q;   // counts store sectors, for the injected fault
  logic [LANES-1:0][3:0]        strobe;
  logic [3:0][LANES-1:0][31:0]  word;
  logic                         unused_any;
  logic [2:0]                   keep;      // word bits that tell accesses apart

  lowest_one #(.N(BEATS)) u_beat (
    .in_i     (todo_q),
    .onehot_o (beat_hot),
    .index_o  (rd_beat_o),
    .any_o    (unused_any)
  );

  assign keep       = (size_q == isa_pkg::SIZE_128) ? 3'b100 : (size_q == isa_pkg::SIZE_64) ? 3'b110 : 3'b111;
  assign store      = mem_pkg::is_store(mem_q);
  assign final_beat = !store || (todo_q & ~beat_hot) == '0;
  assign rd_en_o    = valid_q && store;
  assign mine       = LANES'(lanes_q >> (32'(rd_beat_o) * LANES));
  assign lost       = fault_i == core_pkg::FAULT_STORE_LOST && store && every_q == '1;

  // One beat of lanes over what is there: ascending, so that the highest lane stays.
  always_comb begin
    wstrb = wstrb_q;
    wdata = wdata_q;
    if (rd_en_o) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        if (mine[l]) begin
          for (int unsigned w = 0; w < 8; w++) begin
            if (((rd_offset_i[l][4:2] ^ 3'(w)) & keep) == '0) begin
              for (int unsigned y = 0; y < 4; y++) begin
                if (strobe[l][y]) begin
                  wstrb[4*w+y]       = 1'b1;
                  wdata[32*w+8*y +: 8] = word[w%4][l][8*y +: 8];
                end
              end
            end
          end
        end
      end
    end
  end

  // Word w of the sector takes word w mod 4 of these.
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      strobe[l] = mem_pkg::byte_mask(size_q, rd_offset_i[l][1:0]);
      for (int unsigned w = 0; w < 4; w++) begin
        word[w][l] = (size_q == isa_pkg::SIZE_128) ? rd_data_i[w][l]
          : (size_q == isa_pkg::SIZE_64) ? rd_data_i[w%2][l] : mem_pkg::replicate(size_q, rd_data_i[0][l]);
      end
    end
  end

  assign rq_valid_o = valid_q && final_beat && !drop_q && !lost;
  assign leave      = valid_q && final_beat && (rq_ready_i || drop_q || lost);
  assign co_ready_o = !valid_q || leave;
  assign pop_o      = leave && store && last_q;

  assign rq_o.meta.id     = id_q;
  assign rq_o.meta.kind   = store ? core_pkg::SECT_STORE : mem_pkg::is_atom(mem_q) ? core_pkg::SECT_ATOM : core_pkg::SECT_LOAD;
  assign rq_o.meta.sector = sector_q;
  assign rq_o.meta.lanes  = lanes_q;
  assign rq_o.meta.gslot  = slot_q;
  assign rq_o.meta.size   = size_q;
  assign rq_o.wstrb       = wstrb;
  assign rq_o.wdata       = wdata;
  assign rq_count_o       = leave && !drop_q && !lost;
  assign rq_close_o       = leave && last_q;
  assign rq_slot_o        = slot_q;
  assign idle_o           = !valid_q;

  always_ff @(posedge clk_i) begin
    if (co_ready_o) begin
      id_q     <= co_id_i;
      mem_q    <= co_mem_i;
      size_q   <= co_size_i;
      slot_q   <= co_slot_i;
      sector_q <= co_sector_i;
      lanes_q  <= co_lanes_i;
      last_q   <= co_last_i;
      drop_q   <= co_drop_i;
      wstrb_q  <= '0;
      wdata_q  <= '0;
      for (int unsigned b = 0; b < BEATS; b++) todo_q[b] <= co_lanes_i[b*LANES +: LANES] != '0;
    end else if (!final_beat) begin
      wstrb_q  <= wstrb;
      wdata_q  <= wdata;
      todo_q   <= todo_q & ~beat_hot;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      every_q <= '0;
    end else begin
      if (co_ready_o) valid_q <= co_valid_i;
      if (leave && store) every_q <= every_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
