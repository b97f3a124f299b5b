/* The first page of a leaderboard. */

function leaderboard() {
  const runs = [...DATA.runs.entries()].sort(([, a], [, b]) => a.rank - b.rank || b.total.rate - a.total.rate);
  const k = Math.max(...DATA.runs.map((run) => run.total.pass_hat.length));
  const shares = (rank) => DATA.runs.filter((run) => run.rank === rank).length > 1;
  const columns = ["#rank", "policy", "run", "#success", "#95 % interval"];
  if (k > 1) columns.push(`#pass@${k}`, `#pass^${k}`);
  columns.push("#violations", "#time", "#cost", "#episodes");
  const rows = runs.map(([, run]) => {
    const all = run.total;
    return [shares(run.rank) ? `${run.rank} =` : String(run.rank), run.policy, el("a", { href: run.page }, run.name),
      percent(all.rate), interval(all), ...(k > 1 ? [percent(all.pass_at[k - 1]), percent(all.pass_hat[k - 1])] : []),
      String(all.outcomes.violation), seconds(all.median_time_s), dollars(all.median_cost_usd), String(all.episodes)];
  });
  return [el("h1", {}, DATA.title),
    el("p", { class: "quiet" }, `Release ${DATA.runs[0].release}, ${DATA.runs[0].settings}, ${DATA.runs[0].total.instances} instances`),
    table(columns, rows),
    el("p", { class: "note" }, "Every episode was re-executed from its actions and gave the same results. A run ranks below every run that is shown "
      + "to be better, by at least their number; runs of one rank (=) cannot be separated."),
    parts(), comparisons()];
}

document.title = DATA.title;
document.getElementById("main").replaceChildren(...leaderboard().filter(Boolean));
