/* Elements, and how values are written. Text is only ever set as text: what providers and models say stays harmless. */

const DATA = JSON.parse(document.getElementById("data").textContent);
const OUTCOMES = ["success", "failure", "violation", "timeout", "max_steps", "abandoned", "infrastructure"];

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/* el("a", {href: "#x"}, "text", child): an HTML element; a function among the attributes listens. */
function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function paint(node, properties) {
  for (const [name, value] of Object.entries(properties)) node.style.setProperty(name, value);
  return node;
}

function table(columns, rows, attributes = {}) {
  const kind = (column) => (column.startsWith("#") ? "number" : null);
  const head = columns.map((column) => el("th", { scope: "col", class: kind(column) }, column.replace(/^#/, "")));
  const body = rows.map((row) => el("tr", {}, row.map((cell, n) => el("td", { class: kind(columns[n]) }, cell))));
  return el("div", { class: "scroll" }, el("table", attributes, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)));
}

const known = (value) => value !== null && value !== undefined;
const percent = (value) => (known(value) ? `${(100 * value).toFixed(1)} %` : "–");
const points = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(100 * value).toFixed(1)}`;
const seconds = (value) => (known(value) ? `${value.toFixed(1)} s` : "–");
const dollars = (value) => (known(value) ? `${value.toFixed(4)} USD` : "unknown");
const number = (value) => (known(value) ? String(value) : "–");

/* A success rate with its interval; without scored episodes there is none. */
function interval(group) {
  return group.scored ? `${(100 * group.low).toFixed(1)} to ${(100 * group.high).toFixed(1)}` : "–";
}

function outcome(name) {
  return paint(el("span", { class: "outcome" }, name.replace("_", " ")), { "--color": `var(--${name})` });
}

const SCRIPTS = [
  ["ko", /\p{Script=Hangul}/gu],
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["han", /\p{Script=Han}/gu],
  ["th", /\p{Script=Thai}/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["en", /\p{Script=Latin}/gu],
];

/* The language that a text's script tells, so that fonts and readers choose rightly; null for figures and ids. */
function languageOf(text, local) {
  const counts = Object.fromEntries(SCRIPTS.map(([name, script]) => [name, (text.match(script) ?? []).length]));
  if (counts.ja) counts.ja += counts.han;
  if (counts.ko) counts.ko += counts.han;
  const [name, most] = Object.entries(counts).reduce((best, one) => (one[1] > best[1] ? one : best));
  if (!most) return null;
  return name === "han" ? (["ja", "ko"].includes(local) ? local : "zh-Hant") : name;
}
