// A list of which only the rows are made that can be seen: it stays fluid however long it is.
class List {
  // `draw(row, index)` fills a row; `count()` says how many there are.
  constructor(element, count, draw) {
    this.element = element;
    this.count = count;
    this.draw = draw;
    this.room = make("div", { class: "room" });
    element.append(this.room);
    this.height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
    element.addEventListener("scroll", () => this.update());
    new ResizeObserver(() => this.update()).observe(element);
  }

  update() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - 8);
    const last = Math.min(this.count(), Math.ceil((scrollTop + clientHeight) / this.height) + 8);
    this.makeRoom();
    const rows = [];
    for (let index = first; index < last; index++) {
      const row = make("div", { class: "row" });
      row.style.top = `${index * this.height}px`;
      this.draw(row, index);
      rows.push(row);
    }
    this.room.replaceChildren(...rows);
  }

  makeRoom() {
    this.room.style.height = `${this.count() * this.height}px`;
  }

  // Brings a row into view.
  show(index, centred) {
    // Where there is no room yet, nothing can be scrolled to.
    this.makeRoom();
    const top = index * this.height;
    const { scrollTop, clientHeight } = this.element;
    const margin = centred ? clientHeight / 3 : this.height;
    if (top < scrollTop + margin || top + this.height > scrollTop + clientHeight - margin) {
      this.element.scrollTop = Math.max(0, centred ? top - clientHeight / 2 : top < scrollTop + margin
        ? top - margin : top + this.height + margin - clientHeight);
    }
    this.update();
  }
}

// An element with its attributes and what is in it.
function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...content.filter((part) => part !== undefined && part !== null));
  return element;
}

const find = (id) => document.getElementById(id);
