// The source with the way of the run in it, or with what holds where.
class Source {
  constructor(page) {
    // What ends in a line break has no line behind it.
    this.files = page.sources.map((file) => ({ name: file.name, lines: file.text.replace(/\n$/, "").split("\n") }));
    this.way = this.files.map(() => new Set());
    this.holds = this.files.map(() => new Map());
    this.file = 0;
    this.at = null;
    this.note = null;
    this.picker = find("file");
    this.files.forEach((file, index) => this.picker.append(make("option", { value: index }, file.name)));
    this.picker.addEventListener("change", () => this.open(Number(this.picker.value)));
    this.list = new List(find("source"), () => (this.files[this.file] ?? { lines: [] }).lines.length, (row, index) => this.draw(row, index));
  }

  open(file) {
    this.file = file;
    this.picker.value = String(file);
    this.list.element.scrollTop = 0;
    this.list.update();
  }

  // Shows a place: a file's number, line, column, last line and column.
  show(at, note) {
    this.at = at;
    this.note = note;
    if (at) {
      if (at[0] !== this.file) this.open(at[0]);
      this.list.show(at[1] - 1, true);
    } else {
      this.list.update();
    }
  }

  draw(row, index) {
    const line = index + 1;
    const text = this.files[this.file].lines[index].replace(/\r$/, "");
    const isWay = this.way[this.file].has(line);
    row.append(make("span", { class: "number" }, String(line)), make("span", { class: "way" }, isWay ? "•" : ""));
    const isNow = this.at && this.at[0] === this.file && this.at[1] === line;
    if (isNow) {
      row.classList.add("now");
      const [, , from, lastLine, to] = this.at;
      const end = lastLine === line ? offset(text, to) : text.length;
      const start = offset(text, from);
      row.append(text.slice(0, start), make("mark", {}, text.slice(start, Math.max(end, start))), text.slice(Math.max(end, start)));
      if (this.note) row.append(make("span", { class: "note" }, `   ${this.note}`));
    } else {
      row.append(text);
    }
    const holds = this.holds[this.file].get(line);
    if (holds) row.append(make("span", { class: "holds" }, `   holds: ${holds.join(" && ")}`));
  }
}

// Columns count bytes from 1; text is indexed by code units.
function offset(text, column) {
  const bytes = Math.max(0, column - 1);
  let seen = 0;
  for (let index = 0; index < text.length; index++) {
    if (seen >= bytes) return index;
    const code = text.codePointAt(index);
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code >= 0x10000) index++;
  }
  return text.length;
}
