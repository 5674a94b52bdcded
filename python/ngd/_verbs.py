"""The verbs: each the words of a command, and a reader of the folder that it writes."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from . import _program
from ._program import Watch, flags
from ._results import Check, Comparison, Curves, Description, MethodFit, Network, PooledFit, Study, curves_in, files_of, fit_in
from ._table import Data, cast_query, write

T = TypeVar("T")
_kept: list[tempfile.TemporaryDirectory[str]] = []


class _Job(Generic[T]):
    """One run of the program: its words, the temporary tables it reads, and how to read what it wrote."""

    def __init__(self, words: Sequence[str], out: str | None, read: Callable[[str, str], T], tables: str | None = None) -> None:
        self.tables = tables
        if out is None:
            # Lives as long as the process; the answer holds the texts of its files.
            kept = tempfile.TemporaryDirectory(prefix="ngd-")
            _kept.append(kept)
            out = os.path.join(kept.name, "run")
        self.folder = os.path.expanduser(out)
        self.words = [*words, f"--out={self.folder}"]
        self.read = read

    def run(self, progress: Watch | None) -> T:
        try:
            return self._end(_program.run(self.words, progress))
        finally:
            self._clean()

    async def run_async(self, progress: Watch | None) -> T:
        try:
            return self._end(await _program.run_async(self.words, progress))
        finally:
            self._clean()

    def _end(self, text: str) -> T:
        lines = [line for line in text.splitlines() if not line.startswith("written to ")]
        return self.read(self.folder, _program.in_arguments(_program.unnamed("\n".join(lines).strip("\n"))))

    def _clean(self) -> None:
        if self.tables is not None:
            shutil.rmtree(self.tables, ignore_errors=True)


def _about_data(
    command: str,
    read: Callable[[str, str], T],
    formula: str | None,
    sites: Mapping[str, Data] | None,
    data: Data | None,
    named: Mapping[str, object],
    options: Mapping[str, object],
    out: str | os.PathLike[str] | None,
) -> _Job[T]:
    tables = tempfile.mkdtemp(prefix="ngd-tables-")
    try:
        words = [command]
        if formula is not None:
            words.append(f"--formula={formula}")
        if sites is not None and not isinstance(sites, Mapping):
            raise TypeError(f"sites: must be a mapping of names to tables or places; got {type(sites).__name__}")
        if sites is not None and not sites:
            raise ValueError("sites: must name at least one site, as {'north': 'north.csv'}; got none")
        for name, table in (sites or {}).items():
            if "=" in name:
                raise ValueError(f"sites: a name must not hold `=`; got `{name}`")
            place, dated = write(table, tables, f"site {name}")
            words.append(f"--site={name}={place}")
            words += [f"--query={name}={cast_query(dated)}"] if dated else []
        if data is not None:
            place, dated = write(data, tables, "data")
            words.append(f"--data={place}")
            words += [f"--query={cast_query(dated)}"] if dated else []
        return _Job(words + flags({**named, **options}), None if out is None else os.fspath(out), read, tables)
    except BaseException:
        shutil.rmtree(tables, ignore_errors=True)
        raise


def _result(kind: Callable[[Any, str, str, Mapping[str, str]], T], main: str, *others: str) -> Callable[[str, str], T]:
    def read(folder: str, text: str) -> T:
        files = files_of(folder, (main, *others))
        return kind(json.loads(files[main]), text, folder, files)

    return read


def _fit(
    formula: str | None, sites: Mapping[str, Data] | None, family: str | None, network: str, data: Data | None,
    out: str | os.PathLike[str] | None, options: Mapping[str, object],
) -> _Job[PooledFit | MethodFit | Curves]:
    return _about_data("fit", fit_in, formula, sites, data, {"family": family, "network": network}, options, out)


@overload
def fit(
    formula: str | None = ..., sites: Mapping[str, Data] | None = ..., *, alpha: None = ..., algorithm: None = ...,
    family: str | None = ..., network: str = ..., data: Data | None = ..., out: str | os.PathLike[str] | None = ...,
    progress: Watch | None = ..., **options: object,
) -> PooledFit: ...


@overload
def fit(
    formula: str | None = ..., sites: Mapping[str, Data] | None = ..., *, alpha: str | float | None = ..., algorithm: str | None = ...,
    family: str | None = ..., network: str = ..., data: Data | None = ..., out: str | os.PathLike[str] | None = ...,
    progress: Watch | None = ..., **options: object,
) -> PooledFit | MethodFit | Curves: ...


def fit(
    formula: str | None = None, sites: Mapping[str, Data] | None = None, *, alpha: str | float | None = None,
    algorithm: str | None = None, family: str | None = None, network: str = "complete",
    data: Data | None = None, out: str | os.PathLike[str] | None = None, progress: Watch | None = None, **options: object,
) -> PooledFit | MethodFit | Curves:
    """Fits a regression across sites: a :class:`PooledFit`, or with ``alpha`` or ``algorithm`` a :class:`MethodFit`.

    ``sites`` maps names to tables or places; ``data`` is one table whose rows are split among clients. Other options are
    those of ``ngd fit --help`` with ``_`` for dashes.
    """
    options = {"alpha": alpha, "algorithm": algorithm, **options}
    return _fit(formula, sites, family, network, data, out, options).run(progress)


@overload
async def fit_async(
    formula: str | None = ..., sites: Mapping[str, Data] | None = ..., *, alpha: None = ..., algorithm: None = ...,
    family: str | None = ..., network: str = ..., data: Data | None = ..., out: str | os.PathLike[str] | None = ...,
    progress: Watch | None = ..., **options: object,
) -> PooledFit: ...


@overload
async def fit_async(
    formula: str | None = ..., sites: Mapping[str, Data] | None = ..., *, alpha: str | float | None = ..., algorithm: str | None = ...,
    family: str | None = ..., network: str = ..., data: Data | None = ..., out: str | os.PathLike[str] | None = ...,
    progress: Watch | None = ..., **options: object,
) -> PooledFit | MethodFit | Curves: ...


async def fit_async(
    formula: str | None = None, sites: Mapping[str, Data] | None = None, *, alpha: str | float | None = None,
    algorithm: str | None = None, family: str | None = None, network: str = "complete",
    data: Data | None = None, out: str | os.PathLike[str] | None = None, progress: Watch | None = None, **options: object,
) -> PooledFit | MethodFit | Curves:
    """:func:`fit` for event loops; cancelling it ends the program."""
    options = {"alpha": alpha, "algorithm": algorithm, **options}
    return await _fit(formula, sites, family, network, data, out, options).run_async(progress)


def _curves(
    formula: str, sites: Mapping[str, Data] | None, network: str, data: Data | None, out: str | os.PathLike[str] | None,
    options: Mapping[str, object],
) -> _Job[Curves]:
    def read(folder: str, text: str) -> Curves:
        if not os.path.exists(os.path.join(folder, "curves.csv")):
            raise ValueError(f"formula: must ask for survival curves, as Surv(time, event) ~ strata(group); `{formula}` asks for a fit: ngd.fit")
        return curves_in(folder, text)

    return _about_data("fit", read, formula, sites, data, {"network": network}, options, out)


def curves(
    formula: str, sites: Mapping[str, Data] | None = None, *, network: str = "complete", data: Data | None = None,
    out: str | os.PathLike[str] | None = None, progress: Watch | None = None, **options: object,
) -> Curves:
    """Survival curves across sites, such as of ``Surv(time, event) ~ strata(group)``, as ``ngd fit`` gives them."""
    return _curves(formula, sites, network, data, out, options).run(progress)


async def curves_async(
    formula: str, sites: Mapping[str, Data] | None = None, *, network: str = "complete", data: Data | None = None,
    out: str | os.PathLike[str] | None = None, progress: Watch | None = None, **options: object,
) -> Curves:
    """:func:`curves` for event loops."""
    return await _curves(formula, sites, network, data, out, options).run_async(progress)


def _ask(
    formula: str, member: str | os.PathLike[str], family: str | None, out: str | os.PathLike[str] | None, options: Mapping[str, object]
) -> _Job[PooledFit | MethodFit | Curves]:
    words = ["federation", "ask", f"--formula={formula}", f"--member={os.path.expanduser(os.fspath(member))}"]
    return _Job(words + flags({"family": family, **options}), None if out is None else os.fspath(out), fit_in)


def ask(
    formula: str, member: str | os.PathLike[str] = ".", *, family: str | None = None, out: str | os.PathLike[str] | None = None,
    progress: Watch | None = None, **options: object,
) -> PooledFit | MethodFit | Curves:
    """Asks a standing federation as a member whose peer runs here, and waits for the answer, which is as of :func:`fit`."""
    return _ask(formula, member, family, out, options).run(progress)


async def ask_async(
    formula: str, member: str | os.PathLike[str] = ".", *, family: str | None = None, out: str | os.PathLike[str] | None = None,
    progress: Watch | None = None, **options: object,
) -> PooledFit | MethodFit | Curves:
    """:func:`ask` for event loops."""
    return await _ask(formula, member, family, out, options).run_async(progress)


def read(folder: str | os.PathLike[str]) -> PooledFit | MethodFit | Curves:
    """The fit that a run folder holds."""
    return fit_in(os.fspath(folder), "")


def _network(network: str, clients: int, out: str | os.PathLike[str] | None, options: Mapping[str, object]) -> _Job[Network]:
    words = ["network", f"--network={network}", f"--clients={clients}", *flags(dict(options))]
    return _Job(words, None if out is None else os.fspath(out), _result(Network, "network.json", "edges.csv"))


def network(network: str, clients: int, *, out: str | os.PathLike[str] | None = None, **options: object) -> Network:
    """Analyses a network before any data are seen."""
    return _network(network, clients, out, options).run(None)


async def network_async(network: str, clients: int, *, out: str | os.PathLike[str] | None = None, **options: object) -> Network:
    """:func:`network` for event loops."""
    return await _network(network, clients, out, options).run_async(None)


def _check(
    formula: str | None, sites: Mapping[str, Data] | None, family: str | None, network: str, data: Data | None,
    out: str | os.PathLike[str] | None, options: Mapping[str, object],
) -> _Job[Check]:
    reader = _result(Check, "check.json")
    return _about_data("check", reader, formula, sites, data, {"family": family, "network": network}, options, out)


def check(
    formula: str | None = None, sites: Mapping[str, Data] | None = None, *, family: str | None = None, network: str = "complete",
    data: Data | None = None, out: str | os.PathLike[str] | None = None, **options: object,
) -> Check:
    """Predicts whether a method of rounds converges, how fast and to what, without running it."""
    return _check(formula, sites, family, network, data, out, options).run(None)


async def check_async(
    formula: str | None = None, sites: Mapping[str, Data] | None = None, *, family: str | None = None, network: str = "complete",
    data: Data | None = None, out: str | os.PathLike[str] | None = None, **options: object,
) -> Check:
    """:func:`check` for event loops."""
    return await _check(formula, sites, family, network, data, out, options).run_async(None)


def _compare(
    algorithms: Sequence[str], formula: str | None, sites: Mapping[str, Data] | None, family: str | None, network: str,
    data: Data | None, out: str | os.PathLike[str] | None, options: Mapping[str, object],
) -> _Job[Comparison]:
    named = {"algorithms": list(algorithms), "family": family, "network": network}
    return _about_data("compare", _result(Comparison, "result.json", "compare.csv", "trace.csv"), formula, sites, data, named, options, out)


def compare(
    algorithms: Sequence[str], formula: str | None = None, sites: Mapping[str, Data] | None = None, *, family: str | None = None,
    network: str = "complete", data: Data | None = None, out: str | os.PathLike[str] | None = None, progress: Watch | None = None,
    **options: object,
) -> Comparison:
    """Compares accuracy and cost of several algorithms on the same data and network."""
    return _compare(algorithms, formula, sites, family, network, data, out, options).run(progress)


async def compare_async(
    algorithms: Sequence[str], formula: str | None = None, sites: Mapping[str, Data] | None = None, *, family: str | None = None,
    network: str = "complete", data: Data | None = None, out: str | os.PathLike[str] | None = None, progress: Watch | None = None,
    **options: object,
) -> Comparison:
    """:func:`compare` for event loops."""
    return await _compare(algorithms, formula, sites, family, network, data, out, options).run_async(progress)


def _describe(
    sites: Mapping[str, Data] | None, data: Data | None, out: str | os.PathLike[str] | None, options: Mapping[str, object]
) -> _Job[Description]:
    tables = ("numbers.csv", "levels.csv", "groups.csv", "cross.csv", "tests.csv", "histograms.csv", "correlations.csv")
    reader = _result(Description, "description.json", *tables)
    return _about_data("describe", reader, None, sites, data, {}, options, out)


def describe(
    sites: Mapping[str, Data] | None = None, *, data: Data | None = None, out: str | os.PathLike[str] | None = None, **options: object
) -> Description:
    """Summarises the variables over all sites, from totals; ``by="smoker"``, ``cross="smoker,stage; sex,stage"``, ``histogram`` and
    ``correlation`` ask for further tables."""
    return _describe(sites, data, out, options).run(None)


async def describe_async(
    sites: Mapping[str, Data] | None = None, *, data: Data | None = None, out: str | os.PathLike[str] | None = None, **options: object
) -> Description:
    """:func:`describe` for event loops."""
    return await _describe(sites, data, out, options).run_async(None)


def _study(study: str | Mapping[str, object], out: str | os.PathLike[str] | None, options: Mapping[str, object]) -> _Job[Study]:
    tables = None
    if not isinstance(study, str):
        tables = tempfile.mkdtemp(prefix="ngd-tables-")
        file = os.path.join(tables, "study.yaml")
        with open(file, "w", encoding="utf-8") as text:
            json.dump(dict(study), text)  # JSON is YAML
        study = file

    def read(folder: str, text: str) -> Study:
        names = sorted(name for name in os.listdir(folder) if name.endswith((".csv", ".json")))
        files = files_of(folder, names)
        return Study(json.loads(files["manifest.json"]), text, folder, files)

    return _Job(["study", study, *flags(dict(options))], None if out is None else os.fspath(out), read, tables)


def study(
    study: str | Mapping[str, object], *, out: str | os.PathLike[str] | None = None, progress: Watch | None = None, **options: object
) -> Study:
    """Runs a simulation study: a name, a YAML file, or a mapping with what such a file holds."""
    return _study(study, out, options).run(progress)


async def study_async(
    study: str | Mapping[str, object], *, out: str | os.PathLike[str] | None = None, progress: Watch | None = None, **options: object
) -> Study:
    """:func:`study` for event loops."""
    return await _study(study, out, options).run_async(progress)
