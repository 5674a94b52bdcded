"""The program: where it is, and one run of it."""

from __future__ import annotations

import asyncio
import json
import keyword
import logging
import os
import re
import shutil
import subprocess
import tempfile
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_log = logging.getLogger("ngd")
_told: str | None = None


class NgdError(Exception):
    """What the program said when it refused or failed; ``status`` is 2 for a wrong request, 1 for a failure."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class NgdWarning(UserWarning):
    """A warning of the program."""


@dataclass(frozen=True)
class Progress:
    """How far the work is: a stage that begins, or ``done`` of ``total`` after so many seconds."""

    what: str
    stage: str | None = None
    done: int | None = None
    total: int | None = None
    seconds: float | None = None

    @property
    def share(self) -> float | None:
        """From 0 to 1, where it is known."""
        return self.done / self.total if self.done is not None and self.total else None


Watch = Callable[[Progress], object]


def path(program: str | os.PathLike[str] | None = None) -> str:
    """The program that is used; an argument sets it. Else it is what NGD names, or ``ngd`` on the PATH."""
    global _told
    if program is not None:
        if not os.path.isfile(program):
            raise FileNotFoundError(f"ngd.path: must be the program ngd, a file; got {os.fspath(program)}")
        _told = os.path.abspath(program)
    found = _told or os.environ.get("NGD") or shutil.which("ngd")
    if not found:
        raise FileNotFoundError(
            "the program ngd was not found: put it on the PATH, set the environment variable NGD, or call ngd.path('/where/it/is/ngd')"
        )
    if not os.path.isfile(found):
        raise FileNotFoundError(f"the program ngd must be a file; ngd.path, NGD or PATH names {found}")
    return found


def version() -> str:
    """The program's version."""
    return run(["--version"]).strip().splitlines()[0]


def unnamed(text: str) -> str:
    """Where a table or a study stood for a moment is nobody's concern."""
    place = re.escape(tempfile.gettempdir()) + r"[/\\]ngd-[^/\\\s]+[/\\](?:tables[/\\])?"
    return re.sub(place + r"(?:(table)\d+\.jsonl|(study)\.yaml)", lambda found: found[1] or found[2], text)


_COMMAND = r"(?P<command>`(?:\./)?ngd [^`]*`)"
_FLAG = re.compile(_COMMAND + r"|(?<![\w-])--(?P<flag>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?: (?=(?P<value>[A-Z]{2,}\b(?:=PLACE\b)?)))?")


def in_arguments(text: str) -> str:
    """The program's options as the arguments that they are here: ``--local-steps`` is ``local_steps``.

    Commands in backticks stay as they are: they are for a terminal.
    """

    def said(found: re.Match[str]) -> str:
        if found["command"]:
            return found[0]
        name = found["flag"].replace("-", "_")
        name = "sites" if name == "site" else name + "_" if keyword.iskeyword(name) else name
        return name + ("=" if found["value"] else "")

    return _FLAG.sub(said, text).replace("sites=NAME=PLACE", "sites={NAME: PLACE}")


class _Said:
    """What the program says on standard error, line by line: progress is passed on, the rest is kept."""

    def __init__(self, watch: Watch | None) -> None:
        self.watch = watch
        self.lines: list[str] = []

    def hear(self, line: str) -> None:
        line = line.rstrip("\r\n")
        if line.startswith('{"progress":'):
            if self.watch is not None:
                self.watch(Progress(**json.loads(line)["progress"]))
        elif line:
            self.lines.append(in_arguments(unnamed(line)))

    def end(self, status: int) -> None:
        if status != 0:
            raise NgdError("\n".join(self.lines) or f"ngd ended with status {status} and said nothing", status)
        for line in self.lines:
            if ": warning: " in line:
                warnings.warn(line, NgdWarning, stacklevel=5)
            else:
                _log.info(line)


def _command(words: Sequence[str], watch: Watch | None) -> list[str]:
    return [path(), *words, f"--progress={'none' if watch is None else 'json'}"]


def run(words: Sequence[str], watch: Watch | None = None) -> str:
    """Runs it to its end and returns what it printed."""
    said = _Said(watch)
    with subprocess.Popen(
        _command(words, watch), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            printed: list[str] = []
            reader = threading.Thread(target=lambda: printed.append(process.stdout.read() if process.stdout else ""))
            reader.start()
            for line in process.stderr:
                said.hear(line)
            reader.join()
            process.wait()
        except BaseException:
            process.terminate()
            raise
    said.end(process.returncode)
    return "".join(printed)


async def run_async(words: Sequence[str], watch: Watch | None = None) -> str:
    """The same for event loops. Cancelling it ends the program, which then writes nothing."""
    said = _Said(watch)
    process = await asyncio.create_subprocess_exec(
        *_command(words, watch), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, limit=1 << 24
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        reader = asyncio.ensure_future(process.stdout.read())
        async for line in process.stderr:
            said.hear(line.decode("utf-8"))
        printed = await reader
        status = await process.wait()
    except BaseException:
        if process.returncode is None:
            process.terminate()
            await process.wait()
        raise
    said.end(status)
    return printed.decode("utf-8")


def flags(options: dict[str, object]) -> list[str]:
    """Python's way to name options, ``local_steps=5``, as the program's. A dict repeats the option for each name."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, dict):
            words.extend(f"{flag}={key}={one}" for key, one in value.items())
        elif isinstance(value, (list, tuple)):
            words.append(f"{flag}={','.join(str(one) for one in value)}")
        else:
            words.append(f"{flag}={value}")
    return words
