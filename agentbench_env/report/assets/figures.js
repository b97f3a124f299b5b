/* Figures as inline SVG and, for the heat map, as a table of buttons. Each has its numbers in a table of the page. */

function heatMap(run, choose) {
  const domains = Object.keys(DATA.domains).filter((domain) => run.cells.some((cell) => cell.domain === domain));
  const cells = new Map(run.cells.map((cell) => [`${cell.domain} ${cell.market}`, cell.group]));
  const row = (name, title, groups) => el("tr", {}, el("th", { scope: "row" }, title), groups.map(([market, group]) => {
    if (!group || group.rate === null) return el("td", { class: "quiet" }, "–");
    const said = `${title}, ${market || "all markets"}: ${percent(group.rate)}, 95 % interval ${interval(group)}, `
      + `${group.scored} episodes`;
    const attributes = { title: said, "aria-label": said, type: "button" };
    const button = el("button", { ...attributes, click: () => choose({ domain: name, market }) },
      percent(group.rate), el("small", {}, `n = ${group.scored}`));
    return el("td", {}, paint(button, { "--rate": group.rate }));
  }));
  const totals = new Map(run.domains.map((group) => [group.name, group]));
  const rows = domains.map((domain) => row(domain, DATA.domains[domain],
    [...DATA.markets.map((market) => [market, cells.get(`${domain} ${market}`)]), ["", totals.get(domain)]]));
  const all = new Map(run.markets.map((group) => [group.name, group]));
  rows.push(row("", "all domains", [...DATA.markets.map((market) => [market, all.get(market)]), ["", run.total]]));
  const head = [...DATA.markets, "all"].map((market) => el("th", { scope: "col" }, market));
  return el("div", { class: "scroll" }, el("table", { class: "heat" },
    el("caption", { class: "quiet" }, "Success rate by domain and market. A cell shows its episodes below."),
    el("thead", {}, el("tr", {}, el("td"), head)), el("tbody", {}, rows)));
}

function clauseBars(clauses) {
  const height = 38, width = 760, label = 130;
  const bars = clauses.map((clause, n) => {
    const y = n * height, share = clause.broken / clause.judged;
    return svg("g", {}, svg("title", {}, clause.sentence),
      svg("text", { x: 0, y: y + 14 }, `${clause.task} · ${clause.id}`),
      svg("rect", { x: 0, y: y + 20, width: width - label, height: 9, fill: "var(--panel)" }),
      svg("rect", { x: 0, y: y + 20, width: (width - label) * share, height: 9, fill: "var(--violation)" }),
      svg("text", { x: width - label + 10, y: y + 29, class: "quiet" }, `${clause.broken} of ${clause.judged}`));
  });
  return svg("svg", { viewBox: `0 0 ${width} ${Math.max(1, bars.length) * height}`, role: "img",
    "aria-label": "Clauses by the share of episodes in which they broke" }, bars);
}

function legend(entries) {
  return el("ul", { class: "legend" }, entries.map(([text, color]) => paint(el("li", {}, text), { "--color": color })));
}

function histogram(bins) {
  const width = 760, height = 220, left = 40, bottom = 36;
  const total = (bin) => Object.values(bin.outcomes).reduce((sum, count) => sum + count, 0);
  const most = Math.max(...bins.map(total)), slot = (width - left) / bins.length;
  const scale = (height - bottom - 16) / most;
  const every = Math.ceil(bins.length / 12);
  const bars = bins.map((bin, n) => {
    let top = height - bottom;
    const name = bin.first === bin.last ? `${bin.first}` : `${bin.first}–${bin.last}`;
    const parts = OUTCOMES.filter((one) => bin.outcomes[one]).map((one) => {
      const tall = bin.outcomes[one] * scale;
      top -= tall;
      return svg("rect", { x: left + n * slot + 1, y: top, width: Math.max(1, slot - 2), height: tall, fill: `var(--${one})` },
        svg("title", {}, `${name} steps: ${bin.outcomes[one]} ${one.replace("_", " ")}`));
    });
    const middle = left + (n + 0.5) * slot;
    const mark = n % every ? null : svg("text", { x: middle, y: height - bottom + 16, "text-anchor": "middle", class: "quiet" }, name);
    return svg("g", {}, parts, mark);
  });
  return [legend(OUTCOMES.filter((one) => bins.some((bin) => bin.outcomes[one])).map((one) => [one.replace("_", " "), `var(--${one})`])),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Episodes by number of steps and outcome" },
      svg("line", { x1: left, x2: width, y1: height - bottom, y2: height - bottom, class: "axis" }),
      svg("text", { x: left - 6, y: height - bottom, "text-anchor": "end", class: "quiet" }, "0"),
      svg("text", { x: left - 6, y: height - bottom - most * scale + 10, "text-anchor": "end", class: "quiet" }, String(most)),
      bars, svg("text", { x: width, y: height - 2, "text-anchor": "end", class: "quiet" }, "steps"))];
}

/* One small mark for each task of a run, a large one for the run. */
function scatter(runs) {
  const marks = runs.flatMap((run, n) => [...run.tasks.map((group) => [run, n, group, 4]), [run, n, run.total, 9]])
    .filter(([, , group]) => known(group.median_cost_usd) && known(group.rate));
  if (!marks.length) return el("p", { class: "note" }, "No episode's cost is known: the policies reported no prices.");
  const width = 760, height = 300, left = 56, bottom = 44, top = 14, right = 20;
  const most = Math.max(...marks.map(([, , group]) => group.median_cost_usd)) || 1;
  const x = (usd) => left + (usd / most) * (width - left - right), y = (rate) => top + (1 - rate) * (height - top - bottom);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((rate) => svg("g", {},
    svg("line", { x1: left, x2: width, y1: y(rate), y2: y(rate), class: "axis" }),
    svg("text", { x: left - 8, y: y(rate) + 4, "text-anchor": "end", class: "quiet" }, `${100 * rate} %`)));
  const ticks = [0, 0.5, 1].map((part) => svg("text", { x: x(part * most), y: height - bottom + 20, "text-anchor": "middle", class: "quiet" },
    (part * most).toPrecision(2)));
  const dots = marks.map(([run, n, group, radius]) => svg("circle", {
    cx: x(group.median_cost_usd), cy: y(group.rate), r: radius, fill: color(n), "fill-opacity": radius > 4 ? 1 : 0.45,
  }, svg("title", {}, `${run.name}, ${group === run.total ? "all" : group.name}: ${percent(group.rate)}, ${dollars(group.median_cost_usd)}`)));
  return [legend(runs.map((run, n) => [run.name, color(n)])),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Success rate against median cost, by task and run" },
      grid, ticks, dots, svg("text", { x: width, y: height - 2, "text-anchor": "end", class: "quiet" }, "median cost of an episode, USD"))];
}

const color = (n) => `var(--run-${n % 6})`;
