#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measured or made data of a folder as one archive beside what people wrote there: FOLDER/data.zip.

usage: data_archive.py pack FOLDER PATTERN...   loose files that match join the archive (or replace an entry), and go
       data_archive.py remove FOLDER PATTERN... entries of such names (a* matches b/a1 as well)
       data_archive.py extract FOLDER TO        all entries, as files below TO
       data_archive.py show FOLDER NAME         an entry, on standard output
       data_archive.py check FOLDER...          that the archive is as `pack` writes it
example: scripts/data_archive.py pack tests/silicon/ops '*.bin'

`python3 -m zipfile -l FOLDER/data.zip` lists it. Equal contents make equal archives: entries lie in the order of their
names, not compressed (git does that), with one date. C reads entries by run/job/case_data.h, Python by `read` below."""
import io
import pathlib
import sys
import zipfile

NAME = "data.zip"
MOST = 1 << 30   # bytes of an archive and of all that is in it
ENTRIES = 1 << 16
DATE = (1980, 1, 1, 0, 0, 0)


class Bad(Exception):
    """An archive that is not as it must be."""


def entries(path):
    """{name: contents}, of an archive that may come from anywhere."""
    if path.stat().st_size > MOST:
        raise Bad(f"{path}: too large for an archive of data")
    found = {}
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        if len(infos) > ENTRIES or sum(i.file_size for i in infos) > MOST:
            raise Bad(f"{path}: too much in it")
        for info in infos:
            parts = info.filename.split("/")
            if info.filename in found or any(p in ("", ".", "..") for p in parts) or "\\" in info.filename:
                raise Bad(f"{path}: '{info.filename}' is twice in it, or no name of a file in a folder")
            found[info.filename] = archive.read(info)
    return found


def read(folder, name):
    """The bytes of FOLDER/NAME, loose or of the archive."""
    loose = pathlib.Path(folder, name)
    if loose.is_file():
        return loose.read_bytes()
    return entries(pathlib.Path(folder, NAME))[name]


def archive_of(contents):
    """The bytes of the archive."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(contents):
            info = zipfile.ZipInfo(name, DATE)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, contents[name])
    return whole.getvalue()


def put(path, contents):
    beside = path.with_name(NAME + ".new")   # until it is whole
    beside.write_bytes(archive_of(contents))
    if entries(beside) != contents:
        raise Bad(f"{beside}: not what was put into it")
    beside.replace(path)


def pack(folder, patterns):
    path = folder / NAME
    contents = entries(path) if path.exists() else {}
    loose = sorted({p for pattern in patterns for p in folder.rglob(pattern) if p.is_file() and p != path})
    contents.update({p.relative_to(folder).as_posix(): p.read_bytes() for p in loose})
    if not contents:
        raise Bad(f"{folder}: nothing matches")
    put(path, contents)
    for p in loose:
        p.unlink()
    print(f"{path}: {len(contents)} files, {len(loose)} of them new")


def remove(folder, patterns):
    path = folder / NAME
    put(path, {name: data for name, data in entries(path).items()
               if not any(pathlib.PurePosixPath(name).match(p) for p in patterns)})


def extract(folder, to):
    for name, data in entries(folder / NAME).items():
        place = to / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def check(folder):
    path = folder / NAME
    if archive_of(entries(path)) != path.read_bytes():
        raise Bad(f"{path}: the same contents are packed otherwise; extract it, and pack it anew")


def main(words):
    if words[:1] == ["pack"] and len(words) > 2:
        pack(pathlib.Path(words[1]), words[2:])
    elif words[:1] == ["remove"] and len(words) > 2:
        remove(pathlib.Path(words[1]), words[2:])
    elif words[:1] == ["extract"] and len(words) == 3:
        extract(pathlib.Path(words[1]), pathlib.Path(words[2]))
    elif words[:1] == ["show"] and len(words) == 3:
        sys.stdout.buffer.write(read(words[1], words[2]))
    elif words[:1] == ["check"] and len(words) > 1:
        for folder in words[1:]:
            check(pathlib.Path(folder))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Bad, OSError, zipfile.BadZipFile) as error:
        print(f"data_archive: {error}", file=sys.stderr)
        sys.exit(1)
