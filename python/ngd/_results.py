"""What the verbs return."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _program
from ._table import Data, Table, array, cast_query, html_table, write


@dataclass(frozen=True)
class Coefficient:
    """One line of a pooled fit; standard error and what follows from it are NaN where they are withheld."""

    term: str
    estimate: float
    std_error: float
    statistic: float
    p_value: float
    conf_low: float
    conf_high: float


@dataclass(frozen=True)
class AnovaLine:
    """A term, or a model among nested ones, with its test."""

    name: str
    df: float | None
    deviance: float | None
    df_residual: float
    residual_deviance: float
    statistic: float | None
    p_value: float | None


@dataclass(frozen=True)
class Prediction:
    """
    Expected responses, one a row, and on request their confidence intervals; of a response that is one of several levels the
    most likely one, and the probability of each.
    """

    fit: Any
    conf_low: Any = None
    conf_high: Any = None
    probabilities: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Result:
    """What a command found: the numbers (``result``), its own page (``text``), and where its files are."""

    result: Mapping[str, Any]
    text: str
    folder: str
    files: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.text or f"{type(self).__name__} in {self.folder}"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.text)}</pre>"


@dataclass(frozen=True, repr=False)
class Fit(Result):
    """A fit, by whatever way."""

    @property
    def terms(self) -> list[str]:
        return [line["term"] for line in self.result["coefficients"]]

    @property
    def coef(self) -> dict[str, float]:
        """The estimates by name; of a method in rounds, their mean over the clients."""
        return {line["term"]: line["estimate"] for line in self.result["coefficients"]}

    @property
    def nobs(self) -> int:
        return int(self.result["rows"])


def _number(value: float | None) -> float:
    return math.nan if value is None else value


@dataclass(frozen=True, repr=False)
class PooledFit(Fit):
    """The estimates that the pooled data would give, with standard errors."""

    @property
    def coefficients(self) -> list[Coefficient]:
        keys = ("estimate", "stdError", "statistic", "pValue", "confLow", "confHigh")
        return [Coefficient(line["term"], *(_number(line.get(key)) for key in keys)) for line in self.result["coefficients"]]

    @property
    def table(self) -> Table:
        """The coefficients as columns."""
        lines = self.coefficients
        names = ("estimate", "std_error", "statistic", "p_value", "conf_low", "conf_high")
        return Table({"term": [line.term for line in lines], **{name: array([getattr(line, name) for line in lines]) for name in names}})

    def to_pandas(self) -> Any:
        """The coefficients as a DataFrame of pandas, which must be installed, with the terms as its index."""
        return self.table.to_pandas().set_index("term")

    @property
    def vcov(self) -> Any:
        """The covariance matrix of the estimates."""
        if self.result.get("vcov") is None:
            raise ValueError(f"no standard errors: {self.result.get('withheld') or 'the answer has none'}")
        return array(self.result["vcov"])

    @property
    def path(self) -> Table:
        """Of a penalised fit: lambda, nonzero, deviance, explained, and a column for each coefficient."""
        return self._penalised("path.csv")

    @property
    def cv(self) -> Table:
        """Of a penalised fit: the cross-validated deviance of unseen rows at each lambda."""
        return self._penalised("cv.csv")

    def _penalised(self, file: str) -> Table:
        if file not in self.files:
            raise ValueError(f"no {file}: the fit has none; ask with penalty='lasso' or another shape")
        return Table.of_csv(self.files[file])

    @property
    def log_likelihood(self) -> float:
        return _number(self.result.get("logLikelihood"))

    @property
    def aic(self) -> float:
        return _number(self.result.get("aic"))

    @property
    def bic(self) -> float:
        parameters = round((self.aic + 2 * self.log_likelihood) / 2)
        return math.log(self.nobs) * parameters - 2 * self.log_likelihood

    @property
    def deviance(self) -> float:
        return _number(self.result.get("deviance"))

    @property
    def df_residual(self) -> float:
        return _number(self.result.get("dfResidual"))

    def predict(self, data: Data, *, type: str = "response", interval: bool = False, **options: object) -> Prediction:
        """Expected responses for new rows, a place or a table."""
        with tempfile.TemporaryDirectory(prefix="ngd-") as work:
            place, dated = write(data, os.path.join(work, "tables"), "data")
            words = ["predict", f"--model={self._restored(work, 'model')}", f"--data={place}", f"--type={type}"]
            words += [f"--query={cast_query(dated)}"] if dated else []
            words += ["--interval"] if interval else []
            found = Table.of_csv(_program.run(words + _program.flags(options)))
        levels = self.result.get("model", {}).get("classes") or []
        return Prediction(
            found["prediction"], found.get("conf_low"), found.get("conf_high"), {level: found[f"p({level})"] for level in levels}
        )

    def anova(self, *others: PooledFit) -> list[AnovaLine]:
        """Tests of the terms, which ``anova=True`` records; with other fits, of nested models."""
        fits = (self, *others)
        with tempfile.TemporaryDirectory(prefix="ngd-") as work:
            folders = [fit._restored(work, f"model{k + 1}") for k, fit in enumerate(fits)]
            found = json.loads(_program.run(["anova", *folders, "--format=json"]))
        lines = found["terms"] if not others else found["models"]
        return [
            AnovaLine(
                line.get("term") or line.get("formula") or "", line.get("df"), line.get("deviance"), line["dfResidual"],
                line["residualDeviance"], line.get("statistic"), line.get("pValue"),
            )
            for line in lines
        ]

    def _restored(self, work: str, name: str) -> str:
        """The folder as the program wrote it, also where it is gone."""
        folder = os.path.join(work, name)
        os.mkdir(folder)
        for file, text in self.files.items():
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(text)
        return folder

    def plot(self, ax: Any = None) -> Any:
        """A forest plot by matplotlib, which must be installed: coefficients with intervals, the intercept left out."""
        axes = _axes(ax)
        lines = [line for line in self.coefficients if line.term != "(Intercept)"] or self.coefficients
        at = list(range(len(lines), 0, -1))
        axes.hlines(at, [line.conf_low for line in lines], [line.conf_high for line in lines])
        axes.plot([line.estimate for line in lines], at, "s")
        axes.axvline(0, linestyle=":")
        axes.set_yticks(at, [line.term for line in lines])
        axes.set_xlabel("coefficient")
        return axes

    def _repr_html_(self) -> str:
        level = self.result.get("level") or 0.95
        low, high = f"{50 * (1 - level):g} %", f"{50 * (1 + level):g} %"
        header = ["", "estimate", "std. error", str(self.result.get("statistic") or "statistic"), "p", low, high]
        rows = [
            [line.term, line.estimate, line.std_error, line.statistic, line.p_value, line.conf_low, line.conf_high]
            for line in self.coefficients
        ]
        model = self.result.get("model", {})
        about = f"{model.get('family', '')}, {self.result.get('rows')} rows of {self.result.get('sites')} sites, AIC {self.aic:.6g}"
        return html_table(header, rows) + f"<p>{about}</p>"


@dataclass(frozen=True, repr=False)
class MethodFit(Fit):
    """A fit by rounds of an algorithm: its trace, and each client's coefficients."""

    @property
    def trace(self) -> Table:
        return Table.of_csv(self.files["trace.csv"])

    @property
    def theta(self) -> Any:
        """A row for each client, a column for each coefficient."""
        table = Table.of_csv(self.files["theta.csv"])
        return array([[float(table[name][k]) for name in table if name != "client"] for k in range(table.rows)])

    def plot(self, ax: Any = None) -> Any:
        """The trace by matplotlib, which must be installed."""
        axes = _axes(ax)
        trace = self.trace
        for name in ("distance", "consensus", "gradient_norm"):
            if name in trace:
                axes.semilogy(trace["round"], trace[name], label=name)
        axes.set_xlabel("round")
        axes.legend()
        return axes


@dataclass(frozen=True, repr=False)
class Curves(Result):
    """Survival curves of groups: ``curves.csv``, with several causes ``incidence.csv``, and the rest in ``result``."""

    @property
    def nobs(self) -> int:
        return int(self.result["rows"])

    @property
    def table(self) -> Table:
        """The curves: stratum, time, at_risk, events, survival, std_error, lower, upper."""
        return Table.of_csv(self.files["curves.csv"])

    @property
    def incidence(self) -> Table | None:
        """The cumulative incidence of each cause, where there are several."""
        return Table.of_csv(self.files["incidence.csv"]) if "incidence.csv" in self.files else None

    def to_pandas(self) -> Any:
        """The curves as a DataFrame of pandas, which must be installed."""
        return self.table.to_pandas()


@dataclass(frozen=True, repr=False)
class Network(Result):
    """A network's diagnosis and its weights."""

    @property
    def edges(self) -> Table:
        return Table.of_csv(self.files["edges.csv"])

    @property
    def weights(self) -> Any:
        """W: row m says how client m weighs what it hears."""
        clients = self.result["clients"]
        matrix = [[0.0] * clients for _ in range(clients)]
        edges = self.edges
        for client, hears, weight in zip(edges["client"], edges["hears"], edges["weight"]):
            matrix[int(client)][int(hears)] = float(weight)
        return array(matrix)


@dataclass(frozen=True, repr=False)
class Check(Result):
    """What the theory predicts."""

    @property
    def converges(self) -> bool:
        return bool(self.result["converges"])

    @property
    def safe_alpha(self) -> float:
        return _number(self.result.get("safeAlpha"))


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Several algorithms on the same data."""

    @property
    def table(self) -> Table:
        return Table.of_csv(self.files["compare.csv"])

    @property
    def trace(self) -> Table:
        return Table.of_csv(self.files["trace.csv"])

    def plot(self, against: str = "round", ax: Any = None) -> Any:
        """Distance to the pooled estimate against rounds, messages or bytes, by matplotlib, which must be installed."""
        axes = _axes(ax)
        trace = self.trace
        for name in dict.fromkeys(trace["algorithm"]):
            rows = [k for k, one in enumerate(trace["algorithm"]) if one == name]
            axes.semilogy([trace[against][k] for k in rows], [trace["distance"][k] for k in rows], label=name)
        axes.set_xlabel(against)
        axes.set_ylabel("distance to the pooled estimate")
        axes.legend()
        return axes


@dataclass(frozen=True, repr=False)
class Description(Result):
    """The variables over all sites."""

    @property
    def numbers(self) -> Table:
        return Table.of_csv(self.files["numbers.csv"])

    @property
    def levels(self) -> Table:
        return Table.of_csv(self.files["levels.csv"])

    @property
    def tables(self) -> dict[str, Table]:
        """Those by group, crossed and so on too, by the names of their files."""
        return _tables(self.files)


@dataclass(frozen=True, repr=False)
class Study(Result):
    """A simulation study; figures and report.html are in its folder."""

    @property
    def tables(self) -> dict[str, Table]:
        return _tables(self.files)


def _tables(files: Mapping[str, str]) -> dict[str, Table]:
    return {name[: -len(".csv")]: Table.of_csv(text) for name, text in files.items() if name.endswith(".csv")}


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot

    return matplotlib.pyplot.subplots()[1]


def files_of(folder: str, names: Sequence[str]) -> dict[str, str]:
    """The texts of those files that are there."""
    found = {}
    for name in names:
        file = os.path.join(folder, name)
        if os.path.exists(file):
            with open(file, encoding="utf-8", newline="") as text:
                found[name] = text.read()
    return found


def fit_in(folder: str, text: str) -> PooledFit | MethodFit:
    """The fit that a folder holds."""
    files = files_of(folder, ("result.json", "manifest.json", "theta.csv", "trace.csv", "path.csv", "cv.csv"))
    if "result.json" not in files:
        raise FileNotFoundError(f"{folder}: must be the folder of a fit, with result.json")
    result = json.loads(files["result.json"])
    return MethodFit(result, text, folder, files) if "trace.csv" in files else PooledFit(result, text, folder, files)


def curves_in(folder: str, text: str) -> Curves:
    """The survival curves that a folder holds."""
    files = files_of(folder, ("result.json", "manifest.json", "curves.csv", "incidence.csv"))
    if "curves.csv" not in files:
        raise FileNotFoundError(f"{folder}: must be the folder of survival curves, with curves.csv")
    return Curves(json.loads(files["result.json"]), text, folder, files)
