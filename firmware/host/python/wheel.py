#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the wheel of package `heddle`: Python, shared libraries, headers of `heddle cc`, devices for any machine.

usage: wheel.py PREFIX FOLDER [DEVICE.so]...
PREFIX   an installation of the component `development`: libraries, and headers, of which the declarations are made
FOLDER   gets heddle-VERSION-py3-none-linux_x86_64.whl, and nothing else of that name stays there
"""
import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

import declarations

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OURS = ("libheddle.so", "libheddle-sim.so")  # what links; a system loads them by their names with a version
# Every Linux that Python runs on has these.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt)[.-]")
METADATA = """Metadata-Version: 2.1
Name: heddle
Version: {version}
Summary: Kernels on an open GPU core, checked against its model at every instruction
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: cffi>=1.15
Requires-Dist: numpy>=1.24
Description-Content-Type: text/markdown

{text}"""
WHEEL = """Wheel-Version: 1.0
Generator: heddle
Root-Is-Purelib: false
Tag: {tag}
"""


def release(include):
    return re.search(r'HEDDLE_RELEASE "(.*)"', (include / "heddle/api.h").read_text()).group(1)


def needed(library):
    """What a library wants of the system, by name: where it lies."""
    said = subprocess.run(["ldd", library], text=True, check=True, stdout=subprocess.PIPE).stdout
    for name, path in re.findall(r"^\s*(\S+) => (\S+) \(", said, re.MULTILINE):
        if not name.startswith(OURS) and not SYSTEM.match(name):
            yield name, pathlib.Path(path)


def soname(library):
    said = subprocess.run(["readelf", "-d", library], text=True, check=True, stdout=subprocess.PIPE).stdout
    return re.search(r"SONAME.*\[(.*)\]", said).group(1)


def copyright_of(library):
    """Whose it is: the file that Debian has of its package; None elsewhere."""
    for path in {library, library.resolve(), pathlib.Path("/usr") / str(library).lstrip("/")}:
        said = subprocess.run(["dpkg", "-S", path], text=True, check=False, capture_output=True).stdout
        file = pathlib.Path("/usr/share/doc", said.split(":")[0], "copyright")
        if said and file.exists():
            return file.read_bytes()
    return None


def libraries(prefix):
    """Ours, and those that a system may lack; with what is to be said of the latter."""
    lib = next(p for p in sorted(prefix.glob("lib*/**")) if (p / OURS[1]).exists())
    files, words = {}, {}
    for name in (soname(lib / link) for link in OURS):
        files[f"heddle/lib/{name}"] = (lib / name).read_bytes()
        for other, path in needed(lib / name):
            files[f"heddle/lib/{other}"] = path.read_bytes()
            words[other] = copyright_of(path)
    return files, {f"licenses/{name}.txt": said for name, said in words.items() if said}


def package(prefix, devices):
    files, words = libraries(prefix)
    for path in sorted(HERE.glob("heddle/*")):
        if path.suffix in (".py", ".pyi", ".typed"):
            files[f"heddle/{path.name}"] = path.read_bytes()
    for folder, part in ((ROOT / "compiler/device", "cc"), (ROOT / "firmware/host/cuda/include", "cc/include")):
        for path in sorted(folder.rglob("*.h")):
            files[f"heddle/{part}/{path.relative_to(folder)}"] = path.read_bytes()
    for path in devices:
        files[f"heddle/lib/devices/{path.name}"] = path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "_c.py")
        declarations.main(str(prefix / "include"), str(made))
        files["heddle/_c.py"] = made.read_bytes()
    for name in ("LICENSE", "NOTICE"):
        words[f"licenses/{name}"] = (ROOT / name).read_bytes()
    return files, words


def record(files, info):
    lines = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join(lines) + f"{info}/RECORD,,\n"


def write(path, files):
    """The same bytes from the same files: no times."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(entry, data)


def main(prefix, folder, *devices):
    prefix, folder = pathlib.Path(prefix), pathlib.Path(folder)
    version, tag = release(prefix / "include"), f"py3-none-linux_{platform.machine()}"
    info = f"heddle-{version}.dist-info"
    files, words = package(prefix, [pathlib.Path(d) for d in devices])
    files.update({f"{info}/{name}": data for name, data in words.items()})
    text = (HERE / "README.md").read_text()
    files[f"{info}/METADATA"] = METADATA.format(version=version, text=text).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    files[f"{info}/RECORD"] = record(files, info).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("heddle-*.whl"):
        old.unlink()
    wheel = folder / f"heddle-{version}-{tag}.whl"
    write(f"{wheel}.part", files)
    os.replace(f"{wheel}.part", wheel)
    print(wheel)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
