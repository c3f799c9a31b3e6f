# SPDX-License-Identifier: Apache-2.0
"""A trace as of a core that is two wide in one warp: where two instructions of a warp issue with no other record between
them, both do so in one cycle (docs/retire-port.md, "Retire order").

usage: dual_issue.py FROM TO [--swap]     --swap: the younger one first, as no core may
Prints how many pairs there are; exit status 1 if there is none."""
import sys

import heddle_trace as trace


def issues_next(first, second):
    """Whether both are issues, the second of the same warp's next instruction."""
    if first is None or first.kind != "issue" or second.kind != "issue":
        return False
    a, b = first.fields, second.fields
    return all(a[f"id.{f}"] == b[f"id.{f}"] for f in ("sm", "slot", "gen")) and b["id.seq"] == a["id.seq"] + 1


def paired(records, swap):
    """The records in their order, and how many pairs were made."""
    out, pairs = [], 0
    last = None
    for record in records:
        if issues_next(last, record):
            pairs += 1
            record.cycle, last = last.cycle, None
            out.insert(len(out) - swap, record)
        else:
            last = record
            out.append(record)
    return out, pairs


def main(source, target, swap):
    reader, pairs, records = trace.Reader(open(source, "rb")), 0, []
    writer = trace.Writer(open(target, "wb"), reader.header)
    for item in reader:
        if isinstance(item, trace.Record):
            records.append(item)
        elif isinstance(item, trace.Launch):
            writer.launch(item)
            records = []
        else:
            written, more = paired(records, swap)
            pairs += more
            for record in written:
                writer.record(record)
            writer.end(item.memory, item.cycle)
    writer.close()
    print(f"{pairs} pairs")
    return 0 if pairs else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--swap" in sys.argv[3:]))
