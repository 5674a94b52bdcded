// Several runs over each other.
import {Curves, numbersTable} from "./curves.js";
import {ask, fill, h, trouble} from "./dom.js";

/** A stored run's traces as series. */
export function seriesOf(run, withName) {
  return (run.traces ?? []).map((trace) => ({
    name: [withName ? run.name : "", trace.name].filter(Boolean).join(" "),
    rounds: trace.rounds,
    values: trace.values,
  }));
}

export async function render(main, parameters) {
  const names = parameters.getAll("name");
  const query = names.map((name) => "name=" + encodeURIComponent(name)).join("&");
  const runs = await Promise.all(names.map((name) => ask("runs/one?name=" + encodeURIComponent(name))));
  const damaged = runs.filter((run) => run.damaged);
  const series = runs.flatMap((run) => seriesOf(run, true));
  const box = h("div", {});
  fill(main,
    h("div", {class: "head"}, h("div", {}, h("p", {}, h("a", {href: "#/runs"}, "Runs")), h("h1", {}, "Runs compared")),
      h("div", {class: "row"}, ["svg", "png"].map((format) => h("a", {class: "button", href: `/api/runs/figure?${query}&format=${format}`, download: ""}, format.toUpperCase())))),
    h("div", {class: "stack loose"}, damaged.map((run) => trouble(`${run.name}: ${run.damaged}`)),
      h("section", {class: "card stack"}, h("h2", {}, "Curves"), box, numbersTable(series))));
  const curves = new Curves(box, {named: true, height: 270});
  curves.set(series);
  return () => curves.destroy();
}
