// Questions to a standing federation, at the members whose folders this window was given.
import {ask, command, count, field, fill, h, keyControl, keyField, keyWords, number, say, scroller, select, shortNumbers, trouble} from "./dom.js";
import {exposure, notes, sections} from "./answer.js";

const TONES = {waiting: "warn", running: "accent", answered: "good", refused: "bad", failed: "bad"};
const SITES = {answered: "good", "takes part": "accent", refuses: "bad", failed: "bad", "has not decided": "warn"};
// The fields that nearly every question has; the others fold away.
const FIRST = ["formula", "columns", "by", "family", "loss", "algorithm"];
const KINDS = [["fit", "fit a model"], ["describe", "describe variables"], ["check", "check a method"]];
const STORE = "ngd-question";
const EVERY = 1500;

export async function render(main) {
  let {members} = await ask("members");
  let chosen = 0, stopped = false, timer = 0;
  const head = h("div", {class: "head"}, h("div", {}, h("h1", {}, "Questions"), h("p", {}, "Ask a standing federation, decide about what others ask, and read the answers: with the key of a member of this machine.")));
  const standing = members.map((member, i) => ({member, i})).filter(({member}) => member.standing);
  if (!standing.length) {
    fill(main, head, h("section", {class: "card"}, h("div", {class: "empty"}, h("h2", {}, "No member of a standing federation here"),
      h("p", {}, "Give the folder of a member, with its key and kit, when the window starts:"), command("./ngd ui --member FOLDER"),
      h("p", {}, "docs/standing.md says how a federation begins."))));
    return undefined;
  }
  chosen = standing[0].i;
  const pick = select(standing.map(({member, i}) => [String(i), `${member.site} in ${member.federation}`]), String(chosen), {id: "member"});
  pick.addEventListener("change", () => { chosen = Number(pick.value); build(); refresh(); });
  const place = h("div", {});
  fill(main, head, h("div", {class: "stack loose"}, standing.length > 1 ? field("Member", pick, "Whose folder and key to use", {class: "picker"}) : null, place));

  const opened = new Map(), refusing = new Map();
  let state = h("div", {}), sites = h("div", {}), list = h("div", {class: "stack"});
  let shown = "";

  function build() {
    const member = members[chosen];
    shown = "";
    opened.clear();
    refusing.clear();
    state = h("div", {class: "stack"});
    sites = h("div", {class: "stack"});
    list = h("div", {class: "stack", id: "questions"});
    fill(place, h("div", {class: "questions"},
      h("div", {class: "stack loose"},
        h("section", {class: "card stack"}, h("h2", {}, `${member.site} in ${member.federation}`), state, sites),
        h("section", {class: "card stack"}, h("h2", {}, "Ask"), member.mayAsk ? askForm(member) : h("p", {class: "muted"}, "The plan does not let this member ask."))),
      h("section", {class: "card stack"}, h("h2", {}, "Questions in line, newest first"), list)));
    show();
  }

  function show() {
    const member = members[chosen];
    // What is being typed or read must not be torn away by news about something else.
    const now = JSON.stringify([chosen, member]);
    if (now === shown) return;
    shown = now;
    fill(state,
      member.peerRuns ? h("div", {class: "verdict good"}, "The peer of this folder runs.") : [h("div", {class: "verdict warn"}, "No peer runs in this folder: questions and decisions wait until it does."), command(`./ngd peer run ${member.folder}`)],
      member.change ? h("div", {class: "verdict warn"}, h("div", {}, `Members are to change to ${member.change.join(", ")}; `, h("code", {}, "ngd peer confirm"), " agrees to it.")) : null,
      member.notTaken.map((why) => h("div", {class: "verdict bad", "data-not-taken": ""}, `The peer did not take ${why}`)));
    const waits = new Map(member.sites.map((site) => [site.name, member.questions.filter((question) => !question.over && question.awaited.includes(site.name)).length]));
    fill(sites, scroller("Sites", h("table", {},
      h("thead", {}, h("tr", {}, ["Site", "Hears", "Waited for by"].map((text) => h("th", {scope: "col"}, text)))),
      h("tbody", {}, member.sites.map((site) => h("tr", {"data-site": site.name}, h("th", {scope: "row"}, site.name, h("div", {class: "muted small"}, site.address)), h("td", {}, site.hears.join(", ")), h("td", {class: waits.get(site.name) ? "" : "muted"}, waits.get(site.name) ? count(waits.get(site.name), "question") : "–")))))),
      member.analysts.length ? h("p", {class: "muted small"}, `Members without data: ${member.analysts.join(", ")}.`) : null,
      member.status ? h("p", {class: "small"}, h("a", {href: "#/federation", onclick: () => sessionStorage.setItem("ngd-peers", member.status)}, "Watch this peer"), " to see whom it waits for.") : null);
    fill(list, member.questions.length ? member.questions.map((one) => question(member, one)) : h("div", {class: "empty"}, h("h2", {}, "Nothing asked yet"), h("p", {}, "What this member or others ask appears here.")));
  }

  function question(member, one) {
    const details = h("details", {open: opened.has(one.question), ontoggle: () => {
      if (details.open && !opened.has(one.question)) { opened.set(one.question, null); if (one.state === "answered") read(one); }
      if (!details.open) opened.delete(one.question);
    }}, h("summary", {title: "The question's words, what each site says, and the answer"}, one.state === "answered" ? "Answer and details" : "Details"), h("div", {class: "stack"},
      one.state === "answered" ? answerBox(one) : null,
      h("h3", {}, "As it was asked"),
      h("dl", {class: "pairs"}, Object.entries(one.words).filter(([, value]) => value !== "false").map(([key, value]) => [h("dt", {}, key), h("dd", {}, value === "true" ? "yes" : shortNumbers(value))]), h("dt", {}, "name"), h("dd", {}, h("code", {}, one.question)))));
    return h("article", {class: "question" + (one.mine ? " mine" : "") + (one.waitsHere ? " waits" : ""), "data-question": one.question, "data-state": one.state},
      h("div", {class: "row spread"}, h("code", {}, one.asks), h("span", {class: "badge " + TONES[one.state]}, one.state)),
      h("p", {class: "muted small"}, `No. ${one.number}, asked by ${one.mine ? "this member" : one.asker} on ${one.asked.slice(0, 16).replace("T", " ")} UTC`, one.over || !one.awaited.length ? "" : `; waits for ${one.awaited.join(", ")}`),
      h("ul", {class: "sitewords", "aria-label": "What each site says"}, Object.entries(one.decisions).map(([site, word]) => h("li", {}, h("span", {class: "badge " + SITES[word], "data-site": site}, `${site}: ${word}`)))),
      one.reasons.map((why) => h("div", {class: "verdict bad"}, why)),
      one.waitsHere && member.hasData ? decision(one) : null, details);
  }

  function decision(one) {
    const why = h("input", {value: refusing.get(one.question) ?? "", placeholder: "the asker is told", oninput: () => refusing.set(one.question, why.value)});
    const problem = h("div", {});
    const act = async (how, body) => {
      try {
        await ask(`members/${chosen}/${how}`, {question: one.question, ...body});
        say(how === "approve" ? "This site takes part." : "Refused; the asker is told why.");
        refusing.delete(one.question);
        await refresh();
      } catch (error) { fill(problem, trouble(error.message)); }
    };
    return h("div", {class: "stack"}, h("div", {class: "row bottom"},
      h("button", {type: "button", class: "primary", "data-act": "approve", title: "Let this site take part in this question", onclick: () => act("approve", {})}, "Approve"),
      field("Reason", why, "Why this site does not take part; the asker is told", {class: "grow"}),
      h("button", {type: "button", "data-act": "refuse", title: "Keep this site out of this question, for this reason", onclick: () => act("refuse", {why: why.value})}, "Refuse")), problem);
  }

  function answerBox(one) {
    const box = h("div", {class: "stack", "data-answer": one.question});
    const known = opened.get(one.question);
    if (known) present(box, one, known);
    return box;
  }

  async function read(one) {
    try {
      const {result, report} = await ask(`members/${chosen}/answer?question=${encodeURIComponent(one.question)}`);
      opened.set(one.question, {...result, report});
    } catch (error) {
      opened.set(one.question, {error: error.message});
    }
    const box = list.querySelector(`[data-answer="${one.question}"]`);
    if (box) present(box, one, opened.get(one.question));
  }

  function present(box, one, result) {
    if (result.error) return fill(box, trouble(result.error));
    const name = h("input", {placeholder: "my-answer"});
    const problem = h("div", {});
    const save = async () => {
      try {
        const saved = await ask(`members/${chosen}/save`, {question: one.question, name: name.value.trim()});
        fill(problem, h("div", {class: "verdict good"}, h("div", {}, "Saved: ", h("a", {href: "#/run?name=" + encodeURIComponent(saved.name)}, saved.name))));
      } catch (error) { fill(problem, trouble(error.message)); }
    };
    return fill(box,
      result.rows ? h("p", {class: "small"}, `${count(result.rows, "row")}${result.sites ? ` at ${count(result.sites, "site")}` : ""}${result.aic === undefined || result.aic === null ? "" : `, AIC ${number(result.aic)}`}`) : null,
      sections(result, result.report ? `/api/members/${chosen}/figure?question=${encodeURIComponent(one.question)}&format=svg` : undefined).map(([title, parts]) => h("div", {class: "stack", "data-part": title}, h("h3", {}, title), parts)),
      notes(result),
      exposure(result.exposure),
      h("form", {class: "row bottom", onsubmit: (event) => { event.preventDefault(); save(); }},
        result.report ? h("a", {class: "button", href: `/api/members/${chosen}/report?question=${encodeURIComponent(one.question)}`, target: "_blank", rel: "noopener", title: "The answer's page: figures, tests, calibration, residuals"}, "Full report") : null,
        field("Save as run", name, "A new folder below the one that the Runs page shows", {class: "grow"}),
        h("button", {type: "submit", title: "Write the answer as a run folder, as `ngd federation ask --out` does"}, "Save")), problem);
  }

  function askForm(member) {
    const before = (() => { try { return JSON.parse(sessionStorage.getItem(STORE)) ?? {}; } catch { return {}; } })();
    const controls = new Map();
    for (const key of member.keys) {
      const control = keyControl(key, before[key.name]);
      controls.set(key.name, key.name === "kind" ? select(KINDS, before.kind ?? "fit", {title: control.title, id: "kind"}) : control);
    }
    controls.get("family").placeholder = "gaussian; with Surv(…) cox";
    controls.get("formula").placeholder = "y ~ age + factor(smoker)";
    controls.get("algorithm").placeholder = "pooled";
    const label = {formula: "Model formula", columns: "Columns", by: "Groups", family: "Family", loss: "Loss", algorithm: "Method"};
    const kind = controls.get("kind");
    const fits = new Map(member.keys.map((key) => [key.name, key.kinds]));
    const boxes = new Map();
    const boxed = (name, element) => { boxes.set(name, element); return element; };
    const adapt = () => {
      for (const [name, element] of boxes) element.classList.toggle("hidden", !fits.get(name).includes(kind.value));
      for (const element of form.querySelectorAll("[data-group]")) element.classList.toggle("hidden", !groups.get(element.dataset.group).some((key) => fits.get(key.name).includes(kind.value)));
    };
    kind.addEventListener("change", adapt);
    const problem = h("div", {}), told = h("div", {class: "stack", id: "told"});
    const words = () => keyWords([...controls].filter(([name]) => fits.get(name).includes(kind.value) && !(name === "family" && controls.get("loss")?.value.trim())));
    const learn = async () => {
      fill(problem);
      try {
        const {statements} = await ask(`members/${chosen}/exposure`, {options: words()});
        fill(told, statements.map((one) => h("div", {class: "verdict plain statement"}, one)));
        return true;
      } catch (error) { fill(told); fill(problem, trouble(error.message)); return false; }
    };
    const send = async () => {
      sessionStorage.setItem(STORE, JSON.stringify(words()));
      if (!await learn()) return;
      try {
        await ask(`members/${chosen}/ask`, {options: words()});
        say("Asked.");
        await refresh();
      } catch (error) { fill(problem, trouble(error.message)); }
    };
    const groups = new Map();
    for (const key of member.keys) if (!FIRST.includes(key.name) && key.name !== "kind") groups.set(key.group, [...(groups.get(key.group) ?? []), key]);
    const form = h("form", {class: "stack", "aria-label": "Ask", onsubmit: (event) => { event.preventDefault(); send(); }},
      field("What", kind), FIRST.map((name) => member.keys.find((key) => key.name === name)).filter(Boolean).map((key) => boxed(key.name, keyField({...key, label: label[key.name]}, controls.get(key.name)))),
      [...groups].map(([group, keys]) => h("details", {"data-group": group, open: keys.some((key) => before[key.name])}, h("summary", {title: `Further options: ${group.toLowerCase()}`}, group), h("div", {class: "further"}, keys.map((key) => boxed(key.name, keyField(key, controls.get(key.name))))))),
      h("div", {class: "row"}, h("button", {type: "submit", class: "primary", id: "ask", title: "Sign the question with this member's key and hand it to its peer"}, "Ask"),
        h("button", {type: "button", id: "learn", title: "What sites could learn of each other from this question", onclick: learn}, "Who would learn what")), problem, told);
    adapt();
    return form;
  }

  async function refresh() {
    clearTimeout(timer);
    const whose = chosen;
    try {
      const next = await ask(`members/${whose}`);
      if (stopped) return;
      members[whose] = next;
      clearTimeout(timer);
      // An open form would lose what is typed in it.
      if (!list.contains(document.activeElement) || document.activeElement.tagName !== "INPUT") show();
    } catch (error) { if (!stopped) fill(state, trouble(error.message)); }
    if (!stopped) timer = setTimeout(refresh, EVERY);
  }

  build();
  timer = setTimeout(refresh, EVERY);
  return () => { stopped = true; clearTimeout(timer); };
}
