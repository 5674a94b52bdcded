// Before the page is drawn, so that it does not flash in the other colours.
const chosen = localStorage.getItem("ngd-theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
