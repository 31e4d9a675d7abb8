"""From the frames of one reply to facts: every field is checked for its exact type before it is believed."""

from __future__ import annotations

import codecs
import re
import tokenize
from collections.abc import Sequence
from typing import Any

from harness.observation import CallSeen, Cut, Loaded, Name, Raised, Read, SessionSeen, Shown
from harness.outcome import Outcome
from harness.plan import Calls, Case, Program, Session
from harness.sandbox.protocol import GarbledError, decode, text, value
from harness.sandbox.reply import Reply

MAX_ITEMS = 2000
MAX_PRINTED = 200_000

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_LOAD_ENDS = {
    "passed": (Outcome.PASSED, ""),
    "unreadable": (Outcome.LOAD_ERROR, "Python cannot read the file"),
    "exception": (Outcome.LOAD_ERROR, "it raises an exception when it is imported"),
    "exited": (Outcome.LOAD_ERROR, "it ends the program when it is imported"),
    "reads": (Outcome.LOAD_ERROR, "it asks for input when it is imported"),
}
_CALL_ENDS = {"passed": Outcome.PASSED, "exception": Outcome.EXCEPTION, "exited": Outcome.EXITED}
_BROKEN_LOADS = {
    Outcome.EXITED: Outcome.LOAD_ERROR,
    Outcome.PASSED: Outcome.LOAD_ERROR,
    Outcome.BAD_VALUE: Outcome.LOAD_ERROR,
}


class Fields:
    """The fields of a frame, each asked for with the type it must have."""

    def __init__(self, found: Any) -> None:
        if type(found) is not dict:
            raise GarbledError("a part of a frame is missing")
        self._found: dict[str, Any] = found

    def number(self, name: str) -> int:
        found = self._found.get(name, 0)
        if type(found) is not int or not 0 <= found < 1 << 40:
            raise GarbledError(f"{name} is not a number")
        return found

    def number_or_none(self, name: str) -> int | None:
        return None if self._found.get(name) is None else self.number(name)

    def flag(self, name: str) -> bool:
        return self._found.get(name) is True

    def text(self, name: str) -> str:
        return text(self._found.get(name, ""))

    def items(self, name: str) -> list[Any]:
        found = self._found.get(name, [])
        if type(found) is not list or len(found) > MAX_ITEMS:
            raise GarbledError(f"{name} is not a list")
        return found

    def values(self, name: str) -> tuple[Any, ...]:
        return tuple(value(item) for item in self.items(name))

    def get(self, name: str) -> Any:
        return self._found.get(name)


def _bodies(reply: Reply, kind: str) -> list[Any]:
    """The bodies of all frames of one kind, up to the first that is garbled."""
    found = []
    start = f'{{"{kind}"'.encode()
    for frame in reply.frames:
        if frame.startswith(start):
            try:
                found.append(decode(frame)[kind])
            except (GarbledError, KeyError):
                break
    return found


def loaded(program: Program, reply: Reply) -> tuple[Loaded, Outcome | None]:
    """How loading went, and how every call ends if there is nothing to call."""
    try:
        fields = Fields(next(iter(_bodies(reply, "load")), None))
        outcome, detail = _LOAD_ENDS[fields.text("end")]
        found = Loaded(
            outcome=outcome,
            raised=raised(program, fields.get("raised")),
            names=tuple(_name(item) for item in fields.items("names")),
            cuts=tuple(_cut(program, item) for item in fields.items("cuts")),
            printed=_shortened(reply.output[: fields.number("printed")]),
            detail=detail,
        )
    except (GarbledError, KeyError):
        return _never_loaded(program, reply), None
    if (
        found.outcome is Outcome.LOAD_ERROR
        and found.raised
        and found.raised.type == "MemoryError"
        and found.raised.line
    ):
        return Loaded(
            Outcome.MEMORY, found.raised, printed=found.printed, detail="it used too much memory when imported"
        ), None
    if found.outcome is not Outcome.PASSED or fields.flag("callable"):
        return found, None
    return found, Outcome.MISSING if fields.get("found") is None else Outcome.BAD_VALUE


def _never_loaded(program: Program, reply: Reply) -> Loaded:
    """The process ended while loading: by its own hand, by ours, or in an exception that cannot tell its message."""
    early = _early(program, reply)
    if early is not None:
        return Loaded(Outcome.LOAD_ERROR, early, printed=_shortened(reply.output), detail=_LOAD_ENDS["exception"][1])
    outcome = _BROKEN_LOADS.get(reply.end, reply.end)
    detail = reply.detail or "it ended before it was loaded"
    return Loaded(outcome, printed=_shortened(reply.output), detail=f"while it was imported, {detail}")


def calls_seen(program: Program, cases: Sequence[Case], reply: Reply) -> list[CallSeen]:
    """The calls that were made, the one in which the process died included; what is after it is not there."""
    seen: list[CallSeen] = []
    bodies = _bodies(reply, "call")
    for case, body in zip(cases, bodies):  # noqa: B905
        try:
            call = _call(program, case, body, len(seen), reply)
        except (GarbledError, KeyError):
            seen.append(CallSeen(case.id, Outcome.BAD_VALUE, detail="it disturbed the report of its own results"))
            return seen
        seen.append(call)
        if call.end is Outcome.OUTPUT_LIMIT:
            return seen
    if len(seen) < len(cases) and _bodies(reply, "load"):
        seen.append(_died(program, cases[len(seen)], reply, len(seen)))
    return seen


def _died(program: Program, case: Case, reply: Reply, before: int) -> CallSeen:
    early = _early(program, reply) if reply.frames and reply.frames[-1].startswith(b'{"raising"') else None
    if early is not None:
        return CallSeen(case.id, Outcome.EXCEPTION, raised=early)
    end = Outcome.EXITED if reply.end is Outcome.PASSED else reply.end
    start = max((Fields(body).number("to") for body in _bodies(reply, "call")[:before]), default=0)
    return CallSeen(case.id, end, printed=_shortened(reply.output[start:]), detail=reply.detail)


def _early(program: Program, reply: Reply) -> Raised | None:
    bodies = _bodies(reply, "raising")
    try:
        return raised(program, bodies[-1]) if bodies else None
    except GarbledError:
        return None


def _call(program: Program, case: Case, body: Any, index: int, reply: Reply) -> CallSeen:
    fields = Fields(body)
    if fields.number("case") != index:
        raise GarbledError("calls out of order")
    end = _CALL_ENDS[fields.text("end")]
    problem = raised(program, fields.get("raised"))
    if problem is not None and problem.type == "MemoryError" and end is Outcome.EXCEPTION:
        end = Outcome.MEMORY
    if fields.number("to") > len(reply.output) or fields.number("complaints") > len(reply.errors):
        return CallSeen(case.id, Outcome.OUTPUT_LIMIT, detail="it printed more than it may")
    return CallSeen(
        case=case.id,
        end=end,
        returned=value(fields.get("value")),
        raised=problem,
        printed=_shortened(reply.output[fields.number("from") : fields.number("to")]),
        args=fields.values("args"),
        aliases=tuple(_pair(item) for item in fields.items("aliases")),
        steps=tuple(_step(program, item) for item in fields.items("steps")),
        again=tuple(_again(item) for item in fields.items("again")),
        shuffles=fields.number("shuffles"),
        unread=fields.number("unread"),
    )


def _pair(item: Any) -> tuple[str, str]:
    if type(item) is not list or len(item) != 2:
        raise GarbledError("not a pair")
    return text(item[0]), text(item[1])


def _again(item: Any) -> tuple[Any, tuple[Any, ...]]:
    if type(item) is not list or len(item) != 2 or type(item[1]) is not list:
        raise GarbledError("not a repeated call")
    return value(item[0]), tuple(value(argument) for argument in item[1])


def _step(program: Program, item: Any) -> dict[str, Any]:
    fields = Fields(item)
    if fields.get("missing") is not None:
        return {"missing": [text(name) for name in fields.items("missing")]}
    problem = raised(program, fields.get("raised"))
    return {"value": value(fields.get("value"))} if problem is None else {"raised": problem}


def session_seen(unit: Session, reply: Reply) -> SessionSeen:
    """A whole run, as far as it came."""
    review = [*reply.review, *tampering(reply)]
    try:
        reads, shown = _reads(reply), _shown(reply)
    except GarbledError:
        reads, shown = (), ()
        review.append("something other than results came from it")
    end, problem, detail = _session_end(unit, reply)
    return SessionSeen(
        unit=unit.id,
        end=end,
        output=_decoded(reply.output),
        reads=reads,
        shown=shown,
        raised=problem,
        unread=len(unit.inputs) - sum(read.line is not None for read in reads),
        errors=_shortened(reply.errors),
        files=tuple((name, _decoded(content)) for name, content in reply.files),
        detail=detail,
        review=tuple(dict.fromkeys(review)),
    )


def _session_end(unit: Session, reply: Reply) -> tuple[Outcome, Raised | None, str]:
    try:
        fields = Fields(next(iter(_bodies(reply, "end")), None))
        problem = raised(unit.program, fields.get("raised"))
        said = fields.text("end")
    except GarbledError:
        early = _early(unit.program, reply)
        if early is not None:
            return Outcome.EXCEPTION, early, ""
        return Outcome.EXITED if reply.end is Outcome.PASSED else reply.end, None, reply.detail
    if reply.end is Outcome.OUTPUT_LIMIT:
        return reply.end, problem, reply.detail
    if said == "unreadable":
        return Outcome.LOAD_ERROR, problem, _LOAD_ENDS[said][1]
    if said != "passed":
        return (Outcome.MEMORY if problem and problem.type == "MemoryError" else Outcome.EXCEPTION), problem, ""
    return Outcome.PASSED, None, ""


def _reads(reply: Reply) -> tuple[Read, ...]:
    found = []
    for body in _bodies(reply, "read"):
        if type(body) is not list or len(body) != 3:
            raise GarbledError("not a read")
        fields = Fields({"start": body[0], "end": body[1]})
        found.append((fields.number("start"), fields.number("end"), None if body[2] is None else text(body[2])))
    at = _characters(reply.output, [offset for start, end, _ in found for offset in (start, end)])
    return tuple(Read(at[start], at[end], line) for start, end, line in found)


def _shown(reply: Reply) -> tuple[Shown, ...]:
    found = [Fields(body) for body in _bodies(reply, "shown")]
    at = _characters(reply.output, [fields.number("at") for fields in found])
    return tuple(Shown(at[fields.number("at")], fields.text("function"), fields.values("args")) for fields in found)


def _characters(output: bytes, offsets: list[int]) -> dict[int, int]:
    """For each offset in bytes the offset in characters, in one pass."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    found, done, count = {}, 0, 0
    for offset in sorted(set(offsets)):
        count += len(decoder.decode(output[done:offset]))
        found[offset], done = count, min(offset, len(output))
    return found


def raised(program: Program, found: Any) -> Raised | None:
    """An exception as the worker tells it; the text of the line is taken from the file as handed in."""
    if found is None:
        return None
    fields = Fields(found)
    line = fields.number_or_none("line")
    return Raised(
        type=fields.text("type")[:100],
        message=fields.text("message")[:500],
        line=line,
        column=fields.number_or_none("column"),
        text=_line(program, line),
        function=fields.text("function")[:100],
    )


def _line(program: Program, number: int | None) -> str:
    if not number:
        return ""
    lines = iter(program.source.splitlines(keepends=True)[:2])
    try:
        encoding = tokenize.detect_encoding(lambda: next(lines, b""))[0]
        source = program.source.decode(encoding, "replace")
    except (SyntaxError, LookupError, UnicodeError):
        source = program.source.decode("utf-8", "replace")
    rows = _LINE_ENDS.split(source)
    return rows[number - 1].strip()[:200] if number <= len(rows) else ""


def _name(item: Any) -> Name:
    fields = Fields(item)
    parameters = None if fields.get("parameters") is None else tuple(text(name) for name in fields.items("parameters"))
    return Name(
        name=fields.text("name"),
        kind=fields.text("kind"),
        parameters=parameters,
        line=fields.number_or_none("line"),
        required=fields.number("required"),
        variadic=fields.flag("variadic"),
    )


def _cut(program: Program, item: Any) -> Cut:
    fields = Fields(item)
    return Cut(fields.number("line"), _line(program, fields.number("line")), fields.text("why")[:200])


def tampering(reply: Reply) -> list[str]:
    """Notes for a person about supplied modules that the program has changed."""
    found = next(iter(_bodies(reply, "done")), None)
    names = found.get("tampered", []) if type(found) is dict else []
    return [f"it replaced {text(name)[:100]}" for name in names[:5]] if type(names) is list else []


def standins(unit: Calls) -> tuple[str, ...]:
    return tuple(item.name for item in unit.standins)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _shortened(data: bytes) -> str:
    return _decoded(data[:MAX_PRINTED])
