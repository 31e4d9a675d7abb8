"""Drawing cases and choosing few of them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.assignment import Tree
from harness.bank import Case, case_line, read_bank
from harness.banking import FEW, Space, bank_text, generate, numbered, read_space, select, stem
from harness.errors import DataError, HarnessError
from harness.values import DECK, card

CARDS = st.lists(st.sampled_from(DECK), max_size=5).map(lambda codes: {"args": [[card(code) for code in codes]]})
ALWAYS = {"args": [[card("AS"), card("AS")]]}
SPACE = Space({"f": CARDS}, {"f": 40}, {"f": [ALWAYS]})


def test_the_same_seed_draws_the_same_cases_and_another_one_others() -> None:
    assert generate(SPACE, "f", seed=1) == generate(SPACE, "f", seed=1)
    assert generate(SPACE, "f", seed=1) != generate(SPACE, "f", seed=2)


def test_constants_of_other_modules_do_not_change_what_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = generate(SPACE, "f", seed=5, count=100)
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = {list(range(60))}\nTEXT = 'AS'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("full_of_numbers")
    assert generate(SPACE, "f", seed=5, count=100) == before
    del sys.modules["full_of_numbers"]


def test_no_case_comes_twice_and_the_simplest_come_first() -> None:
    cases = generate(SPACE, "f", seed=3)
    lines = [case_line(case).replace(case.id, "") for case in cases]
    assert len(set(lines)) == len(lines) > 20
    assert [len(line) for line in lines] == sorted(len(line) for line in lines)
    assert [case.id for case in cases] == [f"f-{number:03d}" for number in range(1, len(cases) + 1)]


def test_what_is_always_wanted_is_there_whatever_the_seed() -> None:
    assert all(any(case.args == tuple(ALWAYS["args"]) for case in generate(SPACE, "f", seed, 5)) for seed in range(5))


def test_a_count_takes_the_place_of_the_pool_of_the_assignment() -> None:
    assert len(generate(SPACE, "f", seed=0, count=5)) <= 6 < len(generate(SPACE, "f", seed=0))


def test_a_label_comes_first_in_the_id_and_counts_for_itself() -> None:
    labelled = st.sampled_from(DECK).map(lambda code: {"label": "ace" if code[0] == "A" else "other", "args": [code]})
    cases = generate(Space({"f": labelled}, {}, {}), "f", seed=0)
    aces = [case.id for case in cases if case.args[0][0] == "A"]
    assert aces == [f"ace-f-{number:03d}" for number in range(1, len(aces) + 1)]
    assert {stem(case.id) for case in cases} == {"ace-f", "other-f"}


def test_a_field_that_no_case_has_is_refused() -> None:
    with pytest.raises(HarnessError, match="has a field 'arguments'; known: args"):
        generate(Space({"f": st.just({"arguments": []})}, {}, {}), "f", seed=0)


SOURCES = {
    "a function the spec does not know": ("CASES = {'g': None}", "the spec has no such function"),
    "a pool for no function": ("CASES = {'f': None}\nPOOL = {'h': 3}", "POOL['h']"),
    "nothing at all": ("", "there are no strategies here"),
}


@pytest.mark.parametrize(("source", "said"), SOURCES.values(), ids=SOURCES.keys())
def test_a_space_with_a_fault_is_refused_in_words(tmp_path: Path, source: str, said: str) -> None:
    path = tmp_path / "game.py"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_space(path, ["f"])
    assert said in str(caught.value)


def test_a_missing_space_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the file is missing"):
        read_space(tmp_path / "game.py", ["f"])


POOL = tuple(Case(f"f-{number:03d}", "f") for number in range(1, 41))
NAMES = [case.id for case in POOL]
KILLS = st.dictionaries(
    st.integers(0, 30).map(lambda number: f"mutant-{number}@f"), st.frozensets(st.sampled_from(NAMES), max_size=12)
)
ONE_GROUP = dict.fromkeys(NAMES, "a value")


@given(kills=KILLS, times=st.integers(1, 4))
def test_every_mutant_that_can_be_noticed_is_noticed_often_enough(kills: dict[str, frozenset[str]], times: int) -> None:
    chosen = {case.id for case in select(POOL, kills, ONE_GROUP, times)}
    assert all(len(cases & chosen) >= min(times, len(cases)) for cases in kills.values())


@given(kills=KILLS, times=st.integers(1, 4))
def test_no_case_is_kept_for_nothing(kills: dict[str, frozenset[str]], times: int) -> None:
    chosen = [case.id for case in select(POOL, kills, ONE_GROUP, times)]
    spread = {case.id for case in select(POOL, {}, ONE_GROUP)}
    assert chosen == sorted(chosen)
    for name in set(chosen) - spread:
        rest = {other for other in chosen if other != name} - (spread - set().union(*kills.values()))
        assert any(len(cases & (rest - spread)) < min(times, len(cases)) for cases in kills.values() if name in cases)


def test_the_simplest_case_is_taken_where_several_do() -> None:
    kills = {"one@f": frozenset(NAMES[7:9]), "two@f": frozenset(NAMES[7:30])}
    groups = dict(zip(NAMES, ["yes"] + ["no"] * 39, strict=True))
    spread = {case.id for case in select(POOL, {}, groups)}
    assert {case.id for case in select(POOL, kills, groups, times=1)} - spread == {NAMES[7]}


def test_one_case_that_notices_much_is_preferred_to_several_simple_ones() -> None:
    kills = {f"mutant-{number}@f": frozenset([NAMES[number], NAMES[30]]) for number in range(1, 7)}
    spread = {case.id for case in select(POOL, {}, ONE_GROUP)}
    assert {case.id for case in select(POOL, kills, ONE_GROUP, times=1)} - spread == {NAMES[30]}


def test_each_answer_keeps_a_few_cases_from_the_simplest_to_the_largest() -> None:
    groups = {name: "True" if number % 3 == 0 else "False" for number, name in enumerate(NAMES)}
    chosen = [case.id for case in select(POOL, {}, groups)]
    for answer in ("True", "False"):
        members = [name for name in NAMES if groups[name] == answer]
        kept = [name for name in chosen if groups[name] == answer]
        assert len(kept) == FEW
        assert (kept[0], kept[-1]) == (members[0], members[-1])


def test_a_group_of_one_case_keeps_it() -> None:
    assert select(POOL[:1], {}, ONE_GROUP) == POOL[:1]


def test_a_bank_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    cases = numbered([*generate(SPACE, "f", seed=9)[::3], Case("g-", "g", deck=("AS", "2C"), stdin=("H",), repeat=3)])
    path = tmp_path / "cases.jsonl"
    path.write_text(bank_text(cases), encoding="utf-8")
    assert read_bank(path) == cases
    assert [case.id for case in cases][:2] == ["f-001", "f-002"]
    assert cases[-1].id == "g-001"


def test_the_public_banks_are_simplest_first_and_hold_no_answers(tree: Tree) -> None:
    banks = {slug: read_bank(tree.fixtures(slug) / "cases.jsonl") for slug in tree.slugs}
    assert any(banks.values())
    for slug, cases in banks.items():
        for start in dict.fromkeys(stem(case.id) for case in cases):
            sizes = [len(case_line(case)) for case in cases if stem(case.id) == start]
            assert sizes == sorted(sizes), f"{slug}: {start}"
