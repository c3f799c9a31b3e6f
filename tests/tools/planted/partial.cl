// No bug: vectors and a structure that are filled member by member, whose rest nobody has written and nobody needs.
struct edge {
  ushort from;
  uint cost;
};

kernel void pieces(global uint *out) {
  const uint id = get_global_id(0);
  uchar4 pixel;
  pixel.x = 1;
  pixel.w = 4;
  pixel.y = 2;
  pixel.z = 3;
  ushort3 triple;
  triple.xy = (ushort2)(5, 6);
  triple.z = 7;
  struct edge e;
  e.from = 8;
  e.cost = 9;
  const struct edge twin = e;
  const ushort3 turned = triple.zxy;
  out[id] = pixel.x + pixel.y + pixel.z + pixel.w + turned.x + turned.y + turned.z + twin.from + twin.cost + id;
}
