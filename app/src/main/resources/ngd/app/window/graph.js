// A network on a canvas: drawn fast enough for 200 clients to move and for 5,000 to be seen.
import {colour, onTheme} from "./dom.js";

const MARGIN = 40;

/**
 * The view of one network.
 *
 *  model.places  x and y of each client in turn, from −1 to 1
 *  model.links   pairs: client, the one it hears
 *  look(m)       {fill, ring, radius} of client m, radius in units of the even one
 */
export class GraphView {
  constructor(canvas, {look, label, onChange}) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.links = document.createElement("canvas");
    this.look = look;
    this.label = label ?? ((m) => String(m));
    this.onChange = onChange ?? (() => {});
    this.model = {clients: 0, places: [], links: []};
    this.view = {zoom: 1, x: 0, y: 0};
    this.marked = {clients: new Set(), link: null, suggested: []};
    this.stale = true;
    this.waiting = false;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement);
    this.offTheme = onTheme(() => { this.stale = true; this.draw(); });
    this.resize();
  }

  destroy() {
    this.observer.disconnect();
    this.offTheme();
    this.gone = true;
  }

  set(model) {
    this.model = model;
    this.stale = true;
    this.draw();
  }

  resize() {
    const width = this.canvas.parentElement.clientWidth;
    const height = Math.max(300, Math.min(width * 0.86, innerHeight - 250, 760));
    const ratio = devicePixelRatio || 1;
    if (this.width === width && this.height === height && this.ratio === ratio) return;
    Object.assign(this, {width, height, ratio});
    for (const canvas of [this.canvas, this.links]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.canvas.style.height = height + "px";
    this.stale = true;
    this.draw();
  }

  scale() { return (Math.min(this.width, this.height) / 2 - MARGIN) * this.view.zoom; }
  x(m) { return this.width / 2 + this.view.x + this.model.places[2 * m] * this.scale(); }
  y(m) { return this.height / 2 + this.view.y + this.model.places[2 * m + 1] * this.scale(); }

  /** The place of a point of the canvas, in the network's own units. */
  place(px, py) {
    return [(px - this.width / 2 - this.view.x) / this.scale(), (py - this.height / 2 - this.view.y) / this.scale()];
  }

  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.place(px, py);
    this.view.zoom = Math.max(0.5, Math.min(40, this.view.zoom * factor));
    this.view.x = px - this.width / 2 - x * this.scale();
    this.view.y = py - this.height / 2 - y * this.scale();
    this.stale = true;
    this.draw();
  }

  fit() {
    this.view = {zoom: 1, x: 0, y: 0};
    this.stale = true;
    this.draw();
  }

  detailed() { return this.model.clients * Math.min(1, 1 / this.view.zoom) <= 60; }

  /** The radius of a client with an even share. */
  even() {
    const room = Math.min(this.width, this.height) / (2.6 * Math.sqrt(Math.max(this.model.clients, 1)));
    return Math.max(1.4, Math.min(14, room * 0.36)) * Math.min(3, Math.max(1, Math.sqrt(this.view.zoom)));
  }

  radius(m) { return this.even() * Math.max(0.6, Math.min(2.6, this.look(m).radius ?? 1)); }

  draw() {
    if (this.waiting || this.gone) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; if (!this.gone) this.paint(); });
  }

  paint() {
    if (!this.width) return;
    if (this.stale) this.paintLinks();
    const pen = this.pen;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.links, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.paintMarkedLinks(pen);
    this.paintClients(pen);
  }

  paintLinks() {
    this.stale = false;
    const pen = this.links.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.links.width, this.links.height);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const {links} = this.model;
    pen.strokeStyle = pen.fillStyle = colour("link");
    pen.globalAlpha = links.length > 40000 ? 0.12 : links.length > 4000 ? 0.3 : links.length > 800 ? 0.6 : 1;
    pen.lineWidth = this.detailed() ? 1.3 : 0.7;
    pen.beginPath();
    for (let i = 0; i < links.length; i += 2) {
      const line = this.line(links[i + 1], links[i]);
      pen.moveTo(line.x0, line.y0);
      pen.lineTo(line.x1, line.y1);
    }
    pen.stroke();
    if (this.detailed()) {
      pen.beginPath();
      for (let i = 0; i < links.length; i += 2) this.head(pen, this.line(links[i + 1], links[i]));
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  /** From the one that is heard to the one that hears, short of its disc. */
  line(from, to) {
    const x0 = this.x(from), y0 = this.y(from), x = this.x(to), y = this.y(to);
    const length = Math.max(1e-6, Math.hypot(x - x0, y - y0));
    const short = this.detailed() ? Math.min(this.radius(to) + 2, length / 2) : 0;
    const dx = (x - x0) / length, dy = (y - y0) / length;
    return {x0, y0, x1: x - dx * short, y1: y - dy * short, dx, dy};
  }

  head(pen, {x1, y1, dx, dy}) {
    const length = Math.max(5, Math.min(9, this.even() * 0.8)), half = length * 0.42;
    pen.moveTo(x1, y1);
    pen.lineTo(x1 - length * dx + half * dy, y1 - length * dy - half * dx);
    pen.lineTo(x1 - length * dx - half * dy, y1 - length * dy + half * dx);
    pen.closePath();
  }

  paintMarkedLinks(pen) {
    const {link, suggested} = this.marked;
    const lines = suggested.map((one) => [one, true]);
    if (link) lines.push([link, false]);
    for (const [[client, other], dashed] of lines) {
      if (client >= this.model.clients || other >= this.model.clients) continue;
      const line = this.line(other, client);
      pen.strokeStyle = pen.fillStyle = colour(dashed ? "good" : "unheard");
      pen.lineWidth = 2.4;
      pen.setLineDash(dashed ? [6, 5] : []);
      pen.beginPath();
      pen.moveTo(line.x0, line.y0);
      pen.lineTo(line.x1, line.y1);
      pen.stroke();
      pen.setLineDash([]);
      pen.beginPath();
      this.head(pen, line);
      pen.fill();
    }
    if (this.rubber) {
      pen.strokeStyle = colour("accent");
      pen.lineWidth = 2;
      pen.setLineDash([5, 4]);
      pen.beginPath();
      pen.moveTo(this.x(this.rubber.from), this.y(this.rubber.from));
      pen.lineTo(this.rubber.x, this.rubber.y);
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  paintClients(pen) {
    const {clients} = this.model;
    const detailed = this.detailed();
    const surface = colour("surface"), text = colour("text"), accent = colour("accent");
    if (clients > 600) {
      // One path for each colour.
      const groups = new Map();
      for (let m = 0; m < clients; m++) {
        const look = this.look(m);
        const key = look.fill ?? look.ring;
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(m);
      }
      for (const [fill, members] of groups) {
        pen.fillStyle = fill;
        pen.beginPath();
        for (const m of members) {
          const r = this.radius(m), x = this.x(m), y = this.y(m);
          if (r < 2.2) pen.rect(x - r, y - r, 2 * r, 2 * r);
          else { pen.moveTo(x + r, y); pen.arc(x, y, r, 0, 2 * Math.PI); }
        }
        pen.fill();
      }
    } else {
      for (let m = 0; m < clients; m++) {
        const look = this.look(m);
        const r = this.radius(m), x = this.x(m), y = this.y(m);
        pen.beginPath();
        pen.arc(x, y, r, 0, 2 * Math.PI);
        pen.fillStyle = look.fill ?? surface;
        pen.fill();
        pen.lineWidth = look.ring ? Math.max(1.4, r / 4.5) : 1.4;
        pen.strokeStyle = look.ring ?? surface;
        pen.setLineDash(look.dashed ? [3, 3] : []);
        pen.stroke();
        pen.setLineDash([]);
      }
    }
    for (const m of this.marked.clients) {
      if (m >= clients) continue;
      pen.beginPath();
      pen.arc(this.x(m), this.y(m), this.radius(m) + 4, 0, 2 * Math.PI);
      pen.lineWidth = 2.2;
      pen.strokeStyle = accent;
      pen.stroke();
    }
    if (detailed) {
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.font = "600 11px Inter, system-ui, sans-serif";
      for (let m = 0; m < clients; m++) {
        const inside = this.radius(m) >= 9 && this.label(m).length < 3;
        const hollow = !this.look(m).fill;
        const y = this.y(m) + (inside ? 0.5 : -this.radius(m) - 8);
        if (!inside) {
          // A rim, so that links do not run through the word.
          pen.strokeStyle = surface;
          pen.lineWidth = 4;
          pen.lineJoin = "round";
          pen.strokeText(this.label(m), this.x(m), y);
        }
        pen.fillStyle = inside && !hollow ? surface : text;
        pen.fillText(this.label(m), this.x(m), y);
      }
    }
  }

  /** The client at a point of the canvas, or −1. */
  clientAt(px, py) {
    let best = -1, nearest = Infinity;
    for (let m = 0; m < this.model.clients; m++) {
      const distance = Math.hypot(this.x(m) - px, this.y(m) - py) - Math.max(this.radius(m), 7);
      if (distance < Math.min(4, nearest)) { best = m; nearest = distance; }
    }
    return best;
  }

  /** The link at a point of the canvas, as [client, other], or null. */
  linkAt(px, py) {
    const {links} = this.model;
    let best = null, nearest = 6;
    for (let i = 0; i < links.length; i += 2) {
      const ax = this.x(links[i + 1]), ay = this.y(links[i + 1]), bx = this.x(links[i]), by = this.y(links[i]);
      const length = Math.max(1e-6, (bx - ax) ** 2 + (by - ay) ** 2);
      const t = Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length));
      // Of a mutual pair the nearer end decides which of the two is meant.
      const distance = Math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay)) + (t < 0.5 ? 0.01 : 0);
      if (distance < nearest) { best = [links[i], links[i + 1]]; nearest = distance; }
    }
    return best;
  }

  /** The client nearest to another one in a direction: arrow keys walk over the picture. */
  neighbour(m, dx, dy) {
    let best = m, cost = Infinity;
    for (let k = 0; k < this.model.clients; k++) {
      const x = this.x(k) - this.x(m), y = this.y(k) - this.y(m);
      const along = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
      if (k !== m && along > 1 && along + 2.5 * aside < cost) { best = k; cost = along + 2.5 * aside; }
    }
    return best;
  }
}

/** Zoom buttons, Ctrl and the wheel, and what arrow keys do. */
export function zoomButtons(view) {
  const box = document.createElement("div");
  box.className = "zoom";
  for (const [text, name, action] of [["+", "Zoom in", () => view.zoom(1.4)], ["−", "Zoom out", () => view.zoom(1 / 1.4)], ["⤢", "Show all", () => view.fit()]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.setAttribute("aria-label", name);
    button.title = name + (name.startsWith("Zoom") ? " (Ctrl + wheel)" : "");
    button.addEventListener("click", action);
    box.append(button);
  }
  view.canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    view.zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
  }, {passive: false});
  return box;
}
