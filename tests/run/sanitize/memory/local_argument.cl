// Two arrays of local memory from the host: one is left, the other one lies behind.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg local:252 --arg local:256
// says: argument 2 (252 bytes at 0x40): 4 bytes beyond its end
kernel void k(global const int *in, global int *out, local int *a, local int *b) {
  const int i = get_local_id(0);
  b[i] = in[i];
  a[i] = in[i]; // broken, told: memory
  // mended: if (i < 63) a[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = b[63 - i];
}
