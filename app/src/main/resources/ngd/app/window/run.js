// One run, comparison or study.
import {Curves, numbersTable} from "./curves.js";
import {exposure, notes, picture, plain, sections} from "./answer.js";
import {costs, seriesOf} from "./overlay.js";
import {ask, count, fill, formats, h, number, say, shortNumbers} from "./dom.js";

export async function render(main, parameters) {
  const name = parameters.get("name") ?? "";
  const run = await ask("runs/one?name=" + encodeURIComponent(name));
  const head = h("div", {class: "head"}, h("div", {}, h("p", {}, h("a", {href: "#/runs"}, "Runs")), h("h1", {}, name === "." ? "this folder" : name)), run.damaged ? null : h("div", {class: "row"}, downloads(run)));
  if (run.damaged) {
    fill(main, head, h("div", {class: "stack loose"}, h("section", {class: "card stack"}, h("span", {class: "badge bad"}, "damaged"), h("p", {}, run.damaged), h("p", {class: "muted"}, "The folder is shown as found; nothing was changed."), files(run))));
    return undefined;
  }
  return run.kind === "study" ? study(main, head, run) : answered(main, head, run);
}

const address = (run, file) => `/api/runs/file?name=${encodeURIComponent(run.name)}&file=${encodeURIComponent(file)}`;

function downloads(run) {
  if (run.kind === "study") {
    return run.files.includes("report.html") ? h("a", {class: "button", href: address(run, "report.html"), target: "_blank", rel: "noopener", title: "The study's page, with tables and claims"}, "Full report") : null;
  }
  if (run.report) return [h("a", {class: "button", href: `/api/runs/report?name=${encodeURIComponent(run.name)}`, target: "_blank", rel: "noopener", title: "The answer's page: figures, tests, calibration, residuals"}, "Full report"),
    formats(run.result.curves ? "the survival curves" : run.result.penalty ? "the path of penalties" : "the forest plot", (format) => drawing(run, format))];
  if (!run.traces?.length) return null;
  return formats("the curves", (format) => `/api/runs/figure?name=${encodeURIComponent(run.name)}&format=${format}`);
}

const drawing = (run, format) => `/api/runs/forest?name=${encodeURIComponent(run.name)}&format=${format}`;

const pooled = (run) => run.kind === "run" && run.result?.model !== undefined;

function files(run) {
  return h("div", {class: "row"}, run.files.map((file) => h("a", {class: "button smallish", href: address(run, file) + "&download=1", download: "", title: `Download ${file}`}, file)));
}

/** What was fitted to what, in one card: formula, family, rows, network, method and what changes them. */
function model(run) {
  const asked = run.manifest?.question ?? {}, described = run.result?.model ?? {};
  const formula = described.formula ?? asked.formula;
  const rows = run.result?.rows ?? run.manifest?.data?.rows;
  const sites = run.result?.sites ?? run.result?.clients ?? asked.clients;
  const entries = [
    ["formula", formula ? h("code", {}, formula) : asked.simulate ? `simulated ${asked.simulate} model` : null],
    ["family", asked.loss ? null : described.family ?? asked.family], ["loss", asked.loss], ["link", described.link ?? asked.link],
    ["levels", described.classes ? (described.family === "ordered" ? described.classes.join(" < ") : `${described.classes.join(", ")}; baseline ${described.classes[0]}`) : null],
    ["rows", rows ? `${count(rows, "row")}${sites ? ` at ${count(sites, run.result?.sites ? "site" : "client")}` : ""}` : null],
    ["network", asked.network ? `${asked.network}${asked.weights ? `, ${asked.weights} weights` : ""}` : null],
    ["method", run.result?.algorithm ?? asked.algorithms ?? (pooled(run) ? "pooled" : null)],
    ["penalty", asked.penalty], ["treatment", asked.treatment ? h("code", {}, asked.treatment) : null], ["imputations", asked.impute],
    ["codec", asked.codec === "none" ? null : asked.codec], ["mixing", asked.mix === "mean" ? null : asked.mix], ["links fail", asked["link-failures"]], ["activation", asked.activation],
    ["attack", asked.attack ? `${asked.attack}, clients ${asked.attackers}` : null], ["privacy", asked.privacy ? shortNumbers(asked.privacy) : null],
  ].filter(([, value]) => value).map(([key, value]) => [key, typeof value === "string" && value.includes(",") ? wrapped(value) : Array.isArray(value) ? value.join(", ") : value]);
  return entries.length ? h("section", {class: "card stack", id: "model"}, h("h2", {}, entries.some(([key]) => key !== "rows") ? "Model" : "Data"), h("dl", {class: "pairs"}, entries.map(([key, value]) => [h("dt", {}, key), h("dd", {}, value)]))) : null;
}

/** A list that may break after its commas and nowhere else. */
function wrapped(text) {
  return text.split(/, *(?!\d{3}(?:\D|$))/).flatMap((part, i, all) => [h("span", {class: "whole"}, part + (i < all.length - 1 ? "," : "")), " "]);
}

function answered(main, head, run) {
  const box = h("div", {});
  const series = seriesOf(run, false);
  fill(main, head,
    h("div", {class: "split"},
      h("div", {class: "stack loose"}, model(run),
        series.length ? h("section", {class: "card stack"}, h("h2", {}, "Curves"), box, numbersTable(series)) : null,
        run.kind === "comparison" && series.length ? h("section", {class: "card stack", id: "costs"}, h("h2", {}, "What each cost, and where it came"), costs(series)) : null,
        sections(run.result, run.report ? drawing(run, "svg") : undefined).map(([title, parts]) => h("section", {class: "card stack", "data-part": title}, h("h2", {}, title), parts)),
        exposure(run.result?.exposure),
        run.manifest ? folded(run) : null),
      h("div", {class: "stack loose"},
        run.result && run.kind !== "comparison" && (told(run.result).length || notes(run.result).length) ? h("section", {class: "card stack"}, h("h2", {}, "Result"), pairs(told(run.result)), notes(run.result)) : null,
        predictions(run),
        tags(run),
        h("section", {class: "card stack"}, h("h2", {}, "Files"), files(run)))));
  const curves = new Curves(box, {named: series.length > 1, height: 230});
  curves.set(series);
  return () => curves.destroy();
}

/** What a run was made of, which few need and some need exactly. */
function folded(run) {
  return h("section", {class: "card"}, h("details", {}, h("summary", {title: "What was asked, seed, version and machine"}, "Manifest"), h("div", {class: "stack"}, nested(run.manifest))));
}

/** How predictions agree with the rows of the fit. */
function predictions(run) {
  const area = run.result?.discrimination, residuals = run.result?.residuals;
  if (!area && !residuals) return null;
  const tail = 50 * (1 - run.result.level);
  const entries = area
    ? [["AUC", area.auc], [`${number(tail, 4)} %`, area.confLow], [`${number(100 - tail, 4)} %`, area.confHigh], ["AUC accurate to ±", area.aucWithin], ["Brier score", area.brier]].filter(([, value]) => value !== null)
    : [...withoutLists(residuals), ...residuals.quantiles.map((one) => [`${number(100 * one.share, 4)} %`, one.value])];
  return h("section", {class: "card stack"}, h("h2", {}, area ? "Discrimination" : "Residuals"), pairs(entries));
}

/** Plain values first, then each object below its name. */
function nested(object) {
  const said = Object.entries(object).filter(([, value]) => value !== null && !(Array.isArray(value) && !value.length));
  const inner = ([, value]) => typeof value === "object" && !Array.isArray(value);
  return [pairs(said.filter((entry) => !inner(entry))), ...said.filter(inner).flatMap(([key, value]) => [h("h3", {}, key), ...nested(value)])];
}

function withoutLists(object) {
  return Object.entries(object).filter(([, value]) => value !== null && typeof value !== "object");
}

/** Numbers of an answer by the names that people know; what the model's card or a note says is not said again. */
const NAMES = {
  aic: "AIC", bic: "BIC", r2: "R²", adjustedR2: "adjusted R²", mcFaddenR2: "McFadden's R²", alpha: "α", safeAlpha: "safe α", logMse: "log MSE", logLikelihood: "log-likelihood", covariance: "standard errors", statistic: "test statistic",
  dfStatistic: "df of the statistic", quantilesWithin: "quantiles accurate to ±", dfResidual: "residual df", dfNull: "null df", level: "confidence level", rowsDropped: "rows left out", remainingBias: "error left, in SE", lastSteps: "Newton steps", totals: "sums", epsilon: "ε", delta: "δ", stableDistanceToGlobal: "stable distance to global", seSigmaXX: "SE(Σxx)", seSigmaXY: "SE(Σxy)", seScore: "SE(score)", seW: "SE(W)",
};
const SAID = new Set(["sites", "rows", "clients", "ratio", "exponentiated", "withheld", "privacy", "algorithm", "by", "converges", "reason"]);

function told(result) {
  return withoutLists(result).filter(([key, value]) => !SAID.has(key) && !(key === "rounds" && value === 0) && !(["statistic", "level"].includes(key) && result.coefficients && !result.coefficients.some((one) => Number.isFinite(one.pValue))));
}

function pairs(entries) {
  const name = (key) => NAMES[key] ?? (/^[A-Z0-9]/.test(key) ? key : key.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
  const text = (value) => typeof value === "number" ? (Number.isInteger(value) ? (Math.abs(value) < 1e15 ? value.toLocaleString("en") : number(value)) : number(value, 6)) : Array.isArray(value) ? value.join(", ") : String(value);
  return h("dl", {class: "pairs"}, entries.map(([key, value]) => [h("dt", {}, name(key)), h("dd", {class: typeof value === "number" ? "num" : "", "data-exact": String(value)}, typeof value === "string" && value.includes(",") ? wrapped(value) : text(value))]));
}

function tags(run) {
  const input = h("input", {value: run.tags.join(", "), id: "tags", title: "Words to find this run by, separated by commas"});
  const save = async () => {
    try {
      await ask("runs/tags", {name: run.name, tags: input.value.split(",").map((tag) => tag.trim()).filter(Boolean)});
      say("Tags saved.");
    } catch (error) { say(error.message); }
  };
  return h("section", {class: "card stack"}, h("h2", {}, "Tags"), h("form", {class: "row", onsubmit: (event) => { event.preventDefault(); save(); }}, h("label", {for: "tags", class: "sr"}, "Tags, separated by commas"), input, h("button", {type: "submit", class: "smallish", title: "Keep these tags in the run's folder"}, "Save tags")), h("p", {class: "muted small"}, "Separated by commas; kept in the folder as tags.json."));
}

const TONES = {supported: "good", "supported in part": "warn", "not supported": "bad"};

function study(main, head, run) {
  const figures = run.files.filter((file) => file.endsWith(".svg"));
  const checked = (run.claims?.studies ?? []).filter((part) => part.claims.length);
  fill(main, head,
    h("div", {class: "split"},
      h("div", {class: "stack loose"}, figures.length ? figures.map((file) => figure(run, file)) : unfinished(run), claims(run, checked)),
      h("div", {class: "stack loose"},
        checked.length ? h("section", {class: "card stack"}, h("h2", {}, "Verdicts"), h("dl", {class: "tiles"}, Object.entries(TONES).map(([verdict]) => h("div", {class: "tile"}, h("dt", {}, verdict), h("dd", {}, String(checked.flatMap((part) => part.claims).filter((claim) => claim.verdict === verdict).length)))))) : null,
        tags(run),
        h("section", {class: "card stack"}, h("h2", {}, "Files"), files(run)),
        folded(run))));
  return undefined;
}

function figure(run, file) {
  const twins = ["svg", "png", "pdf", "csv"].map((type) => file.replace("svg", type)).filter((one) => run.files.includes(one));
  return h("section", {class: "card"}, h("figure", {},
    picture(address(run, file), "Figure " + file.replace(".svg", "")),
    h("figcaption", {class: "row spread"}, h("span", {}, file.replace(".svg", "")), h("span", {class: "row"}, twins.map((one) => h("a", {class: "button smallish", href: address(run, one) + "&download=1", download: "", title: `Download ${one}`}, one.split(".").pop().toUpperCase()))))));
}

function unfinished(run) {
  return h("section", {class: "card"}, h("div", {class: "empty"}, h("h2", {}, "No figures yet"), h("p", {}, `This study is ${run.manifest?.state ?? "unfinished"}; figures are drawn at its end.`)));
}

function claims(run, checked) {
  const none = run.files.includes("report.html") ? "This study checks no claims; the report describes its results." : "Claims are checked when the study ends.";
  return h("section", {class: "card stack", "aria-label": "Claims"}, h("h2", {}, "Claims checked"),
    checked.length ? checked.map((part) => [
      checked.length > 1 ? h("h3", {}, part.title) : null,
      part.claims.map((claim) => h("div", {class: "claim " + (TONES[claim.verdict] ?? "")}, h("span", {class: "badge " + (TONES[claim.verdict] ?? "")}, claim.verdict), h("p", {}, "“" + plain(claim.claim) + "”"), h("p", {class: "muted small"}, plain(claim.numbers)))),
    ]) : h("p", {class: "muted"}, none));
}
