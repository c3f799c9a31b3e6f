// Two arrays of a kernel, and an index that leaves the first one for where the other one would be.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: 4 bytes beyond its end
kernel void k(global const uint *in, global uint *out) {
  local uint a[16], b[64];
  const uint i = get_local_id(0);
  b[i] = in[i];
  if (i <= 16) a[i] = in[i]; // broken, told: memory
  // mended: if (i < 16) a[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[i % 16] + b[63 - i];
}
