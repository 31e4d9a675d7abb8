"""Comparing what one call did with what the reference's did, aspect by aspect, in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.bank import Case
from harness.observation import CallSeen, Raised
from harness.outcome import Outcome
from harness.spec import Function
from harness.values import Value, is_plain, same, shown, source

Judge = Mapping[str, Callable[..., Any]]


@dataclasses.dataclass(frozen=True)
class AspectResult:
    """One aspect of one call: what became of it and one sentence about it."""

    aspect: str
    outcome: Outcome
    sentence: str = ""
    expected: str = ""
    actual: str = ""


@dataclasses.dataclass(frozen=True)
class Place:
    """Where two values first differ: `tableau[2][10]`, with what is there and what should be."""

    path: str
    expected: str
    actual: str


def compare_call(
    name: str, function: Function, case: Case, expected: CallSeen, actual: CallSeen, judge: Judge
) -> tuple[AspectResult, ...]:
    """Judge each aspect that the spec asks for."""
    if actual.end not in (Outcome.PASSED, Outcome.EXCEPTION):
        sentence = ended_sentence(name, actual)
        return tuple(AspectResult(aspect, actual.end, sentence) for aspect in function.aspects)
    if function.promise is not None:
        return _promised(name, function, case, expected, actual, judge)
    context = _Context(name, function, case, expected, actual)
    return tuple(_ASPECTS[aspect](context, aspect) for aspect in function.aspects)


@dataclasses.dataclass(frozen=True)
class _Context:
    name: str
    function: Function
    case: Case
    expected: CallSeen
    actual: CallSeen

    @property
    def parameters(self) -> tuple[str, ...]:
        count = len(self.actual.args)
        fitting = [names for names in (self.function.parameters, *self.function.also) if len(names) == count]
        return fitting[0] if fitting else tuple(f"argument {index + 1}" for index in range(count))

    @property
    def arguments_before(self) -> tuple[Value, ...]:
        count = len(self.actual.args)
        for args in (self.case.args, *self.case.alternatives):
            if len(args) == count:
                return args
        return self.case.args


def _returns(context: _Context, aspect: str) -> AspectResult:
    expected, actual = context.expected, context.actual
    if context.case.script:
        return _steps(context, aspect)
    if _accepted(context):
        return AspectResult(aspect, Outcome.PASSED)
    if expected.raised is not None or actual.raised is not None:
        return _both_raised(context, aspect)
    if same(expected.returned, actual.returned):
        return AspectResult(aspect, Outcome.PASSED)
    bad = Outcome.WRONG if is_plain(actual.returned) else Outcome.BAD_VALUE
    return AspectResult(aspect, bad, _returned_sentence(context), shown(expected.returned), shown(actual.returned))


def _returned_sentence(context: _Context) -> str:
    expected, actual = context.expected.returned, context.actual.returned
    said = context.actual.printed.strip()
    if actual is None and said and said in (shown(expected), str(expected)):
        return f"`{context.name}` printed {said} but returned None. Use `return` to hand the value back."
    if actual is None and expected is not None:
        return f"`{context.name}` returned None where {_short(expected)} was expected. Is there a way through it without a `return`?"
    place = first_difference(expected, actual, "the result")
    if place is not None and place.path != "the result":
        return f"`{context.name}` returned the wrong value: {place.path.replace('the result', 'result')} is {place.actual}, it should be {place.expected}."
    return f"`{context.name}` returned {_short(actual)}; it should return {_short(expected)}."


def _accepted(context: _Context) -> bool:
    """Whether the spec declares the two answers to be the same."""
    for pair in context.function.accept:
        for one, other in ((context.expected, context.actual), (context.actual, context.expected)):
            if one.raised is None and same(pair.returned, one.returned):
                if pair.raised is not None and other.raised is not None and other.raised.type == pair.raised:
                    return True
                if pair.raised is None and other.raised is None and same(pair.also, other.returned):
                    return True
    return False


def _both_raised(context: _Context, aspect: str) -> AspectResult:
    expected, actual = context.expected.raised, context.actual.raised
    if expected is None:
        assert actual is not None
        return AspectResult(aspect, Outcome.EXCEPTION, raised_sentence(context.name, actual), "", actual.type)
    if actual is None:
        sentence = f"`{context.name}` should raise {_article(expected.type)} here, but it returned {_short(context.actual.returned)}."
        return AspectResult(aspect, Outcome.WRONG, sentence, expected.type, shown(context.actual.returned))
    if context.function.any_exception or actual.type == expected.type:
        return AspectResult(aspect, Outcome.PASSED)
    sentence = f"`{context.name}` should raise {_article(expected.type)} here, but it raised {_article(actual.type)}{_at_line(actual)}."
    return AspectResult(aspect, Outcome.WRONG, sentence, expected.type, actual.type)


def _steps(context: _Context, aspect: str) -> AspectResult:
    """Each step of a script against the reference's; the first difference is told."""
    for step, expected, actual in zip(context.case.script, context.expected.steps, context.actual.steps, strict=False):
        problem = _step_problem(context, step, expected, actual)
        if problem is not None:
            return AspectResult(aspect, problem[0], problem[1], _step_shown(expected), _step_shown(actual))
    return AspectResult(aspect, Outcome.PASSED)


def _step_problem(
    context: _Context, step: Mapping[str, Any], expected: Mapping[str, Any], actual: Mapping[str, Any]
) -> tuple[Outcome, str] | None:
    said = step_source(step)
    if "missing" in actual:
        return (
            Outcome.MISSING,
            f"`{said}` cannot be tried: the class `{context.name}` has no method {' or '.join(f'`{name}`' for name in actual['missing'])}.",
        )
    if step.get("judged", True) is False:
        return None
    if "raised" in expected or "raised" in actual:
        return _step_raised(context, said, expected, actual)
    if same(expected.get("value"), actual.get("value")):
        return None
    wrong = Outcome.WRONG if is_plain(actual.get("value")) else Outcome.BAD_VALUE
    return wrong, f"`{said}` gave {_short(actual.get('value'))}; it should give {_short(expected.get('value'))}."


def _step_raised(
    context: _Context, said: str, expected: Mapping[str, Any], actual: Mapping[str, Any]
) -> tuple[Outcome, str] | None:
    if "raised" not in actual:
        return Outcome.WRONG, f"`{said}` should raise an exception, but it gave {_short(actual.get('value'))}."
    raised = raised_from(actual["raised"])
    if "raised" not in expected:
        return Outcome.EXCEPTION, raised_sentence(said, raised)
    if context.function.any_exception or raised.type == raised_from(expected["raised"]).type:
        return None
    return (
        Outcome.WRONG,
        f"`{said}` should raise {_article(raised_from(expected['raised']).type)}, but it raised {_article(raised.type)}.",
    )


def raised_from(data: Any) -> Raised:
    """A `Raised` from itself or from its plain form."""
    return (
        data
        if isinstance(data, Raised)
        else Raised(**{field.name: data[field.name] for field in dataclasses.fields(Raised) if field.name in data})
    )


def step_source(step: Mapping[str, Any]) -> str:
    """A step of a script as a student would type it."""
    inside = ", ".join(
        argument["same"] if isinstance(argument, dict) and "same" in argument else source(argument)
        for argument in step.get("args", ())
    )
    if "new" in step:
        made = f"{step['new']}({inside})"
        return f"{step['as']} = {made}" if "as" in step else made
    for word in ("str", "repr"):
        if word in step:
            return f"{word}({step[word]})"
    call = step["call"]
    called = f"{step['on']}.{call if isinstance(call, str) else call[0]}({inside})"
    return f"{step['as']} = {called}" if "as" in step else called


def _step_shown(result: Mapping[str, Any]) -> str:
    if "raised" in result:
        return raised_from(result["raised"]).type
    return shown(result.get("value")) if "value" in result else "no such method"


def _arguments(context: _Context, aspect: str) -> AspectResult:
    expected, actual = context.expected, context.actual
    if actual.raised is not None and expected.raised is None and not _accepted(context):
        return AspectResult(
            aspect, Outcome.EXCEPTION, raised_sentence(context.name, actual.raised), "", actual.raised.type
        )
    for index, (right, found) in enumerate(zip(expected.args, actual.args, strict=False)):
        if not same(right, found):
            parameter = context.parameters[index]
            before = context.arguments_before[index] if index < len(context.arguments_before) else None
            outcome = Outcome.WRONG if is_plain(found) else Outcome.BAD_VALUE
            return AspectResult(
                aspect,
                outcome,
                _argument_sentence(context.name, parameter, before, right, found),
                shown(right),
                shown(found),
            )
    return AspectResult(aspect, Outcome.PASSED)


def _argument_sentence(name: str, parameter: str, before: Value, expected: Value, actual: Value) -> str:
    if same(before, expected):
        return f"`{name}` changed {parameter}, which should stay as it was: {_difference(parameter, expected, actual)}."
    if same(before, actual):
        return f"`{name}` left {parameter} as it was: {_difference(parameter, expected, actual)}."
    return f"`{name}` left {parameter} in the wrong state: {_difference(parameter, expected, actual)}."


def _difference(parameter: str, expected: Value, actual: Value) -> str:
    place = first_difference(expected, actual, parameter)
    if place is None:
        return f"it is {_short(actual)}, it should be {_short(expected)}"
    return f"{place.path} is {place.actual}, it should be {place.expected}"


def first_difference(expected: Value, actual: Value, path: str) -> Place | None:
    """The first place where two values differ, as deep inside as it can be named."""
    if same(expected, actual):
        return None
    one, other = _items(expected), _items(actual)
    if one is None or other is None or type(expected) is not type(actual):
        return Place(path, _short(expected), _short(actual))
    for index, (right, found) in enumerate(zip(one, other, strict=False)):
        place = first_difference(right, found, f"{path}[{index}]")
        if place is not None:
            return place
    return Place(path, f"{_count(one)}: {_short(expected)}", f"{_count(other)}: {_short(actual)}")


def _items(value: Value) -> list[Value] | None:
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and "tuple" in value:
        return list(value["tuple"])
    if isinstance(value, dict) and "deck" in value:
        return [{"card": code} for code in value["deck"]]
    return None


def _count(items: list[Value]) -> str:
    return f"{len(items)} item{'' if len(items) == 1 else 's'}"


def _prints(context: _Context, aspect: str) -> AspectResult:
    expected, actual = _lines(context.expected.printed), _lines(context.actual.printed)
    if expected == actual:
        return AspectResult(aspect, Outcome.PASSED)
    return AspectResult(
        aspect,
        Outcome.WRONG,
        f"`{context.name}` printed something else than expected.",
        "\n".join(expected),
        "\n".join(actual),
    )


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _raises(context: _Context, aspect: str) -> AspectResult:
    if _accepted(context) or (context.expected.raised is None and context.actual.raised is None):
        return AspectResult(aspect, Outcome.PASSED)
    return _both_raised(context, aspect)


def _identity(context: _Context, aspect: str) -> AspectResult:
    known = {frozenset(pair) for pair in context.expected.aliases}
    for one, other in context.actual.aliases:
        if frozenset((one, other)) not in known:
            sentence = f"In what `{context.name}` left behind, {one} and {other} are one and the same list: a change of one changes the other. Make a new list for each."
            return AspectResult(aspect, Outcome.WRONG, sentence)
    return AspectResult(aspect, Outcome.PASSED)


def _shuffles(context: _Context, aspect: str) -> AspectResult:
    if (context.expected.shuffles > 0) == (context.actual.shuffles > 0):
        return AspectResult(aspect, Outcome.PASSED)
    if context.expected.shuffles:
        return AspectResult(
            aspect, Outcome.WRONG, f"`{context.name}` does not shuffle the deck. Call its shuffle() before dealing."
        )
    return AspectResult(aspect, Outcome.WRONG, f"`{context.name}` shuffles the deck although it should not.")


_ASPECTS: Mapping[str, Callable[[_Context, str], AspectResult]] = {
    "returns": _returns,
    "arguments": _arguments,
    "prints": _prints,
    "raises": _raises,
    "identity": _identity,
    "shuffles": _shuffles,
}


def _promised(
    name: str, function: Function, case: Case, expected: CallSeen, actual: CallSeen, judge: Judge
) -> tuple[AspectResult, ...]:
    """A function that draws random numbers: the reference's own result is right, and so is all that keeps the promise."""
    plain = tuple(
        _ASPECTS[aspect](_Context(name, function, case, expected, actual), aspect) for aspect in function.aspects
    )
    if all(result.outcome is Outcome.PASSED for result in plain):
        return plain
    if actual.raised is not None:
        return plain
    assert function.promise is not None
    broken = judge[function.promise](case, actual)
    if broken is None:
        return tuple(AspectResult(aspect, Outcome.PASSED) for aspect in function.aspects)
    return tuple(AspectResult(aspect, Outcome.WRONG, f"`{name}`: {broken}") for aspect in function.aspects)


_ENDED = {
    Outcome.TIMEOUT: "`{name}` did not come to an end: {detail}.",
    Outcome.EXITED: "`{name}` ended the whole program ({detail}) instead of returning.",
    Outcome.CRASHED: "Python itself crashed inside `{name}`: {detail}.",
    Outcome.MEMORY: "`{name}` used more memory than there is: {detail}.",
    Outcome.OUTPUT_LIMIT: "`{name}` printed without end: {detail}.",
    Outcome.BAD_VALUE: "`{name}` is not something that can be called: {detail}.",
    Outcome.MISSING: "There is no `{name}` to call.",
}


def ended_sentence(name: str, seen: CallSeen) -> str:
    """Why a call gave no answer, in words."""
    detail = seen.detail or seen.end.words
    return _ENDED.get(seen.end, "`{name}` gave no answer: {detail}.").format(name=name, detail=detail.rstrip("."))


def raised_sentence(name: str, raised: Raised) -> str:
    """An exception that should not have happened, in words."""
    return f"`{name}` stopped with {_article(raised.type)}{_message(raised)}{_at_line(raised)}."


def _article(word: str) -> str:
    return f"{'an' if word[:1] in 'AEIOU' else 'a'} {word}"


def _message(raised: Raised) -> str:
    text = raised.message.strip().splitlines()
    return f" ({text[0][:200]})" if text else ""


def _at_line(raised: Raised) -> str:
    if raised.line is None:
        return ""
    text = f": {raised.text.strip()[:120]}" if raised.text.strip() else ""
    return f" on line {raised.line} of your file{text}"


def _short(value: Value, most: int = 160) -> str:
    text = shown(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def changed(case: Case, seen: CallSeen) -> bool:
    """Whether the call left its arguments other than they were."""
    before = next((args for args in (case.args, *case.alternatives) if len(args) == len(seen.args)), case.args)
    return any(not same(one, other) for one, other in zip(before, seen.args, strict=False))


def group_of(case: Case, expected: CallSeen) -> str:
    """The cases that one and the same constant answer would pass: they count together, so that a constant earns nothing."""
    if case.script:
        return "script"
    if expected.raised is not None:
        return f"raises {expected.raised.type}"
    answer = shown(expected.returned) if expected.returned is None or isinstance(expected.returned, bool) else "a value"
    return f"returns {answer}{', changes its arguments' if changed(case, expected) else ''}"


def differences(results: tuple[AspectResult, ...]) -> Iterator[AspectResult]:
    """The aspects that did not pass."""
    return (result for result in results if result.outcome is not Outcome.PASSED)
