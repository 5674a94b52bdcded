// Page 4: real peers, as they report themselves.
import {GraphView, zoomButtons} from "./graph.js";
import {ask, bytes, colour, command, field, fill, h, number, scroller, trouble} from "./dom.js";

const STORE = "ngd-peers";

function time(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  const s = Math.round(seconds);
  const text = s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, "0")} s` : `${Math.floor(s / 3600)} h ${String(Math.floor(s / 60) % 60).padStart(2, "0")} min`;
  return text.replaceAll(" ", "\u00a0");
}

export async function render(main) {
  const {declared} = await ask("peers");
  const addresses = h("input", {id: "addresses", placeholder: "127.0.0.1:7001, 127.0.0.1:7002", value: sessionStorage.getItem(STORE) ?? declared.join(", ")});
  const problem = h("div", {});
  const place = h("div", {});
  let source = null, view = null, peers = [];
  const known = new Map();

  fill(main,
    h("div", {class: "head"}, h("div", {}, h("h1", {}, "Federation"), h("p", {}, "Running peers, through their status ports. No data and no parameters pass through here."))),
    h("div", {class: "stack loose"},
      h("form", {class: "card stack", onsubmit: (event) => { event.preventDefault(); watch(); }},
        h("div", {class: "row bottom"}, field("Status addresses of the peers", addresses, "host:port of each peer's status port, as `ngd peer run` prints it; separated by commas", {class: "grow"}), h("button", {type: "submit", class: "primary", id: "watch", title: "Ask these peers how they are, again and again"}, "Watch")), problem),
      place));

  function empty() {
    fill(place, h("section", {class: "card"}, h("div", {class: "empty"}, h("h2", {}, "No peers yet"), h("p", {}, "Enter the status addresses of peers on this machine. Peers on other machines are given on the command line:"), command("./ngd ui --peer site-a.example:7001,site-b.example:7001"))));
  }

  const canvas = h("canvas", {role: "img", "aria-label": "The peers and who hears whom"});
  const box = h("div", {class: "canvas"}, canvas);
  const summary = h("dl", {class: "tiles"});
  const rows = h("tbody", {});
  const inLine = h("section", {class: "card stack hidden", id: "in-line"});

  function watch() {
    source?.close();
    const list = addresses.value.split(/[\s,]+/).filter(Boolean);
    sessionStorage.setItem(STORE, list.join(", "));
    fill(problem);
    if (!list.length) return empty();
    known.clear();
    const query = list.map((one) => "at=" + encodeURIComponent(one)).join("&");
    fill(place, h("div", {class: "federation"},
      h("section", {class: "card flush", "aria-label": "Picture"}, box, h("ul", {class: "legend footnote", "aria-label": "Colours"}, h("li", {}, h("span", {class: "dot good"}), "running"), h("li", {}, h("span", {class: "dot waiting"}), "waiting for another"), h("li", {}, h("span", {class: "dot silent"}), "does not answer"))),
      h("div", {class: "stack loose"}, h("section", {class: "card stack"}, h("h2", {}, "Summary"), summary),
        h("section", {class: "card flush"}, scroller("Peers", h("table", {},
          h("thead", {}, h("tr", {}, [["Peer"], ["State"], ["Round"], ["Waits for"], ["Spread", 1], ["Sent", 1], ["Received", 1], ["Rejected", 1], ["Left", 1]].map(([text, numeric]) => h("th", {scope: "col", class: numeric ? "num" : ""}, text)))), rows))), inLine)));
    view ??= new GraphView(canvas, {look, label: (m) => title(peers[m])});
    if (!box.querySelector(".zoom")) box.append(zoomButtons(view));
    source = new EventSource("/api/peers/events?" + query);
    source.addEventListener("peers", (event) => show(JSON.parse(event.data).peers));
    source.onerror = async () => {
      if (source.readyState !== EventSource.CLOSED) return;
      try { await ask("peers/events?" + query); } catch (error) { fill(problem, trouble(error.message)); empty(); }
    };
  }

  /** What a silent peer last said stays, in grey. */
  function show(next) {
    peers = next.map((peer) => {
      const before = known.get(peer.at) ?? {};
      const merged = peer.silent ? {...before, ...peer} : peer;
      // In every round everyone waits a moment; who stands still from one look to the next really waits.
      merged.still = !peer.silent && before.round === peer.round;
      known.set(peer.at, peer.silent ? before : peer);
      return merged;
    });
    const index = new Map(peers.map((peer, m) => [title(peer), m]));
    const links = [];
    peers.forEach((peer, m) => {
      for (const {name} of peer.neighbours ?? []) if (index.has(name)) links.push(m, index.get(name));
    });
    const places = peers.flatMap((_, m) => [Math.sin(2 * Math.PI * m / peers.length), -Math.cos(2 * Math.PI * m / peers.length)]);
    view.set({clients: peers.length, places: peers.length === 1 ? [0, 0] : places, links});
    const awake = peers.filter((peer) => !peer.silent);
    const total = (tally) => awake.reduce((sum, peer) => sum + (tally(peer) ?? 0), 0);
    const slowest = awake.reduce((least, peer) => Math.min(least, peer.round ?? Infinity), Infinity);
    fill(summary,
      tile("Answering", `${awake.length} of ${peers.length}`), tile("Slowest round", Number.isFinite(slowest) ? slowest.toLocaleString("en") : "–"),
      tile("Waiting", awake.filter(waits).length), tile("Sent", bytes(total(sent))), tile("Rejected", total(rejected)));
    fill(rows, peers.map(row));
    questions();
  }

  /** The questions of standing peers, each once, with those that it waits for. */
  function questions() {
    const known = new Map();
    for (const peer of peers) for (const one of peer.questions ?? []) known.set(one.name, one);
    inLine.classList.toggle("hidden", known.size === 0);
    fill(inLine, h("h2", {}, "Questions in line"), h("ul", {class: "advice"}, [...known.values()].map((one) => h("li", {}, h("code", {}, one.asks), ` of ${one.asker}: ${one.state}${one.awaited?.length ? (one.state === "running" ? " at " : " for ") + one.awaited.join(", ") : ""}`))),
      h("p", {class: "muted small"}, h("a", {href: "#/questions"}, "Questions"), " shows them in full, for members whose folders this window has."));
  }

  function title(peer) { return peer?.site ?? peer?.at ?? ""; }
  function over(peer, tally) { return peer.neighbours ? peer.neighbours.reduce((sum, one) => sum + tally(one), 0) : undefined; }
  function sent(peer) { return over(peer, (one) => one.bytesOut ?? 0); }
  function received(peer) { return over(peer, (one) => one.bytesIn ?? 0); }
  function rejected(peer) { return over(peer, (one) => Object.values(one.rejected ?? {}).reduce((sum, n) => sum + n, 0)); }
  function waits(peer) { return peer.still && peer.state !== "done" && (peer.waitingFor ?? []).length > 0; }
  function missing(peer) {
    const sites = [...(peer.unreachable ?? []).map((site) => `${site} is out of reach`), ...(peer.busy ?? []).map((site) => `${site} is busy`)];
    return waits(peer) && peer.waitingSeconds >= 2 ? h("div", {class: "muted small"}, `${time(peer.waitingSeconds)}: ${sites.join(", ") || peer.waitingReason}`) : null;
  }
  function tile(name, value) { return h("div", {class: "tile"}, h("dt", {}, name), h("dd", {}, String(value))); }
  function look(m) {
    const peer = peers[m];
    return {fill: colour(!peer || peer.silent ? "silent" : peer.failure ? "bad" : waits(peer) ? "passing" : "class1"), radius: 1.2};
  }

  function badge(peer) {
    if (peer.silent) return h("span", {class: "badge"}, peer.silent);
    if (peer.failure) return h("span", {class: "badge bad", title: peer.failure}, "failed");
    return waits(peer) ? h("span", {class: "badge warn"}, peer.stalled ? "stalled" : "waiting") : h("span", {class: "badge good"}, peer.state ?? "running");
  }

  function row(peer) {
    const done = peer.rounds ? peer.round / peer.rounds : null;
    const refused = Object.entries((peer.neighbours ?? []).reduce((all, one) => { for (const [why, n] of Object.entries(one.rejected ?? {})) all[why] = (all[why] ?? 0) + n; return all; }, {}));
    return h("tr", {class: peer.silent ? "gone" : "", "data-peer": title(peer), "data-silent": String(Boolean(peer.silent))},
      h("th", {scope: "row"}, title(peer), peer.site ? h("div", {class: "muted small"}, peer.at) : null),
      h("td", {}, badge(peer), peer.stage && !peer.silent ? h("div", {class: "muted small"}, peer.stage) : null, peer.failure ? h("div", {class: "small"}, peer.failure) : null),
      h("td", {class: "num"}, peer.round === undefined ? "–" : `${peer.round.toLocaleString("en")}${peer.rounds ? " of " + peer.rounds.toLocaleString("en") : ""}`, done === null ? null : h("progress", {max: 1, value: done, "aria-label": "Rounds of " + title(peer)})),
      h("td", {class: waits(peer) ? "" : "muted"}, (peer.waitingFor ?? []).join(", ") || "–", missing(peer)),
      h("td", {class: "num"}, number(peer.spread, 3)), h("td", {class: "num"}, bytes(sent(peer))), h("td", {class: "num"}, bytes(received(peer))),
      h("td", {class: "num"}, rejected(peer) ?? "–", refused.map(([why, n]) => h("div", {class: "muted small"}, `${why} ${n}`))), h("td", {class: "num"}, peer.silent ? "–" : time(peer.secondsLeft)));
  }

  if (addresses.value.trim()) watch();
  else empty();
  return () => { source?.close(); view?.destroy(); };
}
