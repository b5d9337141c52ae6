// Puts the page together from what the report says.
const page = JSON.parse(find("report").textContent);
const asked = new URLSearchParams(location.hash.slice(1));

function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  find("theme").textContent = `Theme: ${name ?? "as the system"}`;
}
find("theme").addEventListener("click", () => {
  const next = { undefined: "light", light: "dark", dark: undefined };
  theme(next[document.documentElement.dataset.theme]);
});
theme(["light", "dark"].find((name) => name === asked.get("theme")));

const source = new Source(page);

// A button that shows a place.
function place(at, text) {
  if (!at) return make("span", {}, text);
  const button = make("button", { class: "goto", type: "button" }, text);
  button.addEventListener("click", () => source.show(at, null));
  return button;
}

function fill(id, items) {
  find(id).hidden = items.length === 0;
  find(`${id}-items`)?.replaceChildren(...items);
}

let run = null;
if (page.run && page.run.steps.length > 0) {
  run = new Run(page.run, source);
  find("inputs-items").replaceChildren(...page.run.inputs.map((input) => make("tr", {}, make("td", {}, place(input.at, input.place)),
    make("td", {}, input.type), make("td", {}, input.value))));
  find("inputs").hidden = page.run.inputs.length === 0;
  find("remarks").replaceChildren(...page.run.remarks.map((text) => make("li", {}, text)));
} else {
  find("run").remove();
  document.querySelector(".split").style.gridTemplateColumns = "minmax(0, 1fr)";
}

fill("explanation", page.explanation.map((line) => make("li", {}, line.place ? place(line.at, `${line.place}: `) : "", line.text)));
for (const invariant of page.invariants) {
  if (!invariant.at) continue;
  const [file, line] = invariant.at;
  const holds = source.holds[file];
  holds.set(line, [...(holds.get(line) ?? []), invariant.formula]);
}
fill("invariants", page.invariants.map((invariant) => make("li", {}, place(invariant.at, invariant.place), ` in ${invariant.function}: `,
  make("code", {}, invariant.formula))));
fill("assumptions", page.assumptions.map((text) => make("li", {}, text)));
fill("never", page.never_reached.map((text) => make("li", {}, text)));
fill("functions", page.not_called.map((name) => make("li", {}, make("code", {}, name))));
find("functions-count").textContent = `Not reached from the start: ${page.not_called.length} of the program's functions.`;

if (page.test) {
  find("test-text").textContent = page.test;
  const button = find("copy");
  button.addEventListener("click", async () => {
    let copied = true;
    try {
      await navigator.clipboard.writeText(page.test);
    } catch {
      // Files opened from disk may have no clipboard: select it for the user instead.
      const range = document.createRange();
      range.selectNodeContents(find("test-text"));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      copied = document.execCommand("copy");
    }
    find("copied").textContent = copied ? "Copied." : "It is selected: copy it with the keyboard.";
  });
} else {
  find("test").hidden = true;
}

find("attempts").replaceChildren(...page.attempts.flatMap((attempt) => [
  make("h3", {}, `${attempt.engine}${attempt.found ? ", which found the answer" : ""}`),
  ...(attempt.rounds.length > 0 ? chart(attempt) : [make("p", { class: "faint" }, "It does not work in rounds, or finished none.")]),
  attempt.learned.length > 0 ? make("details", {}, make("summary", {}, `What it learned (${attempt.learned.length})`),
    make("pre", {}, attempt.learned.join("\n"))) : undefined,
].filter(Boolean)));
find("found").hidden = page.attempts.length === 0;

source.list.update();
const first = page.invariants.find((invariant) => invariant.at)?.at ?? page.place;
if (run) {
  const step = Number(asked.get("step"));
  const known = Number.isInteger(step) && step >= 1 && step <= run.steps.length;
  if (known && run.onlyEssential && !run.steps[step - 1].essential) run.filter(false);
  run.go(known ? step - 1 : run.shown()[0]);
} else if (first) {
  source.show(first, null);
}
