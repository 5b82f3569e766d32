"""The preloaded library of shim.c: compiled once, and steered while the gateway runs."""

import errno
import mmap
import pathlib
import random
import shutil
import struct
import subprocess
import tempfile

WRITE, SYNC, TRUNCATE, RENAME, OPEN = 1, 2, 4, 8, 16
FAIL, TEAR, DELAY = 0, 1, 2
ERRORS = {name: getattr(errno, name) for name in ("EIO", "ENOSPC", "EROFS", "EDQUOT")}
DAY = 86_400

_library = None


def library():
    """The compiled shim; it lives as long as this process."""
    global _library
    if _library is None:
        folder = tempfile.TemporaryDirectory(prefix="parley-shim-")
        path = pathlib.Path(folder.name) / "shim.so"
        source = pathlib.Path(__file__).parent / "shim.c"
        # The Swift toolchain brings a clang.
        compiler = shutil.which("cc") or shutil.which("clang")
        assert compiler, "no C compiler is on PATH"
        subprocess.run([compiler, "-O2", "-Wall", "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
        _library = (folder, path)
    return str(_library[1])


class Shim:
    """One gateway's shim: `environment` starts the gateway with it, the methods steer it."""

    _layout = struct.Struct("8iq256s")

    def __init__(self, folder, loses_power=False):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "control"
        file.write_bytes(bytes(4096))
        with open(file, "r+b") as opened:
            self._page = mmap.mmap(opened.fileno(), 4096)
        self.environment = {"LD_PRELOAD": library(), "PARLEY_SHIM": str(file)}
        self.undo = self.folder / "undo"
        if loses_power:
            self.undo.mkdir(exist_ok=True)
            self.environment["PARLEY_SHIM_UNDO"] = str(self.undo)

    def _read(self):
        return list(self._layout.unpack_from(self._page))

    def _write(self, values):
        # What arms it comes last.
        self._page[4 : self._layout.size] = self._layout.pack(*values)[4:]
        self._page[0:4] = struct.pack("i", values[0])

    def arm(self, calls, pattern, error=0, countdown=0, times=-1, action=FAIL, delay=0):
        """After `countdown` matching calls `times` fail (-1: all). `error`: errno, or percents of a torn write."""
        lies, clock = self._read()[7:9]
        self._page[0:4] = bytes(4)
        self._write([calls, action, error, countdown, times, 0, delay, lies, clock, pattern.encode()])

    def disarm(self):
        """Everything works again. Returns how many calls failed."""
        self._page[0:4] = bytes(4)
        return self.hits

    @property
    def hits(self):
        return self._read()[5]

    def move_clock(self, seconds):
        values = self._read()
        values[8] = int(seconds * 1e9)
        self._write(values)

    def lie(self):
        """From now on a synchronisation keeps nothing: a defect that the checker has to find."""
        values = self._read()
        values[7] = 1
        self._write(values)

    def cut_power(self, seed: random.Random):
        """After a kill: of the writes that were not synchronised, chance loses some. Returns how many."""
        lost = 0
        for file in sorted(self.undo.iterdir()):
            path, records = self._records(file)
            if not path.is_file():
                continue  # the kill came before the first record, or the file was removed
            content = bytearray(path.read_bytes())
            for offset, size_before, before, _ in reversed(records):
                content[offset : offset + len(before)] = before
                del content[size_before:]
                content.extend(bytes(size_before - len(content)))
            keeps = seed.random()  # of some files nearly everything, of some nearly nothing
            for offset, _, _, after in records:
                if seed.random() < keeps:
                    if len(content) < offset:
                        content.extend(bytes(offset - len(content)))
                    content[offset : offset + len(after)] = after
                    if not after:
                        del content[offset:]
                else:
                    lost += 1
            path.write_bytes(content)
            file.unlink()
        return lost

    @staticmethod
    def _records(file):
        head, _, rest = file.read_bytes().partition(b"\n")
        records, at, layout = [], 0, struct.Struct("qqii")
        while at + layout.size <= len(rest):
            offset, size, before, after = layout.unpack_from(rest, at)
            at += layout.size
            if at + before + after > len(rest):
                break  # the kill came while it was recorded: the write itself did not happen
            records.append((offset, size, rest[at : at + before], rest[at + before : at + before + after]))
            at += before + after
        return pathlib.Path(head.decode()), records

    def close(self):
        self._page.close()
