// SPDX-License-Identifier: Apache-2.0
// Bytes and 16-bit integers.
__kernel void narrow(__global short *out, __global const char *in, ushort k) {
  int i = get_local_id(0);
  char c = in[i];
  uchar u = (uchar)c;
  short s = (short)(c * 3 - u);
  ushort w = (ushort)(s >> 2) + k;
  c = c < 0 ? -c : c + 1;
  s = max(s, (short)w) - (short)(u % 7) * (short)(w / 3);
  out[4 * i] = s;
  out[4 * i + 1] = add_sat(s, (short)k);
  out[4 * i + 2] = convert_char_sat((int)s * 5) + convert_uchar_rtz((float)w * 0.001f);
  out[4 * i + 3] = c << (k & 7) | u >> 3;
}
