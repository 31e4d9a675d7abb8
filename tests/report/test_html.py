"""The pages: well formed, closed to the world, and complete."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings

from harness.record import Json
from harness.report import Report, render
from harness.report.figures import common_failures, distribution, losses, normalised
from harness.report.html import both_sides
from harness.report.sheet import Failure
from tests.report import samples
from tests.report.strategies import classes

VOID = {"meta", "link", "br", "img", "input", "hr"}
CLASS = Report(samples.TITLE, samples.SLUG, [*samples.class_of(40), *samples.special()[9:]], "2022-11-30 23:10")
PAGES = {name: content.decode("utf-8") for name, content in render("html", CLASS).items()}


class Page(HTMLParser):
    """Reads a page strictly: every element closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.stack[-1] if self.stack else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def inside(self, tag: str) -> str:
        return "".join(text for where, text in self.texts if where == tag)


READ = {name: Page(text) for name, text in PAGES.items()}


def test_a_page_for_each_submission_and_one_for_the_class() -> None:
    assert len(PAGES) == len(CLASS.records) + 1
    assert "index.html" in PAGES


def test_students_get_no_page_of_the_class() -> None:
    pages = render("html", Report("T", "t", samples.special(), audience="student"))
    assert "index.html" not in pages
    assert not any(b"index.html" in content for content in pages.values())


@pytest.mark.parametrize("name", ["index.html", *list(PAGES)[1:12]])
def test_nothing_comes_from_elsewhere(name: str) -> None:
    page = READ[name]
    for _, attributes in page.elements:
        for attribute in ("src", "href", "action", "data", "poster", "srcset"):
            assert not re.match(r"\s*(?:[a-z]+:)?//|javascript:", attributes.get(attribute) or "", re.IGNORECASE)
        assert not any(attribute.startswith("on") or attribute == "style" for attribute in attributes)
    assert "@import" not in page.inside("style")
    assert "url(" not in page.inside("style")


@pytest.mark.parametrize("name", ["index.html", *list(PAGES)[1:4]])
def test_the_policy_allows_exactly_what_is_in_the_page(name: str) -> None:
    page = READ[name]
    policy = next(meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        text = page.inside(tag)
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert (f"{directive} 'sha256-{digest}'" in policy) is bool(text)
    assert bool(page.all("script")) is (name == "index.html")


def test_every_link_leads_somewhere() -> None:
    for name, page in READ.items():
        ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
        for link in page.all("a"):
            target = link["href"] or ""
            if target.startswith("#"):
                assert target[1:] in ids
            else:
                path = PurePosixPath(name).parent / target
                assert str(path).replace("students/../", "") in PAGES


@pytest.mark.parametrize("name", ["index.html", *list(PAGES)[1:12]])
def test_a_page_can_be_used_without_seeing_it(name: str) -> None:
    page = READ[name]
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("h1")) == len(page.all("main")) == 1
    assert page.all("a")[0]["href"] == "#main"
    assert len(page.all("caption")) == len(page.all("table"))
    assert all("scope" in head for head in page.all("th"))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in page.elements:
        assert (attributes.get("aria-labelledby") or ids[0]) in ids
    for drawing in page.all("svg"):
        assert drawing.get("role") == "img" or drawing.get("aria-hidden") == "true"


def test_the_class_table_counts_everybody_once() -> None:
    page = READ["index.html"]
    rows = [attributes for attributes in page.all("tr") if attributes.get("class") in ("graded", "pending", "unscored")]
    assert len(rows) == len(CLASS.records)
    assert sum(bar.count for bar in distribution(CLASS.sheets)) == sum(
        1 for sheet in CLASS.sheets if sheet.total is not None
    )


def test_one_bug_of_many_students_is_one_row() -> None:
    groups = common_failures(CLASS.sheets)
    king = [group for group in groups if group.titles == ("is_legal",)]
    assert len(king) == 1
    assert len(king[0].sheets) == sum(1 for sheet in CLASS.sheets if any(line.id == "is_legal" and line.failures and "king" in line.failures[0].sentence for line in sheet.lines))  # fmt: skip
    assert len(king[0].sheets) > 5
    assert [len(group.sheets) for group in groups] == sorted((len(group.sheets) for group in groups), reverse=True)


def test_points_lost_per_line_are_those_of_the_records() -> None:
    known = [record for record in CLASS.records if "fault" not in record]
    for loss in losses(CLASS.sheets):
        items = [item for record in known for item in record["items"] if item["id"] == loss.id]
        lost = sum(
            part["max"] - part["points"]
            for item in items
            for part in item.get("parts", [item])
            if part["points"] is not None
        )
        assert loss.mean == pytest.approx(lost / len(items))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("stopped on line 87 of your file", "stopped on line 9 of your file", True),
        ("there is no 'foo'", "there is no 'bar'", True),
        ("After you typed `m 1 3`, it is wrong", "After you typed `q`, it is wrong", False),
        ("returned False", "returned True", False),
    ],
)
def test_sentences_are_grouped_by_what_they_say(one: str, other: str, *, same: bool) -> None:
    assert (normalised(one) == normalised(other)) is same


def test_what_differs_is_marked_and_nothing_is_lost() -> None:
    failure = Failure("e", "wrong", "s", expected="a\nb xx c\nd", actual="a\nb yy c\nd\ne")
    for rows, text in zip(both_sides(failure), (failure.expected, failure.actual), strict=True):
        assert "\n".join("".join(piece for piece, _ in row) for row in rows) == text
    assert both_sides(failure)[0][1] == (("b ", False), ("xx", True), (" c", False))
    assert both_sides(failure)[1][3] == (("e", True),)


@settings(max_examples=25)
@given(classes)
def test_any_text_is_only_text(class_: list[Json]) -> None:
    for content in render("html", Report("T", "t", class_)).values():
        page = Page(content.decode("utf-8"))
        assert not page.all("img")
        assert len(page.all("script")) <= 1
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u200b]", content.decode("utf-8"))


def test_templates_in_a_students_text_stay_text() -> None:
    record = samples.record("x", samples.fails("calls/deal", "{{ 7*7 }}{% raw %}"), name="{{ 7*7 }}")
    for content in render("html", Report("T", "t", [record])).values():
        assert "{{ 7*7 }}" in content.decode("utf-8")


def colours(scheme: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", scheme))


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_text_has_enough_contrast_in_both_schemes() -> None:
    style = READ["index.html"].inside("style")
    light = colours(style[: style.index("@media")])
    dark = {**light, **colours(style[style.index("prefers-color-scheme: dark") : style.index("* {")])}
    for scheme in (light, dark):
        for text in ("ink", "soft", "accent", "good", "bad", "wait"):
            for ground in ("paper", "raised"):
                assert contrast(scheme[text], scheme[ground]) >= 4.5, (text, ground, scheme[text], scheme[ground])
        for ground in ("mark", "mark-good", "bad-ground"):
            assert contrast(scheme["ink"], scheme[ground]) >= 4.5
