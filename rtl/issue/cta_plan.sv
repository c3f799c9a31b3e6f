// SPDX-License-Identifier: Apache-2.0
// Looks at a launch once: whether a block fits, its threads and warps, how many blocks are resident, and where each lies.
// Latency: done_o 5 cycles after start_i plus one a resident block. The results stand until the next start.
// Handshake: start_i and done_o are events; refuse_o (core_pkg::REFUSE_*) stands with done_o, 0 = accepted.
// All blocks of a launch are equal, so block slot k owns in each partition registers from k*share*regs, where share is the
// block's warps by partitions, rounded up, and shared memory from k*size (size rounded up to 128 bytes). It does not choose
// warp slots.
`default_nettype none

module cta_plan (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the host
  input  core_pkg::launch_t          launch_i,
  // from and to the dispatcher
  input  logic                       start_i,
  output logic                       done_o,
  output logic [3:0]                 refuse_o,
  output logic [10:0]                threads_o,
  output logic [7:0]                 warps_o,
  output logic [cfg_pkg::BLOCKS-1:0] slots_o,       // block slots that exist under this launch
  input  logic [cfg_pkg::BLOCK_W-1:0] bslot_i,
  output logic [15:0]                rbase_o,
  output logic [23:0]                shm_base_o
);

  localparam int unsigned BLOCKS = cfg_pkg::BLOCKS;

  localparam logic [2:0] ST_IDLE = 3'd0, ST_AREA = 3'd1, ST_VOLUME = 3'd2, ST_WARPS = 3'd3, ST_SIZES = 3'd4, ST_FIT = 3'd5;

  logic [2:0]         state_q;
  logic [21:0]        area_q;
  logic [21:0]        volume_q;
  logic               bad_shape_q, bad_grid_q;
  logic [5:0]         warps_q, share;
  logic [14:0]        block_regs_q;
  logic [24:0]        block_shm_q;
  // Sums over the blocks that fit, with the next one and without it.
  logic [15:0]        warps_sum_q, regs_sum_q, regs_base_q;
  logic [25:0]        shm_sum_q, shm_base_q;
  logic [BLOCKS:0]    next_q;      // one-hot: the block slot that is tried
  logic [BLOCKS-1:0]  slots_q;
  logic [3:0]         refuse_q, misfit;
  logic               done_q, fits;

  // What keeps the next block out.
  always_comb begin
    misfit = core_pkg::REFUSE_NONE;
    if (shm_sum_q > 26'(cfg_pkg::SHARED_BYTES)) misfit = core_pkg::REFUSE_SHARED;
    if (regs_sum_q > 16'(cfg_pkg::REGS) || launch_i.regs == '0 || launch_i.regs > 9'd255) misfit = core_pkg::REFUSE_REGS;
    if (warps_sum_q > 16'(cfg_pkg::WARPS)) misfit = core_pkg::REFUSE_WARPS;
    if (bad_shape_q) misfit = core_pkg::REFUSE_BLOCK;
    if (bad_grid_q)  misfit = core_pkg::REFUSE_GRID;
  end
  assign share = 6'((32'(warps_q) + cfg_pkg::PARTITIONS - 1) / cfg_pkg::PARTITIONS);   // of a partition
  assign fits = misfit == core_pkg::REFUSE_NONE && !next_q[BLOCKS];

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
        default: if (!fits) begin
          state_q <= ST_IDLE;
          done_q  <= 1'b1;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      ST_AREA: begin
        area_q      <= 22'(launch_i.block[0]) * 22'(launch_i.block[1]);
        bad_grid_q  <= launch_i.grid[0] == '0 || launch_i.grid[1] == '0 || launch_i.grid[2] == '0;
        bad_shape_q <= launch_i.block[0] == '0 || launch_i.block[1] == '0 || launch_i.block[2] == '0
          || launch_i.block[0] > 11'd1024 || launch_i.block[1] > 11'd1024 || launch_i.block[2] > 11'd64;
      end
      ST_VOLUME: begin
        volume_q <= 22'(area_q[10:0]) * 22'(launch_i.block[2]);
        if (area_q > 22'd1024) bad_shape_q <= 1'b1;
      end
      ST_WARPS: begin
        warps_q <= 6'((volume_q[10:0] + 11'd31) >> 5);
        if (volume_q > 22'd1024) bad_shape_q <= 1'b1;
        block_shm_q <= (25'(launch_i.shared_bytes) + 25'd127) & ~25'd127;
      end
      ST_SIZES: begin
        block_regs_q <= 15'(share) * 15'(launch_i.regs);
        warps_sum_q  <= 16'(share);
        regs_sum_q   <= 16'(share) * 16'(launch_i.regs);
        shm_sum_q    <= 26'(block_shm_q);
        regs_base_q  <= '0;
        shm_base_q   <= '0;
        next_q       <= (BLOCKS+1)'(1);
        slots_q      <= '0;
      end
      ST_FIT: begin
        if (fits) begin
          slots_q     <= slots_q | next_q[BLOCKS-1:0];
          next_q      <= next_q << 1;
          warps_sum_q <= warps_sum_q + 16'(share);
          regs_sum_q  <= regs_sum_q + 16'(block_regs_q);
          regs_base_q <= regs_sum_q;
          shm_sum_q   <= shm_sum_q + 26'(block_shm_q);
          shm_base_q  <= shm_sum_q;
        end else begin
          refuse_q <= next_q[0] ? misfit : core_pkg::REFUSE_NONE;
        end
      end
      default: ;
    endcase
  end

  // Where each block slot lies, written while it is found to fit.
  logic [cfg_pkg::BLOCK_W-1:0] next_bslot;

  onehot_index #(.N(BLOCKS)) u_next (
    .onehot_i (next_q[BLOCKS-1:0]),
    .index_o  (next_bslot)
  );
  ram_async #(.WIDTH(40), .DEPTH(BLOCKS)) u_place (
    .clk_i     (clk_i),
    .wr_en_i   (state_q == ST_FIT && fits),
    .wr_addr_i (next_bslot),
    .wr_data_i ({regs_base_q, shm_base_q[23:0]}),
    .rd_addr_i (bslot_i),
    .rd_data_o ({rbase_o, shm_base_o})
  );

  assign done_o    = done_q;
  assign refuse_o  = refuse_q;
  assign threads_o = volume_q[10:0];
  assign warps_o   = 8'(warps_q);
  assign slots_o   = slots_q;

  // The rest of the launch is for others.
  logic unused;
  assign unused = &{1'b0, launch_i, shm_base_q[25:24]};

endmodule

`default_nettype wire
