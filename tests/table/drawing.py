"""Pictures for the tests, and files that only pretend to be pictures."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

from PIL import Image

POSITION = b"48.8583701N 2.2944813E"
"""A position in the metadata of a photo."""

SCRIPT = b"<script>alert('planted')</script>"


def drawn(colour: str = "teal", size: tuple[int, int] = (60, 40), kind: str = "PNG", **more: Any) -> bytes:
    """A picture of one colour."""
    written = io.BytesIO()
    Image.new("RGB", size, colour).save(written, kind, **more)
    return written.getvalue()


def noisy(size: tuple[int, int]) -> bytes:
    """A picture that compresses badly: the same in every run."""
    state, found = 1, bytearray()
    for _ in range(size[0] * size[1] * 3 // 4):
        state = (state * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        found += struct.pack("<I", state)
    written = io.BytesIO()
    Image.frombytes("RGB", size, bytes(found).ljust(size[0] * size[1] * 3, b"\0")).save(written, "PNG")
    return written.getvalue()


def photo() -> bytes:
    """A photo that lies on its side and says where it was taken, in three kinds of metadata."""
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    exif[0x010E] = POSITION.decode()
    exif.get_ifd(0x8825)[29] = POSITION.decode()
    return drawn(kind="JPEG", exif=exif, comment=POSITION, icc_profile=POSITION)


def png_of(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG file whose header claims a size, whatever is in it."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(data)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join([png_chunk(name, body) for name, body in chunks])


def png_chunk(name: bytes, body: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_with(name: bytes, body: bytes) -> bytes:
    """A good PNG file with one more chunk behind its header."""
    whole = drawn()
    return whole[:33] + png_chunk(name, body) + whole[33:]


def gif_of_frames(count: int) -> bytes:
    """An animation."""
    frames = [Image.new("RGB", (20, 20), (shade % 256, 40, 90)) for shade in range(count)]
    written = io.BytesIO()
    frames[0].save(written, "GIF", save_all=True, append_images=frames[1:])
    return written.getvalue()


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">' + SCRIPT + b"</svg>"
NO_PICTURE = "not a picture"
DAMAGED = "damaged or incomplete"
TOO_MANY = "too many pixels"
TOO_LARGE = "at most 6,000,000"
HARMLESS = ""

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "an empty file": (lambda: b"", "empty"),
    "plain text": (lambda: b"hello " * 50, NO_PICTURE),
    "a web page": (lambda: b"<!doctype html><title>x</title>" + SCRIPT, NO_PICTURE),
    "SVG with a script": (lambda: SVG, NO_PICTURE),
    "SVG named like a picture": (lambda: b"\xef\xbb\xbf<?xml version='1.0'?>" + SVG, NO_PICTURE),
    "a program": (lambda: b"MZ\x90\0" + b"\0" * 500, NO_PICTURE),
    "an archive": (lambda: b"PK\x03\x04" + b"\0" * 500, NO_PICTURE),
    "a PDF": (lambda: b"%PDF-1.7\n" + SCRIPT, NO_PICTURE),
    "PostScript": (lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage", NO_PICTURE),
    "a kind that is not allowed": (lambda: drawn(kind="TIFF"), NO_PICTURE),
    "more bytes than allowed": (lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 6_000_001, TOO_LARGE),
    "a bomb of pixels": (lambda: png_of(60_000, 60_000, b"\0" * 1_000_000), TOO_MANY),
    "a bomb in one row": (lambda: png_of(2_000_000_000, 1), TOO_MANY),
    "a bomb of text": (lambda: png_with(b"zTXt", b"k\0\0" + zlib.compress(b"x" * 80_000_000)), DAMAGED),
    "a truncated photo": (lambda: photo()[:-200], DAMAGED),
    "a truncated PNG": (lambda: noisy((40, 40))[:-900], DAMAGED),
    "a header without pixels": (lambda: png_of(300, 300), DAMAGED),
    "no width": (lambda: png_of(0, 9), NO_PICTURE),
    "a photo with a position": (photo, HARMLESS),
    "a script in a text chunk": (lambda: png_with(b"tEXt", b"Comment\0" + SCRIPT), HARMLESS),
    "a picture that is a page too": (lambda: drawn(kind="GIF") + b"<html>" + SCRIPT, HARMLESS),
    "a picture with an archive behind it": (lambda: drawn(kind="JPEG") + b"PK\x03\x04" + SCRIPT, HARMLESS),
    "an animation of 300 frames": (lambda: gif_of_frames(300), HARMLESS),
    "WebP with metadata": (lambda: drawn(kind="WEBP", xmp=SCRIPT, exif=b"Exif\0\0" + POSITION), HARMLESS),
}
"""Hostile files, made when they are needed, each with a part of its refusal, or nothing if it is made harmless."""
