// Programs that are right: tests/tools/test_sanitize.py says what the comments mean.

// A tile by rows and by columns, with bytes beside each other and a constant table.
// run: --grid 2,2 --block 16,16 --arg in:in --arg out:4096:/dev/null --arg local:1088
constant uint table[4] = {1, 2, 3, 4};
kernel void transposed(global const uint *in, global uchar *out, local uint *tile) {
  const uint x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  tile[17 * y + x] = in[32 * gy + gx] * table[x & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint v = tile[17 * x + y];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[17 * y + x] = v + 1;
  out[32 * gx + gy] = v + (tile[17 * y + x] & 1);
}
