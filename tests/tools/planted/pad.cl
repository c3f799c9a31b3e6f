struct item {
  char tag;
  int value;
};

static int sum(struct item *list, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += list[i].tag + list[i].value;
  return s;
}

kernel void pad(global int *out) {
  struct item list[4], copy[4];
  int id = get_global_id(0);
  for (int i = 0; i < 4; i++) {
    list[i].tag = (char)i;
    list[i].value = id;
  }
  for (int i = 0; i < 4; i++)
    copy[i] = list[i];
  out[id] = sum(copy, 4);
}

kernel void beyond(global int *out, int n) {
  int id = get_global_id(0);
  if (id <= n)
    out[id] = id;
}

kernel void forgot(global int *out) {
  int list[4];
  int id = get_global_id(0);
  for (int i = 0; i < 3; i++)
    list[i] = id;
  int s = 0;
  for (int i = 0; i < 4; i++)
    s += list[i];
  out[id] = s;
}
