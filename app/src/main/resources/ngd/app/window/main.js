// The way from an address to its page.
import {fill, h, trouble} from "./dom.js";

const PAGES = {
  network: {title: "Network", load: () => import("./designer.js")},
  try: {title: "Try it", load: () => import("./trial.js")},
  runs: {title: "Runs", load: () => import("./runs.js")},
  run: {title: "Run", load: () => import("./run.js"), under: "runs"},
  overlay: {title: "Runs compared", load: () => import("./overlay.js"), under: "runs"},
  federation: {title: "Federation", load: () => import("./federation.js")},
  questions: {title: "Questions", load: () => import("./questions.js")},
  disclosure: {title: "Disclosure", load: () => import("./disclosure.js")},
};

const main = document.getElementById("main");
let leave = () => {};
let turn = 0;

// The token has become a cookie; it need not stay in the address bar or in the history.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", "/" + location.hash);

/** On a phone the row of pages is wider than the screen. */
function inSight(link) {
  link.parentElement.scrollLeft = link.offsetLeft - link.parentElement.offsetLeft - (link.parentElement.clientWidth - link.offsetWidth) / 2;
}

async function show() {
  const mine = ++turn;
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const name = path in PAGES ? path : "network";
  const page = PAGES[name];
  leave();
  leave = () => {};
  document.title = `${page.title} · ngd`;
  for (const link of document.querySelectorAll("nav [data-page]")) {
    if (link.dataset.page === (page.under ?? name)) {
      link.setAttribute("aria-current", "page");
      inSight(link);
    } else link.removeAttribute("aria-current");
  }
  try {
    const module = await page.load();
    if (mine !== turn) return;
    fill(main);
    leave = (await module.render(main, new URLSearchParams(query ?? ""))) ?? (() => {});
    if (mine !== turn) leave();
  } catch (error) {
    fill(main, h("div", {class: "head"}, h("h1", {}, page.title)), trouble(error.message));
  }
  main.dataset.ready = name;
}

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("ngd-theme", root.dataset.theme);
});
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
addEventListener("hashchange", () => { show(); main.focus({preventScroll: true}); scrollTo(0, 0); });
// A phone that is turned shows another part of the row of pages.
addEventListener("resize", () => { const link = document.querySelector("nav [aria-current]"); if (link) inSight(link); });
addEventListener("pagehide", () => leave());
show();
