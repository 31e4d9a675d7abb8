"""A session file: a header, a line `---`, and the screen with each typed line between `{{` and `}}`.

    title: Help, deal, quit
    deck: AS KS QS AH
    ungraded: 2
    ---
    Input an option: {{H}}
    ...

`transcript_of` writes a run in the same notation, so that a file and a run can be set side by side.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import DataError, Fault
from harness.observation import Read, SessionSeen
from harness.outcome import Outcome
from harness.values import DECK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RULE = "---"
KEYS = ("title", "deck", "view", "seed", "files", "ungraded")
PLAIN_VIEWS = ("screen", "exact", "state")
PATTERN_VIEWS = ("lines", "tokens")

FRESH = tuple(reversed(DECK))
"""A new deck that nobody shuffled, as it deals: the king of spades first."""

_TYPED = re.compile(r"\{\{(.*)\}\}$")


@dataclasses.dataclass(frozen=True)
class View:
    """What counts of the output: `screen`, `exact`, `state`, or only what matches a pattern (`lines`, `tokens`)."""

    kind: str = "screen"
    pattern: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.pattern}".rstrip()


def parse_view(text: str) -> View:
    """Read `screen`, `exact`, `state`, `lines REGEX` or `tokens REGEX`; anything else is a ValueError that says why."""
    kind, _, pattern = text.strip().partition(" ")
    pattern = pattern.strip()
    if kind in PLAIN_VIEWS:
        if pattern:
            raise ValueError(f"the view {kind} takes no pattern, but {pattern!r} follows")
        return View(kind)
    if kind not in PATTERN_VIEWS:
        raise ValueError(f"there is no view {kind!r}{_nearest(kind, PLAIN_VIEWS + PATTERN_VIEWS)}")
    if not pattern:
        raise ValueError(f"the view {kind} needs a pattern after it")
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from None
    return View(kind, pattern)


@dataclasses.dataclass(frozen=True)
class SessionScript:
    """One game as an author wrote it down. Without a `deck` a new Deck is shuffled as the program asks, from the `seed`; without a `view` the assignment's own applies."""

    name: str
    title: str
    transcript: str
    deck: tuple[str, ...] | None = None
    view: View | None = None
    seed: int = 0
    files: tuple[str, ...] = ()
    ungraded: tuple[int, ...] = ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """The typed lines, in order."""
        return tuple(found[1] for line in self.transcript.split("\n") if (found := _TYPED.search(line)))


def read_session(path: Path) -> SessionScript:
    """Read one session file; all that is wrong in it is reported at once."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise DataError([Fault(path, line, "", "this is not UTF-8 text", "save the file as UTF-8")]) from None
    return parse_session(text.replace("\r\n", "\n").removeprefix("\ufeff"), path)


def parse_session(text: str, path: Path) -> SessionScript:
    """Make a session of the text of its file; `path` gives its name and the place of its faults."""
    header, found, transcript = _split_at_rule(text)
    rule_line = header.count("\n") + 1
    faults = [] if found else [_no_rule(path)]
    fields: dict[str, object] = {}
    for line, key, value in _header_lines(header, path, faults):
        try:
            fields[key] = _READERS[key](value)
        except ValueError as error:
            faults.append(Fault(path, line, key, *_problem_and_remedy(error)))
    if "title" not in fields and not any(fault.key == "title" for fault in faults):
        faults.append(Fault(path, 1, "title", "is missing", "say in one line what this session shows"))
    if found:
        faults += _transcript_faults(transcript, path, rule_line + 1)
    faults += _file_faults(fields, path, header)
    script = SessionScript(path.stem, **{"title": "", "transcript": transcript, **fields})  # type: ignore[arg-type]
    if found:
        faults += _ungraded_faults(script, path, header)
    if faults:
        raise DataError(faults)
    return script


def _split_at_rule(text: str) -> tuple[str, bool, str]:
    found = re.search(r"^---[ \t]*(?:\n|\Z)", text, re.MULTILINE)
    return (text[: found.start()], True, text[found.end() :]) if found else (text, False, "")


def _no_rule(path: Path) -> Fault:
    return Fault(path, 0, "", f"there is no line {RULE} between header and screen", "put one after the header")


def _header_lines(header: str, path: Path, faults: list[Fault]) -> Iterator[tuple[int, str, str]]:
    """Yield line, key and value of what can be read, and add a fault for what cannot."""
    seen: dict[str, int] = {}
    for number, line in enumerate(header.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            faults.append(Fault(path, number, "", f"{line.strip()!r} is not a header line", "write `key: value`"))
        elif key not in KEYS:
            faults.append(Fault(path, number, key, f"unknown key{_nearest(key, KEYS)}", f"known: {', '.join(KEYS)}"))
        elif key in seen:
            faults.append(Fault(path, number, key, f"was given already in line {seen[key]}", "keep one of the two"))
        else:
            seen[key] = number
            yield number, key, value


def _nearest(word: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word.lower(), known, n=1)
    return f", did you mean {close[0]}?" if close else ""


def _problem_and_remedy(error: ValueError) -> tuple[str, str]:
    problem, _, remedy = str(error).partition("; ")
    return problem, remedy


def _read_title(value: str) -> str:
    if not value:
        raise ValueError("is empty; say in one line what this session shows")
    return value


def deck_of(value: str) -> tuple[str, ...]:
    """Read a deck as it is dealt, `AS TH 2C` or `fresh`; anything else is a ValueError that says why."""
    if value == "fresh":
        return FRESH
    codes = tuple(value.split())
    if not codes:
        raise ValueError("is empty; list the cards as they are dealt, or write `fresh`")
    if bad := [code for code in codes if len(code) != 2 or code[0] not in RANKS or code[1] not in SUITS]:
        raise ValueError(f"{', '.join(bad)}: no such card; a rank of {RANKS} and a suit of {SUITS}, such as TD")
    if twice := sorted({code for code in codes if codes.count(code) > 1}):
        raise ValueError(f"{', '.join(twice)}: dealt more than once; a deck holds each card once")
    return codes


def _read_seed(value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a whole number; such as 0") from None


def _read_files(value: str) -> tuple[str, ...]:
    names = tuple(value.split())
    if not names:
        raise ValueError("is empty; name files of the folder files/ or leave the key out")
    if bad := [name for name in names if "/" in name or "\\" in name or name.startswith(".")]:
        raise ValueError(f"{', '.join(bad)}: not a plain file name; files lie directly in the folder files/")
    return names


def _read_ungraded(value: str) -> tuple[int, ...]:
    words = value.split()
    if not words or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f"{value!r} is not a list of turns; numbers such as `3 7`, 1 is after the first typed line")
    return tuple(sorted({int(word) for word in words}))


_READERS: dict[str, Callable[[str], object]] = {
    "title": _read_title,
    "deck": deck_of,
    "view": parse_view,
    "seed": _read_seed,
    "files": _read_files,
    "ungraded": _read_ungraded,
}


def _transcript_faults(transcript: str, path: Path, first_line: int) -> list[Fault]:
    faults = []
    for number, line in enumerate(transcript.split("\n"), first_line):
        if problem := _typed_problem(line):
            faults.append(Fault(path, number, "", problem, "a typed line is {{text}} and ends its line"))
    if not transcript.strip():
        faults.append(Fault(path, first_line, "", "the screen is empty", "paste what the program prints"))
    return faults


def _typed_problem(line: str) -> str:
    opened, closed = line.count("{{"), line.count("}}")
    if opened > 1 or closed > 1:
        return "two typed lines in one line"
    if opened > closed:
        return "{{ without }}"
    if closed > opened:
        return "}} without {{"
    return "" if not opened or _TYPED.search(line) else "}} is not at the end of the line"


def _line_of(header: str, key: str) -> int:
    lines = enumerate(header.split("\n"), 1)
    return next(number for number, line in lines if line.partition(":")[0].strip() == key)


def _file_faults(fields: dict[str, object], path: Path, header: str) -> list[Fault]:
    folder = path.parent.parent / "files"
    names = fields.get("files", ())
    assert isinstance(names, tuple)
    missing = [name for name in names if not (folder / name).is_file()]
    remedy = f"it belongs into {folder}"
    return [Fault(path, _line_of(header, "files"), "files", f"there is no file {name}", remedy) for name in missing]


def _ungraded_faults(script: SessionScript, path: Path, header: str) -> list[Fault]:
    last = len(script.inputs)
    remedy = f"the last turn is {last}"
    return [
        Fault(path, _line_of(header, "ungraded"), "ungraded", f"there is no turn {turn}", remedy)
        for turn in script.ungraded
        if turn > last
    ]


def write_session(script: SessionScript) -> str:
    """The text of the session's file; reading it gives the same session."""
    header = {
        "title": script.title,
        "deck": "fresh" if script.deck == FRESH else " ".join(script.deck or ()),
        "view": str(script.view) if script.view else "",
        "seed": str(script.seed) if script.seed else "",
        "files": " ".join(script.files),
        "ungraded": " ".join(str(turn) for turn in script.ungraded),
    }
    lines = [f"{key}: {value}\n" for key, value in header.items() if value]
    return "".join(lines) + f"{RULE}\n" + script.transcript


def typed_lines(read: Read) -> tuple[str, ...]:
    """The lines one read took: several if the program read on to the end at once, none at the end of the input."""
    return () if read.line is None else tuple(read.line.removesuffix("\n").split("\n"))


def transcript_of(seen: SessionSeen) -> str:
    """The run as its terminal looked, with each typed line between `{{` and `}}` where it was read."""
    parts, position = [], 0
    for read in seen.reads:
        parts.append(seen.output[position : read.end])
        parts += [f"{{{{{line}}}}}\n" for line in typed_lines(read)]
        position = read.end
    return "".join([*parts, seen.output[position:]])


def seen_of(script: SessionScript) -> SessionSeen:
    """The run that the transcript tells of; the prompt is what stands before the typed line in the same line."""
    output, reads = "", []
    for line in re.split(r"(?<=\n)", script.transcript):
        found = _TYPED.search(line.removesuffix("\n"))
        if not found:
            output += line
            continue
        prompt = line[: found.start()]
        reads.append(Read(len(output), len(output) + len(prompt), found[1]))
        output += prompt
    return SessionSeen(script.name, Outcome.PASSED, output, tuple(reads))
