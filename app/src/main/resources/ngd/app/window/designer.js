// Page 1: draw a network and see its diagnosis at once.
import {GraphView, zoomButtons} from "./graph.js";
import {ask, colour, command, count, download, downloadDrawn, field, fill, h, number, say, scroller, select, trouble} from "./dom.js";

const KINDS = [
  ["central", "central: one centre"], ["circle", "circle: the next D"], ["fixed", "fixed: D drawn at random"],
  ["regular", "regular: D, all heard equally often"], ["ring", "ring: K on each side"], ["complete", "complete: everyone hears everyone"],
  ["torus", "torus: a closed grid"], ["exponential", "exponential: hops 1, 2, 4, …"],
  ["erdos-renyi", "erdos-renyi: each pair with probability P"], ["small-world", "small-world: ring with shortcuts"],
];
const PARAMETERS = {circle: ["2"], fixed: ["2"], regular: ["2"], ring: ["1"], "erdos-renyi": ["0.1"], "small-world": ["2", "0.1"]};
const LETTERS = {circle: ["D"], fixed: ["D"], regular: ["D"], ring: ["K"], "erdos-renyi": ["P"], "small-world": ["K", "P"]};
const STORE = "ngd-network";

/** The network as the other pages take it over: {clients, links, places, name, weights}. */
export function stored() {
  try { return JSON.parse(sessionStorage.getItem(STORE)); } catch { return null; }
}

export function edgeList(network) {
  if (network.csv) return network.csv;
  let csv = "client,hears\n";
  for (let i = 0; i < network.links.length; i += 2) csv += `${network.links[i]},${network.links[i + 1]}\n`;
  return csv;
}

/** A plan of a federation with these links; names, addresses and the formula are to be filled in. */
export function planOf(network) {
  const name = (m) => "site-" + m;
  const hears = Array.from({length: network.clients}, () => []);
  for (let i = 0; i < network.links.length; i += 2) hears[network.links[i]].push(name(network.links[i + 1]));
  const run = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const lines = ["# Written by the window: fill in names, addresses, formula and family; then see `ngd federation --help`.",
    "federation: federation", "run: " + run, "sites:",
    ...hears.map((_, m) => `  - {name: ${name(m)}, address: "localhost:${7400 + m}"}`),
    "hears:", ...hears.map((heard, m) => `  ${name(m)}: [${heard.join(", ")}]`),
    "weights: " + network.weights, "formula: y ~ x", "family: gaussian", ""];
  return lines.join("\n");
}

export async function render(main) {
  let network = stored() ?? {clients: 0, links: [], places: [], name: "", weights: "uniform"};
  let diagnosis = null;
  let tool = "move";
  let from = -1;
  let focus = -1;
  const past = [];

  const canvas = h("canvas", {tabindex: 0, role: "application", "aria-roledescription": "network drawing", "aria-label": "Network drawing", "aria-describedby": "keys"});
  const overlay = h("div", {class: "overlay hidden"}, h("div", {}, h("h2", {}, "Nothing drawn yet"), h("p", {}, "Choose “Add client” and click here, or generate a network by name.")));
  const box = h("div", {class: "canvas"}, canvas, overlay);
  const mutual = h("input", {type: "checkbox", id: "mutual", title: "Every link that is added goes both ways"});
  const undoButton = h("button", {type: "button", class: "smallish", disabled: true, title: "Take back the last change (Ctrl + Z)", onclick: undo}, "Undo");
  const tools = h("div", {class: "tools", role: "radiogroup", "aria-label": "Tool"}, [["move", "Move", "Move clients and the view"], ["client", "Add client", "Place clients by clicking"], ["link", "Add link", "Drag from the client that speaks to the one that listens"], ["delete", "Delete", "Remove clients and links by clicking"]].map(([value, text, title]) =>
    h("label", {title}, h("input", {type: "radio", title, name: "tool", value, checked: value === tool, onchange: () => { tool = value; from = -1; view.rubber = null; hint(); view.draw(); }}), h("span", {}, text))));
  const hintLine = h("p", {class: "footnote", id: "keys"});
  const panel = h("div", {class: "stack loose", "aria-live": "polite"});

  const kind = select(KINDS, "regular");
  const parameterBox = h("div", {class: "row"});
  const clients = h("input", {type: "number", min: 1, max: 5000, value: "20"});
  const weights = select([["uniform", "uniform"], ["metropolis", "metropolis"], ["lazy-metropolis", "lazy-metropolis"], ["lazy:0.5", "lazy:0.5"]], network.weights);
  const seed = h("input", {type: "number", value: "1"});
  const makeTrouble = h("div", {});
  const file = h("input", {type: "file", accept: ".csv,text/csv", class: "sr", title: "Edge list to import", id: "edges", "aria-label": "Edge list to import"});

  fill(main,
    h("div", {class: "head"},
      h("div", {}, h("h1", {}, "Network"), h("p", {}, "Who listens to whom decides what can be learned. Draw a network, or generate one by name, and see its diagnosis at once.")),
      h("div", {class: "row"},
        h("a", {class: "button primary", href: "#/try?drawn=1", title: "Run a method over this network", onclick: (event) => { if (!diagnosis?.usable) { event.preventDefault(); say("This network cannot be used yet: every client must hear another one."); } }}, "Try this network"))),
    h("div", {class: "designer"},
      h("div", {class: "stack loose"},
        h("section", {class: "card flush", "aria-label": "Drawing"},
          h("div", {class: "toolbar"}, tools,
            h("label", {class: "check", title: "Every link that is added goes both ways"}, mutual, "both ways"),
            h("span", {class: "row"}, undoButton,
              h("button", {type: "button", class: "smallish", title: "Place the clients so that links are short", onclick: layOut}, "Lay out"),
              h("button", {type: "button", class: "smallish", title: "Remove all clients and links", onclick: () => change({clients: 0, links: [], places: [], name: ""})}, "Clear"))),
          box, hintLine),
        h("section", {class: "card"}, h("h2", {}, "Edit without a pointer"), byHand())),
      h("div", {class: "stack loose"},
        h("section", {class: "card stack"}, h("h2", {}, "Generate"),
          h("form", {class: "stack", onsubmit: (event) => { event.preventDefault(); make(); }},
            h("div", {class: "fields"},
              field("Kind", kind, "The rule by which clients hear each other", {class: "wide"}), field("Clients", clients, "How many clients, up to 5,000"), parameterBox, field("Weights", weights, "How a client weighs what it hears"), field("Seed", seed, "Random seed: the same one draws the same network")),
            h("div", {class: "row"}, h("button", {type: "submit", class: "primary", title: "Draw this network in place of the one shown"}, "Generate"),
              h("button", {type: "button", title: "Read a CSV file with the columns client, hears and perhaps weight", onclick: () => file.click()}, "Import edge list"), file)),
          makeTrouble),
        panel)));

  const view = new GraphView(canvas, {look});
  box.append(zoomButtons(view));

  function parameters() {
    const names = LETTERS[kind.value] ?? [];
    fill(parameterBox, names.map((letter, i) => field(letter, h("input", {class: "narrow", value: PARAMETERS[kind.value][i], inputmode: "decimal"}), {D: "How many others each client hears", K: "How many neighbours on each side", P: "The probability of a link"}[letter])));
    parameterBox.classList.toggle("hidden", names.length === 0);
  }
  kind.addEventListener("change", parameters);
  parameters();

  function look(m) {
    const even = diagnosis?.pi && m < diagnosis.pi.length ? Math.sqrt(diagnosis.pi[m] * network.clients) : 1;
    const known = diagnosis && m < diagnosis.classOf.length;
    if (!known) return {fill: colour("class3"), radius: 1};
    if (diagnosis.deafSet.has(m)) return {ring: colour("muted"), dashed: true, radius: 1};
    if (diagnosis.unheardSet.has(m)) return {ring: colour("unheard"), radius: Math.max(0.8, even)};
    const own = diagnosis.classOf[m];
    if (!diagnosis.classes[own].closed) return {fill: colour("passing"), radius: even};
    return {fill: colour("class" + Math.min(3, diagnosis.closed.indexOf(own))), radius: even};
  }

  function hint() {
    hintLine.textContent = {
      move: "Drag a client to move it, the background to pan; Ctrl + wheel to zoom. Arrow keys move from client to client, Delete removes the selected one.",
      client: "Click to place a client.",
      link: "Drag from the client that speaks to the one that listens. Arrows show where parameters travel.",
      delete: "Click a client or a link to remove it.",
    }[tool];
    canvas.style.cursor = tool === "move" ? "default" : "crosshair";
  }

  // Changing the network.

  function change(changes, {remember = true} = {}) {
    if (remember) {
      past.push(JSON.stringify(network));
      if (past.length > 60) past.shift();
    }
    // Weights that a file states hold for its own links only.
    const links = changes.links ?? network.links;
    if (network.csv && links !== network.links && !changes.csv) say("The links are no longer those of the file: weights are now " + network.weights + ".");
    network = {...network, name: "", made: undefined, ...changes, csv: changes.csv ?? (links === network.links ? network.csv : undefined)};
    sessionStorage.setItem(STORE, JSON.stringify(network));
    view.marked = {clients: new Set(focus >= 0 && focus < network.clients ? [focus] : []), link: null, suggested: []};
    view.set(network);
    overlay.classList.toggle("hidden", network.clients > 0);
    undoButton.disabled = past.length === 0;
    diagnoseSoon();
  }

  function undo() {
    if (!past.length) return;
    network = JSON.parse(past.pop());
    change(network, {remember: false});
  }

  function addClient(x, y) {
    change({clients: network.clients + 1, places: [...network.places, x, y]});
    return network.clients - 1;
  }

  function hears(client, other) {
    for (let i = 0; i < network.links.length; i += 2) if (network.links[i] === client && network.links[i + 1] === other) return true;
    return false;
  }

  function addLinks(pairs) {
    const added = pairs.filter(([client, other]) => client !== other && !hears(client, other));
    if (added.length) change({links: [...network.links, ...added.flat()]});
  }

  function removeLink(client, other) {
    const links = [];
    for (let i = 0; i < network.links.length; i += 2) if (network.links[i] !== client || network.links[i + 1] !== other) links.push(network.links[i], network.links[i + 1]);
    change({links});
  }

  function removeClient(gone) {
    const links = [];
    const left = (m) => m > gone ? m - 1 : m;
    for (let i = 0; i < network.links.length; i += 2) if (network.links[i] !== gone && network.links[i + 1] !== gone) links.push(left(network.links[i]), left(network.links[i + 1]));
    focus = -1;
    change({clients: network.clients - 1, links, places: network.places.filter((_, i) => i >> 1 !== gone)});
  }

  async function make() {
    const word = [kind.value, ...[...parameterBox.querySelectorAll("input")].map((input) => input.value.trim())].join(":");
    await receive(() => ask("network/make", {network: word, clients: Number(clients.value), weights: weights.value, seed: Number(seed.value)}), word, {made: {word, seed: Number(seed.value)}});
  }

  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    const csv = await file.files[0].text();
    const name = file.files[0].name;
    file.value = "";
    await receive(() => ask("network/import", {csv}), name, /^.?client,hears,weight\s*$/.test(csv.split("\n")[0]) ? {csv} : {});
  });

  async function receive(request, name, origin) {
    fill(makeTrouble);
    try {
      const made = await request();
      focus = -1;
      change({clients: made.clients, links: made.links, places: made.places, name, weights: weights.value, csv: undefined, ...origin});
      view.fit();
      // What was made is diagnosed already, with what is known of its kind.
      clearTimeout(timer);
      present(made.diagnosis);
    } catch (error) {
      fill(makeTrouble, trouble(error.message));
    }
  }

  weights.addEventListener("change", () => change({weights: weights.value, name: network.name, made: network.made, links: [...network.links]}));

  async function layOut() {
    if (network.clients < 2) return;
    try {
      const {places} = await ask("network/layout", asked());
      change({places, name: network.name, made: network.made});
      view.fit();
    } catch (error) { say(error.message); }
  }

  // The diagnosis.

  let timer = 0, turn = 0;
  function diagnoseSoon() {
    clearTimeout(timer);
    timer = setTimeout(diagnose, network.clients > 600 ? 400 : 120);
  }

  function asked() { return network.csv ? {csv: network.csv} : {clients: network.clients, links: network.links, weights: network.weights}; }

  async function diagnose() {
    const mine = ++turn;
    if (network.clients === 0) {
      diagnosis = null;
      fill(panel, h("section", {class: "card"}, h("h2", {}, "Diagnosis"), h("p", {class: "muted"}, "Draw two clients and a link, and the diagnosis appears here.")));
      return;
    }
    try {
      const found = await ask("network/diagnosis", asked());
      if (mine !== turn) return;
      present(found);
    } catch (error) {
      if (mine !== turn) return;
      diagnosis = null;
      view.draw();
      fill(panel, h("section", {class: "card stack"}, h("h2", {}, "Diagnosis"), trouble(error.message)));
    }
  }

  async function spectrum(tile, mine) {
    try {
      const found = await ask("network/spectrum", asked());
      if (mine === turn) fill(tile, found.gap === null ? "–" : number(found.gap, 4), h("span", {class: "note"}, found.how === "dense" ? "from all eigenvalues" : found.how));
    } catch { if (mine === turn) fill(tile, "–"); }
  }

  function present(found) {
    const mine = ++turn;
    diagnosis = found;
    diagnosis.unheardSet = new Set(found.unheard);
    diagnosis.deafSet = new Set(found.deaf);
    diagnosis.closed = found.classes.map((_, c) => c).filter((c) => found.classes[c].closed);
    view.draw();
    const gap = h("dd", {id: "gap"}, "…");
    const closed = diagnosis.closed.length;
    const missing = [];
    for (let i = 0; i < found.missing.length; i += 2) missing.push([found.missing[i], found.missing[i + 1]]);
    const verdict = !found.usable ? ["bad", `${count(found.deaf.length, "client")} ${found.deaf.length === 1 ? "hears" : "hear"} nobody: not usable yet`]
      : found.irreducible ? ["good", "Everyone's data reaches everyone"]
      : closed > 1 ? ["bad", `The network falls into ${closed} closed classes: there is no common model`]
      : ["warn", `The data of ${count(found.transient.length, "client")} never reaches the estimate`];
    fill(panel,
      h("section", {class: "card stack", "aria-label": "Diagnosis"},
        h("div", {class: "row spread"}, h("h2", {}, "Diagnosis"), h("span", {class: "muted small"}, `${count(found.clients, "client")}, ${count(found.links, "link")}`)),
        h("div", {class: "verdict " + verdict[0], id: "verdict"}, verdict[1]),
        h("dl", {class: "tiles"},
          tile("SE(W)", number(found.se, 4), "se", found.expectedSe2 === null ? null : `expected ${number(Math.sqrt(found.expectedSe2), 4)}`),
          h("div", {class: "tile"}, h("dt", {}, "Spectral gap"), gap),
          tile("Heard by nobody", found.unheard.length, "unheard"),
          tile("In no closed class", found.transient.length, "transient"),
          tile("Closed classes", closed, "closed"),
          tile("Period", found.period, "period", found.period === 1 ? "mixing converges" : "mixing oscillates")),
        h("ul", {class: "legend", "aria-label": "Colours"},
          h("li", {}, h("span", {class: "dot"}), "closed class"), closed > 1 && h("li", {}, h("span", {class: "dot class1"}), "another closed class"),
          found.transient.length > found.unheard.length && h("li", {}, h("span", {class: "dot passing"}), "in no closed class"),
          found.unheard.length > 0 && h("li", {}, h("span", {class: "dot unheard"}), "heard by nobody"),
          !found.usable && h("li", {}, h("span", {class: "dot deaf"}), "hears nobody"),
          found.pi && h("li", {}, "area: share of π")),
        found.pi ? null : h("p", {class: "muted small"}, "π: " + found.piHow)),
      (found.warnings.length || missing.length) ? h("section", {class: "card stack"}, h("h2", {}, "What to change"),
        h("ul", {class: "advice", id: "advice"}, found.warnings.map((warning) => h("li", {}, warning.replaceAll("`", "")))),
        missing.length ? h("div", {class: "row"}, h("button", {type: "button", id: "repair", title: "Add the links shown dashed: then everyone's data reaches everyone",
          onmouseenter: () => suggest(missing), onmouseleave: () => suggest([]), onfocus: () => suggest(missing), onblur: () => suggest([]),
          onclick: () => addLinks(missing)}, `Add ${count(missing.length, "link")} that ${missing.length === 1 ? "connects" : "connect"} all`)) : null) : null,
      h("section", {class: "card stack"}, h("h2", {}, "Export"),
        h("div", {class: "row"},
          h("button", {type: "button", class: "smallish", title: "Download the links, for --network file:edges.csv", onclick: () => download("edges.csv", edgeList(network), "text/csv")}, "edges.csv"),
          h("button", {type: "button", class: "smallish", title: "Download a federation's plan with these links, to be filled in", onclick: plan}, "plan.yaml"),
          ["svg", "png", "pdf"].map((format) => h("button", {type: "button", class: "smallish", title: `Download the picture as ${format.toUpperCase()}`, onclick: () => picture(format)}, format.toUpperCase())),
          h("a", {class: "button smallish", href: "#/disclosure?drawn=1", title: "Who could learn what if these clients were sites"}, "Who can learn what")),
        command(line())),
      h("section", {class: "card"}, clientTable()));
    spectrum(gap, mine);
  }

  /** By name as long as nobody has drawn in it; what the command takes for granted is not said. */
  function line() {
    const weights = network.weights === "uniform" || network.csv ? "" : ` --weights ${network.weights}`;
    const seed = network.made && network.made.seed !== 1 ? ` --seed ${network.made.seed}` : "";
    return `./ngd network --network ${network.made?.word ?? "file:edges.csv"} --clients ${network.clients}${weights}${seed}`;
  }

  function suggest(links) {
    view.marked.suggested = links;
    view.draw();
  }

  function tile(name, value, id, note) {
    return h("div", {class: "tile"}, h("dt", {}, name), h("dd", {id}, String(value), note ? h("span", {class: "note"}, note) : null));
  }

  function clientTable() {
    const heard = new Array(network.clients).fill(0), hearing = new Array(network.clients).fill(0);
    for (let i = 0; i < network.links.length; i += 2) { hearing[network.links[i]]++; heard[network.links[i + 1]]++; }
    const shown = Math.min(network.clients, 100);
    return h("details", {}, h("summary", {title: "Whom each client hears, and its share of π"}, "Client by client"), scroller("Clients", h("table", {},
      h("thead", {}, h("tr", {}, ["client", "hears", "heard by", "share of π", "class"].map((text) => h("th", {scope: "col", class: text === "class" ? "" : "num"}, text)))),
      h("tbody", {}, Array.from({length: shown}, (_, m) => h("tr", {},
        h("th", {scope: "row", class: "num"}, m), h("td", {class: "num"}, hearing[m]), h("td", {class: "num"}, heard[m]),
        h("td", {class: "num"}, diagnosis.pi ? number(diagnosis.pi[m] * network.clients, 3) : "–"),
        h("td", {}, diagnosis.classes[diagnosis.classOf[m]].closed ? "closed" : "transient"))))),
      network.clients > shown ? h("p", {class: "muted small"}, `and ${count(network.clients - shown, "client")} more`) : null));
  }

  async function picture(format) {
    try {
      await downloadDrawn("network." + format, "network/figure", {...asked(), places: network.places, format, title: network.name || "drawn network"});
    } catch (error) { say(error.message); }
  }

  function plan() {
    download("plan.yaml", planOf(network), "text/yaml");
  }

  // The same without a pointer.

  function byHand() {
    const speaker = h("input", {type: "number", min: 0, class: "narrow"}), listener = h("input", {type: "number", min: 0, class: "narrow"}), gone = h("input", {type: "number", min: 0, class: "narrow"});
    const known = (input) => input.value !== "" && Number.isInteger(Number(input.value)) && Number(input.value) >= 0 && Number(input.value) < network.clients;
    const both = (action) => () => {
      if (!known(speaker) || !known(listener) || speaker.value === listener.value) return say(`Enter two different clients from 0 to ${network.clients - 1}.`);
      action(Number(listener.value), Number(speaker.value));
    };
    return h("div", {class: "row bottom"},
      h("button", {type: "button", id: "add-client", title: "Add a client beside the others", onclick: () => { const turnBy = network.clients * 2.39996, far = 0.25 + 0.6 * Math.sqrt(network.clients / (network.clients + 8)); addClient(far * Math.cos(turnBy), far * Math.sin(turnBy)); say(`Client ${network.clients - 1} added.`); }}, "Add client"),
      field("Listener", listener, "The client that listens, by its number"), field("hears", speaker, "The client that it hears, by its number"),
      h("button", {type: "button", title: "Let the listener hear the other client", onclick: both((client, other) => addLinks(mutual.checked ? [[client, other], [other, client]] : [[client, other]]))}, "Add link"),
      h("button", {type: "button", title: "Let the listener hear the other client no more", onclick: both((client, other) => hears(client, other) ? removeLink(client, other) : say(`Client ${client} does not hear ${other}.`))}, "Remove link"),
      field("Client", gone, "The client to remove, by its number"),
      h("button", {type: "button", title: "Remove this client and its links", onclick: () => known(gone) ? removeClient(Number(gone.value)) : say(`Enter a client from 0 to ${network.clients - 1}.`)}, "Remove client"));
  }

  // The pointer.

  let dragged = null;
  canvas.addEventListener("pointerdown", (event) => {
    const {offsetX: x, offsetY: y} = event;
    const hit = view.clientAt(x, y);
    canvas.focus({preventScroll: true});
    canvas.setPointerCapture(event.pointerId);
    if (tool === "client") { if (hit < 0) addClient(...view.place(x, y)); return; }
    if (tool === "delete") {
      const link = hit < 0 ? view.linkAt(x, y) : null;
      if (hit >= 0) removeClient(hit);
      else if (link) removeLink(...link);
      return;
    }
    if (tool === "link") {
      if (hit < 0) { from = -1; view.rubber = null; view.draw(); return; }
      if (from >= 0 && from !== hit) { finishLink(hit); return; }
      from = hit;
      view.rubber = {from, x, y};
      return;
    }
    dragged = hit >= 0 ? {client: hit, before: JSON.stringify(network)} : {ground: [x - view.view.x, y - view.view.y]};
    focusOn(hit);
  });
  canvas.addEventListener("pointermove", (event) => {
    const {offsetX: x, offsetY: y} = event;
    if (tool === "link" && from >= 0) { view.rubber = {from, x, y}; view.draw(); return; }
    if (!dragged) return;
    if (dragged.ground) { view.view.x = x - dragged.ground[0]; view.view.y = y - dragged.ground[1]; }
    else { [network.places[2 * dragged.client], network.places[2 * dragged.client + 1]] = view.place(x, y); dragged.moved = true; }
    view.stale = true;
    view.draw();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (tool === "link" && from >= 0) {
      const hit = view.clientAt(event.offsetX, event.offsetY);
      if (hit >= 0 && hit !== from) finishLink(hit);
    }
    if (dragged?.moved) {
      past.push(dragged.before);
      undoButton.disabled = false;
      sessionStorage.setItem(STORE, JSON.stringify(network));
    }
    dragged = null;
  });

  function finishLink(listener) {
    addLinks(mutual.checked ? [[listener, from], [from, listener]] : [[listener, from]]);
    from = -1;
    view.rubber = null;
    view.draw();
  }

  function focusOn(m) {
    focus = m;
    view.marked.clients = new Set(m >= 0 ? [m] : []);
    canvas.setAttribute("aria-label", m >= 0 && diagnosis ? `Network drawing, client ${m}${diagnosis.unheardSet.has(m) ? ", heard by nobody" : ""}` : "Network drawing");
    view.draw();
  }

  canvas.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (step && network.clients) {
      event.preventDefault();
      focusOn(focus < 0 || focus >= network.clients ? 0 : view.neighbour(focus, ...step));
    } else if ((event.key === "Delete" || event.key === "Backspace") && focus >= 0 && focus < network.clients) {
      event.preventDefault();
      removeClient(focus);
    } else if (event.key === "z" && (event.ctrlKey || event.metaKey)) undo();
    else if (event.key === "Escape") { from = -1; view.rubber = null; focusOn(-1); }
  });

  hint();
  if (network.clients) {
    change(network, {remember: false});
  } else await make();
  past.length = 0;
  undoButton.disabled = true;
  return () => { clearTimeout(timer); turn++; view.destroy(); };
}
