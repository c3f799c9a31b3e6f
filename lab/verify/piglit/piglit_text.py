# SPDX-License-Identifier: Apache-2.0
"""piglit's program tests as they stand in files: sections, arguments, numbers."""
import re
import struct

FORMATS = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q",
           "half": "e", "float": "f", "double": "d"}
LIMITS = {"CHAR_MIN": -2**7, "CHAR_MAX": 2**7 - 1, "UCHAR_MAX": 2**8 - 1, "SHRT_MIN": -2**15, "SHRT_MAX": 2**15 - 1,
          "USHRT_MAX": 2**16 - 1, "INT_MIN": -2**31, "INT_MAX": 2**31 - 1, "UINT_MAX": 2**32 - 1,
          "LONG_MIN": -2**63, "LONG_MAX": 2**63 - 1, "ULONG_MAX": 2**64 - 1, "CHAR_BIT": 8}


class Unsupported(Exception):
    """What this runner, or the machine, has no place for; its text is the reason."""


def sections(text):
    """[config] and its tests, each a list of (key, value)."""
    config, tests, now = [], [], None
    for line in re.sub(r"\\[ \t]*(#[^\n]*)?\r?\n", " ", text).splitlines():
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        if line in ("[config]", "[test]"):
            now = config if line == "[config]" else []
            if line == "[test]":
                tests.append(now)
        elif now is not None and ":" in line:
            key, value = line.split(":", 1)
            now.append((key.strip(), value.strip()))
    return config, tests


def first(pairs, key, otherwise=None):
    """The value of a key."""
    return next((v for k, v in pairs if k == key), otherwise)


def number(word, code):
    """One number of a file, as what `code` of struct takes."""
    if word in LIMITS:
        word = str(LIMITS[word])
    if code in "efd":
        return float.fromhex(word) if "0x" in word else float(word)
    bits = struct.calcsize(code) * 8
    value = (int(word, 0) if re.fullmatch(r"[-+]?(0[xX])?[0-9a-fA-F]+", word) and not re.fullmatch(r"[-+]?0\d+", word)
             else int(float(word))) % 2**bits
    return value - 2**bits if code.islower() and value >= 2**(bits - 1) else value


def pack(values, code):
    """Their bytes; what a format cannot hold is infinite there."""
    out = b""
    for v in values:
        try:
            out += struct.pack("<" + code, v)
        except OverflowError:
            out += struct.pack("<" + code, float("inf") if v > 0 else float("-inf"))
    return out


class Argument:
    """One arg_in or arg_out."""

    def __init__(self, text):
        index, rest = text.split(None, 1)
        self.index, self.buffer, self.null, self.tolerance, self.ulp = int(index), False, False, 0.0, False
        m = re.search(r"\btolerance\s+(\S+)(\s+ulp)?\s*$", rest)
        if m:
            self.tolerance, self.ulp, rest = float(m[1]), m[2] is not None, rest[:m.start()]
        words = rest.split()
        if words[0] in ("image", "sampler"):
            raise Unsupported("images")
        if words[0] == "buffer":
            self.buffer, words = True, words[1:]
        m = re.fullmatch(r"([a-z]+)(\d*)(?:\[(\d+)\])?", words[0])
        if not m or m[1] not in FORMATS:
            raise Unsupported("type " + words[0])
        self.code, self.vector, self.count = FORMATS[m[1]], int(m[2] or 1), int(m[3] or 1)
        self.size = struct.calcsize(self.code)
        self.bytes = self.size * (4 if self.vector == 3 else self.vector) * self.count
        self.null = words[1:] == ["NULL"]
        if words[1:2] == ["random"]:
            raise Unsupported("random numbers")
        self.values = [] if self.null else self.read(words[1:])

    def read(self, words):
        """As many numbers as the type has, elements of three without a fourth."""
        most = self.count * self.vector
        if words[:1] == ["repeat"]:
            words = words[1:] * most
        return [number(w, self.code) for w in words[:most]]

    def data(self):
        """Bytes in memory."""
        out = b""
        for k in range(0, len(self.values), self.vector):
            out += pack(self.values[k:k + self.vector], self.code)
            out += bytes(self.size) if self.vector == 3 else b""
        return out.ljust(self.bytes, b"\0")

    def read_back(self, data):
        """The numbers in these bytes."""
        all_of = struct.unpack("<%d%s" % (len(data) // self.size, self.code), data)
        return [v for k, v in enumerate(all_of) if self.vector != 3 or k % 4 != 3][:len(self.values)]

    def wrong(self, data):
        """None, or what differs."""
        for k, (got, want) in enumerate(zip(self.read_back(data), self.values)):
            if not self.near(got, want):
                return f"argument {self.index}[{k}] is {got}, expected {want}"
        return None

    def near(self, got, want):
        """Are these the same, within the tolerance?"""
        if self.code not in "efd":
            return abs(got - want) <= self.tolerance
        want = struct.unpack("<" + self.code, pack([want], self.code))[0]
        if got != got or want != want:
            return got != got and want != want
        if not self.ulp or abs(want) == float("inf") or abs(got) == float("inf"):
            return got == want or abs(got - want) <= (0 if self.ulp else self.tolerance)
        return abs(self.rank(got) - self.rank(want)) <= self.tolerance

    def rank(self, v):
        """Its place among all numbers of the format."""
        code = {"e": "h", "f": "i", "d": "q"}[self.code]
        bits = struct.unpack("<" + code, struct.pack("<" + self.code, v))[0]
        return bits if bits >= 0 else -(bits & (2**(8 * self.size - 1) - 1))
