// The rounds of an engine: how long each phase took, and what the engine knew then.
const COLOURS = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756"];

function draw(name, attributes, ...content) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

function chart(attempt) {
  const [width, height, left, right, bottom, top] = [640, 184, 66, 46, 28, 16];
  const rounds = attempt.rounds;
  const phases = [...new Set(rounds.flatMap((round) => round.times.map(([name]) => name)))];
  const total = (round) => round.times.reduce((sum, [, seconds]) => sum + seconds, 0);
  const longest = Math.max(...rounds.map(total), 0);
  const most = Math.max(...rounds.map((round) => round.known), 1);
  const column = (width - left - right) / rounds.length;
  const level = (share) => height - bottom - share * (height - bottom - top);
  const parts = [];
  rounds.forEach((round, index) => {
    let below = 0;
    for (const [name, seconds] of round.times) {
      if (!(seconds > 0 && longest > 0)) continue;
      const bar = draw("rect", { x: left + index * column + column * 0.1, width: Math.max(1, column * 0.8),
        y: level((below + seconds) / longest), height: level(below / longest) - level((below + seconds) / longest),
        fill: COLOURS[phases.indexOf(name) % COLOURS.length] });
      bar.append(draw("title", {}, `round ${round.number}: ${name} ${seconds.toFixed(3)} s`));
      parts.push(bar);
      below += seconds;
    }
  });
  const points = rounds.map((round, index) => `${left + (index + 0.5) * column},${level(round.known / most)}`);
  parts.push(draw("polyline", { points: points.join(" "), fill: "none", stroke: "currentColor", "stroke-width": 2 }));
  points.forEach((point) => {
    const [x, y] = point.split(",");
    parts.push(draw("circle", { cx: x, cy: y, r: 2.5, fill: "currentColor" }));
  });
  parts.push(draw("line", { x1: left, x2: width - right, y1: level(0), y2: level(0), stroke: "currentColor", "stroke-opacity": 0.4 }));
  if (longest > 0) parts.push(draw("text", { x: 2, y: level(1) + 4 }, `${longest.toFixed(2)} s`));
  parts.push(draw("text", { x: width - right + 6, y: level(1) + 4 }, String(most)));
  parts.push(draw("text", { x: left, y: height - 6 }, `round 1`));
  if (rounds.length > 1) parts.push(draw("text", { x: width - right, y: height - 6, "text-anchor": "end" }, `round ${rounds.length}`));
  const label = `${rounds.length} rounds of ${attempt.engine}, up to ${longest.toFixed(2)} seconds each; it knew ${rounds.at(-1).known} in the end`;
  const legend = make("p", { class: "legend" }, ...phases.map((name, index) => {
    const box = make("i", {});
    box.style.background = COLOURS[index % COLOURS.length];
    return make("span", {}, box, `${name}, seconds`);
  }), make("span", {}, "— what it goes by (predicates, labels, depth)"));
  const head = make("tr", {}, ...["round", "known", ...phases].map((name) => make("th", { scope: "col" }, name)));
  const lines = rounds.map((round) => make("tr", {}, make("td", {}, String(round.number)), make("td", {}, String(round.known)),
    ...phases.map((name) => make("td", {}, (round.times.find(([other]) => other === name)?.[1] ?? 0).toFixed(3)))));
  return [draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...parts), legend,
    make("details", {}, make("summary", {}, "The rounds as a table"),
      make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines))))];
}
