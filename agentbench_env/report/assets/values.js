/* JSON values as trees. Every text stands in an isolate of its own direction and language. */

const LONG = 90;

function nested(value) {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/* A text line by line: one may run from the right and the next from the left. */
function lines(text, local) {
  return text.split("\n").map((line) => el("div", { class: "line", dir: "auto", lang: languageOf(line, local) }, line));
}

function leaf(value, local) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === "") return el("span", { class: "quiet" }, "empty");
  if (text.length > LONG || text.includes("\n")) return el("div", { class: "long" }, lines(text, local));
  return el("bdi", { dir: "auto", lang: languageOf(text, local) }, text);
}

/* `note(path)` may return what is to stand beside a leaf. */
function tree(value, local, note = () => null, path = "") {
  value = nested(value);
  if (value === null || typeof value !== "object") return [leaf(value, local), note(path)];
  const entries = Object.entries(value);
  if (!entries.length) return el("span", { class: "quiet" }, Array.isArray(value) ? "none" : "no arguments");
  return el("ul", { class: "tree" }, entries.map(([key, child]) =>
    el("li", {}, el("span", { class: "key" }, key, ": "), tree(child, local, note, path ? `${path}.${key}` : key))));
}

/* A fold whose content is made when it is first opened. */
function fold(summary, content, attributes = {}) {
  const node = el("details", attributes, el("summary", {}, summary));
  let made = false;
  const make = () => {
    if (!made && node.open) {
      made = true;
      node.append(...[content()].flat(Infinity).filter(Boolean));
    }
  };
  node.addEventListener("toggle", make);
  make();
  return node;
}
