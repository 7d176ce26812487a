"""Where a system's code and data could be wrong by one figure or comparison, and which rules each such place is about.

A *site* is one place in a file with what stands there and what could stand there instead. Text for people (docstrings,
labels, rule ids), annotations and the program's own limits (bounds of parameters and fields, `MOST_...`) are no sites:
no rule of a book would be wrong there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

COMPARISONS = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
EXTREMES = {"min": "max", "max": "min"}
LIMITS = frozenset({"Param", "Whole"})
"""Calls whose numbers bound what a program takes, not what a rule says."""

BOUNDS = frozenset({"ge", "le", "gt", "lt", "max_length", "min_length", "maxsize"})
"""Arguments that bound what a file may hold; whether a character is within the rules is its legality's to say."""

WORDS_APART = frozenset({"id", "name", "title", "origin", "source", "licence", "license", "system", "notes", "about"})
"""Fields of data whose words are labels or ids, not values of a closed set."""

MOST_WORDS = 12
DEEPEST = 4


@dataclass(frozen=True, order=True)
class Site:
    """One place that could be wrong: bytes `start` to `end` of a file, and what could stand there."""

    file: str
    line: int
    start: int
    end: int
    before: str
    after: tuple[str, ...]
    where: str
    rules: tuple[str, ...] = ()

    def mutated(self, content: bytes, choice: int) -> bytes:
        """The file with this one place changed."""
        return content[: self.start] + self.after[choice].encode() + content[self.end :]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


# ---------------------------------------------------------------------- code


class Code:
    """All modules of a package: their sites, and what refers to what, so that a rule is found for a figure."""

    def __init__(self, root: Path, files: Sequence[Path], prefix: str, *, limits: bool = False) -> None:
        self.prefix = prefix
        self.limits = limits
        self.sources = {str(file.relative_to(root)): file.read_bytes() for file in files}
        self.trees = {name: ast.parse(content) for name, content in self.sources.items()}
        self.regions = [
            _Region(name, node) for name, tree in self.trees.items() for node in tree.body if not _is_import(node)
        ]
        self.constants = dict(self._constants())
        self._named: dict[ast.AST, frozenset[str]] = {}
        self._about: dict[tuple[_Region, frozenset[str]], tuple[str, ...]] = {}
        self.judging = self._judging()

    def sites(self) -> Iterator[Site]:
        """Every site of the code, each with the rules it is about."""
        for region in self.regions:
            if any((region.file, name) in self.judging for name in region.names):
                continue
            content = self.sources[region.file]
            starts = _line_starts(content)
            for node, names in _walk(region.node, self.limits):
                for start, end, after in _changes(node, content, starts):
                    about = names or region.names
                    yield Site(
                        region.file,
                        content.count(b"\n", 0, start) + 1,
                        start,
                        end,
                        content[start:end].decode(),
                        after,
                        ", ".join(sorted(about)) or "module",
                        self._rules_about(region, about),
                    )

    def _rules_about(self, region: _Region, names: frozenset[str]) -> tuple[str, ...]:
        """The rules of a place in order; found once for all places of the same name."""
        key = region, names
        if key not in self._about:
            written = self._written(region) if names == region.names else set()
            self._about[key] = tuple(sorted(self._rules(region, names) | written))
        return self._about[key]

    def _rules(self, region: _Region, names: frozenset[str]) -> set[str]:
        """The rules named in a region and in whatever refers to it: a place serves the rules of those who use it.

        Where neither names one, the search goes on to whatever refers to those, a few steps away at most. A private
        name is its module's alone: what another module calls the same is something else.
        """
        own = names == region.names
        found = set(self._named_in(region.node)) if own else set()
        seen = {(region.file, name) for name in names}
        wave = set(seen)
        for step in range(DEEPEST):
            if found and step:
                return found
            wider: set[tuple[str, str]] = set()
            for other in self.regions:
                known = {name for file, name in wave if file == other.file or not name.startswith("_")} & other.used
                for place in _references(other.node, known) if known else ():
                    named = self._named_in(place)
                    found |= named
                    if not named:
                        wider |= {(other.file, name) for name in other.names} - seen
            seen |= wider
            wave = wider
        return found

    def _named_in(self, node: ast.AST) -> frozenset[str]:
        """The rules named in a node, read once for each."""
        if node not in self._named:
            found: set[str] = set()
            for part in ast.walk(node):
                rule = self._rule(part)
                if rule:
                    found.add(rule)
                elif isinstance(part, ast.Name) and part.id in self.constants:
                    found |= self.constants[part.id]
            self._named[node] = frozenset(found)
        return self._named[node]

    def _written(self, region: _Region) -> set[str]:
        """The rule ids in the text of a statement: comments and docstrings say what its code does not."""
        lines = self.sources[region.file].decode().splitlines()[region.node.lineno - 1 : region.node.end_lineno]
        return set(re.findall(rf"(?<![\w.]){re.escape(self.prefix)}\w+(?:\.\w+)+", "\n".join(lines)))

    def _constants(self) -> Iterator[tuple[str, set[str]]]:
        """Names that stand for rule ids: `TURN = "demo.fight.turn"`, and what is made of one by a single call."""
        for region in self.regions:
            if isinstance(region.node, ast.Assign | ast.AnnAssign):
                for name, value in _assigned(region.node):
                    parts = [value, *value.args] if isinstance(value, ast.Call) else [value]
                    rules = {rule for part in parts if (rule := self._rule(part))}
                    if rules:
                        yield name, rules

    def _rule(self, part: ast.AST) -> str:
        """The rule id that a node is; nothing where it is none."""
        value = part.value if isinstance(part, ast.Constant) else None
        return value if isinstance(value, str) and value.startswith(self.prefix) and value.count(".") >= 2 else ""

    def _judging(self) -> frozenset[tuple[str, str]]:
        """What bots judge by: the functions `value=` and `rate=` of the rulebook, and whatever only they use.

        How much a bot likes something is a taste of ours, in hundredths; no rule of a book is wrong where it is off by
        one. Names stand with their files: another module may use the same word for a rule.
        """
        judging: set[str] = set()
        for tree in self.trees.values():
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and _called(node) == "Rulebook":
                    judging |= {
                        keyword.value.id
                        for keyword in node.keywords
                        if keyword.arg in ("value", "rate") and isinstance(keyword.value, ast.Name)
                    }
        found = {(region.file, name) for region in self.regions for name in region.names & judging}
        if self.limits:
            return frozenset()
        while True:
            only = {
                (region.file, name)
                for region in self.regions
                if not isinstance(region.node, ast.ClassDef)
                for name in region.names
                if (region.file, name) not in found and (users := self._users(region.file, name)) and users <= found
            }
            if not only:
                return frozenset(found)
            found |= only

    def _users(self, file: str, name: str) -> set[tuple[str, str]]:
        """The regions that refer to a name, without its own, as file and name; a private name is its module's alone."""
        users: set[tuple[str, str]] = set()
        for region in self.regions:
            if name.startswith("_") and region.file != file:
                continue
            if name not in region.names and name in region.used and any(True for _ in _references(region.node, {name})):
                users |= {(region.file, user) for user in region.names or {"module"}}
        return users


@dataclass(frozen=True)
class _Region:
    """A statement of a module: a function, a class, an assignment."""

    file: str
    node: ast.stmt

    @cached_property
    def used(self) -> frozenset[str]:
        """Every name that occurs in it."""
        return frozenset([part.id for part in ast.walk(self.node) if isinstance(part, ast.Name)])

    @cached_property
    def names(self) -> frozenset[str]:
        if isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return frozenset({self.node.name})
        if isinstance(self.node, ast.Assign | ast.AnnAssign):
            return frozenset([name for name, _ in _assigned(self.node)])
        return frozenset()


def _is_import(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Import | ast.ImportFrom)


def _assigned(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment gives values to, each with its own value where they can be told apart."""
    if node.value is None:
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name):
            yield target.id, node.value
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for name, value in zip(target.elts, node.value.elts, strict=False):
                if isinstance(name, ast.Name):
                    yield name.id, value


def _references(node: ast.AST, names: set[str]) -> Iterator[ast.AST]:
    """The innermost calls in which one of the names is used, or the whole where it is used outside calls.

    The declaration of the whole rulebook refers to everything and says nothing of it.
    """
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        if any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node)):
            yield node
        return

    def inside(part: ast.AST, call: ast.AST) -> Iterator[ast.AST]:
        used = isinstance(part, ast.Name) and part.id in names and isinstance(part.ctx, ast.Load)
        if used and not (isinstance(call, ast.Call) and _called(call) == "Rulebook"):
            yield call
        for child in ast.iter_child_nodes(part):
            yield from inside(child, part if isinstance(part, ast.Call) else call)

    yield from inside(node, node)


def _walk(node: ast.stmt, limits: bool) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """The nodes in which something could be wrong; for parts of an assignment with the name that they belong to."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        for name, value in _assigned(node):
            if not name.startswith("MOST_") and name != "__all__":
                for part in _parts(value, limits):
                    yield part, frozenset({name})
        return
    for part in _parts(node, limits):
        yield part, frozenset()


def _parts(node: ast.AST, limits: bool) -> Iterator[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if not isinstance(part, ast.AST) or (isinstance(part, ast.Constant) and isinstance(part.value, str)):
                continue
            if isinstance(part, ast.Call) and _called(part) in LIMITS and not limits:
                continue
            if isinstance(part, ast.keyword) and part.arg in BOUNDS and not limits:
                continue
            yield from _parts(part, limits)


def _called(node: ast.Call) -> str:
    function = node.func
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def _changes(node: ast.AST, content: bytes, starts: Sequence[int]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The places in one node that could be wrong: where, and what could stand there."""
    if isinstance(node, ast.Constant):
        if type(node.value) is int:
            start, end = _span(node, starts)
            if content[start:end].isdigit():
                after = (str(node.value + 1), str(node.value - 1)) if node.value else ("1",)
                yield start, end, after
    elif isinstance(node, ast.Compare):
        left: ast.expr = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if type(operator) in COMPARISONS:
                sign, other = COMPARISONS[type(operator)]
                yield from _between((left, right), sign, other, content, starts)
            left = right
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        if not _is_text(node.left) and not _is_text(node.right):
            sign, other = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
            yield from _between((node.left, node.right), sign, other, content, starts)
    elif isinstance(node, ast.BoolOp):
        sign, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield from _between((node.values[0], node.values[1]), sign, other, content, starts)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EXTREMES:
        yield (*_span(node.func, starts), (EXTREMES[node.func.id],))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _between(
    pair: tuple[ast.expr, ast.expr], sign: str, other: str, content: bytes, starts: Sequence[int]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The operator between two expressions."""
    begin, end = _span(pair[0], starts)[1], _span(pair[1], starts)[0]
    between = content[begin:end].decode()
    found = re.search(
        rf"(?<![\w<>=+-]){re.escape(sign)}(?![\w<>=+-])", re.sub(r"#.*", lambda m: " " * len(m[0]), between)
    )
    if found is not None:
        at = begin + len(between[: found.start()].encode())
        yield at, at + len(sign), (other,)


def _span(node: ast.expr, starts: Sequence[int]) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _line_starts(content: bytes) -> list[int]:
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


# ---------------------------------------------------------------------- data


def data_sites(root: Path, files: Sequence[Path], prefix: str) -> Iterator[Site]:
    """The figures of data files, and the words that are one of a closed set."""
    for file in files:
        name, content = str(file.relative_to(root)), file.read_bytes()
        text = content.decode()
        top = yaml.compose(text, Loader=yaml.SafeLoader)
        if top is None:
            continue
        scalars = list(_scalars(top, (), ()))
        words = _closed_sets(scalars)
        for path, node, rules in scalars:
            after = _instead(path, node, words)
            if not after:
                continue
            start = len(text[: node.start_mark.index].encode())
            end = len(text[: node.end_mark.index].encode())
            about = tuple(sorted({rule for rule in rules if rule.startswith(prefix)}))
            yield Site(
                name,
                node.start_mark.line + 1,
                start,
                end,
                text[node.start_mark.index : node.end_mark.index],
                after,
                ".".join(map(str, path)),
                about,
            )


_Path = tuple["str | int", ...]
_Scalar = tuple[_Path, yaml.ScalarNode, tuple[str, ...]]


def _scalars(node: yaml.Node, path: _Path, rules: tuple[str, ...]) -> Iterator[_Scalar]:
    if isinstance(node, yaml.MappingNode):
        own = [value.value for _, value in node.value if isinstance(value, yaml.ScalarNode)]
        for key, value in node.value:
            yield from _scalars(value, (*path, str(key.value)), (*rules, *own))
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield from _scalars(value, (*path, place), rules)
    elif isinstance(node, yaml.ScalarNode):
        yield path, node, rules


def _kind(path: _Path) -> _Path:
    """The field that a value belongs to, whichever entry of a list it stands in."""
    return tuple(["*" if isinstance(step, int) else step for step in path])


def _closed_sets(scalars: Sequence[_Scalar]) -> dict[_Path, tuple[str, ...]]:
    found: dict[_Path, dict[str, int]] = {}
    for path, node, _ in scalars:
        fields = [step for step in path if isinstance(step, str)]
        plain = re.fullmatch(r"[a-z][a-z_]*", node.value) and node.style is None and not node.value.startswith("true")
        if plain and not WORDS_APART & set(fields[-1:]) and len(path) > 1:
            counts = found.setdefault(_kind(path), {})
            counts[node.value] = counts.get(node.value, 0) + 1
    return {
        kind: tuple(sorted(counts))
        for kind, counts in found.items()
        if 2 <= len(counts) <= MOST_WORDS and sum(counts.values()) >= 2 * len(counts)
    }


def _instead(path: _Path, node: yaml.ScalarNode, words: dict[_Path, tuple[str, ...]]) -> tuple[str, ...]:
    if node.style is not None:
        return ()
    if re.fullmatch(r"-?(0|[1-9][0-9]*)", node.value):
        number = int(node.value)
        return (str(number + 1), str(number - 1)) if number else ("1",)
    if node.value in ("true", "false"):
        return ("false" if node.value == "true" else "true",)
    known = words.get(_kind(path), ())
    return tuple([word for word in known if word != node.value]) if node.value in known else ()
