"""What the verbs return."""

from __future__ import annotations

import html
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

    @property
    def random_effects(self) -> Table:
        """Of a model with random terms: group, effect, variance, sd; the residual last where there is one."""
        mixed = self._part("mixed", "the formula has no random term such as (1 | group)")
        lines = [(one["group"], effect["effect"], effect["variance"], effect["sd"]) for one in mixed["groups"] for effect in one["effects"]]
        if mixed.get("residual"):
            lines.append(("residual", "", mixed["residual"]["variance"], mixed["residual"]["sd"]))
        return _columns(("group", "effect", "variance", "sd"), lines)

    @property
    def balance(self) -> Table:
        """Of a fit with a treatment: means of the treated and the others, and standardised differences, before and after weighting."""
        weighting = self._part("weighting", "ask with treatment='treated ~ …'")
        names = {"term": "term", "treated": "treated", "others": "others", "difference": "difference",
                 "weightedTreated": "weighted_treated", "weightedOthers": "weighted_others", "weightedDifference": "weighted_difference"}
        return _columns(tuple(names.values()), [tuple(line[key] for key in names) for line in weighting["balance"]])

    @property
    def imputation(self) -> Table:
        """Of a fit with imputations: what missing values cost each coefficient."""
        names = ("within", "between", "df", "riv", "lambda", "fmi")
        terms = self._part("imputation", "ask with impute=20")["terms"]
        return _columns(("term", *names), [(term, *(line[name] for name in names)) for term, line in zip(self.terms, terms)])

    def _part(self, name: str, how: str) -> Mapping[str, Any]:
        if not self.result.get(name):
            raise ValueError(f"the fit has no {name}: {how}")
        return dict(self.result[name])

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
        if math.isnan(self.log_likelihood):
            return math.nan
        parameters = round((self.aic + 2 * self.log_likelihood) / 2)
        # A Cox model has as many observations as events.
        observations = self.result.get("cox", {}).get("events", self.nobs)
        return math.log(observations) * parameters - 2 * self.log_likelihood

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
            try:
                found = json.loads(_program.run(["anova", *folders, "--format=json"]))
            except _program.NgdError as error:
                # Where the files lay for a moment is nobody's concern.
                said = str(error)
                for k, folder in enumerate(folders):
                    said = said.replace(folder, f"model {k + 1}" if others else "the fit")
                raise _program.NgdError(said, error.status) from None
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
        """
        A forest plot by matplotlib, which must be installed: coefficients with intervals, the intercept left out. Of a penalised
        fit, the coefficients along the path.
        """
        if "path.csv" in self.files:
            return self._plot_path(_axes(ax))
        if all(math.isnan(line.std_error) for line in self.coefficients):
            raise ValueError(f"no intervals to draw: {self.result.get('withheld') or 'the answer has no standard errors'}")
        axes = _axes(ax)
        lines = [line for line in self.coefficients if line.term != "(Intercept)"] or self.coefficients
        at = list(range(len(lines), 0, -1))
        axes.hlines(at, [line.conf_low for line in lines], [line.conf_high for line in lines])
        axes.plot([line.estimate for line in lines], at, "s")
        axes.axvline(0, linestyle=":")
        axes.set_yticks(at, [line.term for line in lines])
        axes.set_xlabel("coefficient")
        return axes

    def _plot_path(self, axes: Any) -> Any:
        path = self.path
        for name in path:
            if name not in ("lambda", "nonzero", "deviance", "explained", "(Intercept)"):
                axes.semilogx(path["lambda"], path[name], label=name)
        if self.result["penalty"].get("lambda"):
            axes.axvline(self.result["penalty"]["lambda"], linestyle=":")
        axes.set_xlabel("lambda")
        axes.set_ylabel("coefficient")
        axes.legend()
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
        about = f"{model.get('family', '')}, {self.result.get('rows')} rows of {self.result.get('sites')} sites"
        about += "" if math.isnan(self.aic) else f", AIC {self.aic:.6g}"
        if all(math.isnan(line.std_error) for line in self.coefficients):
            header, rows = header[:2], [row[:2] for row in rows]
        withheld = self.result.get("withheld")
        return html_table(header, rows) + f"<p>{about}</p>" + (f"<p>{html.escape(withheld)}</p>" if withheld else "")


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

    def _repr_html_(self) -> str:
        rows = [[line["term"], line["estimate"], line.get("spread"), line.get("globalEstimate")] for line in self.result["coefficients"]]
        about = f"{self.result.get('algorithm')}, {self.result.get('rounds')} rounds of {self.result.get('clients')} clients"
        return html_table(["", "estimate", "spread", "pooled"], rows) + f"<p>{about}</p>"

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

    @property
    def groups(self) -> Table:
        """The groups with their rows, events, restricted means and medians."""
        names = ("stratum", "rows", "events", "restrictedMean", "restrictedMeanStdError", "median", "medianLow", "medianHigh")
        return _columns(names, [tuple(one.get(name) for name in names) for one in self.result["curves"]["groups"]])

    def plot(self, ax: Any = None, cause: int | None = None) -> Any:
        """
        The curves as steps with their intervals, and below the axis the rows at risk, by matplotlib, which must be installed. Of
        competing causes survival and beside it the cumulative incidence of each; on axes of your own survival, or one ``cause``.
        """
        causes = list(dict.fromkeys(int(one) for one in self.incidence["cause"])) if self.incidence is not None else []
        if cause is not None and cause not in causes:
            raise ValueError(f"cause: must be {' or '.join(map(str, causes)) or 'left out: there is one event'}; got {cause}")
        if ax is not None or cause is not None:
            return self._plot_one(_axes(ax), cause)
        import matplotlib.pyplot

        wide = 1 + len(causes)
        drawn = matplotlib.pyplot.subplots(1, wide, squeeze=False, figsize=(6.4 * wide, 4.8), layout="constrained")[1][0]
        for axes, one in zip(drawn, [None, *causes], strict=True):
            self._plot_one(axes, one)
        return drawn if causes else drawn[0]

    def _plot_one(self, axes: Any, cause: int | None) -> Any:
        table, name, start = self.table, "survival", 1.0
        if cause is not None and self.incidence is not None:
            table, name, start = self.incidence, "incidence", 0.0
        lines = [k for k in range(table.rows) if cause is None or int(table["cause"][k]) == cause]
        last = max(float(table["time"][k]) for k in lines)
        axes.set_xlim(0, 1.02 * last)
        ticks = [float(tick) for tick in axes.get_xticks() if 0 <= tick <= last]
        axes.set_xticks(ticks)
        below = {"transform": axes.get_xaxis_transform(), "fontsize": "small", "va": "top"}
        axes.text(-0.05 * last, -0.19, "at risk", ha="right", weight="bold", **below)
        for line, stratum in enumerate(dict.fromkeys(table["stratum"][k] for k in lines), start=1):
            own = [k for k in lines if table["stratum"][k] == stratum]
            times = [0.0, *(float(table["time"][k]) for k in own)]
            drawn = axes.step(times, [start, *(float(table[name][k]) for k in own)], where="post", label=str(stratum) or "all")[0]
            low, high = ([start, *(float(table[end][k]) for k in own)] for end in ("lower", "upper"))
            axes.fill_between(times, low, high, step="post", alpha=0.15, color=drawn.get_color())
            axes.text(-0.05 * last, -0.19 - 0.055 * line, str(stratum) or "all", ha="right", color=drawn.get_color(), **below)
            for tick in ticks:
                # Who is at risk at a time leaves there or later.
                left = next((round(float(table["at_risk"][k])) for k in own if float(table["time"][k]) >= tick), 0)
                axes.text(tick, -0.19 - 0.055 * line, str(left), ha="center", color=drawn.get_color(), **below)
        axes.set_ylim(0, 1)
        axes.set_xlabel("time")
        axes.set_ylabel(name if cause is None else f"incidence of cause {cause}")
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        groups = self.groups
        names = ("stratum", "rows", "events", "restrictedMean", "restrictedMeanStdError", "median")
        header = ["group", "rows", "events", f"mean to {self.result['curves']['tau']:g}", "std. error", "median"]
        return html_table(header, [[groups[name][k] for name in names] for k in range(groups.rows)])


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
        """Distance to the pooled estimate against "round", "messages", "bytes", "gradients" or "simulated_seconds", by matplotlib, which must be installed."""
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


def _columns(names: Sequence[str], lines: Sequence[Sequence[Any]]) -> Table:
    """A table of lines; columns of numbers are arrays."""
    columns: dict[str, Any] = {}
    for k, name in enumerate(names):
        values = [line[k] for line in lines]
        words = any(isinstance(value, str) for value in values)
        columns[name] = values if words else array([_number(value) for value in values])
    return Table(columns)


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


def fit_in(folder: str, text: str) -> PooledFit | MethodFit | Curves:
    """The fit that a folder holds."""
    if os.path.exists(os.path.join(folder, "curves.csv")):
        return curves_in(folder, text)
    files = files_of(folder, ("result.json", "manifest.json", "theta.csv", "trace.csv", "path.csv", "cv.csv"))
    if "result.json" not in files:
        raise FileNotFoundError(f"{folder}: must be the folder of a fit, with result.json")
    result = json.loads(files["result.json"])
    if "coefficients" not in result:
        raise ValueError(f"{folder}: must be the folder of a fit; it is one of ngd {json.loads(files['manifest.json'])['command']}")
    return MethodFit(result, text, folder, files) if "trace.csv" in files else PooledFit(result, text, folder, files)


def curves_in(folder: str, text: str) -> Curves:
    """The survival curves that a folder holds."""
    files = files_of(folder, ("result.json", "manifest.json", "curves.csv", "incidence.csv"))
    if "curves.csv" not in files:
        raise FileNotFoundError(f"{folder}: must be the folder of survival curves, with curves.csv")
    return Curves(json.loads(files["result.json"]), text, folder, files)
