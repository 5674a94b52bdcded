// Page 2: a run on the server, watched and changed while it runs.
import {GraphView, zoomButtons} from "./graph.js";
import {Curves, numbersTable, words} from "./curves.js";
import {edgeList, stored} from "./designer.js";
import {ask, bytes, colour, command, count, field, fill, h, keyControl, keyField, keyWords, number, onTheme, say, select, tell, trouble} from "./dom.js";

const SHADES = 64;
const FORM = "ngd-try";
const STATES = {paused: ["accent", "paused"], playing: ["good", "running"], finished: ["good", "finished"], diverged: ["bad", "diverged"], ended: ["warn", "closed"]};

function mix(a, b, t) {
  const part = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return "#" + [0, 1, 2].map((i) => Math.round(part(a, i) + (part(b, i) - part(a, i)) * t).toString(16).padStart(2, "0")).join("");
}

/** From near (0) to far (SHADES − 1). */
function ramp() {
  const [near, mid, far] = ["near", "mid", "far"].map(colour);
  return Array.from({length: SHADES}, (_, i) => {
    const t = i / (SHADES - 1);
    return t < 0.5 ? mix(near, mid, 2 * t) : mix(mid, far, 2 * t - 1);
  });
}

export async function render(main, parameters) {
  const {methods, further} = await ask("trials/methods");
  const drawn = stored();
  const before = (() => { try { return JSON.parse(sessionStorage.getItem(FORM)) ?? {}; } catch { return {}; } })();
  const initial = {simulate: "logistic", rows: "10000", clients: "200", partition: "sorted", placement: "random", network: "regular:2", weights: "uniform", algorithm: "ngd", alpha: "0.05", rounds: "2000", seed: "1", ...before};
  if (parameters.has("drawn") && drawn?.clients) initial.useDrawn = true;

  let trial = null, source = null, colours = ramp(), shades = new Uint8Array(0), data = null, chosenLink = null, chosen = -1, state = "";

  const inputs = {
    simulate: select([["linear", "linear"], ["logistic", "logistic"], ["poisson", "Poisson"], ["survival", "survival"]], initial.simulate),
    rows: h("input", {inputmode: "numeric", value: initial.rows}),
    clients: h("input", {inputmode: "numeric", value: initial.clients}),
    partition: h("input", {value: initial.partition, list: "partitions"}),
    placement: select(["in-order", "random"], initial.placement),
    network: h("input", {value: initial.network, list: "networks"}),
    weights: select(["uniform", "metropolis", "lazy-metropolis", "lazy:0.5", "metropolis:rows"], initial.weights),
    algorithm: h("input", {value: initial.algorithm, list: "algorithms"}),
    alpha: h("input", {value: initial.alpha}),
    rounds: h("input", {inputmode: "numeric", value: initial.rounds}),
    seed: h("input", {inputmode: "numeric", value: initial.seed}),
  };
  const controls = new Map(further.map((key) => [key.name, keyControl(key, before.further?.[key.name])]));
  const useDrawn = h("input", {type: "checkbox", title: "Use the network of the Network page", checked: Boolean(initial.useDrawn && drawn?.clients), disabled: !drawn?.clients});
  const summary = h("p", {class: "muted small wide"});
  const formTrouble = h("div", {});
  const begin = h("button", {type: "submit", class: "primary", id: "begin", title: "Start a run with this setup"}, "Start");

  const form = h("form", {class: "card stack", "aria-label": "Setup", onsubmit: (event) => { event.preventDefault(); start(); }},
    h("h2", {}, "Setup"),
    h("div", {class: "fields"},
      field("Model", inputs.simulate, "The model that rows are simulated from"), field("Rows", inputs.rows, "Rows of all clients together, up to a million"),
      h("label", {class: "check wide", title: "Use the network of the Network page"}, useDrawn, drawn?.clients ? `The drawn network (${count(drawn.clients, "client")})` : "The drawn network (nothing drawn yet)"),
      field("Network", inputs.network, "Who hears whom: a kind with its parameters, such as regular:2"), field("Clients", inputs.clients, "How many clients, up to 5,000"),
      field("Weights", inputs.weights, "How a client weighs what it hears"), field("Seed", inputs.seed, "Random seed: the same one gives the same run"),
      field("Partition", inputs.partition, "How rows are dealt to clients: random, sorted, dirichlet:A"), field("Placement", inputs.placement, "Which client gets which piece"),
      field("Algorithm", inputs.algorithm, "The method; some take parameters after a colon", {class: "wide"}), summary,
      field("Step size α", inputs.alpha, "A number, a schedule such as 0.05,0.01@500 or 0.5/t, or auto"), field("Rounds", inputs.rounds, "How many rounds to run")),
    h("details", {open: Boolean(Object.keys(before.further ?? {}).length)}, h("summary", {title: "What else the method takes on the command line"}, "Further options"), h("div", {class: "further"}, further.map((key) => keyField(key, controls.get(key.name))))),
    h("datalist", {id: "partitions"}, ["random", "sorted", "dirichlet:0.3"].map((value) => h("option", {value}))),
    h("datalist", {id: "networks"}, ["central", "circle:1", "circle:2", "fixed:2", "regular:2", "regular:4", "ring:1", "complete", "torus", "exponential", "small-world:2:0.1"].map((value) => h("option", {value}))),
    h("datalist", {id: "algorithms"}, methods.map((method) => h("option", {value: method.name}, method.summary))),
    begin, formTrouble);

  function describeMethod() {
    const method = methods.find((one) => one.name === inputs.algorithm.value.split(":")[0]);
    summary.textContent = method ? method.summary : "";
    inputs.alpha.disabled = Boolean(method && !method.stepSize);
    inputs.network.disabled = inputs.clients.disabled = useDrawn.checked;
  }
  inputs.algorithm.addEventListener("input", describeMethod);
  useDrawn.addEventListener("change", describeMethod);
  describeMethod();

  const canvas = h("canvas", {tabindex: 0, role: "application", "aria-roledescription": "network", "aria-label": "The clients, coloured by their distance to the global estimate"});
  const overlay = h("div", {class: "overlay"}, h("div", {}, h("h2", {}, "No run yet"), h("p", {}, "Choose the setup and press Start. Each client is coloured by its distance to the pooled estimate, from the nearest to the farthest of the moment.")));
  const box = h("div", {class: "canvas"}, canvas, overlay);
  const play = h("button", {type: "button", class: "primary", id: "play", disabled: true, title: "Run, pause, or go on", onclick: togglePlay}, "Run");
  const steps = [[1, "Step"], [10, "Step 10"]].map(([rounds, text]) => h("button", {type: "button", disabled: true, "data-step": rounds, title: rounds === 1 ? "Do one round" : `Do ${rounds} rounds`, onclick: () => steer("step", {rounds})}, text));
  const speed = select([["20", "20 rounds/s"], ["100", "100 rounds/s"], ["500", "500 rounds/s"], ["0", "as fast as possible"]], "100", {"aria-label": "Speed", id: "speed", title: "Rounds a second"});
  speed.style.width = "auto";
  speed.addEventListener("change", () => { if (state === "playing") steer("play", {speed: Number(speed.value)}); });
  const badge = h("span", {class: "badge", id: "state"}, "not started");
  const roundLine = h("span", {class: "num", id: "round"}, "");
  const bar = h("progress", {max: 1, value: 0, "aria-label": "Rounds done"});
  const scaleLine = h("div", {class: "row small muted hidden"}, h("span", {}, "near"), h("span", {class: "ramp", "aria-hidden": "true"}), h("span", {}, "far"), h("span", {id: "scale", class: "num"}));
  const client = h("div", {class: "small"});

  const alpha = h("input", {class: "narrow", value: initial.alpha, id: "new-alpha"});
  const cutClient = h("input", {type: "number", class: "narrow", min: 0, id: "cut-client"}), cutOther = h("input", {type: "number", class: "narrow", min: 0, id: "cut-other"});
  const changeProblem = h("div", {});
  const intervene = h("section", {class: "card stack intervene hidden"}, h("h2", {}, "Intervene"),
    h("div", {class: "row bottom"}, field("α from now on", alpha, "A number, or numbers with the rounds from which they hold: 0.1,0.05@2000"), h("button", {type: "button", id: "change-alpha", title: "Go on with this step size", onclick: () => steer("alpha", {alpha: alpha.value})}, "Change α")),
    h("div", {class: "row bottom"}, field("Client", cutClient, "The client that listens, by its number"), field("no longer hears", cutOther, "The client that it hears now, by its number"), h("button", {type: "button", id: "cut", title: "Go on without this link", onclick: cut}, "Cut the link")),
    h("p", {class: "muted small"}, "Click a link in the picture to fill in its ends."), changeProblem);

  const line = command("");
  const unsaid = h("p", {class: "small", id: "unsaid"});
  const saveName = h("input", {id: "save-name", placeholder: "my-run"});
  const saveProblem = h("div", {});
  const saving = h("form", {class: "stack hidden", onsubmit: (event) => { event.preventDefault(); save(); }},
    h("div", {class: "row bottom"}, field("Save as", saveName, "The run's name: a new folder below the one that the Runs page shows", {class: "grow"}), h("button", {type: "submit", id: "save", title: "Write the run as it stands, as the command line would"}, "Save run")), saveProblem);
  const numbers = h("dl", {class: "tiles", id: "numbers"});
  const notes = h("div", {class: "stack"});
  const chartBox = h("div", {});
  const tableBox = h("div", {});
  const side = h("section", {class: "card stack hidden", "aria-label": "Curves"}, h("h2", {}, "Curves"), chartBox, tableBox);
  const waiting = h("section", {class: "card"}, h("div", {class: "empty"}, h("h2", {}, "Curves appear here"), h("p", {}, "log MSE, distance, consensus and gradient norm over the rounds. Drag to zoom in; double-click to show all.")));

  fill(main,
    h("div", {class: "head"}, h("div", {}, h("h1", {}, "Try it"), h("p", {}, "A run on this machine: pause it, change α, cut a link, and watch the effect. The numbers are those of the command line."))),
    h("div", {class: "trial"}, h("div", {class: "stack loose"}, form, intervene),
      h("div", {class: "stack loose"},
        h("section", {class: "card flush", "aria-label": "Clients"},
          h("div", {class: "toolbar"}, play, steps, speed, h("span", {class: "row"}, badge, roundLine)), bar, box,
          h("div", {class: "footnote stack"}, scaleLine, client)),
        h("section", {class: "card stack", "aria-live": "off"}, h("h2", {}, "Now"), numbers, notes, saving)),
      h("div", {class: "stack loose"}, waiting, side)));

  const view = new GraphView(canvas, {look: (m) => ({fill: colours[shades[m] >> 2] ?? colour("class3"), radius: 1})});
  box.append(zoomButtons(view));
  const curves = new Curves(chartBox);
  const offTheme = onTheme(() => { colours = ramp(); view.draw(); });
  fill(numbers, h("div", {class: "tile"}, h("dt", {}, "round"), h("dd", {}, "–")));

  async function start() {
    fill(formTrouble);
    begin.disabled = true;
    const options = Object.fromEntries(Object.entries(inputs).filter(([, input]) => !input.disabled).map(([name, input]) => [name, input.value]));
    sessionStorage.setItem(FORM, JSON.stringify({...Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value])), further: keyWords(controls)}));
    Object.assign(options, keyWords(controls));
    const body = {options};
    if (useDrawn.checked && drawn) {
      options.clients = String(drawn.clients);
      body.edges = edgeList(drawn);
      if (drawn.csv) delete options.weights;
    }
    try {
      const next = await ask("trials", body);
      end();
      trial = next;
      if (body.edges && drawn.places.length === 2 * trial.clients) trial.places = drawn.places;
      data = {name: "", rounds: [], values: Object.fromEntries(trial.measures.map((name) => [name, []]))};
      chosen = -1;
      chosenLink = null;
      canvas.dataset.trial = trial.id;
      view.marked = {clients: new Set(), link: null, suggested: []};
      view.fit();
      view.set({clients: trial.clients, places: trial.places, links: trial.links});
      for (const element of [overlay, waiting]) element.classList.add("hidden");
      for (const element of [side, intervene, scaleLine]) element.classList.remove("hidden");
      fill(client);
      fill(changeProblem);
      alpha.value = inputs.alpha.value;
      curves.zoomTo(null);
      fill(notes, trial.warnings.map((warning) => h("div", {class: "verdict warn"}, warning)),
        trial.safeAlpha ? h("p", {class: "muted small"}, `Safe limit: α below ${number(trial.safeAlpha, 4)}.`) : null,
        h("div", {}, h("span", {class: "label"}, "The same on the command line"), line), unsaid);
      tell(line.firstChild, trial.command);
      fill(unsaid);
      fill(saveProblem);
      saving.classList.remove("hidden");
      listen();
      await steer("play", {speed: Number(speed.value)});
    } catch (error) {
      fill(formTrouble, trouble(error.message));
    } finally {
      begin.disabled = false;
    }
  }

  function listen() {
    const id = trial.id;
    source = new EventSource(`/api/trials/${id}/events`);
    source.addEventListener("frame", (event) => { if (trial?.id === id) frame(JSON.parse(event.data)); });
    source.onerror = () => { if (trial?.id === id && state !== "ended") show("ended", "the server does not answer"); };
  }

  function frame(next) {
    const bin = atob(next.shades);
    if (shades.length !== bin.length) shades = new Uint8Array(bin.length);
    for (let i = 0; i < bin.length; i++) shades[i] = bin.charCodeAt(i);
    if (next.anew) {
      data.rounds = [];
      for (const name of trial.measures) data.values[name] = [];
    }
    for (const [round, ...values] of next.points) {
      if (data.rounds.at(-1) === round) {
        data.rounds.pop();
        for (const name of trial.measures) data.values[name].pop();
      }
      data.rounds.push(round);
      trial.measures.forEach((name, i) => data.values[name].push(values[i]));
    }
    trial.marks = next.marks;
    tell(line.firstChild, next.command);
    if (unsaid.textContent !== next.unsaid) unsaid.textContent = next.unsaid;
    show(next.state, next.message, next);
    view.draw();
    curves.set([data], next.marks);
  }

  function show(name, message, next) {
    const changed = state !== name;
    state = name;
    badge.className = "badge " + STATES[name][0];
    badge.textContent = STATES[name][1];
    play.disabled = name === "diverged" || name === "ended";
    play.textContent = name === "playing" ? "Pause" : name === "finished" ? "Continue" : "Run";
    for (const button of steps) button.disabled = play.disabled;
    if (!next) return;
    roundLine.textContent = `round ${next.round.toLocaleString("en")} of ${next.end.toLocaleString("en")}`;
    bar.max = Math.max(1, next.end);
    bar.value = next.round;
    document.getElementById("scale").textContent = next.nearest === null ? "" : `${number(next.nearest, 3)} to ${number(next.farthest, 3)} now${trial.toGlobal ? "" : " from the mean"}`;
    fill(numbers, trial.measures.map((measure) => {
      const value = data.values[measure].at(-1);
      return h("div", {class: "tile"}, h("dt", {}, words(measure).split(":")[0]), h("dd", {"data-measure": measure, "data-exact": String(value)}, number(value, 4)));
    }), h("div", {class: "tile"}, h("dt", {}, "sent in total"), h("dd", {}, bytes(next.bytes))));
    if (changed && name === "diverged") fill(changeProblem, trouble(message));
    if (changed) fill(tableBox, name === "playing" ? null : numbersTable([data]));
    if (chosen >= 0 && name !== "playing") showClient(chosen);
  }

  async function steer(how, body) {
    fill(changeProblem);
    try {
      await ask(`trials/${trial.id}/${how}`, body);
      return true;
    } catch (error) {
      fill(changeProblem, trouble(error.message));
      return false;
    }
  }

  async function save() {
    fill(saveProblem);
    try {
      const {name, rounds} = await ask(`trials/${trial.id}/save`, {name: saveName.value.trim()});
      fill(saveProblem, h("div", {class: "verdict good"}, h("div", {}, `Saved after ${count(rounds, "round")}: `, h("a", {href: "#/run?name=" + encodeURIComponent(name)}, name))));
    } catch (error) {
      fill(saveProblem, trouble(error.message));
    }
  }

  function togglePlay() {
    if (state === "playing") steer("pause", {});
    else if (state === "finished") steer("more", {});
    else steer("play", {speed: Number(speed.value)});
  }

  async function cut() {
    const [one, other] = [Number(cutClient.value), Number(cutOther.value)];
    if (cutClient.value === "" || cutOther.value === "") return fill(changeProblem, trouble("Enter both ends of the link."));
    if (!await steer("cut", {client: one, other})) return;
    const links = [];
    for (let i = 0; i < trial.links.length; i += 2) if (trial.links[i] !== one || trial.links[i + 1] !== other) links.push(trial.links[i], trial.links[i + 1]);
    trial.links = links;
    view.marked.link = null;
    view.set({clients: trial.clients, places: trial.places, links});
    say(`Client ${one} no longer hears ${other}.`);
  }

  async function showClient(m) {
    try {
      const found = await ask(`trials/${trial.id}/client?client=${m}`);
      fill(client, h("strong", {}, `Client ${m}`), found.distance === null ? "" : ` is ${number(found.distance)} from the global estimate. `,
        found.names.slice(0, 8).map((name, j) => `${name} ${number(found.theta[j], 4)}`).join(", ") + (found.names.length > 8 ? ", …" : ""));
    } catch { fill(client); }
  }

  let pressed = null;
  canvas.addEventListener("pointerdown", (event) => { pressed = {x: event.offsetX, y: event.offsetY, at: [event.offsetX - view.view.x, event.offsetY - view.view.y], far: false}; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!pressed) return;
    pressed.far ||= Math.hypot(event.offsetX - pressed.x, event.offsetY - pressed.y) > 5;
    if (!pressed.far) return;
    view.view.x = event.offsetX - pressed.at[0];
    view.view.y = event.offsetY - pressed.at[1];
    view.stale = true;
    view.draw();
  });
  canvas.addEventListener("pointerup", (event) => {
    const moved = pressed?.far;
    pressed = null;
    if (!trial || moved) return;
    const hit = view.clientAt(event.offsetX, event.offsetY);
    const link = hit < 0 ? view.linkAt(event.offsetX, event.offsetY) : null;
    choose(hit);
    chosenLink = link;
    view.marked.link = link;
    if (link) [cutClient.value, cutOther.value] = link;
    view.draw();
  });

  function choose(m) {
    chosen = m;
    view.marked.clients = new Set(m >= 0 ? [m] : []);
    if (m >= 0) showClient(m);
    else fill(client);
    view.draw();
  }

  canvas.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (step && trial) { event.preventDefault(); choose(chosen < 0 ? 0 : view.neighbour(chosen, ...step)); }
    else if (event.key === " " && trial) { event.preventDefault(); togglePlay(); }
  });

  function end() {
    source?.close();
    if (trial) fetch(`/api/trials/${trial.id}`, {method: "DELETE", keepalive: true}).catch(() => {});
    trial = null;
    state = "";
  }

  return () => { end(); offTheme(); curves.destroy(); view.destroy(); };
}
