"""A rubric that does not add up or rests on nothing is refused, with every fault at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import DataError, UsageError
from harness.rubric import read_rubric
from harness.spec import Function, Session, Spec

SPEC = Spec(
    slug="war",
    title="War",
    course="none",
    file="war.py",
    functions={"deal": Function(doc="Deal."), "beats": Function(doc="Beats.", aspects=("returns",))},
    sessions={"test-1": Session(title="One")},
    rules={"jumps": {}},
)

SOUND = """
assignment: war
total: 10
items:
  - {id: deal, title: deal, points: 4, evidence: [calls/deal]}
  - id: beats
    title: beats
    points: 3
    parts:
      - {id: a, points: 1, evidence: [calls/beats], aspects: [returns]}
      - {id: b, points: 2, evidence: [style]}
  - {id: test-1, title: test, points: 3, evidence: [session/test-1]}
  - {id: extra, title: extra, points: 2, evidence: [manual], bonus: true}
"""


def read(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "war.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_rubric(path, SPEC)
    return [str(fault) for fault in caught.value.faults]


def test_a_sound_rubric_is_read_and_bonus_lines_do_not_count_in_the_total(tmp_path: Path) -> None:
    path = tmp_path / "war.yaml"
    path.write_text(SOUND, encoding="utf-8")
    rubric = read_rubric(path, SPEC).record
    assert rubric.total == 10
    assert [item.id for item in rubric.items] == ["deal", "beats", "test-1", "extra"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("total: 10", "total: 12", "the lines add up to 10, not 12"),
        ("[calls/deal]", "[calls/dael]", "there is no evidence 'calls/dael'; did you mean `calls/deal`?"),
        ("[session/test-1]", "[session/test-2]", "there is no evidence 'session/test-2'"),
        ("points: 2, evidence: [style]", "points: 1, evidence: [style]", "the parts add up to 2, not 3"),
        ("aspects: [returns]", "aspects: [prints]", "beats is not judged by 'prints'"),
        ("id: test-1", "id: deal", "'deal' stands here for the second time"),
        ("evidence: [calls/deal]}", "evidence: []}", "the line rests on nothing"),
        ("evidence: [calls/deal]}", "evidence: [calls/deal], credit: some}", "'some' is not a way of giving credit"),
        ("evidence: [calls/deal]}", "evidence: [calls/deal], credit: {how: tiers}}", "go together"),
        ("evidence: [calls/deal]}", "evidence: [calls/deal], only: {blnaks: 1}}", "did you mean `blanks`?"),
        (
            "evidence: [calls/deal]}",
            "evidence: [calls/deal], credit: {how: tiers, tiers: [{share: 1, earns: 0}, {share: 1/2, earns: 1}]}}",
            "earns less than a smaller one",
        ),
    ],
)
def test_each_fault_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SOUND
    found = read(tmp_path, SOUND.replace(old, new, 1))
    assert any(said in fault and "war.yaml:" in fault for fault in found), found


def test_three_faults_are_three_messages(tmp_path: Path) -> None:
    text = (
        SOUND.replace("total: 10", "total: 11")
        .replace("[calls/deal]", "[calls/dael]")
        .replace("title: test,", "titel: test,")
    )
    found = read(tmp_path, text)
    assert len(found) == 3
    assert [part in " ".join(found) for part in ("add up to 10, not 11", "calls/dael", "`title`")] == [True] * 3


def test_a_rubric_for_another_assignment_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "war.yaml"
    path.write_text(SOUND.replace("assignment: war", "assignment: poker"), encoding="utf-8")
    with pytest.raises(UsageError, match="this rubric is for 'poker', not for 'war'"):
        read_rubric(path, SPEC)
