"""Pictures: hostile files, quotas, who may see which, and that export, import and backup keep them."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import update

from each_case import each_case
from table.drawing import DAMAGED, HOSTILE, POSITION, SCRIPT, drawn, noisy, photo, png_of
from table.playing import Group, group
from table.test_older_versions import steps_until
from tablewright.errors import IllegalActionError, InvalidInputError
from tablewright.table import (
    ForbiddenError,
    NotFoundError,
    Store,
    StoreDamagedError,
    campaign,
    export_campaign,
    import_campaign,
    open_store,
    pictures,
)
from tablewright.table.database.connection import engine_of, migrate, revision_of_file
from tablewright.table.database.location import address_of
from tablewright.table.database.schema import pictures as stored
from tablewright.table.handlers import pictures as handler
from tablewright.table.pictures import check_stored, encode_picture, is_bare_webp, picture_id


def uploaded(g: Group, seat: str, colour: str = "teal") -> str:
    """The id of a picture that a seat uploads."""
    found: str = g.table.add_picture(seat, encode_picture(drawn(colour)))["id"]
    return found


# ---------------------------------------------------------------------- files


@each_case("name", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line_or_made_harmless(name: str) -> None:
    make, why = HOSTILE[name]
    data = make()
    if why:
        with pytest.raises(InvalidInputError, match=why) as refused:
            encode_picture(data)
        assert "\n" not in refused.value.message
        assert refused.value.field == "picture"
        return
    found = encode_picture(data)
    assert is_bare_webp(found.data)
    for word in (POSITION, SCRIPT, b"Exif", b"XMP", b"PK\x03\x04", b"<html"):
        assert word not in found.data
    with Image.open(io.BytesIO(found.data)) as image:
        assert image.format == "WEBP"
        assert getattr(image, "n_frames", 1) == 1
        assert not image.getexif()


def test_at_least_twenty_files_are_hostile() -> None:
    assert len(HOSTILE) >= 20
    assert len([why for _, why in HOSTILE.values() if why]) >= 12


def test_a_photo_is_turned_upright() -> None:
    found = encode_picture(photo())
    assert (found.width, found.height) == (40, 60)


def test_transparency_stays() -> None:
    written = io.BytesIO()
    Image.new("RGBA", (8, 8), (200, 10, 10, 0)).save(written, "PNG")
    with Image.open(io.BytesIO(encode_picture(written.getvalue(), "portrait").data)) as image:
        assert image.convert("RGBA").getpixel((4, 4))[3] == 0  # type: ignore[index]


@pytest.mark.parametrize(("use", "side"), [("portrait", 512), ("handout", 1_600), ("map", 2_048)])
def test_each_use_has_its_longest_side(use: pictures.Use, side: int) -> None:
    found = encode_picture(drawn(size=(3_000, 1_500)), use)
    assert (found.width, found.height) == (side, side // 2)
    small = encode_picture(drawn(size=(30, 20)), use)
    assert (small.width, small.height) == (30, 20), "a small picture is not blown up"


def test_a_picture_that_compresses_badly_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    data = noisy((300, 300))
    whole = encode_picture(data)
    monkeypatch.setattr(pictures, "MOST_STORED", len(whole.data) - 1)
    monkeypatch.setitem(pictures.SIDES, "handout", 300)
    smaller = encode_picture(data)
    assert len(smaller.data) < len(whole.data)
    assert smaller.width < whole.width
    monkeypatch.setattr(pictures, "MOST_STORED", 10)
    with pytest.raises(InvalidInputError, match="small enough"):
        encode_picture(data)


def test_the_pixels_are_counted_before_any_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that claims too many pixels is refused although it holds none to decode."""
    monkeypatch.setattr(pictures, "MOST_PIXELS", 100)
    with pytest.raises(InvalidInputError, match="too many pixels"):
        encode_picture(png_of(11, 10))
    with pytest.raises(InvalidInputError, match=DAMAGED):
        encode_picture(png_of(10, 10))


def test_only_a_file_of_this_program_counts_as_stored() -> None:
    good = encode_picture(drawn()).data
    assert check_stored(picture_id(good), good).data == good
    for bad in (good + b"\0\0", good[:-2], drawn(), drawn(kind="WEBP", xmp=SCRIPT), b"RIFF"):
        assert not is_bare_webp(bad)
        with pytest.raises(InvalidInputError, match="not a file of Tablewright"):
            check_stored(picture_id(bad), bad)
    with pytest.raises(InvalidInputError, match="was altered"):
        check_stored("0" * 40, good)


# ---------------------------------------------------------------------- at the table


def test_a_picture_is_seen_by_its_owner_until_it_is_used(quick: Store) -> None:
    g = group(quick)
    hers = uploaded(g, g.anna)
    assert g.table.picture(g.anna, hers) == g.table.picture(g.gm, hers) == encode_picture(drawn()).data
    for seat in (g.ben, g.watcher):
        with pytest.raises(NotFoundError, match="no such picture"):
            g.table.picture(seat, hers)
        assert hers not in json.dumps(g.table.view(seat))
    g.act(g.anna, "portrait.set", who="ann", picture=hers)
    for seat in (g.gm, g.anna, g.ben, g.watcher):
        assert g.table.view(seat)["portraits"] == {"ann": hers}
        assert g.table.picture(seat, hers)
    assert g.table.lines(g.ben)[-1]["text"] == "Ann has a new portrait"
    g.act(g.anna, "portrait.set", who="ann")
    assert g.table.view(g.ben)["portraits"] == {}
    with pytest.raises(NotFoundError):
        g.table.picture(g.ben, hers)
    assert g.table.is_as_the_log_says()


def test_players_use_their_own_pictures_for_their_own_characters(quick: Store) -> None:
    g = group(quick)
    hers, master = uploaded(g, g.anna), uploaded(g, g.gm, "red")
    for seat, who, picture in ((g.ben, "ann", hers), (g.anna, "bob", hers), (g.anna, "nobody", hers)):
        with pytest.raises(NotFoundError, match="no character of yours"):
            g.act(seat, "portrait.set", who=who, picture=picture)
    for picture in (master, "0" * 40):
        with pytest.raises(NotFoundError, match="no such picture of yours"):
            g.act(g.anna, "portrait.set", who="ann", picture=picture)
    with pytest.raises(ForbiddenError):
        g.act(g.anna, "map.set", picture=hers)
    with pytest.raises(ForbiddenError, match="only watch"):
        uploaded(g, g.watcher)
    with pytest.raises(IllegalActionError, match="no scene is open"):
        g.act(g.gm, "map.set", picture=master)


def test_the_same_picture_of_two_seats_is_stored_once_and_seen_by_both(quick: Store) -> None:
    g = group(quick)
    assert uploaded(g, g.gm) == uploaded(g, g.anna) == uploaded(g, g.anna)
    picture = uploaded(g, g.anna)
    assert g.table.picture(g.anna, picture)
    with pytest.raises(NotFoundError):
        g.table.picture(g.ben, picture)
    lines = [line for line in g.table.lines(g.gm) if line["fact"].get("event") == "PictureAdded"]
    assert [line["fact"]["by"] for line in lines] == [g.gm, g.anna], "a repetition is no line"


def test_a_retry_under_the_same_key_stores_nothing(quick: Store) -> None:
    g = group(quick)
    first, other = encode_picture(drawn()), encode_picture(drawn("red"))
    assert g.table.add_picture(g.anna, first, key="k") == g.table.add_picture(g.anna, first, key="k")
    with pytest.raises(InvalidInputError, match="key was used"):
        g.table.add_picture(g.anna, other, key="k")


def test_pictures_are_bounded(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "MOST_PICTURES_OF_PLAYER", 1)
    g = group(quick)
    uploaded(g, g.anna)
    with pytest.raises(IllegalActionError, match="at most 1 pictures"):
        uploaded(g, g.anna, "red")
    uploaded(g, g.gm, "red")
    monkeypatch.setattr(handler, "MOST_PICTURES", 2)
    with pytest.raises(IllegalActionError, match="at most 2 pictures"):
        uploaded(g, g.gm, "blue")
    monkeypatch.setattr(handler, "MOST_PICTURES", 3)
    monkeypatch.setattr(handler, "MOST_BYTES_OF_PICTURES", 10)
    with pytest.raises(IllegalActionError, match="in all"):
        uploaded(g, g.gm, "blue")


def test_the_portrait_of_a_hidden_participant_comes_with_its_bearer(quick: Store) -> None:
    g = group(quick)
    g.begin()
    g.act(
        g.gm, "join", entrant={"character": "rat", "id": "lurker", "name": "Lurker", "hidden": True, "side": "vermin"}
    )
    picture = uploaded(g, g.gm)
    g.act(g.gm, "portrait.set", who="lurker", picture=picture)
    for seat in (g.anna, g.ben, g.watcher):
        assert picture not in json.dumps([g.table.view(seat), g.table.lines(seat)])
        with pytest.raises(NotFoundError):
            g.table.picture(seat, picture)
        with pytest.raises((NotFoundError, ForbiddenError)):
            g.act(seat, "portrait.set", who="lurker")
    assert g.table.view(g.gm)["portraits"] == {"lurker": picture}


def test_the_map_is_that_of_the_open_scene(quick: Store) -> None:
    g = group(quick)
    g.begin()
    picture = uploaded(g, g.gm)
    g.act(g.gm, "map.set", picture=picture)
    for seat in (g.gm, g.anna, g.watcher):
        assert g.table.view(seat)["map"] == {"picture": picture, "width": 60, "height": 40, "tokens": {}}
        assert g.table.picture(seat, picture)
    g.act(g.gm, "scene.end", anyway=True)
    assert g.table.view(g.anna)["map"] is None
    with pytest.raises(NotFoundError):
        g.table.picture(g.anna, picture)


def test_tokens_stand_on_the_picture_where_they_were_put(where: str) -> None:
    with open_store(where) as store:
        g = group(store)
        g.act(g.gm, "scene.begin", form="time", who=["ann", "bob"])
        with pytest.raises(IllegalActionError, match="no picture lies under the map"):
            g.act(g.gm, "token.place", who="ann", x=1, y=1)
        picture = uploaded(g, g.gm)
        g.act(g.gm, "map.set", picture=picture)
        g.act(g.anna, "token.place", who="ann", x=250, y=1_000)
        g.act(g.gm, "token.place", who="bob", x=0, y=10)
        g.act(g.gm, "token.place", who="bob", x=500, y=20)
        for who in ("bob", "nobody"):
            with pytest.raises(NotFoundError, match="no character of yours"):
                g.act(g.anna, "token.place", who=who, x=1, y=1)
        with pytest.raises(ForbiddenError):
            g.act(g.watcher, "token.place", who="ann", x=1, y=1)
        for x, y in ((-1, 0), (0, 1_001), (0.5, 1)):
            with pytest.raises(InvalidInputError):
                g.act(g.gm, "token.place", who="ann", x=x, y=y)
        there = {"ann": [250, 1_000], "bob": [500, 20]}
        assert g.table.view(g.watcher)["map"]["tokens"] == there
        assert not [line for line in g.table.lines(g.anna) if "TokenPlaced" in json.dumps(line) and line.get("text")]
        file = "".join(export_campaign(store, g.table.id))
    with open_store(where) as store:
        assert store.table(g.table.id).view(g.anna)["map"]["tokens"] == there
        again = import_campaign(store, file).table
        assert again.view(g.anna)["map"]["tokens"] == there
        again.act(g.gm, {"do": "scene.end", "anyway": True})
        again.act(g.gm, {"do": "scene.begin", "form": "time", "who": ["ann"]})
        again.act(g.gm, {"do": "map.set", "picture": picture})
        assert again.view(g.gm)["map"]["tokens"] == {}, "another scene, another map"


def test_the_token_of_a_hidden_participant_is_nowhere(quick: Store) -> None:
    g = group(quick)
    g.act(g.gm, "scene.begin", form="time", who=["ann"])
    g.act(g.gm, "join", entrant={"character": "rat", "id": "lurker", "name": "Lurker", "hidden": True})
    g.act(g.gm, "map.set", picture=uploaded(g, g.gm))
    seats = (g.anna, g.ben, g.watcher)
    before = [json.dumps([g.table.view(seat), g.table.lines(seat)]) for seat in seats]
    g.act(g.gm, "token.place", who="lurker", x=777, y=333)
    assert [json.dumps([g.table.view(seat), g.table.lines(seat)]) for seat in seats] == before
    assert g.table.view(g.gm)["map"]["tokens"] == {"lurker": [777, 333]}
    told = [refusal(g, g.anna, who) for who in ("lurker", "nobody")]
    assert told[0] == told[1]


def refusal(g: Group, seat: str, who: str) -> str:
    with pytest.raises(NotFoundError) as refused:
        g.act(seat, "token.place", who=who, x=1, y=1)
    return str(refused.value)


# ---------------------------------------------------------------------- handouts


def test_a_handout_reaches_the_seats_of_choice_and_no_other(quick: Store) -> None:
    g = group(quick)
    picture = uploaded(g, g.gm)
    g.act(g.gm, "handout.keep", title="The zorbel letter", text="# Meet me\nat the *quintal* gate", picture=picture)
    (kept,) = g.table.view(g.gm)["handouts"]
    assert kept["seats"] == []
    secret = ("zorbel", "quintal", kept["id"], picture)

    def knows(seat: str) -> bool:
        told = json.dumps([g.table.view(seat), g.table.lines(seat)])
        found = [word in told for word in secret]
        assert len(set(found)) == 1, "all of it or nothing"
        return found[0]

    assert not any(knows(seat) for seat in (g.anna, g.ben, g.watcher))
    g.act(g.gm, "handout.show", id=kept["id"], seats=[g.anna])
    assert knows(g.anna)
    assert not knows(g.ben)
    assert not knows(g.watcher)
    assert g.table.view(g.anna)["handouts"] == [{name: kept[name] for name in ("id", "title", "text", "picture")}]
    assert g.table.picture(g.anna, picture)
    g.act(g.gm, "handout.keep", id=kept["id"], title=kept["title"], text="another text")
    assert g.table.view(g.anna)["handouts"][0]["text"] == "another text"
    assert g.table.view(g.ben)["handouts"] == []
    with pytest.raises(NotFoundError):
        g.table.picture(g.anna, picture)
    g.act(g.gm, "handout.show", id=kept["id"], seats="everyone")
    for seat in (g.ben, g.watcher):
        assert g.table.view(seat)["handouts"][0]["text"] == "another text"
    g.act(g.gm, "handout.hide", id=kept["id"])
    assert [g.table.view(seat)["handouts"] for seat in (g.anna, g.ben, g.watcher)] == [[], [], []]
    g.act(g.gm, "handout.drop", id=kept["id"])
    assert g.table.view(g.gm)["handouts"] == []
    assert g.table.is_as_the_log_says()


def test_handouts_are_the_game_masters(quick: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    g = group(quick)
    g.act(g.gm, "handout.keep", title="A letter")
    id_ = g.table.view(g.gm)["handouts"][0]["id"]
    for command in (
        {"do": "handout.keep", "title": "x"},
        {"do": "handout.show", "id": id_, "seats": "everyone"},
        {"do": "handout.hide", "id": id_},
        {"do": "handout.drop", "id": id_},
    ):
        with pytest.raises(ForbiddenError):
            g.table.act(g.anna, command)
    with pytest.raises(IllegalActionError, match="is not a player"):
        g.act(g.gm, "handout.show", id=id_, seats=[g.watcher])
    with pytest.raises(NotFoundError, match="no such handout"):
        g.act(g.gm, "handout.show", id="handout-x", seats="everyone")
    from tablewright.table.handlers import handouts

    monkeypatch.setattr(handouts, "MOST_LETTERS_OF_HANDOUTS", 5)
    with pytest.raises(IllegalActionError, match="at most 5 letters"):
        g.act(g.gm, "handout.keep", title="x", text="sixsix")
    monkeypatch.setattr(handouts, "MOST_HANDOUTS", 1)
    with pytest.raises(IllegalActionError, match="at most 1 handouts"):
        g.act(g.gm, "handout.keep", title="x")


# ---------------------------------------------------------------------- files and databases


def with_pictures(store: Store) -> Group:
    """A campaign with a portrait, a map, a handout, and talk."""
    g = group(store)
    g.begin()
    g.act(g.anna, "portrait.set", who="ann", picture=uploaded(g, g.anna))
    g.act(g.gm, "map.set", picture=uploaded(g, g.gm, "red"))
    g.act(g.gm, "handout.keep", title="A letter", text="Come", picture=uploaded(g, g.gm, "blue"))
    g.act(g.gm, "handout.show", id=g.table.view(g.gm)["handouts"][0]["id"], seats=[g.ben])
    g.act(g.ben, "say", text="/w Anna psst")
    return g


def seen_of(g: Group, table_id: str, store: Store) -> list[object]:
    """The campaign as each seat sees it, pictures included."""
    table = store.table(table_id)
    found: list[object] = []
    for seat in (g.gm, g.anna, g.ben, g.watcher):
        view = table.view(seat)
        view["campaign"] = view["campaign"] | {"id": ""}
        shown = [*view["portraits"].values(), view["map"]["picture"], *[one["picture"] for one in view["handouts"]]]
        found.append((view, [table.picture(seat, one) for one in shown]))
    return found


def test_an_export_holds_the_pictures(store: Store, elsewhere: str) -> None:
    g = with_pictures(store)
    text = "".join(export_campaign(store, g.table.id))
    with open_store(elsewhere) as other:
        made = import_campaign(other, text)
        assert seen_of(g, made.table.id, other) == seen_of(g, g.table.id, store)
        assert "".join(export_campaign(other, made.table.id)).splitlines()[1:] == text.splitlines()[1:]
        assert other.verify().is_whole


def test_a_backup_holds_the_pictures(store: Store, elsewhere: str, tmp_path: Path) -> None:
    g = with_pictures(store)
    store.backup(tmp_path / "copy.db")
    with open_store(elsewhere) as other:
        other.restore(tmp_path / "copy.db")
        assert seen_of(g, g.table.id, other) == seen_of(g, g.table.id, store)


def test_a_removed_campaign_leaves_no_picture(store: Store) -> None:
    g = with_pictures(store)
    store.remove_campaign(g.table.id, g.table.title)
    with store.engine.connect() as connection:
        assert connection.execute(stored.select()).all() == []


def test_a_file_with_wrong_pictures_is_refused_and_leaves_nothing(quick: Store) -> None:
    g = with_pictures(quick)
    lines = "".join(export_campaign(quick, g.table.id)).splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith('{"picture"'))
    one = json.loads(lines[place])
    wrong = {
        "pictures are missing": lines[:place] + lines[place + 1 :],
        "comes twice": [*lines, lines[place]],
        "knows no picture": [*lines, json.dumps(one | {"picture": "0" * 40})],
        "was altered": [*lines[:place], json.dumps(one | {"data": ["AAAA"]}), *lines[place + 1 :]],
        "not Base64": [*lines[:place], json.dumps(one | {"data": ["%"]}), *lines[place + 1 :]],
        "list of texts": [*lines[:place], json.dumps(one | {"data": 3}), *lines[place + 1 :]],
    }
    for why, changed in wrong.items():
        with pytest.raises(InvalidInputError, match=why):
            import_campaign(quick, "\n".join(changed))
    assert len(quick.campaigns()) == 1
    with quick.engine.connect() as connection:
        assert {row.campaign for row in connection.execute(stored.select())} == {g.table.id}


def test_a_damaged_picture_is_found_and_never_shown(quick: Store) -> None:
    g = with_pictures(quick)
    picture = g.table.view(g.gm)["portraits"]["ann"]
    with quick.engine.begin() as connection:
        connection.execute(update(stored).where(stored.c.id == picture).values(data=SCRIPT))
    with pytest.raises(NotFoundError):
        g.table.picture(g.gm, picture)
    with pytest.raises(StoreDamagedError, match="picture"):
        list(export_campaign(quick, g.table.id))
    assert any("a picture of" in problem for problem in quick.verify().problems)


@pytest.mark.parametrize("form", ["0001", "0002"])
def test_a_database_of_an_older_form_gets_its_pictures(form: str, tmp_path: Path) -> None:
    """The form of 0.1.0 and the one before pictures: campaigns open, and pictures are taken."""
    path = tmp_path / "tables.db"
    if form == "0001":
        old = Path(__file__).parent / "files" / "0.1.0" / "tables.db.gz"
        path.write_bytes(gzip.decompress(old.read_bytes()))
        wanted, _ = revision_of_file(path)
    else:
        engine = engine_of(address_of(str(path)))
        migrate(engine, versions=steps_until(tmp_path / "steps", form))
        engine.dispose()
        wanted = form
    assert revision_of_file(path)[0] == wanted
    assert wanted is not None
    assert wanted < "0003"
    with open_store(path, serve=True) as store:
        assert store.copied_to is not None
        if form == "0002":
            g = with_pictures(store)
            table, master = g.table, g.gm
        else:
            table, master = store.table(store.campaigns()[0].id), "gwen"
        found = table.add_picture(master, encode_picture(drawn("gold")))
        assert table.picture(master, found["id"])
        assert table.is_as_the_log_says()
        assert store.verify().is_whole
    assert revision_of_file(path)[0] == "0003"


def test_a_player_leaves_room_for_the_pictures_of_others() -> None:
    assert campaign.MOST_PICTURES_OF_PLAYER * 4 <= campaign.MOST_PICTURES
