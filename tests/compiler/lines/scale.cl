float twice(float x) { return x * 2.0f; }

kernel void scale(global float *a, global const float *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] = twice(b[i]) +
           1.0f;
}
