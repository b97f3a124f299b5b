/* The paired comparisons of runs. */

function comparisons() {
  if (DATA.runs.length < 2) return null;
  const rows = DATA.comparisons.map((one) => [
    `${DATA.runs[one.first].name} against ${DATA.runs[one.second].name}`,
    String(one.instances), String(one.better), String(one.worse), points(one.difference),
    `${points(one.low)} to ${points(one.high)}`, one.adjusted < 0.0001 ? "< 0.0001" : one.adjusted.toFixed(4),
    one.winner === null ? "not separated" : `${DATA.runs[one.winner].name} is better`]);
  const apart = DATA.incomparable.map(([first, second, why]) =>
    el("p", { class: "note" }, `${DATA.runs[first].name} and ${DATA.runs[second].name} are not compared: ${why}.`));
  return el("section", {}, el("h2", {}, "Comparison"),
    el("p", { class: "note" }, "Paired over the instances (environment and seed) that both runs have. Two runs are ordered only if McNemar's "
      + "exact test, adjusted by Holm's method for the number of comparisons, gives less than 0.05 and the bootstrap interval of "
      + "the difference leaves out 0."),
    rows.length ? table(["runs", "#instances", "#first better", "#second better", "#difference, points", "#95 % interval", "#p, adjusted", "verdict"], rows) : null,
    apart);
}
