"use strict";
(function () {
  const field = (name) => document.getElementById(name);
  const head = document.querySelector("thead tr");
  const rows = Array.from(document.querySelectorAll("tbody tr"));
  function filter() {
    const program = field("program").value.toLowerCase();
    const check = field("check").value.toLowerCase();
    const verdict = field("verdict").value;
    const columns = Array.from(head.cells).map((cell, at) => at === 0 || cell.textContent.toLowerCase().includes(check));
    Array.from(head.cells).forEach((cell, at) => { cell.hidden = !columns[at]; });
    let shown = 0;
    for (const row of rows) {
      const cells = Array.from(row.cells);
      cells.forEach((cell, at) => { cell.hidden = !columns[at]; });
      const named = cells[0].textContent.toLowerCase().includes(program);
      const has = !verdict || cells.some((cell, at) => columns[at] && cell.classList.contains(verdict));
      row.hidden = !(named && has);
      shown += row.hidden ? 0 : 1;
    }
    field("shown").textContent = shown + " of " + rows.length + " programs";
  }
  for (const name of ["program", "check", "verdict"]) field(name).addEventListener("input", filter);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
