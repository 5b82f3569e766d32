"""Reads what the gateway has packed in its database, by a reader of its own: see PackedJSON in the sources."""

import pathlib
import re

SOURCE = pathlib.Path(__file__).parents[3] / "Sources" / "ChatStore" / "Storage" / "PackedJSON.swift"
WORDS, BASED = 1, 2


def words():
    """The dictionary as it stands in the sources: a text over several lines, each but the last with a backslash at its end."""
    text = re.search(r'static let words = Array\(\s*"""\n(.*?)\n\s*"""', SOURCE.read_text(), re.DOTALL)[1]
    return "".join(line.strip().removesuffix("\\") for line in text.split("\n")).encode()


def unpacked(stored, base=None):
    """The JSON of a row. `base` is the JSON of the message's row, for an event that was packed with it."""
    stored = bytes(stored)
    if stored[:1] not in (bytes([WORDS]), bytes([BASED])):
        return stored
    assert stored[0] == WORDS or base is not None, "the row with which it was packed is gone"
    dictionary = words() + (unpacked(base) if stored[0] == BASED else b"")
    length, place, shift = 0, 1, 0
    while True:
        byte, place = stored[place], place + 1
        length |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            break
    out = bytearray(dictionary)
    _read_block(stored, place, out)
    assert len(out) == len(dictionary) + length, "a row is damaged"
    return bytes(out[len(dictionary):])


def _read_block(block, place, out):
    """Appends what an LZ4 block says: literals, then a match with what came before, and so on."""
    def more(count):
        nonlocal place
        if count == 15:
            while True:
                byte, place = block[place], place + 1
                count += byte
                if byte != 255:
                    break
        return count

    while place < len(block):
        token, place = block[place], place + 1
        literals = more(token >> 4)
        out += block[place:place + literals]
        place += literals
        if place >= len(block):
            return
        distance, place = int.from_bytes(block[place:place + 2], "little"), place + 2
        for _ in range(more(token & 15) + 4):
            out.append(out[-distance])
