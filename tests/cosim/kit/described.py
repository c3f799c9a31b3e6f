# SPDX-License-Identifier: Apache-2.0
"""retire.records read again, by other means than the generator's: records, fields, what bounds them."""

import re
import shlex

WIDTH = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "u128": 128}


class Field:
    def __init__(self, words, sizes):
        self.name, self.type = words[0], words[1]
        rest = words[2:]
        self.dims = []
        while re.fullmatch(r"[A-Z_]+", rest[0]):
            self.dims.append(sizes[rest.pop(0)])
        options = dict(w.split("=") for w in rest[1:])
        self.below, self.bits, self.when = (options.get(k) for k in ("below", "bits", "when"))


def described(path, port):
    """({record: (instances, [Field])}, {struct: [Field]}, sizes); `port`: {"cfg_pkg::LANES": 4, ...}."""
    sizes, records, structs, into = {}, {}, {}, None
    for line in path.read_text().splitlines():
        words = shlex.split(line, comments=True)
        key = words[0] if words else ""
        if key == "const":
            sizes[words[1]] = int(words[2])
        elif key in ("dim", "bound"):
            at = words[3] if key == "dim" else words[2]
            sizes[words[1]] = port.get(at) or int(at)
        elif key == "struct":
            into = structs[words[1]] = []
        elif key == "record":
            into, n = [], 1
            for w in words[2:]:
                n *= sizes.get(w, 1)
                if w.startswith("like="):
                    into = records[w[5:]][1]
            if "unit=mmu" not in words:  # of no core
                records[words[1]] = (n, into)
        elif key == "field":
            into.append(Field(words[1:], sizes))
    return records, structs, sizes
