// A tree that adds up more elements than there are threads with one.
// run: --grid 1 --block 64 --arg in:in --arg out:4:- --arg u32:50
kernel void k(global const uint *in, global uint *out, uint n) {
  local uint part[64];
  const uint i = get_local_id(0);
  if (i < n) part[i] = in[i]; // broken
  // mended: part[i] = i < n ? in[i] : 0;
  for (uint step = 32; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step) part[i] += part[i + step];
  }
  if (i == 0) out[0] = part[0]; // told: init
}
