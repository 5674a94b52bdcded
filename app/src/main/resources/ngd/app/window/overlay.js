// Several runs over each other: their curves, what each cost, and which could not be drawn.
import {Curves, numbersTable, sample} from "./curves.js";
import {ask, bytes, fill, formats, h, number, scroller} from "./dom.js";
import {runLink} from "./runs.js";

/** As many as the figure on paper takes; more would be a carpet. */
const MOST = 24;

/** A stored run's traces as series. */
export function seriesOf(run, withName) {
  return (run.traces ?? []).map((trace) => ({
    name: [withName ? run.name : "", trace.name].filter(Boolean).join(" "),
    rounds: trace.rounds,
    values: trace.values,
    run,
  }));
}

/** Why a run has no curve here. */
function reason(run) {
  if (run.damaged) return run.damaged;
  if (run.kind === "study") return "a study has figures of its own";
  if (run.traces?.length) return "";
  if (run.kind === "description" || run.kind === "check") return `a ${run.kind} has no rounds and so no curves`;
  return run.result?.model !== undefined ? "a pooled fit has no rounds and so no curves" : "it has no trace.csv";
}

export async function render(main, parameters) {
  const names = [...new Set(parameters.getAll("name"))];
  const runs = await Promise.all(names.map((name) => ask("runs/one?name=" + encodeURIComponent(name)).catch((error) => ({name, damaged: error.message}))));
  const out = runs.map((run) => [run.name, reason(run)]).filter(([, why]) => why);
  const drawn = runs.filter((run) => !reason(run));
  for (const run of drawn.splice(MOST)) out.push([run.name, `at most ${MOST} runs can be told apart`]);
  const query = drawn.map((run) => "name=" + encodeURIComponent(run.name)).join("&");
  const series = drawn.flatMap((run) => seriesOf(run, true));
  const box = h("div", {});
  fill(main,
    h("div", {class: "head"}, h("div", {}, h("p", {}, h("a", {href: "#/runs"}, "Runs")), h("h1", {}, "Runs compared")),
      series.length ? h("div", {class: "row"}, formats("the curves", (format) => `/api/runs/figure?${query}&format=${format}`)) : null),
    h("div", {class: "stack loose"},
      out.length ? h("section", {class: "card stack", id: "left-out"}, h("h2", {}, "Left out"),
        h("ul", {class: "advice"}, out.map(([name, why]) => h("li", {}, h("a", {href: runLink(name)}, name), ": " + why)))) : null,
      series.length ? [
        h("section", {class: "card stack"}, h("h2", {}, "Curves"), box, numbersTable(series)),
        h("section", {class: "card stack", id: "costs"}, h("h2", {}, "What each cost, and where it came"), costs(series)),
      ] : h("section", {class: "card"}, h("div", {class: "empty"}, h("h2", {}, "No curves to compare"), h("p", {}, "Select runs of `ngd fit` with a method, or comparisons.")))));
  if (!series.length) return undefined;
  const curves = new Curves(box, {named: true, height: 270});
  curves.set(series);
  return () => curves.destroy();
}

/** What each run took, and how near it came. */
export function costs(series) {
  const columns = [["rounds", "Rounds"], ["messages", "Messages"], ["bytes", "Sent"], ["gradients", "Gradients"], ["distance", "Distance"], ["consensus", "Consensus"], ["logMse", "log MSE"]];
  const rows = series.map(({name, rounds, values, run}, i) => {
    const last = (key, stored) => values[key]?.at(-1) ?? (run.kind === "run" ? run.result?.[stored ?? key] : undefined);
    return {name, i, rounds: rounds.at(-1), messages: last("messages"), bytes: last("bytes"), gradients: last("gradients"), distance: last("distance", "distanceToGlobal"), consensus: last("consensus"), logMse: last("log_mse", "logMse")};
  });
  const shown = columns.filter(([key]) => rows.some((row) => row[key] !== undefined && row[key] !== null));
  const text = (key, value) => value === undefined || value === null ? "–" : key === "bytes" ? bytes(value) : key === "rounds" || key === "messages" || key === "gradients" ? value.toLocaleString("en") : number(value, 4);
  return scroller("What each run cost", h("table", {},
    h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "Run"), shown.map(([, word]) => h("th", {scope: "col", class: "num"}, word)))),
    h("tbody", {}, rows.map((row) => h("tr", {"data-run": row.name}, h("th", {scope: "row"}, h("span", {class: "row"}, sample(row.i), row.name)), shown.map(([key]) => h("td", {class: "num", "data-cost": key, "data-exact": String(row[key])}, text(key, row[key]))))))));
}
