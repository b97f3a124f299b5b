/* The first page of a report: runs, their comparison, figures, episodes. */

function runsTable(runs) {
  const k = Math.max(...runs.map((run) => run.total.pass_hat.length));
  const columns = ["run", "policy", "settings", "#episodes", "#success", "#95 % interval"];
  if (k > 1) columns.push(`#pass@${k}`, `#pass^${k}`);
  columns.push("#violation", "#infrastructure", "#time", "#cost", "#steps", "#noise floor");
  return table(columns, runs.map((run) => {
    const all = run.total;
    return [run.name, run.policy, run.settings, String(all.episodes), percent(all.rate), interval(all),
      ...(k > 1 ? [percent(all.pass_at[k - 1]), percent(all.pass_hat[k - 1])] : []),
      String(all.outcomes.violation), String(all.outcomes.infrastructure), seconds(all.median_time_s), dollars(all.median_cost_usd),
      number(all.median_steps), percent(all.noise_floor)];
  }));
}

function groupsTable(title, groups) {
  const k = Math.max(1, ...groups.map((group) => group.pass_hat.length));
  const extra = k > 1 ? [`#pass@${k}`, `#pass^${k}`] : [];
  const rows = groups.map((group) => [group.name, String(group.scored), percent(group.rate), interval(group),
    ...(k > 1 ? [percent(group.pass_at[k - 1]), percent(group.pass_hat[k - 1])] : []),
    ...OUTCOMES.slice(1).map((one) => String(group.outcomes[one])),
    seconds(group.median_time_s), dollars(group.median_cost_usd), number(group.median_steps)]);
  const outcomes = OUTCOMES.slice(1).map((one) => `#${one.replace("_", " ")}`);
  return fold(title, () => table([title.split(" ").at(-1), "#scored", "#success", "#95 % interval", ...extra, ...outcomes, "#time", "#cost", "#steps"], rows));
}

const BARS = 12;

function figuresOf(run, choose) {
  const broken = run.clauses.map((one) => ({ ...DATA.clauses[one.clause], ...one })).filter((one) => one.broken);
  const rows = broken.map((one) => [one.task, el("code", {}, one.id), String(one.broken), String(one.judged), percent(one.broken / one.judged), one.sentence]);
  return [
    el("h2", {}, "Success by domain and market"), heatMap(run, choose),
    groupsTable("Results by domain", run.domains), groupsTable("Results by market", run.markets), groupsTable("Results by task", run.tasks),
    el("h2", {}, "Clauses that break"),
    el("p", { class: "note" }, "Of the episodes that came to an answer or a violation; without an answer every final clause is broken."),
    broken.length ? clauseBars(broken.slice(0, BARS)) : el("p", {}, "No clause broke."),
    broken.length ? fold(`All ${broken.length} clauses that broke`, () => table(["task", "clause", "#broken", "#of", "#share", "sentence"], rows)) : null,
    el("h2", {}, "Steps"), run.steps.length ? histogram(run.steps) : el("p", { class: "note" }, "No episode is scored."),
  ];
}

const picked = { run: 0 };

function overview() {
  document.title = DATA.title;
  const episodes = episodesTable();
  const section = el("section", { id: "episodes", tabindex: "-1" }, el("h2", {}, "Episodes"),
    el("p", { class: "note" }, DATA.left_out
      ? `${DATA.views.length} episodes are in this page in full, some of each task, market and outcome; the other ${DATA.left_out} are only in the table.`
      : "All episodes are in this page in full."), episodes);
  const choose = (filters) => {
    episodes.choose({ run: String(picked.run), task: "", outcome: "", clause: "", text: "", ...filters });
    section.focus();
  };
  const figures = el("div");
  const draw = () => figures.replaceChildren(...figuresOf(DATA.runs[picked.run], choose).flat().filter(Boolean));
  const pick = (event) => {
    picked.run = Number(event.target.value);
    draw();
  };
  const options = DATA.runs.map((run, n) => el("option", { value: n, selected: n === picked.run }, run.name));
  draw();
  return [
    el("h1", {}, DATA.title), el("p", { class: "quiet" }, `Release ${[...new Set(DATA.runs.map((run) => run.release))].join(", ")}`),
    el("h2", {}, DATA.runs.length > 1 ? "Runs" : "Run"), runsTable(DATA.runs),
    el("p", { class: "note" }, "Success is of the scored episodes: infrastructure outcomes are apart. Intervals count trials of one instance for what "
      + "they are worth. Time, cost and steps are medians. The noise floor is by how much a second run of the same policy over the same instances may "
      + "differ; it needs two trials or more."),
    parts(), comparisons(),
    el("h2", {}, "Success against cost"), scatter(DATA.runs),
    DATA.runs.length > 1 ? el("p", {}, el("label", {}, "Run shown below: ", el("select", { name: "picked", change: pick }, options))) : null,
    figures, section,
  ];
}

function show() {
  const found = /^#episode-(\d+)$/.exec(location.hash), main = document.getElementById("main");
  const index = found && DATA.views[Number(found[1])] ? Number(found[1]) : null;
  main.replaceChildren(...(index === null ? overview() : episodeView(index)).flat(Infinity).filter(Boolean));
  window.scrollTo(0, 0);
  if (location.hash) main.focus();
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
}

document.querySelector(".skip").addEventListener("click", (event) => {
  // The place in the address says what is shown; to skip there must not change it.
  event.preventDefault();
  document.getElementById("main").focus();
});
window.addEventListener("hashchange", show);
window.addEventListener("keydown", press);
show();
