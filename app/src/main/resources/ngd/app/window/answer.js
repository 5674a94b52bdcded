// An answer in tables: what was fitted, described or checked. Pages of runs and of questions show the same.
import {count, h, number, scroller} from "./dom.js";

/** Sentences of an answer as a page says them: options by their names, without dashes and quotes of the command line; no line ends between a symbol and its number. */
export const plain = (text) => text.replace(/--([a-z][a-z-]*)/g, "“$1”").replaceAll("`", "").replace(/(?<=\S) ([=<>]) (?=\S)/g, "\u00a0$1\u00a0").replace(/(?<=\d) %/g, "\u00a0%");

/** A p-value; below the precision of numbers only that is known. */
const chance = (p) => p !== null && p < 2e-16 ? "<2e-16" : number(p, 3);
const chanceIs = (p) => p !== null && p < 2e-16 ? "p\u00a0<\u00a02e-16" : `p\u00a0=\u00a0${number(p, 3)}`;

/**
 * A table of objects; what no line has gets no column.
 *
 * @param columns key, heading and, for words, "text"; a heading may be of a row
 */
function table(label, columns, lines) {
  const told = (value) => value !== undefined && value !== null && value !== "";
  const shown = columns.filter(([key], i) => i === 0 || lines.some((one) => told(one[key])));
  const cell = ([key, , kind], one) => kind === "text"
    ? h("td", {class: typeof one[key] !== "string" ? "" : one[key].length < 16 ? "whole" : "words"}, one[key] ?? "")
    : h("td", {class: "num"}, typeof one[key] === "number" ? key === "pValue" || key === "qp" ? chance(one[key]) : number(one[key]) : one[key] ?? "");
  return scroller(label, h("table", {},
    h("thead", {}, h("tr", {}, shown.map(([, text, kind], i) => h("th", {scope: "col", class: i === 0 || kind === "text" ? "" : "num"}, text)))),
    h("tbody", {}, lines.map((one) => h("tr", {}, h("th", {scope: "row"}, one[shown[0][0]]), shown.slice(1).map((column) => cell(column, one)))))));
}

/** What there is to show of an answer: titles with their contents. `figure` is where its figure is drawn, if anywhere. */
export function sections(result, figure) {
  if (result?.variables) return description(result);
  if (result?.conditions) return [["What the theory says", checked(result)]];
  const all = [];
  const add = (title, ...parts) => all.push([title, parts]);
  if (result?.coefficients?.length) add("Coefficients", coefficients(result));
  if (result?.penalty) add("Penalty", penalty(result), figure ? drawn(figure, "Coefficients along the path of penalties") : null);
  if (result?.mixed) add("Random effects", randomEffects(result));
  if (result?.curves) add("Survival", survival(result), figure ? drawn(figure, `Survival curves${result.curves.causes?.length ? " and cumulative incidences" : ""} with numbers at risk`) : null);
  if (result?.weighting) add("Weighting", weighting(result.weighting));
  if (result?.imputation) add("Imputation", imputation(result));
  if (result?.cox) add("Tests of the model", hazards(result.cox));
  if (result?.anova) add("Terms", table("Terms", [["term", "term"], ["df", "df"], ["deviance", "deviance"], ["dfResidual", "residual df"], ["residualDeviance", "residual deviance"], ["statistic", result.anova.distribution === "F" ? "F" : "chi-squared"], ["pValue", "p"]], result.anova.terms));
  if (result?.tests?.length) add("Tests", tests(result));
  if (result?.meta) add("Between sites", meta(result.meta));
  if (result?.heterogeneity) add("Heterogeneity", h("p", {}, `${sentence(result.heterogeneity)} of sites that have coefficients of their own (${result.heterogeneity.form}).`));
  return all;
}

/** What is claimed, and what is not. */
export function notes(result) {
  const lists = [result?.warnings, result?.notes].filter(Array.isArray).flat();
  return [result?.withheld, ...lists].filter(Boolean).map((note) => h("div", {class: "verdict warn"}, h("div", {class: "statement"}, plain(note))));
}

/** A figure that opens alone; a wide one is scrolled on a phone instead of shrunk beyond reading. */
export function picture(address, text) {
  const image = h("img", {src: address, alt: text, onload: () => { image.style.minWidth = `${Math.round(Math.min(image.naturalWidth, Math.max(560, 250 * image.naturalWidth / image.naturalHeight)))}px`; }});
  return scroller(text, h("a", {href: address, target: "_blank", rel: "noopener", title: "Open the figure alone, as large as the screen"}, image));
}

const drawn = (address, text) => h("figure", {}, picture(address, text));

const named = (distribution) => distribution === "F" ? "F" : "Chi-squared";

function sentence(test) {
  return `${named(test.distribution)} ${number(test.statistic)} on ${count(test.df, "degree")} of freedom${test.dfResidual ?? test.dfDispersion ? ` and ${number(test.dfResidual ?? test.dfDispersion)}` : ""}, ${chanceIs(test.pValue)}`;
}

/** What sites could learn of each other on the way to an answer. */
export function exposure(sentences) {
  if (!sentences?.length) return null;
  return h("section", {class: "card stack"}, h("h2", {}, "Who could learn what"), sentences.map((one) => h("p", {class: "small statement"}, one)));
}

const tails = (result) => {
  const tail = 50 * (1 - (result.level ?? 0.95));
  return [`${number(tail, 4)} %`, `${number(100 - tail, 4)} %`];
};

/** The table, with each interval drawn on a scale of its own: coefficients are in units of their own. */
export function coefficients(result) {
  const list = result.coefficients;
  const ends = tails(result);
  // One site's own estimate has none.
  const spread = list.some((one) => one.spread > 0);
  const head = [["term", "coefficient"], ["estimate", "estimate"], ...(spread ? [["spread", "spread"]] : []), ["noiseSd", "noise, standard deviation"]];
  const columns = result.exponentiated
    ? [...head, ["pValue", "p"], ["ratio", result.ratio], ["ratioLow", ends[0]], ["ratioHigh", ends[1]]]
    : [...head, ["stdError", "standard error"], ["pValue", "p"], ["globalEstimate", "pooled"], ["truth", "truth"], ["confLow", ends[0]], ["confHigh", ends[1]]];
  const ratios = Boolean(result.exponentiated);
  const intervals = list.some((one) => Number.isFinite(one.confLow ?? (spread ? one.spread : undefined)));
  const all = table("Coefficients", [...columns, ...(intervals ? [["drawn", ratios ? "each on its own log scale" : "each on its own scale", "text"]] : [])],
    list.map((one) => intervals ? {...one, drawn: whisker(one, ratios)} : one));
  // Elsewhere the lines are intervals, whose ends stand beside them.
  if (!intervals || !list.some((one) => Number.isFinite(one.globalEstimate))) return all;
  return [all, h("p", {class: "muted small"}, "Drawn: ● the clients' mean with their spread on both sides, ○ the pooled estimate, and a thin line at 0 where that is near.")];
}

function penalty(result) {
  const {shape, lambda, folds, select, lambdaMin, lambda1se, path} = result.penalty;
  const at = (value) => path.find((one) => one.lambda === value);
  const lines = [["least deviance", lambdaMin], ["within one standard error of it", lambda1se]].filter(([, value]) => Number.isFinite(value))
    .map(([choice, value]) => ({choice, lambda: value, nonzero: at(value)?.nonzero, explained: at(value) ? (100 * at(value).explained).toFixed(2) : undefined, taken: value === lambda ? "taken" : ""}));
  return h("div", {class: "stack"},
    h("p", {class: "small"}, `${shape}, ${count(path.length, "penalty").replace("penaltys", "penalties")} from λ ${number(path[0].lambda, 4)} to ${number(path.at(-1).lambda, 4)}${folds ? `, chosen by ${folds}-fold cross-validation (${select === "min" ? "least deviance" : "one standard error"})` : Number.isFinite(lambda) ? `; coefficients at λ ${number(lambda, 4)}` : "; none was chosen"}.`),
    lines.length ? table("Penalties", [["choice", "choice"], ["lambda", "λ"], ["nonzero", "coefficients not 0"], ["explained", "deviance explained, %"], ["taken", "", "text"]], lines) : null);
}

/** The variances of effects that groups of rows have of their own. */
function randomEffects(result) {
  const lines = result.mixed.groups.flatMap((one) => one.effects.map((effect, i) => ({group: one.group, ...effect, correlations: (one.correlations[i] ?? []).map((value) => number(value, 3)).join(", "), groups: one.groups})));
  // Where the family has a dispersion of its own there is no residual variance to tell.
  if (result.mixed.residual) lines.push({group: "residual", ...result.mixed.residual});
  return table("Random effects", [["group", "groups"], ["effect", "effect", "text"], ["variance", "variance"], ["sd", "standard deviation"], ["correlations", "correlations"], ["groups", "number of groups"]], lines);
}

/** Groups with their means, medians and tests. */
function survival(result) {
  const {groups, tau, logRank, causes} = result.curves;
  const ends = tails(result);
  const test = (of, found) => found ? h("p", {class: "small"}, `Log-rank test${of}: chi-squared ${number(found.statistic)} on ${count(found.df, "degree")} of freedom, ${chanceIs(found.pValue)}`) : null;
  return h("div", {class: "stack"}, table("Survival", [["stratum", "group"], ["rows", "rows"], ["events", "events"], ["restrictedMean", `mean to ${number(tau)}`], ["restrictedMeanStdError", "standard error"], ["median", "median"], ["medianLow", ends[0]], ["medianHigh", ends[1]]],
    groups.map((one) => ({...one, stratum: one.stratum || "all"}))),
    causes?.length ? incidences(groups, tau, ends) : null,
    test("", logRank), (causes ?? []).map((one) => test(` of cause ${one.cause}`, one.logRank)));
}

/** Of competing causes: what each took from each group. */
function incidences(groups, tau, ends) {
  return table("Cumulative incidence", [["of", "group"], ["cause", "cause"], ["events", "events"], ["timeLost", `time lost to ${number(tau)}`], ["incidence", "incidence at the end"], ["stdError", "standard error"], ["low", ends[0]], ["high", ends[1]]],
    groups.flatMap((group) => group.incidences.map((one, i) => ({...one.points.at(-1), ...one, of: i ? "" : group.stratum || "all", cause: String(one.cause)}))));
}

const ESTIMANDS = {ate: "the average effect on all rows", att: "the effect on the treated", atc: "the effect on the untreated", overlap: "the effect where both are likely"};

function weighting({estimand, stabilised, treated, others, balance}) {
  return h("div", {class: "stack"},
    h("p", {class: "small"}, `Weights for ${ESTIMANDS[estimand] ?? estimand}${stabilised ? ", stabilised" : ""}.`),
    table("Weights", [["group", "group"], ["rows", "rows"], ["weight", "sum of weights"], ["effective", "effective rows"]], [{group: "treated", ...treated}, {group: "others", ...others}]),
    table("Balance", [["term", "mean of"], ["treated", "treated"], ["others", "others"], ["difference", "difference, in SD"], ["weightedTreated", "treated, weighted"], ["weightedOthers", "others, weighted"], ["weightedDifference", "difference in SD, weighted"]], balance));
}

function imputation({imputation: {imputations, iterations, variables, terms}, coefficients: list}) {
  return h("div", {class: "stack"}, h("p", {class: "small"}, `${count(imputations, "imputation")} after ${count(iterations, "iteration")} each.`),
    table("What was imputed", [["variable", "variable"], ["missing", "missing"], ["model", "imputed by", "text"]], variables),
    table("What was missing", [["term", "coefficient"], ["fmi", "fraction of missing information"], ["riv", "increase of variance"], ["within", "variance within"], ["between", "variance between"], ["df", "df"]], terms.map((one, i) => ({term: list[i]?.term, ...one}))));
}

function hazards({likelihoodRatio, wald, score, concordance, zph}) {
  const lines = [["likelihood ratio", likelihoodRatio], ["Wald", wald], ["score", score]].filter(([, found]) => found).map(([test, found]) => ({test, ...found}));
  return h("div", {class: "stack"}, table("Tests of the model", [["test", "test"], ["statistic", "chi-squared"], ["df", "df"], ["pValue", "p"]], lines),
    Number.isFinite(concordance) ? h("p", {class: "small"}, `Concordance ${number(concordance, 4)}.`) : null,
    zph ? [h("h3", {}, "Proportional hazards"), table("Proportional hazards", [["term", "term"], ["statistic", "chi-squared"], ["df", "df"], ["pValue", "p"]], zph.terms.map((one) => one.term === "GLOBAL" ? {...one, term: "all"} : one))] : null);
}

function tests(result) {
  const ends = tails(result);
  return h("div", {class: "stack"}, result.tests.map((one) => h("div", {class: "stack"},
    table(one.test, [["equation", "combination"], ["estimate", "estimate"], ["stdError", "standard error"], ["pValue", "p"], ["confLow", ends[0]], ["confHigh", ends[1]]], one.equations),
    h("p", {class: "small"}, `Wald: ${sentence(one.wald)}${one.likelihoodRatio ? `. Likelihood ratio: ${sentence(one.likelihoodRatio)}` : ""}.`))));
}

function meta({terms}) {
  return table("Between sites", [["term", "coefficient"], ["method", "method", "text"], ["estimate", "estimate"], ["stdError", "standard error"], ["pValue", "p"], ["tau2", "τ²"], ["i2", "I², %"], ["q", "Q"], ["qp", "p of Q"]],
    terms.flatMap((one) => one.methods.map((method, i) => ({...method, term: i ? "" : one.term, q: i ? undefined : one.q, qp: i ? undefined : one.pValue}))));
}

function checked(result) {
  return h("div", {class: "stack"}, h("div", {class: "verdict " + (result.converges ? "good" : result.converges === false ? "bad" : "warn")}, h("div", {}, result.converges ? "Converges." : result.converges === false ? "Does not converge." : "Undecided.", result.reason ? h("div", {class: "small"}, plain(result.reason)) : null)),
    table("Conditions", [["name", "condition"], ["words", "in words", "text"], ["holds", "holds", "text"], ["value", "value"], ["limit", "limit"], ["largestAlpha", "largest α"]], result.conditions.map((one) => ({...one, words: plain(one.words), holds: one.holds ? "yes" : one.holds === false ? "no" : "undecided"}))));
}

const QUANTILES = [["0.05", "5 %"], ["0.25", "25 %"], ["0.5", "median"], ["0.75", "75 %"], ["0.95", "95 %"]];
const p = (tests) => (tests ?? []).map((one) => one.pValue).find(Number.isFinite);
const share = (n, all) => all ? `${n.toLocaleString("en")} (${(100 * n / all).toFixed(1)} %)` : String(n);

/** A description: numbers, levels, the table by groups, cross-tables, histograms, correlations. */
function description(result) {
  const of = (one) => one.site ? `${one.variable} at ${one.site}` : one.variable;
  const numbers = result.variables.filter((one) => one.quantiles), levels = result.variables.filter((one) => one.levels), silent = result.variables.filter((one) => one.withheld);
  const all = [];
  if (numbers.length) all.push(["Numbers", table("Numbers", [["of", "variable"], ["n", "n"], ["missing", "missing"], ["mean", "mean"], ["standardDeviation", "SD"], ...QUANTILES, ["minimum", "smallest"], ["maximum", "largest"]], numbers.map((one) => ({of: of(one), ...one, ...one.quantiles})))]);
  if (levels.length) all.push(["Levels", table("Levels", [["of", "variable"], ["level", "level", "text"], ["rows", "rows"]], levels.flatMap((one) => Object.entries(one.levels).map(([level, n], i) => ({of: i ? "" : of(one), level, rows: share(n, one.n)}))))]);
  if (result.groups?.length) all.push([`By ${result.by}`, groups(result)]);
  for (const one of result.crossTables ?? []) all.push([`${one.rows} by ${one.columns}`, cross(one)]);
  if (result.histograms?.length) all.push(["Histograms", h("div", {class: "curves"}, result.histograms.map(histogram))]);
  if (result.correlations) all.push(["Correlations", correlations(result.correlations)]);
  if (silent.length) all.push(["Withheld", h("ul", {class: "advice"}, silent.map((one) => h("li", {}, `${of(one)}: ${plain(one.withheld)}`)))]);
  return all;
}

/** The first table of a paper: a column for each group. */
function groups(result) {
  const names = result.groups[0].groups.map((one) => one.group);
  const lines = result.groups.flatMap((one) => {
    const each = (value) => Object.fromEntries(one.groups.map((group) => [group.group, value(group)]));
    return [{" ": one.variable, ...each((group) => `${group.n} (${group.missing})`), "  ": chance(p(one.tests))},
      {" ": "\u2003mean (SD)", ...each((group) => `${number(group.mean, 4)} (${number(group.standardDeviation, 4)})`)},
      {" ": "\u2003median [quartiles]", ...each((group) => `${number(group.quantiles["0.5"], 4)} [${number(group.quantiles["0.25"], 4)}, ${number(group.quantiles["0.75"], 4)}]`)}];
  });
  return h("div", {class: "stack"}, table(`By ${result.by}`, [[" ", "variable: n (missing)"], ...names.map((name) => [name, name]), ["  ", "p"]], lines), withheld(result.groups));
}

function withheld(tables) {
  const rows = Math.max(...tables.map((one) => one.rowsWithheld ?? 0)), sites = Math.max(...tables.map((one) => one.sitesWithheld ?? 0));
  return rows || sites ? h("p", {class: "muted small"}, `Withheld by disclosure rules: ${[rows ? count(rows, "row") : "", sites ? count(sites, "site") : ""].filter(Boolean).join(" and ")}.`) : null;
}

function cross(one) {
  const lines = one.rowLevels.map((row, r) => {
    const all = one.counts[r].reduce((sum, n) => sum + (n ?? NaN), 0);
    return {" ": row, ...Object.fromEntries(one.columnLevels.map((column, c) => [column, one.counts[r][c] === null ? "withheld" : Number.isFinite(all) ? share(one.counts[r][c], all) : one.counts[r][c]]))};
  });
  const found = one.tests.filter((test) => Number.isFinite(test.pValue));
  return h("div", {class: "stack"}, table(`${one.rows} by ${one.columns}`, [[" ", one.rows], ...one.columnLevels.map((column) => [column, `${one.columns} ${column}`])], lines),
    found.map((test) => h("p", {class: "small"}, `${test.test}${Number.isFinite(test.statistic) ? ` ${number(test.statistic)} on ${count(test.df[0], "degree")} of freedom` : ""}, ${chanceIs(test.pValue)}${Number.isFinite(test.estimate) ? `; odds ratio ${number(test.estimate)}` : ""}`)), withheld([one]));
}

function histogram({variable, group, edges, counts}) {
  const most = Math.max(1, ...counts);
  const title = group ? `${variable}, ${group}` : variable;
  return h("div", {}, h("h3", {}, title), scroller("Histogram of " + title, h("table", {class: "histogram"}, h("tbody", {}, counts.map((n, i) => h("tr", {}, h("th", {scope: "row", class: "num"}, `${number(edges[i])} to ${number(edges[i + 1])}`), h("td", {class: "num"}, n.toLocaleString("en")),
    h("td", {class: "grow"}, h("progress", {max: most, value: n, "aria-label": `${n} rows`}))))))));
}

function correlations({variables, n, values}) {
  return h("div", {class: "stack"}, table("Correlations", [[" ", ""], ...variables.map((one) => [one, one])], variables.map((one, r) => ({" ": one, ...Object.fromEntries(variables.map((other, c) => [other, values[r][c] === null ? "withheld" : number(values[r][c], 3)]))}))), h("p", {class: "muted small"}, `Of ${count(n, "row")}.`));
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
    // Its number, where the ends' numbers leave it a place.
    const width = (value) => 8 + 6.5 * said(value).length, half = width(0) / 2;
    if (at(0) - half > width(from) && at(0) + half < 200 - width(to)) svg.append(make("text", {x: at(0), y: 34, "text-anchor": "middle"}, said(0)));
  }
  if (Number.isFinite(low) && Number.isFinite(high)) svg.append(make("line", {x1: at(low), x2: at(high), y1: 12, y2: 12, stroke: "var(--accent)", "stroke-width": 2.2}));
  if (Number.isFinite(one.globalEstimate)) svg.append(make("circle", {cx: at(one.globalEstimate), cy: 12, r: 5, fill: "none", stroke: "var(--muted)", "stroke-width": 1.4}));
  if (Number.isFinite(one.estimate)) svg.append(make("circle", {cx: at(one.estimate), cy: 12, r: 3.2, fill: "var(--accent)"}));
  return svg;
}
