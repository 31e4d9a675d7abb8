"""An assignment as it lies on disk: spec, rubric, reference, supplied modules, sessions, bank and judge, read together.

specs/<slug>.yaml  specs/<judge>.py  rubrics/<slug>.yaml  reference/<slug>/<file>  reference/supplied/*.py
fixtures/<slug>/sessions/*.txt  fixtures/<slug>/files/*  fixtures/<slug>/cases.jsonl
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from harness.bank import Case, read_bank, read_hidden
from harness.errors import DataError, Fault, HarnessError, UsageError
from harness.rubric import Rubric, read_rubric
from harness.session import SessionScript, read_session
from harness.spec import Spec
from harness.submission import Submission, read_source
from harness.yamlfile import Where, examine, nearest


@dataclasses.dataclass(frozen=True)
class Tree:
    """A folder that holds assignments."""

    root: Path

    def spec(self, slug: str) -> Path:
        return self.root / "specs" / f"{slug}.yaml"

    def rubric(self, slug: str) -> Path:
        return self.root / "rubrics" / f"{slug}.yaml"

    def fixtures(self, slug: str) -> Path:
        return self.root / "fixtures" / slug

    def reference(self, slug: str) -> Path:
        return self.root / "reference" / slug

    @property
    def slugs(self) -> tuple[str, ...]:
        """The specs are the list of assignments."""
        return tuple(sorted(path.stem for path in (self.root / "specs").glob("*.yaml")))


def own_tree() -> Tree:
    """The assignments that came with the command: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "assignments"
    return Tree(inside if inside.is_dir() else package.parent)


@dataclasses.dataclass(frozen=True)
class Assignment:
    """Everything that grading one assignment needs, read once and shared by the class."""

    tree: Tree
    spec: Spec
    rubric: Rubric
    reference: Submission
    supplied: tuple[tuple[str, str], ...]
    scripts: Mapping[str, SessionScript]
    files: Mapping[str, bytes]
    cases: tuple[Case, ...]
    judge: Mapping[str, Callable[..., Any]]
    inputs: Mapping[str, str]

    @cached_property
    def cases_of(self) -> Mapping[str, tuple[Case, ...]]:
        """The cases of each function, in the order of the bank."""
        found: dict[str, list[Case]] = {}
        for case in self.cases:
            found.setdefault(case.function, []).append(case)
        return {name: tuple(cases) for name, cases in found.items()}


CheckRules = Callable[[Mapping[str, Any], Path], Sequence[Fault]]
"""Names what is wrong with the rules of the source and their settings."""


def open_assignment(
    tree: Tree,
    slug: str,
    *,
    check_rules: CheckRules,
    rubric: Path | None = None,
    bank: Path | None = None,
) -> Assignment:
    """Read an assignment, or raise one error that lists every fault of all its files."""
    path = tree.spec(slug)
    if not path.exists():
        known = tree.slugs
        if not known:
            raise UsageError(f"{tree.root}: there are no assignments here; a folder with specs/ and rubrics/ is needed")
        raise UsageError(f"there is no assignment {slug!r}; {nearest(slug, known)}known: {', '.join(known)}")
    document, faults = examine(path, Spec)
    if document is None:
        raise DataError(faults)
    spec = document.record
    collected = _Collected(list(faults))
    collected.faults.extend(_rule_faults(spec, document.where, check_rules))
    fixtures = tree.fixtures(slug)
    read = collected.attempt
    rubric_read = read(lambda: read_rubric(rubric or tree.rubric(slug), spec))
    scripts = {name: read(partial(read_session, fixtures / "sessions" / f"{name}.txt")) for name in spec.sessions}
    cases = read(lambda: read_bank(fixtures / "cases.jsonl")) or ()
    if bank is not None:
        cases = (*cases, *(read(lambda: read_hidden(bank)) or ()))
    files = {file.name: file.read_bytes() for file in sorted((fixtures / "files").glob("*")) if file.is_file()}
    collected.faults.extend(
        _file_faults({name: script for name, script in scripts.items() if script}, files, tree, slug)
    )
    modules = tree.root / "reference" / "supplied"
    supplied = tuple(
        (name, read(partial((modules / file).read_text, encoding="utf-8")) or "")
        for name, file in spec.supplied.items()
    )
    judge = read(lambda: _judge(path.parent, spec)) or {}
    if collected.faults or rubric_read is None:
        raise DataError(collected.faults)
    return Assignment(
        tree=tree,
        spec=spec,
        rubric=rubric_read.record,
        reference=reference_submission(tree, spec),
        supplied=supplied,
        scripts=types.MappingProxyType(scripts),
        files=types.MappingProxyType(files),
        cases=cases,
        judge=types.MappingProxyType(judge),
        inputs=types.MappingProxyType(dict(_hashes(tree, spec, rubric, bank))),
    )


@dataclasses.dataclass
class _Collected:
    """Faults of several files: reading goes on after the first so that all are reported together."""

    faults: list[Fault]

    def attempt(self, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except DataError as error:
            self.faults.extend(error.faults)
        except FileNotFoundError as error:
            self.faults.append(Fault(Path(str(error.filename)), 0, "", "the file is missing"))
        return None


def reference_submission(tree: Tree, spec: Spec) -> Submission:
    """The reference, as one more submission."""
    path = tree.reference(spec.slug) / spec.file
    source, _, problem = read_source(path)
    if problem:
        raise HarnessError(f"{path}: {problem}")
    return Submission(id="reference", file=spec.file, source=source, files=(spec.file,))


def _rule_faults(spec: Spec, where: Where, check_rules: CheckRules) -> Iterator[Fault]:
    for fault in check_rules(spec.rules, where.path):
        yield dataclasses.replace(fault, line=where.line(fault.key))


def _file_faults(
    scripts: Mapping[str, SessionScript], files: Mapping[str, bytes], tree: Tree, slug: str
) -> Iterator[Fault]:
    for name, script in scripts.items():
        for file in script.files:
            if file not in files:
                path = tree.fixtures(slug) / "sessions" / f"{name}.txt"
                yield Fault(path, 1, "files", f"there is no {file!r} in fixtures/{slug}/files", nearest(file, files))


def _judge(folder: Path, spec: Spec) -> dict[str, Callable[..., Any]]:
    if spec.judge is None:
        return {}
    path = folder / spec.judge
    module_spec = importlib.util.spec_from_file_location(f"_judge_{spec.slug.replace('-', '_')}", path)
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    named = {name: value for name, value in vars(module).items() if callable(value) and not name.startswith("_")}
    wanted = [function.promise for function in spec.functions.values() if function.promise]
    wanted += [hint.when for function in spec.functions.values() for hint in function.hints]
    wanted += list(spec.random_turns.values())
    missing = sorted({name for name in wanted if name not in named})
    if missing:
        raise DataError(
            [
                Fault(path, 0, name, "the spec names this function, but it is not defined here", nearest(name, named))
                for name in missing
            ]
        )
    return named


def _hashes(tree: Tree, spec: Spec, rubric: Path | None, bank: Path | None) -> Iterator[tuple[str, str]]:
    """A hash of everything that can change a mark, by name."""
    fixtures = tree.fixtures(spec.slug)
    yield "spec", _sha(tree.spec(spec.slug), *([tree.root / "specs" / spec.judge] if spec.judge else []))
    yield "rubric", _sha(rubric or tree.rubric(spec.slug))
    yield "reference", _sha(tree.reference(spec.slug) / spec.file)
    yield "supplied", _sha(*(tree.root / "reference" / "supplied" / file for file in spec.supplied.values()))
    yield (
        "sessions",
        _sha(
            *(fixtures / "sessions" / f"{name}.txt" for name in spec.sessions), *sorted((fixtures / "files").glob("*"))
        ),
    )
    yield "bank", _sha(fixtures / "cases.jsonl", *([bank] if bank else []))


def _sha(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        data = path.read_bytes() if path.is_file() else b""
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
