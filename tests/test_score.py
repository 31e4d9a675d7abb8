"""Rubric arithmetic: exact, and with the properties that a fair score must have."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.outcome import Outcome
from harness.record import fold, unfold
from harness.rubric import Credit, Item, Part, Rubric, Tier
from harness.score import ManualMark, earned, score
from harness.verdict import Verdict

FAILURES = [
    outcome
    for outcome in Outcome
    if outcome not in (Outcome.PASSED, Outcome.PENDING, Outcome.SKIPPED, Outcome.INTERNAL)
]
TIERS = Credit(how="tiers", tiers=(Tier(Fraction(1), Fraction(1)), Tier(Fraction(3, 4), Fraction(1, 2))))


def verdict(
    case: str, outcome: Outcome, group: str = "", evidence: str = "calls/f", aspect: str = "returns", **more: object
) -> Verdict:
    share = Fraction(1) if outcome is Outcome.PASSED else Fraction(0)
    return dataclasses.replace(Verdict(evidence, case, aspect, outcome, group, share), **more)  # type: ignore[arg-type]


def part(credit: Credit | None = None, **more: object) -> Part:
    return dataclasses.replace(Part("f", Fraction(6), ("calls/f",), credit=credit), **more)  # type: ignore[arg-type]


def line(**more: object) -> Rubric:
    item = dataclasses.replace(Item("f", "f", Fraction(6), ("calls/f",)), **more)  # type: ignore[arg-type]
    return Rubric("x", Fraction(6), (item,))


GOOD, BAD = Outcome.PASSED, Outcome.WRONG


@pytest.mark.parametrize(
    ("credit", "outcomes", "share"),
    [
        (None, [GOOD, GOOD], Fraction(1)),
        (None, [GOOD, BAD], Fraction(0)),
        (Credit(how="each"), [GOOD, GOOD, BAD], Fraction(2, 3)),
        (TIERS, [GOOD, GOOD, GOOD, GOOD], Fraction(1)),
        (TIERS, [GOOD, GOOD, GOOD, BAD], Fraction(1, 2)),
        (TIERS, [GOOD, GOOD, BAD, BAD], Fraction(0)),
        (Credit(how="deduct", cost=Fraction(1, 2)), [GOOD, BAD, BAD], Fraction(5, 6)),
        (Credit(how="deduct", cost=Fraction(9)), [BAD], Fraction(0)),
        (Credit(how="deduct", cost=Fraction(1, 2)), [Outcome.LOAD_ERROR], Fraction(0)),
    ],
)
def test_credit(credit: Credit | None, outcomes: list[Outcome], share: Fraction) -> None:
    verdicts = [verdict(f"c{index}", outcome) for index, outcome in enumerate(outcomes)]
    assert earned(part(credit), verdicts) == share


def test_a_constant_answer_earns_nothing_however_often_it_is_right() -> None:
    always_no = [verdict(f"no{index}", GOOD, "returns False") for index in range(9)] + [
        verdict("yes", BAD, "returns True")
    ]
    assert earned(part(Credit(how="each")), always_no) == 0
    assert earned(part(TIERS), always_no) == 0


def test_a_case_counts_only_if_all_its_aspects_are_right() -> None:
    verdicts = [verdict("c", GOOD, aspect="returns"), verdict("c", BAD, aspect="arguments")]
    assert earned(part(Credit(how="each")), verdicts) == 0
    boolean = line(aspects=("returns",))
    assert score(boolean, verdicts).points == 6


def test_follow_through_earns_what_the_rubric_says() -> None:
    verdicts = [verdict("a", GOOD), verdict("b", BAD, followed=True, sentence="`f` is right once `g` is.")]
    assert earned(part(), verdicts) == 1
    assert earned(part(follow_through=Fraction(1, 2)), verdicts) == Fraction(1, 2)
    assert earned(part(follow_through=Fraction(0)), verdicts) == 0
    assert score(line(), verdicts).marks[0].summary == "`f` is right once `g` is."


def test_only_blanks_earn_what_the_rubric_says() -> None:
    lost = verdict("s", BAD, evidence="session/s", kinds=("blanks",))
    worse = verdict("s", BAD, evidence="session/s", kinds=("blanks", "wrong_cards"))
    half = part(evidence=("session/s",), only={"blanks": Fraction(1, 2)})
    assert earned(half, [lost]) == Fraction(1, 2)
    assert earned(half, [worse]) == 0
    assert earned(half, [dataclasses.replace(lost, kinds=())]) == 0


def test_a_closed_gate_keeps_the_line_and_says_why() -> None:
    verdicts = [
        verdict("a", GOOD),
        verdict("load", Outcome.LOAD_ERROR, evidence="load", sentence="Python cannot read it."),
    ]
    mark = score(line(needs=("load",)), verdicts).marks[0]
    assert [mark.points, mark.maximum, mark.outcome] == [0, 6, Outcome.SKIPPED]
    assert "Python cannot read it." in mark.summary


def test_a_fault_of_ours_is_no_score_and_not_a_zero() -> None:
    marks = score(line(), [verdict("a", Outcome.INTERNAL, sentence="The sandbox failed.")])
    assert marks.marks[0].points is None
    assert marks.marks[0].outcome is Outcome.INTERNAL
    assert not marks.complete


def test_a_manual_line_waits_for_a_person() -> None:
    rubric = line(evidence=("manual",))
    assert score(rubric, []).pending == 6
    assert score(rubric, []).marks[0].outcome is Outcome.PENDING
    given_ = score(rubric, [], {"f": ManualMark(Fraction(4), "Good names.")})
    assert [given_.points, given_.pending, given_.marks[0].summary] == [4, 0, "Good names."]


def test_a_bonus_line_adds_to_the_points_and_not_to_the_maximum() -> None:
    rubric = Rubric("x", Fraction(6), (*line().items, Item("b", "b", Fraction(2), ("calls/g",), bonus=True)))
    marks = score(rubric, [verdict("a", GOOD), verdict("b", GOOD, evidence="calls/g")])
    assert [marks.points, marks.maximum] == [8, 6]


verdicts_of = st.lists(
    st.builds(
        verdict,
        case=st.sampled_from(["a", "b", "c", "d"]),
        outcome=st.sampled_from([GOOD, GOOD, *FAILURES]),
        group=st.sampled_from(["yes", "no"]),
        evidence=st.sampled_from(["calls/f", "calls/g"]),
        aspect=st.sampled_from(["returns", "arguments"]),
        followed=st.booleans(),
        kinds=st.sampled_from([(), ("blanks",), ("blanks", "case"), ("wrong_cards",)]),
    ),
    min_size=1,
    max_size=12,
)
credits_ = st.sampled_from([None, Credit(how="each"), TIERS, Credit(how="deduct", cost=Fraction(5, 4))])
parts = st.builds(
    part,
    credit=credits_,
    evidence=st.just(("calls/f", "calls/g")),
    follow_through=st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]),
    only=st.sampled_from([{}, {"blanks": Fraction(1, 2)}, {"blanks": Fraction(1), "case": Fraction(1, 4)}]),
)


@given(parts, verdicts_of)
def test_the_share_lies_between_nothing_and_everything(one: Part, verdicts: list[Verdict]) -> None:
    assert 0 <= earned(one, verdicts) <= 1


@given(parts, verdicts_of, st.randoms(use_true_random=False))
def test_the_order_of_verdicts_does_not_matter(one: Part, verdicts: list[Verdict], random: object) -> None:
    mixed = list(verdicts)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert earned(one, mixed) == earned(one, verdicts)


@given(parts, verdicts_of, st.data())
def test_turning_a_failure_into_a_pass_never_costs_points(
    one: Part, verdicts: list[Verdict], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(verdicts) - 1))
    mended = [*verdicts]
    mended[index] = dataclasses.replace(verdicts[index], outcome=GOOD, share=Fraction(1), kinds=(), followed=False)
    assert earned(one, mended) >= earned(one, verdicts)


@given(verdicts_of)
def test_stored_evidence_scores_the_same(verdicts: list[Verdict]) -> None:
    rubric = Rubric("x", Fraction(6), (Item("f", "f", Fraction(6), ("calls/f", "calls/g"), credit=Credit(how="each")),))
    assert score(rubric, unfold(fold(verdicts))) == score(rubric, verdicts)


@given(verdicts_of)
def test_parts_add_up_to_their_line(verdicts: list[Verdict]) -> None:
    halves = (
        part(id="a", points=Fraction(2), credit=Credit(how="each")),
        part(id="b", points=Fraction(4), evidence=("calls/g",)),
    )
    mark = score(Rubric("x", Fraction(6), (Item("f", "f", Fraction(6), parts=halves),)), verdicts).marks[0]
    known = [one.points for one in mark.parts if one.points is not None]
    assert mark.points == (sum(known) if known else None)
    assert sum(one.maximum for one in mark.parts) == mark.maximum
