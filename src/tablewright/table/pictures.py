"""Pictures: uploads become plain WebP files without metadata, and stored ones are checked before use.

An upload is untrusted. Its size in pixels is checked before anything is decoded, only the first frame is decoded, and
the result is encoded again from its pixels alone: positions, comments, colour profiles and anything appended are gone.
"""

from __future__ import annotations

import io
import struct
import warnings
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from tablewright.errors import InvalidInputError
from tablewright.extras import needs_extra

if TYPE_CHECKING:
    from PIL import Image

Use: TypeAlias = Literal["portrait", "map", "handout"]

MOST_BYTES = 6_000_000
MOST_PIXELS = 40_000_000
MOST_SIDE = 16_000
MOST_STORED = 1_000_000
"""Upper bounds for an upload in bytes and pixels, and for the bytes of a stored picture."""

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
MEDIA = "image/webp"
SIDES: dict[Use, int] = {"portrait": 512, "map": 2_048, "handout": 1_600}
"""Longest side in pixels of a stored picture, by its use."""

_TRIES = ((1.0, 82), (0.8, 75), (0.6, 65), (0.4, 50), (0.25, 40))
"""Scale and quality of each attempt to stay within ``MOST_STORED``."""

_CHUNKS = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ALPH"))
"""Chunks of a WebP file that hold pixels; all others are metadata or animation."""

ALLOWED = "allowed are PNG, JPEG, WebP and GIF"


class EncodedPicture(NamedTuple):
    """A picture ready to store: the hash of its bytes as id, its size in pixels, and its bytes."""

    id: str
    width: int
    height: int
    data: bytes


def picture_id(data: bytes) -> str:
    """Id of a picture: the first 40 hexadecimal digits of the SHA-256 of its bytes."""
    return sha256(data).hexdigest()[:40]


def encode_picture(data: bytes, use: Use = "handout") -> EncodedPicture:
    """Decode an upload and encode its pixels as WebP; refuse anything that is no picture, or too large."""
    if not data:
        raise InvalidInputError("the file is empty; choose a picture", field="picture")
    if len(data) > MOST_BYTES:
        raise InvalidInputError(
            f"the picture has {len(data):,} bytes, and at most {MOST_BYTES:,} are allowed; save it smaller",
            field="picture",
        )
    image = _decoded(data)
    longest = SIDES[use]
    for scale, quality in _TRIES:
        smaller = image.copy()
        smaller.thumbnail((round(longest * scale), round(longest * scale)))
        written = io.BytesIO()
        smaller.save(written, "WEBP", quality=quality, method=4)
        if len(written.getvalue()) <= MOST_STORED:
            return EncodedPicture(picture_id(written.getvalue()), *smaller.size, written.getvalue())
    raise InvalidInputError("the picture cannot be made small enough; choose another one", field="picture")


def _decoded(data: bytes) -> Image.Image:
    """First frame of an upload, upright, with nothing but its pixels."""
    with needs_extra("server"):
        from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415  (slow to load)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the size is checked below, and a warning would reach the log
            found = Image.open(io.BytesIO(data), formats=FORMATS)
            _check_size(*found.size)
            found.load()
            upright: Image.Image = found
            with suppress(Exception):  # metadata that cannot be read does not turn the picture
                upright = ImageOps.exif_transpose(found)
            has_alpha = upright.has_transparency_data
            plain = upright.convert("RGBA" if has_alpha else "RGB")
            bare = Image.new(plain.mode, plain.size)
            bare.paste(plain)
            return bare
    except UnidentifiedImageError:
        raise InvalidInputError(f"this file is not a picture; {ALLOWED}", field="picture") from None
    except Image.DecompressionBombError:
        raise _too_large() from None
    except InvalidInputError:
        raise
    except MemoryError:
        raise _too_large() from None
    except Exception:  # decoders raise many kinds of errors for damaged files
        raise InvalidInputError(f"this picture is damaged or incomplete; {ALLOWED}", field="picture") from None


def _check_size(width: int, height: int) -> None:
    if not (0 < width <= MOST_SIDE and 0 < height <= MOST_SIDE and width * height <= MOST_PIXELS):
        raise _too_large()


def _too_large() -> InvalidInputError:
    return InvalidInputError(
        f"the picture has too many pixels; at most {MOST_PIXELS // 1_000_000} million are allowed, and at most "
        f"{MOST_SIDE:,} on a side",
        field="picture",
    )


# ---------------------------------------------------------------------- stored pictures


def check_stored(id_: str, data: bytes) -> EncodedPicture:
    """A picture from a campaign's file; refuse one that this program did not write."""
    if picture_id(data) != id_:
        raise InvalidInputError("the stored picture was altered; upload it again", field="picture")
    if len(data) > MOST_STORED or not is_bare_webp(data):
        raise InvalidInputError("the stored picture is not a file of Tablewright; upload it again", field="picture")
    image = _decoded(data)
    return EncodedPicture(id_, *image.size, data)


def is_bare_webp(data: bytes) -> bool:
    """True if data is one WebP file with pixels only: no metadata, no animation, nothing appended."""
    if len(data) < 20 or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return False
    (length,) = struct.unpack("<I", data[4:8])
    if length + 8 != len(data):
        return False
    at = 12
    while at + 8 <= len(data):
        name, (size,) = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])
        if name not in _CHUNKS or at + 8 + size > len(data):
            return False
        at += 8 + size + size % 2
    return at == len(data)
