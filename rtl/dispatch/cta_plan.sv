// SPDX-License-Identifier: Apache-2.0
// Looks at a launch once: whether a block fits, its threads and warps, and the places that the SM has for it.
// All warps of a launch are equal, and so are its blocks: a partition's registers are a row of places of `regs` registers, the
// warp slot k of a partition has the k-th; shared memory is a row of places of a block's size (rounded up to 128 bytes), the
// block slot k has the k-th. A free place is free for any block, so nothing is ever scattered.
// Latency: done_o 6 cycles after start_i and one more for each place that is looked for: until neither a warp nor a block fits
// any more, max(WARPS, BLOCKS) at most. The results stand until the next start.
// Handshake: start_i and done_o are events; refuse_o (core_pkg::REFUSE_*) stands with done_o, 0 = accepted.
// It does not choose places, and does not keep which are taken.
module cta_plan (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from the host
  input  logic [2:0][31:0]             grid_i,        // x at index 0
  input  logic [2:0][10:0]             block_i,
  input  logic [8:0]                   regs_i,
  input  logic [23:0]                  shared_bytes_i,
  // from and to the dispatcher
  input  logic                         start_i,
  output logic                         done_o,
  output logic [3:0]                   refuse_o,
  output logic [10:0]                  threads_o,
  output logic [7:0]                   warps_o,
  output logic [cfg_pkg::BLOCKS-1:0]   slots_o,       // block slots that exist under this launch
  output logic [cfg_pkg::WARPS-1:0]    places_o,      // warp slots of each partition that do
  output logic [7:0]                   room_o,        // how many these are in all partitions
  input  logic [cfg_pkg::BLOCK_W-1:0]  bslot_i,
  output logic [23:0]                  shm_base_o,
  input  logic [cfg_pkg::WARP_W-1:0]   place_i,
  output logic [15:0]                  rbase_o
);

  localparam int unsigned BLOCKS = cfg_pkg::BLOCKS;
  localparam int unsigned WARPS  = cfg_pkg::WARPS;     // of a partition
  localparam int unsigned PLACES = (BLOCKS > WARPS) ? BLOCKS : WARPS;
  localparam int unsigned PLACE_W = $clog2(PLACES + 1);

  localparam logic [2:0] ST_IDLE = 3'd0, ST_AREA = 3'd1, ST_VOLUME = 3'd2, ST_WARPS = 3'd3, ST_SIZES = 3'd4, ST_FIT = 3'd5,
    ST_JUDGE = 3'd6;

  logic [2:0]         state_q;
  logic [21:0]        area_q, volume_q;
  logic               bad_shape_q, bad_grid_q, bad_regs_q, done_q;
  logic [5:0]         warps_q;
  logic [24:0]        block_shm_q;
  // The sum of the places up to this one.
  logic [15:0]        regs_base_q, regs_end_q;
  logic [25:0]        shm_base_q, shm_end_q;
  logic [PLACE_W-1:0] place_q;
  logic               warp_fits, block_fits;
  logic [BLOCKS-1:0]  slots_q;
  logic [WARPS-1:0]   places_q;
  logic [7:0]         room_q;
  logic [3:0]         refuse_q;

  assign warp_fits  = !bad_regs_q && regs_end_q <= 16'(cfg_pkg::REGS) && 32'(place_q) < WARPS;
  assign block_fits = shm_end_q <= 26'(cfg_pkg::SHARED_BYTES) && 32'(place_q) < BLOCKS;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
      done_q  <= 1'b0;
    end else begin
      done_q <= 1'b0;
      case (state_q)
        ST_IDLE:   if (start_i) state_q <= ST_AREA;
        ST_AREA:   state_q <= ST_VOLUME;
        ST_VOLUME: state_q <= ST_WARPS;
        ST_WARPS:  state_q <= ST_SIZES;
        ST_SIZES:  state_q <= ST_FIT;
        ST_FIT:    if (!warp_fits && !block_fits) state_q <= ST_JUDGE;
        default: begin
          state_q <= ST_IDLE;
          done_q  <= 1'b1;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      ST_AREA: begin
        area_q      <= mul_pkg::u11(block_i[0], block_i[1]);
        bad_grid_q  <= grid_i[0] == '0 || grid_i[1] == '0 || grid_i[2] == '0;
        bad_regs_q  <= regs_i == '0 || regs_i > 9'd255;
        bad_shape_q <= block_i[0] == '0 || block_i[1] == '0 || block_i[2] == '0
          || block_i[0] > 11'd1024 || block_i[1] > 11'd1024 || block_i[2] > 11'd64;
      end
      ST_VOLUME: begin
        volume_q <= mul_pkg::u11(area_q[10:0], block_i[2]);
        if (area_q > 22'd1024) bad_shape_q <= 1'b1;
      end
      ST_WARPS: begin
        warps_q     <= 6'((volume_q[10:0] + 11'd31) >> 5);
        block_shm_q <= (25'(shared_bytes_i) + 25'd127) & ~25'd127;
        if (volume_q > 22'd1024) bad_shape_q <= 1'b1;
      end
      ST_SIZES: begin
        regs_base_q <= '0;
        regs_end_q  <= 16'(regs_i);
        shm_base_q  <= '0;
        shm_end_q   <= 26'(block_shm_q);
        place_q     <= '0;
        slots_q     <= '0;
        places_q    <= '0;
        room_q      <= '0;
      end
      ST_FIT: begin
        place_q     <= place_q + 1'b1;
        regs_base_q <= regs_end_q;
        shm_base_q  <= shm_end_q;
        if (warp_fits) begin
          places_q   <= (places_q << 1) | WARPS'(1);
          room_q     <= room_q + 8'(cfg_pkg::PARTITIONS);
          regs_end_q <= regs_end_q + 16'(regs_i);
        end
        if (block_fits) begin
          slots_q   <= (slots_q << 1) | BLOCKS'(1);
          shm_end_q <= shm_end_q + 26'(block_shm_q);
        end
      end
      // Reasons that keep a block out; of several the last one here.
      ST_JUDGE: begin
        refuse_q <= core_pkg::REFUSE_NONE;
        if (!slots_q[0]) refuse_q <= core_pkg::REFUSE_SHARED;
        if (8'(warps_q) > room_q || bad_regs_q) refuse_q <= core_pkg::REFUSE_REGS;
        if (8'(warps_q) > 8'(cfg_pkg::SM_WARPS)) refuse_q <= core_pkg::REFUSE_WARPS;
        if (bad_shape_q) refuse_q <= core_pkg::REFUSE_BLOCK;
        if (bad_grid_q) refuse_q <= core_pkg::REFUSE_GRID;
      end
      default: ;
    endcase
  end

  // Where each place lies, written when it is found to fit.
  ram_async #(.WIDTH(16), .DEPTH(WARPS)) u_registers (
    .clk_i     (clk_i),
    .wr_en_i   (state_q == ST_FIT && warp_fits),
    .wr_addr_i (cfg_pkg::WARP_W'(place_q)),
    .wr_data_i (regs_base_q),
    .rd_addr_i (place_i),
    .rd_data_o (rbase_o)
  );
  ram_async #(.WIDTH(24), .DEPTH(BLOCKS)) u_shared (
    .clk_i     (clk_i),
    .wr_en_i   (state_q == ST_FIT && block_fits),
    .wr_addr_i (cfg_pkg::BLOCK_W'(place_q)),
    .wr_data_i (shm_base_q[23:0]),
    .rd_addr_i (bslot_i),
    .rd_data_o (shm_base_o)
  );

  assign done_o    = done_q;
  assign refuse_o  = refuse_q;
  assign threads_o = volume_q[10:0];
  assign warps_o   = 8'(warps_q);
  assign slots_o   = slots_q;
  assign places_o  = places_q;
  assign room_o    = room_q;

  // Bases are below the end, which fits.
  logic unused;
  assign unused = &{1'b0, shm_base_q[25:24]};

endmodule
