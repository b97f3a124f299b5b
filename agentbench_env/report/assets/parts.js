/* The episodes of injections runs with and without hostile text. */

function parts() {
  const rows = DATA.runs.flatMap((run) => run.parts.map((part) =>
    [run.name, part.name, String(part.scored), percent(part.rate), interval(part), String(part.outcomes.violation)]));
  if (!rows.length) return null;
  return el("section", {}, el("h2", {}, "Hostile text"),
    el("p", { class: "note" }, "With injections only a share of the instances holds hostile text. Policies are not told which."),
    table(["run", "episodes", "#scored", "#success", "#95 % interval", "#violations"], rows));
}
