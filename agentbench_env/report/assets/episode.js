/* The viewer of one episode. */

function episodeView(index) {
  const episode = EPISODES.find((one) => one.view === index), view = DATA.views[index];
  const local = view.language, run = DATA.runs[episode.run];
  document.title = `${episode.task}-${episode.market} seed ${episode.seed}`;
  const steps = el("ol", { class: "steps" }, view.steps.map((step, n) => stepOf(view, step, n, local)));
  const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  const facts = el("dl", { class: "facts" },
    fact("outcome", outcome(episode.outcome)), fact("reward", number(view.reward)),
    fact("policy", run.policy), fact("run", run.name), fact("seed", String(episode.seed)), fact("trial", String(episode.trial)),
    fact("time, of the limit", `${seconds(view.time.elapsed_s)} of ${seconds(view.time.limit_s)}`),
    fact("cost of the model", dollars(view.cost.inference_usd)), fact("fees of tools", dollars(view.cost.tool_fees_usd)),
    fact("cost", dollars(view.cost.total_usd)), fact("digest", el("code", {}, view.digest.slice(0, 16))));
  return [
    navigation(index),
    el("h1", {}, `${episode.task}-${episode.market}`), facts, failureOf(view),
    el("h2", {}, "Verdict by clause"), clausesOf(view),
    el("h2", {}, "Conversation"), foldAll(steps),
    view.system.map((text) => fold("System message", () => said({ kind: "text", text }, local), { class: "fold" })),
    briefOf(view, local),
    fold(`Tools shown: ${view.tools.length}`, () => el("p", {}, view.tools.join(", "))),
    steps,
    view.after.map((message) => said(message, local)),
  ];
}

function navigation(index) {
  const order = matching().filter((one) => one.view !== null).map((one) => one.view), at = order.indexOf(index);
  const link = (place, text, key) => (place === undefined ? el("span", { class: "quiet" }, text)
    : el("a", { href: `#episode-${place}`, "data-key": key }, text));
  return el("nav", { class: "bar", "aria-label": "Episodes" },
    el("a", { href: "#overview", "data-key": "Escape" }, "← All episodes"),
    link(at > 0 ? order[at - 1] : undefined, "Previous", "p"), link(at >= 0 ? order[at + 1] : undefined, "Next", "n"),
    el("span", { class: "quiet" }, "Keys: Esc, p, n"));
}

function foldAll(steps) {
  const all = (open) => () => steps.querySelectorAll("details").forEach((node) => (node.open = open));
  return el("div", { class: "bar" }, el("button", { type: "button", click: all(true) }, "Unfold all calls"),
    el("button", { type: "button", click: all(false) }, "Fold all calls"));
}

function failureOf(view) {
  if (view.stopped) return el("p", { class: "said", dir: "auto" }, `The policy stopped. ${view.stopped}`);
  return view.failure && el("p", { class: "said" },
    `Outside the score: it is the ${view.failure.whose} that failed. ${view.failure.message}`);
}

function clausesOf(view) {
  if (!view.clauses.length) return el("p", { class: "note" }, "The episode was not brought to its end; there is no verdict.");
  return view.clauses.map((clause) => {
    const badge = el("span", { class: `badge ${clause.held ? "good" : "bad"}` }, clause.held ? "held" : "broken");
    const rows = [["expected", clause.expected], ["observed", clause.observed]].filter(([, text]) => text);
    const evidence = clause.evidence.length
      ? el("p", {}, el("span", { class: "quiet" }, "evidence: "), clause.evidence.map((id) => [placeOf(view, id), " "])) : null;
    return fold([el("code", {}, clause.id), " ", badge, " ", el("span", { lang: languageOf(clause.sentence) }, clause.sentence)],
      () => [rows.map(([name, text]) => el("p", {}, el("span", { class: "quiet" }, `${name}: `), el("bdi", { dir: "auto", lang: languageOf(text, view.language) }, text))), evidence],
      { class: `fold ${clause.held ? "held" : "broken"}`, open: !clause.held });
  });
}

/* An id, as a button that leads to the step that first showed it. */
function placeOf(view, id) {
  const step = view.steps.findIndex((one) => one.shown.includes(id));
  return step < 0 ? el("code", {}, id) : el("button", { type: "button", class: "chip", click: () => goTo(step) }, id);
}

function goTo(step) {
  const node = document.getElementById(`step-${step}`);
  node.open = true;
  node.scrollIntoView({ block: "start" });
  node.querySelector("summary").focus({ preventScroll: true });
}

function briefOf(view, local) {
  if (view.brief === "") return null;
  if (typeof view.brief !== "object" || view.brief === null) return said({ kind: "text", text: String(view.brief) }, local);
  const { request, boundary, ...rest } = view.brief;
  return el("section", { "aria-label": "Brief" }, el("h3", {}, "The user"),
    [request, boundary].filter(Boolean).map((text) => said({ kind: "text", text }, local)),
    fold("Time, place, limits, profile", () => tree(rest, local)));
}

function said(message, local) {
  return el("div", { class: `said ${message.kind}` }, lines(message.text, local));
}

function stepOf(view, step, n, local) {
  const asked = step.tool === "user_request_approval" && !step.error ? step.content.decision : null;
  const granted = view.steps.findIndex((one) => step.approval && one.content.approval_id === step.approval);
  const spent = [known(step.usd) ? dollars(step.usd) : null,
    known(step.tokens[0]) ? `${step.tokens[0]} + ${number(step.tokens[1])} tokens` : null].filter(Boolean).join(", ");
  const summary = [`${n} `, el("code", {}, step.tool || "no call"),
    el("span", { class: "quiet" }, `${step.now.replace("T", " ")}, ${seconds(step.elapsed_s)}`),
    spent ? el("span", { class: "quiet" }, spent) : null,
    step.effect && step.effect !== "read" ? el("span", { class: "badge" }, step.effect) : null,
    step.error ? el("span", { class: "badge bad" }, step.error) : null,
    asked ? el("span", { class: `badge ${asked === "granted" ? "good" : "bad"}` }, asked.replace("_", " ")) : null,
    step.approval ? el("span", { class: "badge good" }, "with approval") : null,
    step.changes.length ? el("span", { class: "badge" }, `${step.changes.length} changed`) : null];
  return el("li", {}, step.said.map((message) => said(message, local)),
    fold(summary, () => callOf(view, step, granted, local), { class: "fold", id: `step-${n}` }));
}

function callOf(view, step, granted, local) {
  const note = (path) => {
    const place = step.sources[path];
    if (place === undefined) return null;
    if (place === "nowhere") return el("span", { class: "nowhere", title: "Computed, chosen or made up" }, "first seen nowhere");
    if (place === "brief") return el("span", { class: "quiet" }, " first seen in the brief");
    return el("button", { type: "button", class: "chip", click: () => goTo(Number(place.slice(5))) }, `first seen in ${place}`);
  };
  const approval = step.approval && el("p", {}, "Approval ", el("code", {}, step.approval), " used",
    granted < 0 ? null : el("button", { type: "button", class: "chip", click: () => goTo(granted) }, `granted in step ${granted}`));
  return [
    approval,
    el("h3", {}, "Arguments, and where each value was first seen"), tree(step.arguments, local, note),
    el("h3", {}, "Result"), tree(step.content, local),
    step.changes.length ? [el("h3", {}, "What it changed"), step.changes.map((change) => changeOf(change, local))] : null,
    step.shown.length ? fold(`Records shown: ${step.shown.length}`, () => el("p", {}, el("code", {}, step.shown.join(" ")))) : null,
  ];
}

function changeOf(change, local) {
  const state = (name, value) => (known(value) ? el(name, {}, tree(value, local)) : null);
  return el("div", {}, el("p", {}, el("code", {}, `${change.table} ${change.id}`), " ", change.kind),
    el("ul", { class: "tree" }, change.fields.map(([name, before, after]) => el("li", {}, el("span", { class: "key" }, name, ": "),
      change.kind === "changed" ? state("del", before) : null, " ", state(change.kind === "removed" ? "del" : "ins", change.kind === "removed" ? before : after)))));
}
