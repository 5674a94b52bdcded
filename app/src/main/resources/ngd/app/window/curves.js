// Curves over rounds: one chart for each thing measured, with zoom and values under the pointer.
import {colour, fill, h, number, onTheme, scroller} from "./dom.js";

const WORDS = {
  log_mse: "log MSE to the truth",
  distance: "distance to the global estimate",
  consensus: "consensus: distance to the clients' mean",
  gradient_norm: "norm of the pooled gradient",
  mean_err: "mean error of the clients on test data",
  log_sd: "log of the errors' standard deviation",
};
// As in the figures on paper: after eight the colours come again with other dashes, so that 64 differ.
const COLOURS = 8;
const DASHES = [[], [7, 3], [8, 3, 2, 3], [3, 2], [11, 3], [5, 2, 1, 2], [2, 2], [6, 2, 2, 2, 2, 2]];
const COSTS = new Set(["epoch", "messages", "bytes", "gradients", "simulated_seconds"]);

/** The look of the i-th curve. */
export function look(i) {
  return {colour: colour("series" + i % COLOURS), dash: DASHES[(i + 5 * Math.floor(i / COLOURS)) % DASHES.length]};
}

/** A stretch of the i-th curve, for legends. */
export function sample(i) {
  const {dash} = look(i);
  const stroke = `var(--series${i % COLOURS})`;
  const make = (tag, properties) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
    return element;
  };
  const svg = make("svg", {width: 38, height: 10, viewBox: "0 0 38 10", class: "swatch", "aria-hidden": "true"});
  svg.append(make("line", {x1: 0, x2: 38, y1: 5, y2: 5, stroke, "stroke-width": 2.2, "stroke-dasharray": dash.join(" ")}));
  return svg;
}

/** Whether a measure is a logarithm already; of all others the natural logarithm is drawn. */
const isLog = (measure) => measure.startsWith("log_");

export function words(measure) {
  return WORDS[measure] ?? measure.replaceAll("_", " ");
}

/** Leaves out the number at an end of the axis where it would run into its neighbour's. */
function apart(scale) {
  const wide = (tick) => 7 * tick.value.toLocaleString("en").length;
  const near = (one, other) => Math.abs(one.value - other.value) / (scale.max - scale.min) * (scale.chart.width - 70) < (wide(one) + wide(other)) / 2 + 10;
  if (scale.ticks.length > 2 && near(scale.ticks.at(-1), scale.ticks.at(-2))) scale.ticks.pop();
  if (scale.ticks.length > 2 && near(scale.ticks[0], scale.ticks[1])) scale.ticks.shift();
}

/** The heading of a chart: every chart of a page has natural logarithms. */
function title(measure) {
  return isLog(measure) ? words(measure) : "log " + words(measure);
}

/** Charts for some runs: series of {name, rounds, values: {measure: […]}}. */
export class Curves {
  constructor(box, {named = false, height} = {}) {
    this.box = box;
    this.named = named;
    this.charts = new Map();
    this.series = [];
    this.marks = [];
    this.range = null;
    this.reset = h("button", {type: "button", class: "smallish hidden", title: "Show the whole course again", onclick: () => this.zoomTo(null)}, "Show all rounds");
    this.key = h("ul", {class: "series" + (named ? "" : " hidden")});
    this.body = h("div", {class: "curves"});
    this.height = height;
    fill(box, h("div", {class: "row spread"}, this.key, this.reset), this.body);
    this.offTheme = onTheme(() => this.restyle());
  }

  destroy() {
    this.offTheme();
    for (const {chart} of this.charts.values()) chart.destroy();
  }

  /** Shows other series. */
  set(series, marks = []) {
    this.series = series;
    this.marks = marks;
    const measures = [...new Set(series.flatMap((one) => Object.keys(one.values)))].filter((name) => !COSTS.has(name));
    for (const measure of measures) if (!this.charts.has(measure)) this.add(measure);
    for (const [measure, entry] of [...this.charts]) {
      if (measures.includes(measure)) continue;
      entry.chart.destroy();
      entry.part.remove();
      this.charts.delete(measure);
    }
    fill(this.key, this.named ? series.map((one, i) => h("li", {}, sample(i), one.name)) : []);
    for (const measure of measures) this.update(measure);
  }

  add(measure) {
    const canvas = h("canvas", {role: "img", "aria-label": title(measure) + " over the rounds"});
    const now = h("span", {class: "now"});
    const holder = h("div", {class: "chart"}, canvas);
    if (this.height) holder.style.height = this.height + "px";
    const part = h("div", {}, h("h3", {}, title(measure), now), holder);
    this.body.append(part);
    const chart = new window.Chart(canvas, {
      type: "line",
      data: {datasets: []},
      options: {
        animation: false, parsing: false, normalized: true, maintainAspectRatio: false, responsive: true,
        interaction: {mode: "nearest", axis: "x", intersect: false},
        scales: {
          x: {type: "linear", bounds: "data", afterBuildTicks: apart, ticks: {maxTicksLimit: 7, maxRotation: 0, includeBounds: false}},
          y: {type: "linear", ticks: {maxTicksLimit: 6, callback: (value) => number(value, 3)}},
        },
        plugins: {
          legend: {display: false},
          tooltip: {
            displayColors: this.named, animation: false,
            callbacks: {
              title: (items) => items.length ? "round " + items[0].parsed.x.toLocaleString("en") : "",
              label: (item) => (this.named ? item.dataset.label + ": " : "") + number(item.parsed.y) + (isLog(measure) ? "" : ` (that is ${number(Math.exp(item.parsed.y))})`),
            },
          },
        },
        elements: {point: {radius: 0, hitRadius: 8, hoverRadius: 4}, line: {borderWidth: 1.9, tension: 0}},
      },
      plugins: [{id: "marks", afterDatasetsDraw: (drawn) => this.drawMarks(drawn)}],
    });
    this.charts.set(measure, {chart, part, now, canvas});
    this.dress(chart);
    this.allowZoom(canvas, chart);
  }

  update(measure) {
    const {chart, now, canvas} = this.charts.get(measure);
    chart.data.datasets = this.series.filter((one) => measure in one.values).map((one) => {
      const i = this.series.indexOf(one);
      const values = one.values[measure];
      const data = [];
      for (let k = 0; k < values.length; k++) {
        const y = isLog(measure) || values[k] === null ? values[k] : Math.log(values[k]);
        if (y !== null && Number.isFinite(y)) data.push({x: one.rounds[k], y});
      }
      const {colour: line, dash} = look(i);
      return {label: one.name, data, borderColor: line, backgroundColor: line, borderDash: this.named ? dash : []};
    });
    // The same stretch in all charts, though what is zero has no logarithm to be drawn.
    const ends = this.series.flatMap((one) => one.rounds.length ? [one.rounds[0], one.rounds.at(-1)] : []);
    chart.options.scales.x.min = this.range?.[0] ?? Math.min(0, ...ends);
    chart.options.scales.x.max = this.range?.[1] ?? Math.max(1, ...ends);
    const last = this.series.length === 1 ? this.series[0].values[measure]?.at(-1) : undefined;
    const shown = last === undefined || last === null ? "" : number(isLog(measure) ? last : Math.log(last));
    now.textContent = shown;
    canvas.setAttribute("aria-label", title(measure) + " over the rounds" + (shown ? ", now " + shown : ""));
    chart.update("none");
  }

  dress(chart) {
    const muted = colour("muted"), line = colour("line");
    for (const scale of Object.values(chart.options.scales)) {
      scale.ticks.color = muted;
      scale.ticks.font = {family: "Inter, system-ui, sans-serif", size: 11};
      scale.grid = {color: line, drawTicks: false};
      scale.border = {display: false};
    }
    Object.assign(chart.options.plugins.tooltip, {
      backgroundColor: colour("text"), titleColor: colour("ground"), bodyColor: colour("ground"),
      titleFont: {family: "Inter, sans-serif", weight: 500}, bodyFont: {family: "Inter, sans-serif"}, padding: 9, cornerRadius: 6,
    });
  }

  restyle() {
    for (const [measure, {chart}] of this.charts) {
      this.dress(chart);
      this.update(measure);
    }
    this.set(this.series, this.marks);
  }

  drawMarks(chart) {
    const pen = chart.ctx, {left, right, top, bottom} = chart.chartArea;
    pen.save();
    pen.font = "11px Inter, sans-serif";
    for (const mark of this.marks) {
      const x = chart.scales.x.getPixelForValue(mark.round);
      if (x < left || x > right) continue;
      pen.strokeStyle = pen.fillStyle = colour("unheard");
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(x, top);
      pen.lineTo(x, bottom);
      pen.stroke();
      const wide = pen.measureText(mark.text).width;
      pen.fillText(mark.text, x + 5 + wide > right ? x - wide - 5 : x + 5, top + 11);
    }
    if (chart.$pulled) {
      pen.fillStyle = colour("accent");
      pen.globalAlpha = 0.18;
      pen.fillRect(Math.min(...chart.$pulled), top, Math.abs(chart.$pulled[0] - chart.$pulled[1]), bottom - top);
    }
    pen.restore();
  }

  /** A stretch pulled open with the pointer is shown alone, in all charts. */
  allowZoom(canvas, chart) {
    let start = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") return;
      start = event.offsetX;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (start === null) return;
      chart.$pulled = [start, event.offsetX];
      chart.draw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (start === null) return;
      const from = chart.scales.x.getValueForPixel(Math.min(start, event.offsetX));
      const to = chart.scales.x.getValueForPixel(Math.max(start, event.offsetX));
      const far = Math.abs(event.offsetX - start) > 8;
      start = null;
      chart.$pulled = null;
      if (far) this.zoomTo([Math.max(0, Math.floor(from)), Math.ceil(to)]);
      else chart.draw();
    });
    canvas.addEventListener("dblclick", () => this.zoomTo(null));
  }

  zoomTo(range) {
    this.range = range;
    this.reset.classList.toggle("hidden", !range);
    for (const measure of this.charts.keys()) this.update(measure);
  }
}

/** The same numbers as a table, for those who do not see curves. */
export function numbersTable(series, rows = 25) {
  return h("details", {}, h("summary", {title: "The numbers behind the curves"}, "Show as table"), series.map((one) => {
    const measures = Object.keys(one.values);
    const step = Math.max(1, Math.ceil(one.rounds.length / rows));
    const picked = one.rounds.map((_, i) => i).filter((i) => i % step === 0 || i === one.rounds.length - 1);
    return scroller("Numbers of the curves" + (one.name ? ", " + one.name : ""), h("table", {}, h("caption", {class: one.name ? "label" : "sr"}, one.name || "Curves"),
      h("thead", {}, h("tr", {}, h("th", {scope: "col", class: "num"}, "round"), measures.map((name) => h("th", {scope: "col", class: "num"}, name.replaceAll("_", " "))))),
      h("tbody", {}, picked.map((i) => h("tr", {}, h("td", {class: "num"}, one.rounds[i].toLocaleString("en")), measures.map((name) => h("td", {class: "num"}, number(one.values[name][i]))))))));
  }));
}
