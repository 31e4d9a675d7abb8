"""Runs one unit inside: the only file that loads student code.

It reads a job (JSON on a file descriptor), does what it says, and streams frames back as things happen, so that whatever
happened before a crash is known. It judges nothing and is told no expected value.

    {"ready": 1}                      before any student code is looked at; a {"fault": …} instead of it is ours
    {"load": {…}}                     how loading went: names, cuts, what was found
    {"raising": {…}}                  an exception whose message only the student's own code can tell; it may never return
    {"call": {…}}                     one case
    {"read": […]}   {"shown": {…}}    a session as it goes
    {"end": {…}}                      how a session ended
    {"done": {…}}                     nothing more will come

Standard library only, and no module that Windows lacks.
"""

from __future__ import annotations

import _sitebuiltins
import ast
import atexit
import base64
import builtins
import functools
import json
import os
import random
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from .inside import names as top_level
from .inside import raised, salvage, scripts
from .inside.codec import Frames, Kinds, Observer, decode
from .inside.console import Keyboard, Screen
from .inside.supplied import Supplied

globals()["__builtins__"] = dict(vars(builtins))

Job = dict[str, Any]
MAX_SHOWN = 5000

_exec, _compile, _parse, _exit = exec, compile, ast.parse, os._exit
_random: Any = random._inst  # noqa: SLF001 - the generator behind the module's functions
_seed_in_c = super(random.Random, _random).seed
_end_threads = threading._shutdown  # type: ignore[attr-defined] # noqa: SLF001 - as the interpreter does at its end
_run_exit_functions = atexit._run_exitfuncs  # noqa: SLF001


def main(arguments: list[str]) -> None:
    """As a plain subprocess: the job comes on descriptor 0, the output goes to a file, frames go out by descriptor 1."""
    out, *limits = arguments
    job = os.dup(0)
    frames = os.dup(1)
    output = os.open(out, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    os.dup2(output, 1)
    os.close(output)
    if limits:
        from .layers import rlimits  # noqa: PLC0415 - there are no such limits on Windows

        rlimits.enter(None, rlimits.Numbers(*map(int, limits)))
    work(job, frames)


def work(job: int, frames: int) -> None:
    """Do the job that descriptor `job` holds and leave; never returns."""
    way_out = Frames(frames)
    try:
        task = json.loads(_read_all(job))
        unit = _Unit(task, way_out)
    except Exception as error:  # noqa: BLE001 - nothing of the student's has run: this is ours, and is told as such
        way_out.send({"fault": f"{type(error).__name__}: {error}"})
        _exit(1)
    way_out.send({"ready": 1})
    (unit.calls if task["kind"] == "calls" else unit.session)()
    way_out.send({"done": {"tampered": unit.supplied.tampered()}})
    _exit(0)


def _seed(number: int) -> None:
    """`random.seed` for an integer, by its C code alone, since a student can replace the rest."""
    _seed_in_c(number)
    _random.gauss_next = None


def _read_all(descriptor: int) -> bytes:
    """The job, and then an empty descriptor 0 in its place."""
    with open(descriptor, "rb") as file:
        data = file.read()
    nothing = os.open(os.devnull, os.O_RDONLY)
    if nothing != 0:
        os.dup2(nothing, 0)
        os.close(nothing)
    return data


class _Unit:
    """Everything that stands ready before student code runs."""

    def __init__(self, task: Job, frames: Frames) -> None:
        self.task = task
        self.frames = frames
        self.file: str = task["file"]
        self.source = base64.b64decode(task["source"])
        self.screen = Screen()
        self.keyboard = Keyboard(self.screen)
        _hide_ourselves(self.file)
        self.supplied = Supplied(task["supplied"])
        self.standins = {name: _stand_in(name, source) for name, source in task.get("standins", [])}
        self._attach()

    def _attach(self) -> None:
        self.screen.attach()
        self.keyboard.attach()

    def calls(self) -> None:
        """Load the program as a module and make each call."""
        _seed(self.task["seed"])
        space = self._load()
        if space is None:
            return
        space.update(self.standins)
        _, target = _find(space, self.task["names"])
        if target is not None and callable(target):
            for index, case in enumerate(self.task["cases"]):
                self._call(index, case, target, space)

    def _load(self) -> dict[str, Any] | None:
        """The program's namespace after loading, or None if it could not be loaded. Reports either."""
        module = _new_module(self.task["module"], self.file)
        report: dict[str, Any] = {
            "end": "passed",
            "raised": None,
            "names": [],
            "cuts": [],
            "found": None,
            "callable": False,
        }
        self.keyboard.feed([], lambda *_: self._give_up_loading(report))
        code = self._compiled(report)
        if code is not None:
            sys.modules[module.__name__] = module
            self._run(code, module.__dict__, report)
        self._attach()
        if report["end"] == "passed":
            space = module.__dict__
            found, target = _find({**space, **self.standins}, self.task["names"])
            report.update(found=found, callable=callable(target), names=top_level.listed(space, self.file))
        self.frames.send({"load": {**report, "printed": self.screen.position()}})
        return module.__dict__ if report["end"] == "passed" else None

    def _give_up_loading(self, report: dict[str, Any]) -> None:
        """A program that asks for input while it is imported plays its game there: say so and leave at once."""
        self.frames.send({"load": {**report, "end": "reads", "printed": self.screen.position()}})
        _exit(0)

    def _compiled(self, report: dict[str, Any]) -> types.CodeType | None:
        try:
            if self.task["cut"]:
                tree, report["cuts"] = salvage.cut(_parse(self.source, self.file))
                return _compile(tree, self.file, "exec", dont_inherit=True)
            return _compile(self.source, self.file, "exec", dont_inherit=True)
        except BaseException as error:  # noqa: BLE001 - the compiler raises MemoryError, RecursionError and ValueError too
            report.update(end="unreadable", raised=raised.describe_syntax(error, self.file))
            return None

    def _run(self, code: types.CodeType, space: dict[str, Any], report: dict[str, Any]) -> None:
        """Run the code and note in the report how it ended."""
        try:
            _exec(code, space)
        except SystemExit as error:
            report.update(end="exited", raised=raised.describe(error, self.file))
        except BaseException as error:  # noqa: BLE001 - whatever leaves a student's program is an observation
            report.update(end="exception", raised=raised.describe(error, self.file, early=self._tell_early))

    def _tell_early(self, facts: dict[str, Any]) -> None:
        self.frames.send({"raising": facts})

    def _call(self, index: int, case: Job, target: Callable[..., Any], space: dict[str, Any]) -> None:
        """Make one call and report it."""
        self._attach()
        self.keyboard.feed(case["stdin"])
        self.supplied.deck, self.supplied.shuffles = case["deck"], 0
        _seed(case["seed"])
        report: dict[str, Any] = {"case": index, "end": "passed", "from": self.screen.position()}
        try:
            if case["script"]:
                official = dict.fromkeys(self.task["names"][:1], target)
                report["steps"] = scripts.Script(space, self.file, self.supplied.kinds, official).run(case["script"])
            else:
                self._make(case, target, report)
        except SystemExit as error:
            report.update(end="exited", raised=raised.describe(error, self.file))
        except BaseException as error:  # noqa: BLE001 - whatever leaves a student's function is an observation
            report.update(end="exception", raised=raised.describe(error, self.file, early=self._tell_early))
        report.update(to=self.screen.position(), complaints=self.screen.complaints())
        report.update(shuffles=self.supplied.shuffles, unread=self.keyboard.unread)
        self.frames.send({"call": report})

    def _make(self, case: Job, target: Callable[..., Any], report: dict[str, Any]) -> None:
        """Make the call as often as the case asks; what the arguments are afterwards is noted even if it raises."""
        kinds = self.supplied.kinds
        lists = [case["args"], *case["alternatives"]]
        made: list[dict[str, Any]] = []
        for _ in range(case["repeat"]):
            choices = [[decode(item, kinds, {}) for item in choice] for choice in lists]
            arguments = scripts.fitting(target, choices)
            try:
                value = target(*arguments)
            except BaseException:
                report.update(_seen(None, arguments, kinds))
                raise
            made.append(_seen(value, arguments, kinds))
        first, *others = made
        report.update(first, again=[[other["value"], other["args"]] for other in others])

    def session(self) -> None:
        """Run the program as a script, as a person would start it."""
        self.keyboard.feed(self.task["inputs"], lambda *read: self.frames.send({"read": list(read)}))
        self.supplied.deck = self.task["deck"]
        _seed(self.task["seed"])
        module = sys.modules["__main__"] = _new_module("__main__", self.file)
        report: dict[str, Any] = {"end": "passed", "raised": None}
        code = self._compiled(report)
        if code is not None:
            watched = _Watched(module.__dict__, self)
            self._run_script(code, module.__dict__, watched, report)
        self.frames.send({"end": {**report, "unread": self.keyboard.unread}})
        _end_threads()
        _run_exit_functions()
        self.screen.position()

    def _run_script(
        self, code: types.CodeType, space: dict[str, Any], watched: _Watched, report: dict[str, Any]
    ) -> None:
        try:
            _exec(code, space, watched) if watched.names else _exec(code, space)
        except SystemExit as error:
            report.update(exit=_exit_words(error))
        except BaseException as error:  # noqa: BLE001 - whatever leaves a student's program is an observation
            report.update(end="exception", raised=raised.describe(error, self.file, early=self._tell_early))
        self.screen.position()


class _Watched(dict[str, Any]):
    """The top level of a script that hands everything to its globals, but wraps a watched function when it is defined."""

    def __init__(self, space: dict[str, Any], unit: _Unit) -> None:
        super().__init__()
        self._space = space
        self._unit = unit
        self._forced = {name: list(values) for name, values in unit.task["forced"]}
        self._watched = set(unit.task["watch"])
        self._count = 0
        self.names = self._watched | self._forced.keys()

    def __getitem__(self, name: str) -> Any:
        return self._space[name]

    def __setitem__(self, name: str, value: Any) -> None:
        wrap = name in self.names and type(value) is types.FunctionType
        self._space[name] = self._wrapped(name, value) if wrap else value

    def __delitem__(self, name: str) -> None:
        del self._space[name]

    def __contains__(self, name: object) -> bool:
        return name in self._space

    def _wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*arguments: Any, **keywords: Any) -> Any:
            if name in self._watched:
                self._show(name, arguments)
            waiting = self._forced.get(name)
            if not waiting or not arguments:
                return function(*arguments, **keywords)
            return assign(arguments[0], decode(waiting.pop(0), self._unit.supplied.kinds, {}))

        return wrapper

    def _show(self, name: str, arguments: tuple[Any, ...]) -> None:
        self._count += 1
        if self._count <= MAX_SHOWN:
            observer = Observer(self._unit.supplied.kinds)
            seen = [observer.see(item, f"args[{index}]") for index, item in enumerate(arguments)]
            self._unit.frames.send({"shown": {"at": self._unit.screen.position(), "function": name, "args": seen}})


def assign(target: Any, value: Any) -> None:
    """Give an argument another content in place, so that every holder of it sees the change."""
    if type(target) is list and type(value) is list:
        if len(target) == len(value) and all(type(one) is type(two) is list for one, two in zip(target, value)):  # noqa: B905
            for one, two in zip(target, value):  # noqa: B905
                assign(one, two)
        else:
            target[:] = value
    elif type(target) is dict:
        target.clear()
        target.update(value)
    else:
        vars(target).update(vars(value))


def _seen(value: Any, arguments: list[Any], kinds: Kinds) -> dict[str, Any]:
    observer = Observer(kinds)
    returned = observer.see(value, "returned")
    after = [observer.see(item, f"args[{index}]") for index, item in enumerate(arguments)]
    return {"value": returned, "args": after, "aliases": observer.aliases}


def _find(space: dict[str, Any], names: list[str]) -> tuple[str | None, Any]:
    for name in names:
        if name in space:
            return name, space[name]
    return None, None


def _new_module(name: str, file: str) -> types.ModuleType:
    """An empty module with the builtins that everybody has; `exec` would give it our private copy."""
    module = types.ModuleType(name)
    module.__file__ = file
    module.__dict__["__builtins__"] = vars(builtins)
    return module


def _stand_in(name: str, source: str) -> Any:
    """The reference's version of a helper, in a namespace that holds what it needs and no more."""
    space = _new_module(name, f"{name}.py").__dict__
    _exec(_compile(source, f"<{name}>", "exec", dont_inherit=True), space)
    return space[name]


def _hide_ourselves(file: str) -> None:
    """Leave nothing of ours where a program looks: no module, no path, no arguments."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "patience_inside"]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = [file]
    sys.path[:] = [
        entry for entry in sys.path if entry and "site-packages" not in entry and "dist-packages" not in entry
    ]
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")


def _exit_words(error: SystemExit) -> str:
    """What `sys.exit` was given, as the interpreter would treat it: nothing, a code, or a message for stderr."""
    code = BaseException.__dict__["args"].__get__(error)[:1]
    if not code or code[0] is None or type(code[0]) is int:
        return str(code[0]) if code and code[0] is not None else ""
    if type(code[0]) is str:
        print(code[0], file=sys.stderr)  # noqa: T201 - this is what the interpreter does
    return "1"
