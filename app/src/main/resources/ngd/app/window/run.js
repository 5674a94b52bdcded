// One run, comparison or study.
import {Curves, numbersTable} from "./curves.js";
import {seriesOf} from "./overlay.js";
import {ask, count, fill, formats, h, number, say, scroller} from "./dom.js";

export async function render(main, parameters) {
  const name = parameters.get("name") ?? "";
  const run = await ask("runs/one?name=" + encodeURIComponent(name));
  const head = h("div", {class: "head"}, h("div", {}, h("p", {}, h("a", {href: "#/runs"}, "Runs")), h("h1", {}, name === "." ? "this folder" : name)), run.damaged ? null : h("div", {class: "row"}, downloads(run)));
  if (run.damaged) {
    fill(main, head, h("div", {class: "stack loose"}, h("section", {class: "card stack"}, h("span", {class: "badge bad"}, "damaged"), h("p", {}, run.damaged), h("p", {class: "muted"}, "The folder is shown as found; nothing was changed."), files(run))));
    return undefined;
  }
  return run.kind === "study" ? study(main, head, run) : plain(main, head, run);
}

const address = (run, file) => `/api/runs/file?name=${encodeURIComponent(run.name)}&file=${encodeURIComponent(file)}`;

function downloads(run) {
  if (run.kind === "study") {
    return run.files.includes("report.html") ? h("a", {class: "button", href: address(run, "report.html"), target: "_blank", rel: "noopener", title: "The study's page, with tables and claims"}, "Full report") : null;
  }
  if (pooled(run)) return [h("a", {class: "button", href: `/api/runs/report?name=${encodeURIComponent(run.name)}`, target: "_blank", rel: "noopener", title: run.result.curves ? "The answer's page: curves with numbers at risk, means, tests" : "The answer's page: forest plot, tests, calibration, residuals"}, "Full report"),
    formats(run.result.curves ? "the survival curves" : "the forest plot", (format) => `/api/runs/forest?name=${encodeURIComponent(run.name)}&format=${format}`)];
  if (!run.traces?.length) return null;
  return formats("the curves", (format) => `/api/runs/figure?name=${encodeURIComponent(run.name)}&format=${format}`);
}

const pooled = (run) => run.kind === "run" && run.result?.model !== undefined;

function files(run) {
  return h("div", {class: "row"}, run.files.map((file) => h("a", {class: "button smallish", href: address(run, file) + "&download=1", download: "", title: `Download ${file}`}, file)));
}

/** What was fitted to what, in one card: formula, family, rows, network and method. */
function model(run) {
  const asked = run.manifest?.question ?? {}, described = run.result?.model ?? {};
  const formula = described.formula ?? asked.formula;
  const rows = run.result?.rows ?? run.manifest?.data?.rows;
  const sites = run.result?.sites ?? run.result?.clients;
  const entries = [
    ["formula", formula ? h("code", {}, formula) : asked.simulate ? `simulated ${asked.simulate} model` : null],
    ["family", described.family ?? asked.family], ["link", described.link ?? asked.link],
    ["levels", described.classes ? (described.family === "ordered" ? described.classes.join(" < ") : `${described.classes.join(", ")}; baseline ${described.classes[0]}`) : null],
    ["rows", rows ? `${count(rows, "row")}${sites ? ` at ${count(sites, run.result?.sites ? "site" : "client")}` : ""}` : null],
    ["network", asked.network ? `${asked.network}${asked.weights ? `, ${asked.weights} weights` : ""}` : null],
    ["method", run.result?.algorithm ?? (pooled(run) ? "pooled" : null)],
  ].filter(([, value]) => value);
  return entries.length ? h("section", {class: "card stack", id: "model"}, h("h2", {}, "Model"), h("dl", {class: "pairs"}, entries.map(([key, value]) => [h("dt", {}, key), h("dd", {}, value)]))) : null;
}

function plain(main, head, run) {
  const box = h("div", {});
  const series = seriesOf(run, false);
  fill(main, head,
    h("div", {class: "split"},
      h("div", {class: "stack loose"}, model(run),
        series.length ? h("section", {class: "card stack"}, h("h2", {}, "Curves"), box, numbersTable(series)) : null,
        run.result?.coefficients?.length ? h("section", {class: "card stack"}, h("h2", {}, "Coefficients"), coefficients(run.result)) : null,
        run.result?.mixed ? h("section", {class: "card stack"}, h("h2", {}, "Random effects"), randomEffects(run.result)) : null,
        run.result?.curves ? h("section", {class: "card stack"}, h("h2", {}, "Survival"), survival(run.result)) : null,
        exposure(run.result?.exposure),
        run.manifest ? h("section", {class: "card stack"}, h("h2", {}, "Manifest"), nested(run.manifest)) : null),
      h("div", {class: "stack loose"},
        run.result ? h("section", {class: "card stack"}, h("h2", {}, "Result"), pairs(withoutLists(run.result)), [...(run.result.warnings ?? []), ...(run.result.notes ?? [])].map((warning) => h("div", {class: "verdict warn"}, warning))) : null,
        predictions(run),
        tags(run),
        h("section", {class: "card stack"}, h("h2", {}, "Files"), files(run)))));
  const curves = new Curves(box, {named: series.length > 1, height: 230});
  curves.set(series);
  return () => curves.destroy();
}

/** What sites could learn of each other on the way to an answer. */
export function exposure(sentences) {
  if (!sentences?.length) return null;
  return h("section", {class: "card stack"}, h("h2", {}, "Who could learn what"), sentences.map((one) => h("p", {class: "small"}, one)));
}

/** The table, with each interval drawn on a scale of its own: coefficients are in units of their own. */
export function coefficients(result) {
  const list = result.coefficients;
  const tail = 50 * (1 - (result.level ?? 0.95));
  const ends = [`${number(tail, 4)} %`, `${number(100 - tail, 4)} %`];
  const head = [["estimate", "estimate"], ["spread", "spread"]];
  const all = result.exponentiated
    ? [...head, ["pValue", "p"], ["ratio", result.ratio], ["ratioLow", ends[0]], ["ratioHigh", ends[1]]]
    : [...head, ["stdError", "standard error"], ["pValue", "p"], ["globalEstimate", "pooled"], ["truth", "truth"], ["confLow", ends[0]], ["confHigh", ends[1]]];
  const columns = all.filter(([key]) => list.some((one) => one[key] !== undefined && one[key] !== null));
  const ratios = Boolean(result.exponentiated);
  return scroller("Coefficients", h("table", {},
    h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "coefficient"), columns.map(([, text]) => h("th", {scope: "col", class: "num"}, text)), h("th", {scope: "col"}, ratios ? "each on its own log scale" : "each on its own scale"))),
    h("tbody", {}, list.map((one) => h("tr", {}, h("th", {scope: "row"}, one.term), columns.map(([key]) => h("td", {class: "num"}, number(one[key]))),
      h("td", {}, whisker(one, ratios)))))));
}

/** The variances of effects that groups of rows have of their own. */
export function randomEffects(result) {
  if (!result?.mixed) return null;
  const lines = result.mixed.groups.flatMap((one) => one.effects.map((effect, i) => [one.group, effect.effect, effect.variance, effect.sd, (one.correlations[i] ?? []).map((value) => number(value, 3)).join(", "), one.groups]));
  lines.push(["residual", "", result.mixed.residual.variance, result.mixed.residual.sd, "", ""]);
  return scroller("Random effects", h("table", {},
    h("thead", {}, h("tr", {}, ["groups", "effect"].map((text) => h("th", {scope: "col"}, text)), ["variance", "standard deviation", "correlations", "number of groups"].map((text) => h("th", {scope: "col", class: "num"}, text)))),
    h("tbody", {}, lines.map(([group, effect, ...numbers]) => h("tr", {}, h("th", {scope: "row"}, group), h("td", {}, effect), numbers.map((value) => h("td", {class: "num"}, typeof value === "number" ? number(value) : value)))))));
}

/** Groups with their means, medians and tests; the curves themselves are in the report. */
export function survival(result) {
  const {groups, tau, logRank, causes} = result.curves;
  const tail = 50 * (1 - (result.level ?? 0.95));
  const columns = [["rows", "rows"], ["events", "events"], ["restrictedMean", `mean to ${number(tau)}`], ["restrictedMeanStdError", "standard error"], ["median", "median"], ["medianLow", `${number(tail, 4)} %`], ["medianHigh", `${number(100 - tail, 4)} %`]];
  const test = (of, found) => found ? h("p", {class: "small"}, `Log-rank test${of}: chi-squared ${number(found.statistic)} on ${count(found.df, "degree")} of freedom, p ${number(found.pValue)}`) : null;
  return h("div", {class: "stack"}, scroller("Survival", h("table", {},
    h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "group"), columns.map(([, text]) => h("th", {scope: "col", class: "num"}, text)))),
    h("tbody", {}, groups.map((one) => h("tr", {}, h("th", {scope: "row"}, one.stratum || "all"), columns.map(([key]) => h("td", {class: "num"}, number(one[key])))))))),
    test("", logRank), (causes ?? []).map((one) => test(` of cause ${one.cause}`, one.logRank)));
}

/** An interval with its estimate on a scale of its own, with the scale's ends; dashed where there is no effect. */
function whisker(one, ratios) {
  const make = (tag, properties, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  // Of a method, how far clients are spread; of a pooled answer, the interval.
  const low = one.confLow ?? one.estimate - one.spread, high = one.confHigh ?? one.estimate + one.spread;
  const finite = [one.estimate, low, high, one.globalEstimate].filter((value) => Number.isFinite(value));
  if (!finite.length) return "–";
  let from = Math.min(...finite), to = Math.max(...finite);
  // No effect is shown where that does not squeeze the interval together.
  const wide = to - from || Math.abs(from) || 1;
  if (from > 0 && from < 2 * wide) from = 0;
  if (to < 0 && -to < 2 * wide) to = 0;
  const margin = 0.06 * (to - from || wide);
  [from, to] = [from - margin, to + margin];
  const at = (value) => 8 + 184 * (value - from) / (to - from);
  const digits = Math.min(8, 3 + Math.max(0, Math.ceil(Math.log10(Math.max(Math.abs(from), Math.abs(to)) / (to - from)))));
  const said = (value) => number(ratios ? Math.exp(value) : value, digits);
  const svg = make("svg", {width: 200, height: 36, viewBox: "0 0 200 36", role: "img", class: "whisker", "aria-label": `from ${said(from)} to ${said(to)}`, "data-from": from, "data-to": to});
  svg.append(make("line", {x1: 8, x2: 192, y1: 22, y2: 22, stroke: "var(--line-strong)", "stroke-width": 0.8}));
  for (const [value, anchor] of [[from, "start"], [to, "end"]]) svg.append(make("text", {x: at(value), y: 34, "text-anchor": anchor}, said(value)));
  if (from <= 0 && to >= 0) {
    svg.append(make("line", {x1: at(0), x2: at(0), y1: 2, y2: 22, stroke: "var(--line-strong)", "stroke-dasharray": "2 2"}));
    if (at(0) > 50 && at(0) < 150) svg.append(make("text", {x: at(0), y: 34, "text-anchor": "middle"}, said(0)));
  }
  if (Number.isFinite(low) && Number.isFinite(high)) svg.append(make("line", {x1: at(low), x2: at(high), y1: 12, y2: 12, stroke: "var(--accent)", "stroke-width": 2.2}));
  if (Number.isFinite(one.globalEstimate)) svg.append(make("circle", {cx: at(one.globalEstimate), cy: 12, r: 5, fill: "none", stroke: "var(--muted)", "stroke-width": 1.4}));
  if (Number.isFinite(one.estimate)) svg.append(make("circle", {cx: at(one.estimate), cy: 12, r: 3.2, fill: "var(--accent)"}));
  return svg;
}

/** How predictions agree with the rows of the fit. */
function predictions(run) {
  const area = run.result?.discrimination, residuals = run.result?.residuals;
  if (!area && !residuals) return null;
  const tail = 50 * (1 - run.result.level);
  const entries = area
    ? [["AUC", area.auc], [`${number(tail, 4)} %`, area.confLow], [`${number(100 - tail, 4)} %`, area.confHigh], ["AUC within", area.aucWithin], ["Brier score", area.brier]].filter(([, value]) => value !== null)
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

function pairs(entries) {
  return h("dl", {class: "pairs"}, entries.map(([key, value]) => [h("dt", {}, key.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()), h("dd", {class: typeof value === "number" ? "num" : "", "data-exact": String(value)}, typeof value === "number" && !Number.isInteger(value) ? number(value, 6) : Array.isArray(value) ? value.join(", ") : String(value))]));
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
        h("section", {class: "card stack"}, h("details", {}, h("summary", {title: "Settings, seed, version and machine of the study"}, "Manifest"), h("div", {class: "stack"}, nested(run.manifest)))))));
  return undefined;
}

function figure(run, file) {
  const twins = ["svg", "png", "pdf", "csv"].map((type) => file.replace("svg", type)).filter((one) => run.files.includes(one));
  return h("section", {class: "card"}, h("figure", {},
    h("img", {src: address(run, file), alt: "Figure " + file.replace(".svg", "")}),
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
      part.claims.map((claim) => h("div", {class: "claim " + (TONES[claim.verdict] ?? "")}, h("span", {class: "badge " + (TONES[claim.verdict] ?? "")}, claim.verdict), h("p", {}, "“" + claim.claim + "”"), h("p", {class: "muted small"}, claim.numbers))),
    ]) : h("p", {class: "muted"}, none));
}
