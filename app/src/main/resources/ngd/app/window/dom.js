// Elements, numbers and requests: what every page needs.

/** An element: h("p", {class: "x", onclick: f}, child, …). */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts other children into an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A labelled control; the hint says what it is for when the pointer rests on it. */
export function field(label, control, hint, properties = {}) {
  control.id ||= "field-" + ++field.count;
  control.title ||= hint;
  return h("div", properties, h("label", {for: control.id, title: control.title}, label), control);
}
field.count = 0;

/** What an option of the program is written into; its hint is the program's own. */
export function keyControl(key, value = "") {
  const title = key.help.replaceAll("`", "").replace(/--([a-z][a-z-]*)/g, "“$1”");
  return key.flag ? h("input", {type: "checkbox", title, checked: value === "true"}) : h("input", {title, value});
}

/** The same with its name, and with what it offers. */
export function keyField(key, control) {
  const name = key.label ?? key.name;
  if (key.flag) return h("label", {class: "check", title: control.title}, control, name);
  const whole = field(name, control);
  if (key.offered?.length && control.tagName === "INPUT") {
    control.setAttribute("list", control.id + "-offered");
    whole.append(h("datalist", {id: control.id + "-offered"}, key.offered.map((value) => h("option", {value}))));
  }
  return whole;
}

/** The words in such controls by name; what is empty says nothing. */
export function keyWords(controls) {
  return Object.fromEntries([...controls].map(([name, control]) => [name, control.type === "checkbox" ? (control.checked ? "true" : "") : control.value.trim()]).filter(([, value]) => value));
}

/** A table that scrolls sideways where it has to, and says so as long as there is more to see. */
export function scroller(label, ...tables) {
  const box = h("div", {class: "table", tabindex: 0, role: "region", "aria-label": label}, tables);
  const whole = h("div", {class: "scroller"}, h("p", {class: "sideways"}, "Scroll sideways for more →"), box);
  const look = () => {
    const beyond = box.scrollWidth - box.clientWidth;
    whole.classList.toggle("wide", beyond > 1);
    whole.classList.toggle("more", beyond > 1 && box.scrollLeft < beyond - 1);
  };
  box.addEventListener("scroll", look, {passive: true});
  const observer = new ResizeObserver(look);
  for (const element of [box, ...box.children]) observer.observe(element);
  return whole;
}

/** What downloads of a figure are made of: a button for each format. */
export function formats(what, address) {
  return ["svg", "png", "pdf"].map((format) => h("a", {class: "button", href: address(format), download: "", title: `Download ${what} as ${format.toUpperCase()}`}, format.toUpperCase()));
}

export function select(options, chosen, properties = {}) {
  return h("select", properties, options.map((option) => {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    return h("option", {value, selected: value === chosen}, text);
  }));
}

/** Up to five digits, as people read them. */
export function number(value, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e7 || size < 1e-4
    ? value.toExponential(digits - 2).replace(/\.?0+e/, "e").replace("e+", "e")
    : Number(value.toPrecision(digits)).toString();
  return text.replace("-", "−").replace("e−", "e-");
}

/** The numbers in some words as people write them: 1.0E-6 is 1e-6, and 2.0 is 2. */
export function shortNumbers(text) {
  return text.replace(/\b\d+\.\d+(E-?\d+)?\b/g, (one) => number(Number(one), 12));
}

export function count(n, noun) {
  // A number stays with its noun.
  return n === 1 ? `1\u00a0${noun}` : `${n.toLocaleString("en")}\u00a0${noun}s`;
}

export function bytes(n) {
  if (n === null || n === undefined) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; n >= 1000 && unit < units.length - 1; unit++) n /= 1000;
  return `${unit === 0 ? n : n.toPrecision(3)}\u00a0${units[unit]}`;
}

/** Asks the server; an error is its explanation. */
export async function ask(path, body, method) {
  let response;
  try {
    response = await fetch("/api/" + path, body === undefined
      ? {method: method ?? "GET"}
      : {method: method ?? "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  } catch {
    throw new Error("The window's server does not answer; is `ngd ui` still running?");
  }
  const text = await response.text();
  let answer = {};
  try { answer = JSON.parse(text); } catch { answer = {error: text.trim()}; }
  if (!response.ok) throw new Error(answer.error || `The server answered with status ${response.status}.`);
  return answer;
}

/** A passing message. */
export function say(text) {
  const toast = h("div", {class: "toast"}, h("span", {}, text), h("button", {type: "button", "aria-label": "Dismiss", title: "Dismiss this message", onclick: () => toast.remove()}, "×"));
  const toasts = document.getElementById("toasts");
  toasts.append(toast);
  while (toasts.children.length > 3) toasts.firstChild.remove();
  setTimeout(() => toast.remove(), 7000);
}

/** What went wrong, where it went wrong. */
export function trouble(text) {
  return h("div", {class: "verdict bad", role: "alert"}, h("div", {}, text.split("\n").map((line) => h("div", {}, line))));
}

export function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  const link = h("a", {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}

/** A figure that the server draws. */
export async function downloadDrawn(name, path, body) {
  const response = await fetch("/api/" + path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  if (!response.ok) throw new Error((await response.json()).error);
  download(name, await response.blob());
}

/** Puts a command's words into an element; a line ends between words, not after the dashes of one. */
export function tell(code, text) {
  if (code.textContent !== text) fill(code, text.split(" ").flatMap((word, i) => [i ? " " : "", h("span", {class: "word"}, word)]));
}

export function command(text) {
  const code = h("code", {});
  tell(code, text);
  const copy = h("button", {type: "button", class: "quiet smallish", title: "Copy this command", onclick: async () => {
    await navigator.clipboard.writeText(code.textContent);
    say("Copied.");
  }}, "Copy");
  return h("div", {class: "command"}, code, copy);
}

/** A colour of the theme. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/** Calls back whenever the colours change; gives what stops it. */
export function onTheme(callback) {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, {attributes: true, attributeFilter: ["data-theme"]});
  media.addEventListener("change", callback);
  return () => { observer.disconnect(); media.removeEventListener("change", callback); };
}
