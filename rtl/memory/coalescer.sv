// SPDX-License-Identifier: Apache-2.0
// Takes global instructions from their queue and groups their lanes by 32-byte sector, lowest lane first.
// Latency: BEATS cycles to read the addresses, then a sector a cycle. With one beat, reading overlaps the last sector.
// Handshake: valid/ready per sector; an instruction starts when a gslot is free. While it reads, its rows go out as events
// (byte offsets and operands). A store stays at the head of the queue until store_merge has popped it.
// It does not look at sectors of other instructions: gmem orders them.
`default_nettype none

module coalescer #(
  localparam int unsigned LANES    = cfg_pkg::LANES,
  localparam int unsigned SECTOR_W = mem_pkg::SECTOR_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    fault_i,
  // from the queue
  input  logic                          head_valid_i,
  input  core_pkg::id_t                 head_id_i,
  input  isa_pkg::mem_e                 head_mem_i,
  input  logic [2:0]                    head_size_i,
  input  logic [31:0]                   head_exec_i,
  output logic [mem_pkg::BEAT_W-1:0]    rd_beat_o,
  input  logic [LANES-1:0][39:0]        rd_addr_i,
  output logic                          pop_o,
  // from store_merge: it has popped the store
  input  logic                          store_popped_i,
  // from and to global_track
  input  logic                          slot_free_i,
  input  logic [mem_pkg::GSLOT_W-1:0]   slot_i,
  output logic                          co_alloc_o,      // event: the head takes slot_i
  // to load_gather and gmem_atom: rows of the instruction
  output logic                          co_row_valid_o,  // event
  output logic [mem_pkg::GROW_W-1:0]    co_row_o,        // gslot * BEATS + beat
  // to store_merge
  output logic                          co_valid_o,
  input  logic                          co_ready_i,
  output core_pkg::id_t                 co_id_o,
  output isa_pkg::mem_e                 co_mem_o,
  output logic [2:0]                    co_size_o,
  output logic [mem_pkg::GSLOT_W-1:0]   co_slot_o,
  output logic [SECTOR_W-1:0]           co_sector_o,
  output logic [31:0]                   co_lanes_o,
  output logic                          co_last_o,
  output logic                          co_drop_o,       // injected fault: this sector is not asked for
  output logic                          idle_o
);

  logic                         busy_q, first_q, head_held_q, load, load_last, finish;
  logic [mem_pkg::BEAT_W-1:0]   beat_q;
  core_pkg::id_t                id_q;
  isa_pkg::mem_e                mem_q;
  logic [2:0]                   size_q;
  logic [mem_pkg::GSLOT_W-1:0]  slot_q, slot;
  logic [31:0][39:0]            addr_q;
  logic [31:0]                  pend_q, lead, group;
  logic [31:0][SECTOR_W-1:0]    sectors;

  assign finish    = co_valid_o && co_ready_i && co_last_o;
  assign load      = head_valid_i && !head_held_q && (beat_q != '0 || slot_free_i) && (!busy_q || (finish && mem_pkg::BEATS == 1));
  assign load_last = load && 32'(beat_q) == mem_pkg::BEATS - 1;
  assign slot      = (beat_q == '0) ? slot_i : slot_q;
  assign rd_beat_o = beat_q;
  assign pop_o     = load_last && !mem_pkg::is_store(head_mem_i);

  assign co_alloc_o     = load && beat_q == '0;
  assign co_row_valid_o = load;
  assign co_row_o       = mem_pkg::GROW_W'(32'(slot) * mem_pkg::BEATS + 32'(beat_q));

  always_ff @(posedge clk_i) begin
    if (load) begin
      slot_q <= slot;
      id_q   <= head_id_i;
      mem_q  <= head_mem_i;
      size_q <= head_size_i;
    end
  end

  for (genvar b = 0; b < mem_pkg::BEATS; b++) begin : gen_beat
    always_ff @(posedge clk_i) begin
      if (load && 32'(beat_q) == b) addr_q[b*LANES +: LANES] <= rd_addr_i;
    end
  end

  // The sector of the lowest waiting lane, and all lanes that share it.
  assign lead = pend_q & (~pend_q + 32'd1);

  for (genvar l = 0; l < 32; l++) begin : gen_lane
    assign sectors[l] = addr_q[l][39:5];
    assign group[l]   = pend_q[l] && sectors[l] == co_sector_o;
  end

  onehot_mux #(.WIDTH(SECTOR_W), .N(32)) u_sector (
    .sel_i  (lead),
    .data_i (sectors),
    .data_o (co_sector_o)
  );

  assign co_valid_o = busy_q;
  assign co_id_o    = id_q;
  assign co_mem_o   = mem_q;
  assign co_size_o  = size_q;
  assign co_slot_o  = slot_q;
  assign co_lanes_o = group;
  assign co_last_o  = (pend_q & ~group) == '0;
  assign co_drop_o  = fault_i == core_pkg::FAULT_SECTOR_DROP && mem_q == isa_pkg::MEM_GLOBAL_LOAD && co_last_o && !first_q;
  assign idle_o     = !busy_q && beat_q == '0;

  always_ff @(posedge clk_i) begin
    if (load_last) begin
      pend_q  <= head_exec_i;
      first_q <= 1'b1;
    end else if (co_valid_o && co_ready_i) begin
      pend_q  <= pend_q & ~group;
      first_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      beat_q      <= '0;
      head_held_q <= 1'b0;
    end else begin
      if (load) beat_q <= load_last ? '0 : beat_q + 1'b1;
      busy_q <= load_last || (busy_q && !finish);
      if (load_last && mem_pkg::is_store(head_mem_i)) head_held_q <= 1'b1;
      else if (store_popped_i)                           head_held_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
