// Page 3: stored runs.
import {ask, command, count, fill, h, number, scroller} from "./dom.js";

const KINDS = {run: ["accent", "run"], comparison: ["accent", "comparison"], study: ["good", "study"], description: ["warn", "description"], check: ["warn", "check"]};
const COLUMNS = [
  ["name", "Run"], ["kind", "Kind"], ["algorithm", "Algorithm"], ["network", "Network"], ["distance", "Distance", true],
  ["logMse", "log MSE", true], ["clients", "Clients", true], ["rounds", "Rounds", true], ["alpha", "α", true], ["modified", "Written", true],
];

export function runLink(name) {
  return "#/run?name=" + encodeURIComponent(name);
}

export async function render(main) {
  const found = await ask("runs");
  const runs = found.runs.map(({run, tags}) => ({...run, tags}));
  const chosen = new Set();
  const wanted = new Set();
  let order = "modified", down = true;

  const search = h("input", {type: "search", placeholder: "Search names, formulas, tags", title: "Show only runs whose name, formula, network, algorithm or tags hold these words", "aria-label": "Search runs", id: "search", oninput: show});
  const tagBox = h("div", {class: "row", role: "group", "aria-label": "Tags"});
  const overlay = h("button", {type: "button", class: "primary", disabled: true, title: "Draw the curves of the selected runs over each other, with what each cost", onclick: () => { location.hash = "#/overlay?" + [...chosen].map((name) => "name=" + encodeURIComponent(name)).join("&"); }}, "Overlay");
  const status = h("p", {class: "muted small", role: "status"});
  const head = h("tr", {}), body = h("tbody", {});

  fill(main,
    h("div", {class: "head"}, h("div", {}, h("h1", {}, "Runs"), h("p", {}, "Run folders, comparisons and studies below ", h("code", {}, found.folder))),
      h("button", {type: "button", title: "Look into the folder again", onclick: () => render(main)}, "Refresh")),
    runs.length === 0
      ? h("section", {class: "card"}, h("div", {class: "empty"}, h("h2", {}, "No runs here yet"), h("p", {}, "A run appears when it is written below this folder:"), command("./ngd fit --simulate logistic --rows 10000 --clients 200 --network regular:2 --alpha 0.05 --rounds 2000 --out run"), h("p", {}, "Another folder: ", h("code", {}, "ngd ui --runs DIR"))))
      : h("div", {class: "stack"},
        h("div", {class: "row spread"}, h("div", {class: "row"}, search, tagBox), overlay), status,
        h("section", {class: "card flush"}, scroller("Runs", h("table", {}, h("thead", {}, head), body)))));
  if (runs.length === 0) return;
  search.style.width = "min(360px, 80vw)";

  function header() {
    fill(head, h("td", {}, h("span", {class: "sr"}, "Select")), COLUMNS.map(([key, text, numeric]) => h("th", {scope: "col", class: numeric ? "num" : "", "aria-sort": order === key ? (down ? "descending" : "ascending") : "none"},
      h("button", {type: "button", title: `Sort by ${text}`, onclick: () => { down = order === key ? !down : Boolean(numeric); order = key; show(); }}, text))));
  }

  function tagButtons() {
    const tags = [...new Set(runs.flatMap((run) => run.tags))].sort();
    fill(tagBox, tags.map((tag) => h("button", {type: "button", class: "chip", title: `Show only runs tagged “${tag}”`, "aria-pressed": String(wanted.has(tag)), onclick: () => { wanted.has(tag) ? wanted.delete(tag) : wanted.add(tag); tagButtons(); show(); }}, tag)));
  }

  function show() {
    header();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = runs.filter((run) => {
      const text = [run.name, run.kind, run.formula, run.algorithm, run.network, run.data, run.study, run.damaged ? "damaged" : "", ...run.tags].join(" ").toLowerCase();
      return words.every((word) => text.includes(word)) && [...wanted].every((tag) => run.tags.includes(tag));
    });
    const value = (run) => run[order] ?? (typeof shown.find((one) => one[order] !== undefined)?.[order] === "number" ? -Infinity : "");
    shown.sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.name < b.name ? -1 : 1) * (down ? -1 : 1));
    status.textContent = shown.length === runs.length ? count(runs.length, "run") : `${shown.length} of ${count(runs.length, "run")}`;
    fill(body, shown.map(row));
    if (!shown.length) fill(body, h("tr", {}, h("td", {colspan: COLUMNS.length + 1}, h("div", {class: "empty"}, "Nothing matches this search."))));
  }

  function row(run) {
    const box = h("input", {type: "checkbox", "aria-label": "Select " + run.name, title: "Select for the overlay", checked: chosen.has(run.name), onchange: () => { box.checked ? chosen.add(run.name) : chosen.delete(run.name); overlay.disabled = chosen.size === 0; overlay.textContent = chosen.size ? `Overlay ${chosen.size}` : "Overlay"; }});
    const name = h("th", {scope: "row"}, h("a", {href: runLink(run.name)}, run.name === "." ? "this folder" : run.name),
      run.damaged || run.formula ? h("div", {class: "muted small reason"}, run.damaged ?? run.formula) : null,
      run.tags.length ? h("span", {class: "row"}, run.tags.map((tag) => h("span", {class: "badge"}, tag))) : null);
    if (run.damaged) return h("tr", {"data-run": run.name}, h("td", {}, box), name, h("td", {}, h("span", {class: "badge bad"}, "damaged")), COLUMNS.slice(2).map(() => h("td", {})));
    const [tone, text] = KINDS[run.kind];
    return h("tr", {"data-run": run.name}, h("td", {}, box), name, h("td", {}, h("span", {class: "badge " + tone}, text)),
      h("td", {}, run.algorithm ?? (run.study ? run.study + (run.state === "finished" ? "" : `, ${run.state}`) : run.algorithms ? count(run.algorithms, "algorithm") : "")),
      h("td", {}, run.network ?? ""),
      h("td", {class: "num"}, run.distance === undefined || run.distance === null ? "" : number(run.distance, 4)), h("td", {class: "num"}, run.logMse === undefined || run.logMse === null ? "" : number(run.logMse, 4)),
      h("td", {class: "num"}, run.clients ?? ""), h("td", {class: "num"}, run.rounds?.toLocaleString("en") ?? ""), h("td", {class: "num"}, run.alpha ?? ""),
      h("td", {class: "num muted"}, new Date(run.modified).toISOString().slice(0, 16).replace("T", " ")));
  }

  tagButtons();
  show();
}
