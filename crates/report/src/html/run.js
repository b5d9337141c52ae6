// A run, step by step: where it is, what it holds, and which calls are open.
class Run {
  constructor(run, source) {
    this.steps = run.steps;
    this.source = source;
    this.essential = run.steps.flatMap((step, index) => (step.essential ? [index] : []));
    // What matters is shown first; of a run of which that is not known, everything.
    this.onlyEssential = run.sliced && this.essential.length > 0;
    this.now = 0;
    for (const step of run.steps) {
      if (step.at) source.way[step.at[0]].add(step.at[1]);
    }
    this.list = new List(find("steps"), () => this.shown().length, (row, index) => this.draw(row, index));
    find("steps").addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.go(Number(row.dataset.step));
    });
    const only = find("only");
    only.checked = this.onlyEssential;
    only.disabled = !run.sliced;
    only.addEventListener("change", () => this.filter(only.checked));
    find("first").addEventListener("click", () => this.move(-Infinity));
    find("back").addEventListener("click", () => this.move(-1));
    find("next").addEventListener("click", () => this.move(1));
    find("last").addEventListener("click", () => this.move(Infinity));
    find("slider").addEventListener("input", (event) => this.go(this.shown()[Number(event.target.value)]));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // The steps that are listed, by number.
  shown() {
    this.all ??= this.steps.map((_, index) => index);
    return this.onlyEssential ? this.essential : this.all;
  }

  // Where the step is in the list, or the last before it.
  position() {
    const shown = this.shown();
    let [low, high] = [0, shown.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle] <= this.now) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  filter(onlyEssential) {
    this.onlyEssential = onlyEssential;
    find("only").checked = onlyEssential;
    find("slider").max = String(this.shown().length - 1);
    this.list.element.scrollTop = 0;
    this.go(this.shown()[this.position()]);
  }

  move(by) {
    const shown = this.shown();
    this.go(shown[Math.min(shown.length - 1, Math.max(0, this.position() + by))]);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    const inList = find("steps").contains(event.target);
    const by = { ArrowRight: 1, j: 1, n: 1, ArrowLeft: -1, k: -1, p: -1, Home: -Infinity, End: Infinity }[event.key]
      ?? (inList ? { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key] : undefined);
    if (by !== undefined) {
      event.preventDefault();
      this.move(by);
    } else if (event.key === "e" && !find("only").disabled) {
      this.filter(!this.onlyEssential);
    }
  }

  go(index) {
    this.now = index;
    const step = this.steps[index];
    const position = this.position();
    const count = this.shown().length;
    this.list.show(position, false);
    find("steps").setAttribute("aria-activedescendant", `step-${index}`);
    find("slider").max = String(count - 1);
    find("slider").value = String(position);
    find("count").textContent = `step ${position + 1} of ${count}`;
    find("first").disabled = find("back").disabled = position === 0;
    find("next").disabled = find("last").disabled = position === count - 1;
    this.source.show(step.at, step.note);
    this.tell(step);
    history.replaceState(null, "", `#step=${index + 1}`);
  }

  draw(row, index) {
    const number = this.shown()[index];
    const step = this.steps[number];
    row.id = `step-${number}`;
    row.dataset.step = number;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", this.shown().length);
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-selected", String(number === this.now));
    if (!step.essential) row.classList.add("other");
    const indent = "  ".repeat(Math.min(20, Math.max(0, step.depth - 1)));
    row.append(make("span", { class: "number" }, String(number + 1)), `${indent}${step.text}`);
    if (step.note && step.note !== step.text) row.append(make("span", { class: "note" }, `   ${step.note}`));
  }

  // What is known after the step: the values that variables were last seen to have, and the open calls.
  state(index) {
    const globals = new Map();
    const frames = [];
    const frame = (depth, name) => {
      frames.length = Math.min(frames.length, depth);
      while (frames.length < depth) frames.push({ name, values: new Map(), at: null });
      return frames[depth - 1];
    };
    for (let number = 0; number <= index; number++) {
      const step = this.steps[number];
      const depth = Math.max(1, step.depth);
      const own = frame(depth, step.function);
      own.name = step.function;
      own.at = step.place;
      const argument = step.kind === "argument";
      // A parameter belongs to the call that is being made.
      const target = argument ? (this.coming ??= new Map()) : own.values;
      if (step.forgets) (step.forgets[0] === "g" ? globals : own.values).delete(step.forgets);
      for (const [name, value, key] of step.values) {
        if (key) (key[0] === "g" ? globals : target).set(key, { name, value, number });
      }
      const next = this.steps[number + 1];
      if (this.coming && next && next.kind !== "argument") {
        if (next.depth > depth) frame(depth + 1, next.function).values = this.coming;
        this.coming = undefined;
      }
    }
    this.coming = undefined;
    frames.length = Math.min(frames.length, Math.max(1, this.steps[index].depth));
    return { globals, frames };
  }

  tell(step) {
    const { globals, frames } = this.state(this.now);
    const what = { assignment: "assigns", branch: "branches", call: "calls", argument: "passes", result: "stores what was returned",
      return: "returns", other: "declares" }[step.kind];
    find("what").replaceChildren(
      make("p", {}, make("code", {}, step.text)),
      make("p", { class: "faint" }, `${step.place ?? "before the source"}, in ${step.function}, ${what}`
        + `${step.input ? "; given from outside" : ""}${step.essential ? "" : "; the error does not depend on it"}`),
      ...step.values.map(([name, value]) => make("p", {}, make("code", {}, `${name} = ${value}`))),
    );
    const own = frames[frames.length - 1]?.values ?? new Map();
    const rows = [...[...own.values()].map((known) => ["", known]), ...[...globals.values()].map((known) => ["global", known])];
    find("values").replaceChildren(...rows.map(([scope, known]) => make("tr", { class: known.number === this.now ? "changed" : undefined },
      make("td", {}, known.name), make("td", {}, known.value), make("td", { class: "faint" }, scope))));
    find("no-values").hidden = rows.length > 0;
    find("stack").replaceChildren(...frames.map((open) => make("li", {}, make("code", {}, open.name), ` at ${open.at ?? "?"}`)).reverse());
  }
}
