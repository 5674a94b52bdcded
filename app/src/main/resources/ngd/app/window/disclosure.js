// Who can learn what: what `ngd federation exposure` computes, for a drawn network or a member's plan.
import {stored} from "./designer.js";
import {ask, count, field, fill, h, number, scroller, select, trouble} from "./dom.js";

const VERDICTS = {
  solved: ["solves for it", "the second moments can be solved for, to the accuracy shown"],
  assumed: ["must be assumed", "it must be assumed that they can be solved for"],
  mixed: ["combinations only", "only combinations with others' are determined"],
  unheard: ["nothing", "nothing that is heard depends on this site"],
};
const STORE = "ngd-disclosure";

export async function render(main, parameters) {
  const {members} = await ask("members");
  const drawn = stored();
  const before = (() => { try { return JSON.parse(sessionStorage.getItem(STORE)) ?? {}; } catch { return {}; } })();
  const initial = {source: members.length ? "member-0" : "name", network: "ring:1", clients: "4", formula: "y ~ x1 + x2", family: "gaussian", algorithm: "pooled", alpha: "0.05", rounds: "100", coalition: "1", coefficients: "", ...before};
  if (parameters.has("drawn") && drawn?.clients) initial.source = "drawn";
  const sources = [...members.map((member, i) => ["member-" + i, `${member.federation}, as ${member.site} has it`]), ["name", "A network by name"], ...(drawn?.clients ? [["drawn", `The drawn network (${count(drawn.clients, "client")})`]] : [])];
  const inputs = {
    source: select(sources, sources.some(([value]) => value === initial.source) ? initial.source : sources[0][0]),
    network: h("input", {value: initial.network, list: "networks"}),
    clients: h("input", {inputmode: "numeric", value: initial.clients}),
    formula: h("input", {value: initial.formula}),
    family: h("input", {value: initial.family, list: "families"}),
    algorithm: h("input", {value: initial.algorithm, list: "methods"}),
    alpha: h("input", {value: initial.alpha}),
    rounds: h("input", {inputmode: "numeric", value: initial.rounds}),
    coalition: h("input", {inputmode: "numeric", value: initial.coalition}),
    coefficients: h("input", {inputmode: "numeric", value: initial.coefficients, placeholder: "as terms"}),
    totals: h("input", {type: "checkbox", id: "totals", title: "Assume that the pooled second moments are known too, as after a pooled fit of the same formula"}),
  };
  const problem = h("div", {}), place = h("div", {class: "stack loose", id: "learned"});
  const network = h("div", {class: "fields"}, field("Network", inputs.network, "Who hears whom: a kind with its parameters, such as ring:1"), field("Sites", inputs.clients, "How many sites, up to 60"));
  const steps = h("div", {class: "fields"}, field("Step size α", inputs.alpha, "The step size of the method"), field("Rounds", inputs.rounds, "The rounds of the method"));
  const asked = h("div", {class: "stack"}, field("Model formula", inputs.formula, "The model; its number of coefficients decides how much must be solved for"),
    field("Family", inputs.family, "The family of the response"), field("Method", inputs.algorithm, "pooled: sums alone; pooled-rounds, ngd and others: models in rounds"), steps);
  const own = h("p", {class: "muted small"}, "This plan asks one question of its own.");
  const form = h("form", {class: "card stack", "aria-label": "Who and what", onsubmit: (event) => { event.preventDefault(); compute(); }},
    h("h2", {}, "Who and what"), field("Sites and links", inputs.source, "A member's federation, or a network of your own"), network, asked, own,
    h("div", {class: "fields"}, field("Sites that join forces", inputs.coalition, "The largest number of sites that put together what they hear and what they have"),
      field("Coefficients", inputs.coefficients, "Where factors give the formula more coefficients than terms"),
      h("label", {class: "check wide", title: inputs.totals.title}, inputs.totals, "Pooled moments are known")),
    h("button", {type: "submit", class: "primary", id: "compute", title: "Compute who can learn what"}, "Compute"), problem,
    h("datalist", {id: "networks"}, ["circle:1", "circle:2", "ring:1", "ring:2", "complete", "central", "regular:2", "torus", "exponential"].map((value) => h("option", {value}))),
    h("datalist", {id: "families"}, ["gaussian", "binomial", "poisson", "gamma", "inverse-gaussian", "multinomial", "ordered"].map((value) => h("option", {value}))),
    h("datalist", {id: "methods"}, ["pooled", "pooled-rounds", "ngd", "balanced-ngd", "dgd", "diging", "extra"].map((value) => h("option", {value}))));

  function adapt() {
    const member = inputs.source.value.startsWith("member-") ? members[Number(inputs.source.value.slice(7))] : null;
    network.classList.toggle("hidden", inputs.source.value !== "name");
    asked.classList.toggle("hidden", Boolean(member && !member.standing));
    own.classList.toggle("hidden", !member || member.standing);
    steps.classList.toggle("hidden", ["pooled", "pooled-rounds"].includes(inputs.algorithm.value.trim()));
  }
  inputs.source.addEventListener("change", adapt);
  inputs.algorithm.addEventListener("input", adapt);

  fill(main,
    h("div", {class: "head"}, h("div", {}, h("h1", {}, "Disclosure"), h("p", {}, "Who can learn what of whom, alone or together, from what a question makes sites exchange: computed from the rank and condition of what is heard where the way of the models is known, assumed elsewhere. docs/privacy.md explains it."))),
    h("div", {class: "disclosure"}, form, place));

  async function compute() {
    fill(problem);
    sessionStorage.setItem(STORE, JSON.stringify(Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== "totals").map(([name, input]) => [name, input.value]))));
    const method = inputs.algorithm.value.trim();
    const options = {formula: inputs.formula.value, family: inputs.family.value, algorithm: method};
    if (!steps.classList.contains("hidden")) Object.assign(options, {alpha: inputs.alpha.value, rounds: inputs.rounds.value});
    const body = {options, coalition: Number(inputs.coalition.value), totals: inputs.totals.checked};
    if (inputs.coefficients.value.trim()) body.coefficients = Number(inputs.coefficients.value);
    const source = inputs.source.value;
    if (source === "name") Object.assign(body, {network: inputs.network.value.trim(), clients: Number(inputs.clients.value)});
    if (source === "drawn") Object.assign(body, drawn.csv ? {csv: drawn.csv} : {clients: drawn.clients, links: drawn.links, weights: drawn.weights});
    if (source.startsWith("member-") && !members[Number(source.slice(7))].standing) body.options = {};
    try {
      present(await ask(source.startsWith("member-") ? `members/${source.slice(7)}/exposure` : "exposure", body));
    } catch (error) {
      fill(place);
      fill(problem, trouble(error.message));
    }
  }

  function present(found) {
    fill(place,
      h("section", {class: "card stack"}, h("h2", {}, "In words"), found.statements.map((one) => h("p", {class: "statement"}, one))),
      found.models.length ? h("section", {class: "card stack"},
        h("h2", {}, "Who can solve for whose second moments"),
        h("p", {class: "muted small"}, found.computed ? `Computed for ${count(found.coefficients, "coefficient")} and ${count(found.rounds, "round")}.` : "Not computed for this question: assumed by who is reached by whose data."),
        scroller("Who can learn what", h("table", {},
          h("thead", {}, h("tr", {}, h("th", {scope: "col"}, found.coalition > 1 ? "Who, together" : "Who"), found.sites.map((site) => h("th", {scope: "col"}, "of " + site)))),
          h("tbody", {}, found.models.slice(0, 400).map((row) => h("tr", {"data-coalition": row.coalition.join("+")}, h("th", {scope: "row"}, row.coalition.join(", ")), found.sites.map((site) => cell(row, site))))))),
        found.models.length > 400 ? h("p", {class: "muted small"}, `and ${count(found.models.length - 400, "coalition")} more; \`ngd federation exposure\` prints all.`) : null,
        h("ul", {class: "legend", "aria-label": "Colours"}, Object.entries(VERDICTS).map(([name, [, meaning]]) => h("li", {}, h("span", {class: "cell " + name}), meaning)))) : null);
  }

  function cell(row, site) {
    const finding = row.sites.find((one) => one.site === site);
    if (!finding) return h("td", {class: "muted"}, "own");
    const [text] = VERDICTS[finding.verdict];
    const more = finding.verdict === "solved" ? [finding.determinedAfter === null ? "" : `after ${count(finding.determinedAfter, "round")}`, finding.accuracy ? `to ${number(finding.accuracy, 2)}` : ""].filter(Boolean) : [];
    return h("td", {class: finding.verdict, "data-verdict": finding.verdict, "data-site": site}, text, more.map((line) => h("span", {class: "note"}, line)));
  }

  adapt();
  if (parameters.has("drawn") || before.source) await compute();
  else fill(place, h("section", {class: "card"}, h("div", {class: "empty"}, h("h2", {}, "Nothing computed yet"), h("p", {}, "Choose who takes part and what is asked."))));
  return undefined;
}
