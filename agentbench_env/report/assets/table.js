/* The table of episodes: filters, sorting, a hundred rows at a time. */

const PAGE = 100;
const FIELDS = ["run", "task", "market", "seed", "trial", "outcome", "steps", "time_s", "cost_usd", "broken", "view"];
const EPISODES = (DATA.episodes ?? []).map((row) => Object.fromEntries(FIELDS.map((field, n) => [field, row[n]])));
EPISODES.forEach((episode) => (episode.domain = DATA.tasks[episode.task]));

const COLUMNS = [
  ["run", "run", (one) => DATA.runs[one.run].name],
  ["task", "task", (one) => one.task],
  ["market", "market", (one) => one.market],
  ["#seed", "seed", (one) => String(one.seed)],
  ["#trial", "trial", (one) => String(one.trial)],
  ["outcome", "outcome", (one) => outcome(one.outcome)],
  ["#steps", "steps", (one) => String(one.steps)],
  ["#time", "time_s", (one) => seconds(one.time_s)],
  ["#cost", "cost_usd", (one) => dollars(one.cost_usd)],
  ["broken clauses", "broken", (one) => one.broken.map((n) => DATA.clauses[n].id).join(", ")],
];

const shown = { filters: {}, sort: null, down: false, rows: PAGE };

function matching() {
  const { clause, text, ...equal } = shown.filters;
  const found = EPISODES.filter((one) =>
    Object.entries(equal).every(([field, value]) => value === "" || String(one[field]) === value)
    && (!clause || one.broken.some((n) => DATA.clauses[n].id === clause))
    && (!text || `${one.task}-${one.market} ${one.seed}`.toLowerCase().includes(text.toLowerCase())));
  if (shown.sort === null) return found;
  const field = shown.sort, sign = shown.down ? -1 : 1;
  const value = (one) => (field === "broken" ? one.broken.length : field === "run" ? DATA.runs[one.run].name : one[field]);
  return found.sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (!known(one) || !known(other)) return known(other) - known(one);
    return one < other ? -sign : one > other ? sign : 0;
  });
}

function episodesTable() {
  const place = el("div");
  const count = el("p", { role: "status", class: "quiet" });
  const draw = () => {
    const found = matching();
    count.textContent = `${found.length} of ${EPISODES.length} episodes`;
    place.replaceChildren(rowsOf(found, draw), more(found, draw));
  };
  const set = (name, value) => {
    shown.filters[name] = value;
    shown.rows = PAGE;
    draw();
  };
  const controls = filterControls(set);
  draw();
  const node = el("div", {}, el("div", { class: "filters" }, controls), count, place);
  node.choose = (filters) => {
    for (const [name, value] of Object.entries(filters)) {
      node.querySelector(`[name="${name}"]`).value = value;
      shown.filters[name] = value;
    }
    shown.rows = PAGE;
    draw();
  };
  return node;
}

function filterControls(set) {
  const distinct = (field) => [...new Set(EPISODES.map((one) => one[field]))].sort();
  const options = {
    run: DATA.runs.map((run, n) => [String(n), run.name]),
    domain: distinct("domain").map((one) => [one, DATA.domains[one]]),
    task: distinct("task").map((one) => [one, one]),
    market: distinct("market").map((one) => [one, one]),
    outcome: OUTCOMES.filter((one) => EPISODES.some((episode) => episode.outcome === one)).map((one) => [one, one.replace("_", " ")]),
    clause: [...new Set(DATA.clauses.filter((one) => one.broken).map((one) => one.id))].sort().map((one) => [one, one]),
  };
  const titles = { clause: "broken clause" };
  const selects = Object.entries(options).map(([name, values]) => {
    const choices = [["", "all"], ...values].map(([value, text]) =>
      el("option", { value, selected: (shown.filters[name] ?? "") === value }, text));
    return el("label", {}, titles[name] ?? name, el("select", { name, change: (event) => set(name, event.target.value) }, choices));
  });
  const text = el("input", { name: "text", type: "search", value: shown.filters.text, placeholder: "ta-two-leg, SG 7",
    input: (event) => set("text", event.target.value) });
  return [selects, el("label", {}, "id or seed", text)];
}

function rowsOf(found, draw) {
  const heads = COLUMNS.map(([title, field]) => {
    const sorted = shown.sort === field ? (shown.down ? "descending" : "ascending") : null;
    const sort = () => {
      shown.down = shown.sort === field && !shown.down;
      shown.sort = field;
      draw();
      document.querySelector(`th[data-field="${field}"] button`).focus();
    };
    return el("th", { scope: "col", "data-field": field, "aria-sort": sorted, class: title.startsWith("#") ? "number" : null },
      el("button", { type: "button", click: sort }, title.replace("#", "")));
  });
  const rows = found.slice(0, shown.rows).map((one) => el("tr", {}, COLUMNS.map(([title, field, write]) => {
    const text = write(one);
    const link = field === "task" && one.view !== null ? el("a", { href: `#episode-${one.view}` }, text) : text;
    return el("td", { class: title.startsWith("#") ? "number" : null }, link);
  })));
  return el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)));
}

function more(found, draw) {
  if (found.length <= shown.rows) return "";
  const next = () => {
    shown.rows += PAGE;
    draw();
  };
  return el("button", { type: "button", click: next }, `Show ${Math.min(PAGE, found.length - shown.rows)} more`);
}
