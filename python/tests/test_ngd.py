"""The package against the program that NGD names, and against computations that know neither.

    NGD=./ngd python3 -m unittest discover python/tests
"""

import asyncio
import csv
import datetime
import importlib.util
import json
import math
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import ngd  # noqa: E402

ORACLES = os.path.join(HERE, "..", "..", "oracles", "glm")


def installed(name):
    return importlib.util.find_spec(name) is not None


def oracle(case):
    with open(os.path.join(ORACLES, f"{case}.coefficients.csv"), newline="") as file:
        return list(csv.DictReader(file))


def synthetic():
    """The rows that oracles/glm_oracle.R fitted with glm(), by site."""
    sites = {}
    with open(os.path.join(ORACLES, "synthetic.csv"), newline="") as file:
        for row in csv.DictReader(file):
            numbers = {name: float(value) for name, value in row.items()}
            numbers["w2"] = numbers["w"] or 0.25
            sites.setdefault(f"s{row['site']}", []).append(numbers)
    return sites


def solve(a, b):
    """Gaussian elimination with pivots: least squares without any library."""
    n = len(b)
    m = [list(row) + [value] for row, value in zip(a, b)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(m[i][k]))
        m[k], m[p] = m[p], m[k]
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            m[i] = [x - f * y for x, y in zip(m[i], m[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (m[k][n] - sum(m[k][j] * x[j] for j in range(k + 1, n))) / m[k][k]
    return x


def least_squares(rows, y):
    p = len(rows[0])
    return solve(
        [[sum(r[i] * r[j] for r in rows) for j in range(p)] for i in range(p)],
        [sum(r[i] * v for r, v in zip(rows, y)) for i in range(p)],
    )


def rows_of(n, seed=7):
    r = random.Random(seed)
    rows = []
    for k in range(n):
        x = r.gauss(0, 1)
        rows.append({
            "x": x, "g": r.choice("uvw"), "code": r.choice(["01", "2"]), "name": r.choice(['été "a\\b"', "2020-01-01", "NA"]),
            "day": datetime.date(2020, 1, 31) + datetime.timedelta(days=r.randrange(100)),
            "at": datetime.datetime(2020, 3, 1, 11, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
            + datetime.timedelta(seconds=r.randrange(10**6)),
            "smoker": r.random() < 0.5, "y": 1 + x + r.gauss(0, 1),
        })
    rows[3]["x"] = None
    return rows


@unittest.skipUnless(os.environ.get("NGD"), "NGD must name the program")
class NgdTest(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", ngd.NgdWarning)

    def close(self, found, wanted, tolerance=1e-6):
        self.assertLess(abs(found - wanted), tolerance * (1 + abs(wanted)))

    def test_fit_asGlmInR(self):
        cases = [("logit", "binary ~ x1 + x2", {"family": "binomial", "network": "circle:1"}),
                 ("gamma-site", "positive ~ x1 + x2", {"family": "gamma", "cluster": "site"}),
                 ("poisson-offset-weights", "count ~ x1 + x2 + offset(log(exposure)) + weights(w)", {"family": "poisson"})]
        cases = cases if os.environ.get("NGD_ALL_CASES") else cases[1:2]
        for name, formula, options in cases:
            with self.subTest(name):
                fit = ngd.fit(formula, synthetic(), **options)
                for line, wanted in zip(fit.coefficients, oracle(name), strict=True):
                    self.assertEqual(line.term, wanted["term"])
                    for key in ("estimate", "std_error", "statistic", "p_value", "conf_low", "conf_high"):
                        self.close(getattr(line, key), float(wanted[key]))

    def test_fit_everyType_asLeastSquares(self):
        rows = rows_of(150)
        sites = {"north": rows[:60], "south": {key: [row[key] for row in rows[60:]] for key in rows[0]}}
        fit = ngd.fit("y ~ x + g + code + name + day + at + smoker", sites)
        used = [row for row in rows if row["x"] is not None]
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        day = lambda row: (row["day"] - datetime.date(1970, 1, 1)).days  # noqa: E731
        at = lambda row: (row["at"] - epoch).total_seconds()  # noqa: E731
        mean_day = sum(map(day, used)) / len(used)
        mean_at = sum(map(at, used)) / len(used)
        names = sorted({row["name"] for row in used})
        design = [
            [1, row["x"], row["g"] == "v", row["g"] == "w", row["code"] == "2", row["name"] == names[1], row["name"] == names[2],
             day(row) - mean_day, (at(row) - mean_at) / 1e6, row["smoker"]]
            for row in used
        ]
        wanted = least_squares(design, [row["y"] for row in used])
        self.assertEqual(fit.terms[1:], ["x", "gv", "gw", "code2", f"name{names[1]}", f"name{names[2]}", "day", "at", "smokerTRUE"])
        found = list(fit.coef.values())
        found[8] *= 1e6
        for a, b in zip(found[1:], wanted[1:], strict=True):
            self.close(a, b)
        self.assertEqual(fit.nobs, 149)

    def test_fit_objects(self):
        rows = rows_of(90)
        sites = {"north": rows[:40], "south": rows[40:]}
        big = ngd.fit("y ~ x + g", sites, anova=True)
        small = ngd.fit("y ~ x", sites)
        used = [row for row in rows if row["x"] is not None]
        design = [[1, row["x"], row["g"] == "v", row["g"] == "w"] for row in used]
        theta = least_squares(design, [row["y"] for row in used])
        residual = sum((row["y"] - sum(a * b for a, b in zip(d, theta))) ** 2 for d, row in zip(design, used))
        self.close(big.deviance, residual)
        n = len(used)
        likelihood = -n / 2 * (math.log(2 * math.pi * residual / n) + 1)
        self.close(big.log_likelihood, likelihood)
        self.close(big.aic, -2 * likelihood + 2 * 5)
        self.close(big.bic, -2 * likelihood + math.log(n) * 5)
        for j, line in enumerate(big.coefficients):
            self.close(line.std_error, math.sqrt(big.vcov[j][j]))
        tests = small.anova(big)
        f = (small.deviance - residual) / 2 / (residual / (n - 4))
        self.close(tests[1].statistic, f)
        self.assertEqual([line.name for line in big.anova()], ["x", "g"])
        with self.assertRaisesRegex(ngd.NgdError, "anova"):
            small.anova()
        # Also after its folder is gone and it has been elsewhere.
        shutil.rmtree(big.folder)
        again = pickle.loads(pickle.dumps(big))
        new = [{"x": 1.0, "g": "v"}, {"x": None, "g": "u"}]
        predicted = again.predict(new, interval=True)
        self.close(float(predicted.fit[0]), theta[0] + theta[1] + theta[2])
        self.assertTrue(math.isnan(predicted.fit[1]))
        self.assertLess(predicted.conf_low[0], predicted.fit[0])
        self.assertIn("<td>gv</td>", again._repr_html_())
        self.assertIn("gv", str(again))
        self.assertEqual(again.table["term"], big.terms)
        header, *lines = repr(again.table).splitlines()
        self.assertEqual(header.split(), ["term", "estimate", "std_error", "statistic", "p_value", "conf_low", "conf_high"])
        self.assertEqual([line.split()[0] for line in lines], big.terms)
        self.assertEqual({len(line) for line in lines}, {len(header)})
        self.assertTrue(repr(ngd.Table({"k": list(range(61))})).endswith("59\n… 61 rows"))
        if installed("pandas"):
            import pandas

            frame = again.to_pandas()
            self.assertEqual(list(frame.index), big.terms)
            self.assertEqual(frame.loc["gv", "estimate"], big.coef["gv"])
            framed = ngd.fit("y ~ x + g", {name: pandas.DataFrame(part) for name, part in sites.items()})
            self.assertEqual(framed.coef, big.coef)
        else:
            with self.assertRaises(ImportError):
                again.to_pandas()
        if installed("matplotlib"):
            import matplotlib

            matplotlib.use("Agg")
            self.assertEqual([t.get_text() for t in again.plot().get_yticklabels()], ["x", "gv", "gw"])

    def test_levels_of_a_response_have_probabilities(self):
        # Of the model without covariates they are the shares of the levels.
        rows = [{"y": level, "x": float(k % 5)} for level, count in (("a", 20), ("b", 12), ("c", 8)) for k in range(count)]
        sites = {"north": rows[::2], "south": rows[1::2]}
        for family, options in (("multinomial", {}), ("ordered", {"order": "a<b<c"})):
            fit = ngd.fit("y ~ 1", sites, family=family, **options)
            predicted = fit.predict([{"x": 1.0}])
            self.assertEqual(list(predicted.fit), ["a"])
            self.assertEqual(list(predicted.probabilities), ["a", "b", "c"])
            for level, share in (("a", 0.5), ("b", 0.3), ("c", 0.2)):
                self.close(float(predicted.probabilities[level][0]), share)

    def test_curves_asByHand(self):
        """Two events of four rows at each site at time 1, one of the two that are left at time 2."""
        rows = [{"t": t, "e": e, "g": g} for g in "ab" for t, e in ((1, 1), (1, 1), (2, 1), (2, 0))] * 3
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ngd.curves("Surv(t, e) ~ strata(g)", {"north": rows, "south": rows}, times="1,2")
        self.assertEqual(list(found.table["stratum"]), ["g=a", "g=a", "g=b", "g=b"])
        self.assertEqual([float(s) for s in found.table["survival"]], [0.5, 0.25, 0.5, 0.25])
        self.assertEqual([float(n) for n in found.table["at_risk"]], [24, 12, 24, 12])
        self.assertEqual(found.nobs, 48)
        self.assertIsNone(found.incidence)
        self.assertIn("Log-rank test", repr(found))

    def test_rounds_traceThetaAndProgress(self):
        heard = []
        run = ngd.fit(simulate="linear", rows=200, clients=4, network="complete", alpha=0.02, rounds=300, progress=heard.append)
        self.assertEqual(int(run.trace["round"][-1]), 300)
        self.assertEqual((len(run.theta), len(run.theta[0])), (4, len(run.terms)))
        for j, name in enumerate(run.terms):
            self.close(run.coef[name], sum(row[j] for row in run.theta) / 4, 1e-12)
        self.assertEqual(heard[-1].done, 300)
        self.assertEqual(heard[-1].share, 1.0)
        if installed("numpy"):
            import numpy

            self.assertIsInstance(run.theta, numpy.ndarray)
            self.assertEqual(run.trace["distance"].dtype, numpy.float64)

    def test_async_tellsWhileItRunsAndEndsWhenCancelled(self):
        async def main():
            first = asyncio.get_running_loop().create_future()
            heard = []

            def watch(progress):
                heard.append(progress)
                if not first.done():
                    first.set_result(None)

            work = asyncio.ensure_future(
                ngd.fit_async(simulate="linear", rows=400, clients=4, network="complete", alpha=1e-6, rounds=10**8, trace_every=1000,
                              progress=watch)
            )
            await asyncio.wait_for(first, 120)
            self.assertFalse(work.done())
            work.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await work
            self.assertLess(heard[-1].share, 1)
            one, two = await asyncio.gather(ngd.network_async("circle:1", 4), ngd.network_async("complete", 4))
            return one, two

        one, two = asyncio.run(main())
        self.assertEqual([list(map(float, row)) for row in one.weights],
                         [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
        self.assertTrue(two.result["irreducible"])

    def test_otherVerbs(self):
        rows = rows_of(60)
        sites = {"a": rows[:30], "b": rows[30:]}
        described = ngd.describe(sites)
        at = list(described.numbers["variable"]).index("y")
        self.close(float(described.numbers["mean"][at]), sum(row["y"] for row in rows) / 60)
        self.assertEqual(list(described.tables), ["numbers", "levels"])
        related = ngd.describe(sites, columns=["x", "y"], correlation=["x", "y"], complete=True).tables["correlations"]
        self.assertEqual(int(related["n"][0]), 59)
        # The safe limit: 2 over the largest eigenvalue of any site's second moments.
        checked = ngd.check("y ~ 1", sites, alpha=0.1)
        self.close(checked.safe_alpha, 2.0)
        self.assertTrue(checked.converges)
        compared = ngd.compare(["ngd", "extra"], "y ~ x", sites, alpha=0.05, rounds=30, weights="lazy:0.5")
        self.assertEqual(list(compared.table["algorithm"]), ["ngd", "extra"])
        done = ngd.study({"networks": ["complete", "circle:1"], "clients": 4, "rows": 80, "alphas": [0.02], "rounds": 20}, replicates=2)
        self.assertIn("circle:1", done.tables["study"]["network"])

    def test_errors_areTheProgramsOwn(self):
        own = tempfile.TemporaryDirectory()
        self.addCleanup(own.cleanup)
        self.addCleanup(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = own.name
        sites = {"a": rows_of(40)}
        with self.assertRaises(ngd.NgdError) as error:
            ngd.fit("y ~ nothing", sites)
        self.assertEqual(error.exception.status, 2)
        self.assertTrue(str(error.exception).startswith("ngd fit: "))
        with self.assertRaisesRegex(ngd.NgdError, "unknown option `rouds`"):
            ngd.fit("y ~ x", sites, rouds=3)
        with self.assertRaisesRegex(ngd.NgdError, r"data=FILE, sites=\{NAME: PLACE\} or simulate=MODEL: one of them must be given"):
            ngd.fit("y ~ x")
        with self.assertRaisesRegex(ngd.NgdError, "trace_every: must be") as error:
            ngd.fit(simulate="linear", rows=90, clients=3, alpha=0.01, rounds=5, trace_every="often")
        self.assertNotIn("--", str(error.exception))
        with self.assertRaisesRegex(ngd.NgdError, "ngd federation ask: "):
            ngd.ask("y ~ x", member=os.path.join(tempfile.gettempdir(), "no such member"))
        with self.assertRaisesRegex(ValueError, "site a, column x, row 1: numbers must be finite; got inf"):
            ngd.fit("y ~ x", {"a": {"x": [math.inf], "y": [1.0]}})
        with self.assertRaisesRegex(TypeError, "must be a number, text"):
            ngd.fit("y ~ x", {"a": {"x": [object()], "y": [1.0]}})
        with self.assertRaisesRegex(TypeError, "sites: must be a mapping"):
            ngd.fit("y ~ x", ["a.csv"])
        with self.assertRaisesRegex(ValueError, "same number of rows"):
            ngd.fit("y ~ x", {"a": {"x": [1, 2], "y": [1.0]}})
        with self.assertRaisesRegex(ValueError, "site a: must have rows and columns; got 0 and 0"):
            ngd.fit("y ~ x", {"a": []})
        with self.assertRaisesRegex(ValueError, "sites: must name at least one site"):
            ngd.fit("y ~ x", {})
        with self.assertRaisesRegex(FileNotFoundError, "must be the program ngd"):
            ngd.path("/no/such/program")
        self.assertEqual([name for name in os.listdir(own.name) if name.startswith("ngd-tables-")], [])


class NotebookTest(unittest.TestCase):
    """python/ngd.ipynb runs, in Jupyter where that is installed, and docs/python.md is what it shows."""

    @unittest.skipUnless(os.environ.get("NGD"), "NGD must name the program")
    def test_page_isTheNotebook(self):
        page = subprocess.run([sys.executable, os.path.join(HERE, "page.py")], capture_output=True, text=True, check=False)
        self.assertEqual(page.returncode, 0, page.stderr)
        with open(os.path.join(HERE, "..", "..", "docs", "python.md"), encoding="utf-8") as docs:
            self.assertEqual(docs.read(), page.stdout)


def oracle_table(name):
    """A table of oracles/, its path from here."""
    return os.path.join(HERE, "..", "..", "oracles", name)


class EveryKindOfAnswer(unittest.TestCase):
    """Against lme4 and others' numbers in oracles/, or the sentence that says why there are none."""

    def fit(self, table, formula, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ngd.fit(formula, data=oracle_table(table), partition="column:hospital", **options)

    def oracle(self, file, case, what, name):
        with open(oracle_table(file), newline="") as lines:
            return next(float(line["value"]) for line in csv.DictReader(lines) if (line["case"], line["what"], line["name"]) == (case, what, name))

    def test_penalised(self):
        path = self.fit("penalty/birthwt.csv", "low ~ age + lwt + smoke", family="binomial", penalty="lasso", folds=0)
        self.assertEqual(path.coef, {})
        self.assertTrue(math.isnan(path.bic))
        self.assertIn("no standard error accounts", path._repr_html_())
        self.assertNotIn("nan", path._repr_html_().lower())
        with self.assertRaisesRegex(ngd.NgdError, "ngd anova: the fit: must be"):
            path.anova()
        if installed("matplotlib"):
            self.assertEqual(len(path.plot().lines), 3)

    def test_random_effects(self):
        mixed = self.fit("mixed/sleep.csv", "Reaction ~ Days + (Days | subject)")
        self.assertEqual(list(mixed.random_effects["group"]), ["subject", "subject", "residual"])
        for name, sd in zip(("subject|(Intercept)|", "subject|Days|", "Residual||"), mixed.random_effects["sd"]):
            self.assertAlmostEqual(sd, self.oracle("mixed/lmer.csv", "sleep-slope-reml", "sdcor", name), delta=1e-4 * sd)
        generalised = self.fit("glmer/bacteria.csv", "y ~ trt + week + (1 | child)", family="binomial")
        self.assertEqual(list(generalised.random_effects["group"]), ["child"])
        with self.assertRaisesRegex(ValueError, "treatment="):
            mixed.balance

    def test_weighted_and_imputed(self):
        weighted = self.fit("weighting/birthwt.csv", "bwt ~ smoke", treatment="smoke ~ age + lwt")
        self.assertEqual(list(weighted.balance["term"]), ["age", "lwt"])
        imputed = self.fit("imputation/boys.csv", "wgt ~ age + hgt", impute=2)
        self.assertTrue(all(0 <= value < 1 for value in imputed.imputation["fmi"]))
        self.assertTrue(math.isnan(imputed.bic) and math.isnan(imputed.deviance))

    def plots_causes(self):
        """Survival and the incidence of each cause beside it, with the rows at risk at every number of the axis."""
        curves = self.fit("survival/competing.csv", "Surv(etime, event) ~ strata(sex)", times="60,120,180,240,300")
        all_axes = list(curves.plot())
        self.assertEqual([one.get_ylabel() for one in all_axes], ["survival", "incidence of cause 1", "incidence of cause 2"])
        groups = curves.result["curves"]["groups"]
        for cause, axes in enumerate(all_axes):
            for k, group in enumerate(groups):
                points = group["points"] if cause == 0 else group["incidences"][cause - 1]["points"]
                steps = [point["survival" if cause == 0 else "incidence"] for point in points]
                self.assertEqual([float(y) for y in axes.lines[k].get_ydata()], [0.0 if cause else 1.0, *steps])
                texts = [text.get_text() for text in axes.texts]
                wanted = [next((str(p["atRisk"]) for p in points if p["time"] >= tick), "0") for tick in axes.get_xticks()]
                at = texts.index(group["stratum"])
                self.assertEqual(texts[at + 1:at + 1 + len(wanted)], wanted)
        self.assertEqual(curves.plot(cause=2).get_ylabel(), "incidence of cause 2")

    def test_curves_and_cox(self):
        grid = "90,180,365,730,1022"
        curves = self.fit("survival/lung.csv", "Surv(time, status = 2) ~ strata(sex)", times=grid)
        self.assertIsInstance(curves, ngd.Curves)
        self.assertEqual(sum(curves.groups["rows"]), 227)
        self.assertIn("sex=1", curves._repr_html_())
        self.assertIsInstance(ngd.read(curves.folder), ngd.Curves)
        if installed("matplotlib"):
            self.assertEqual(len(curves.plot().lines), 2)
            with self.assertRaisesRegex(ValueError, "cause: must be left out"):
                curves.plot(cause=1)
            self.plots_causes()
        cox = self.fit("survival/lung.csv", "Surv(time, status = 2) ~ age", times=grid)
        events = cox.result["cox"]["events"]
        self.assertAlmostEqual(cox.bic, math.log(events) - 2 * cox.log_likelihood, places=9)

    def test_private(self):
        private = ngd.fit(simulate="logistic", rows=3000, clients=6, privacy="epsilon=2,delta=1e-6,noise=central,bound=4")
        with self.assertRaisesRegex(ValueError, "no standard errors"):
            private.vcov
        if installed("matplotlib"):
            with self.assertRaisesRegex(ValueError, "no intervals to draw"):
                private.plot()

    def test_method_and_what_is_no_fit(self):
        rounds = ngd.fit(simulate="linear", rows=200, clients=4, alpha=0.05, rounds=5)
        self.assertIn("5 rounds of 4 clients", rounds._repr_html_())
        with tempfile.TemporaryDirectory() as work:
            folder = os.path.join(work, "compared")
            ngd.compare(["ngd", "extra"], simulate="linear", rows=200, clients=4, alpha=0.05, rounds=5, weights="metropolis", out=folder)
            with self.assertRaisesRegex(ValueError, "it is one of ngd compare"):
                ngd.read(folder)


class TypesTest(unittest.TestCase):
    @unittest.skipUnless(installed("mypy"), "needs mypy")
    def test_package_strictlyTyped(self):
        checked = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "ngd"], cwd=os.path.dirname(HERE),
                                 capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout)


if __name__ == "__main__":
    unittest.main()
