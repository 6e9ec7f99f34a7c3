/* Owns charts that stand on an axis: round steps up the side, categories along the foot, and lines, areas or bars. */

import { svg } from "../dom.js";

const WIDTH = 600;
const HEIGHT = 280;
const EDGE = { top: 12, right: 14, bottom: 30, left: 54 };
const STEPS = 5;
const LETTER_PX = 6.4;
const SHORT = new Intl.NumberFormat("en-GB", { notation: "compact", maximumSignificantDigits: 4 });

export const drawLines = (data, name) => draw(data, name, (frame, series, index) => [
  svg("path", { class: `line shade-${index}`, d: path(points(frame, series)) }),
  dots(frame, series, index),
]);

export const drawArea = (data, name) => draw(data, name, (frame, series, index) => {
  const line = points(frame, series);
  if (!line.length) return null;
  const foot = frame.y(Math.max(0, frame.low));
  const closed = `${path(line)}L${line.at(-1)[0]} ${foot}L${line[0][0]} ${foot}Z`;
  return [
    svg("path", { class: `area shade-${index}`, d: closed }),
    svg("path", { class: `line shade-${index}`, d: path(line) }),
    dots(frame, series, index),
  ];
});

export const drawBars = (data, name) => draw(data, name, (frame, series, index) => {
  const width = Math.min(64, (frame.band * 0.76) / data.series.length);
  const left = (data.series.length * width) / 2 - index * width;
  return valuesOf(frame, series).map(([at, value, label]) => {
    const ends = [frame.y(0), frame.y(value)].sort((a, b) => a - b);
    const size = { width: Math.max(1, width - 2), height: Math.max(0.5, ends[1] - ends[0]), rx: 2 };
    const box = { x: frame.x(at) - left, y: ends[0], ...size };
    return svg("rect", { class: `bar shade-${index}`, ...box }, tip(series.name, label, value));
  });
}, true);

function draw({ series, axis_config: { categories, x_label, y_label } }, name, drawSeries, fromZero = false) {
  const frame = frameOf(series, categories, { x_label, fromZero });
  return svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${frame.height}`, role: "img", "aria-label": name },
    frame.ticks.map((value) => [
      svg("path", { class: value === 0 ? "axis" : "grid", d: `M${EDGE.left} ${frame.y(value)}H${WIDTH - EDGE.right}` }),
      word("tick", EDGE.left - 8, frame.y(value) + 4, SHORT.format(value), "end"),
    ]),
    categories.map((category, at) => at % frame.every === 0
      && label(frame.x(at), frame.foot + 18, shortened(category, frame.band * frame.every))),
    series.map((one, index) => drawSeries(frame, one, index % 12)),
    x_label && word("axis-name", (EDGE.left + WIDTH - EDGE.right) / 2, frame.height - 6, x_label),
    y_label && svg("g", { transform: `translate(11 ${frame.foot / 2}) rotate(-90)` }, word("axis-name", 0, 0, y_label)));
}

const word = (look, x, y, text, anchor = "middle") => svg("text", { class: look, x, y, "text-anchor": anchor }, text);

/** A word under the axis, moved in where it would leave the picture. */
const label = (x, y, text) => word("tick", Math.min(x, WIDTH - (text.length * LETTER_PX) / 2), y, text);

/** The measures of a chart: where a category and a value stand. */
function frameOf(series, categories, { x_label, fromZero }) {
  const values = series.flatMap(({ data }) => data.map(({ value }) => value));
  const ticks = ticksOf(Math.min(...values, fromZero ? 0 : Infinity), Math.max(...values, fromZero ? 0 : -Infinity));
  const [low, high] = [ticks[0], ticks.at(-1)];
  const height = HEIGHT + (x_label ? 18 : 0);
  const foot = HEIGHT - EDGE.bottom;
  const band = (WIDTH - EDGE.left - EDGE.right) / categories.length;
  const longest = Math.max(...categories.map((category) => Math.min(category.length, 14)));
  return {
    ticks, low, height, foot, band, categories,
    every: Math.max(1, Math.ceil((longest * LETTER_PX + 6) / band)),
    x: (at) => EDGE.left + band * (at + 0.5),
    y: (value) => foot - ((value - low) / (high - low)) * (foot - EDGE.top),
  };
}

/** Round values that hold the whole range; charts of positive figures that come near zero begin there. */
function ticksOf(least, most) {
  const bottom = least > 0 && least < most * 0.6 ? 0 : least;
  const span = most - bottom || Math.abs(most) || 1;
  const rough = span / STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.floor(bottom / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

const valuesOf = ({ categories }, { data }) =>
  data.map(({ label, value }) => [categories.indexOf(label), value, label]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0]);

const points = (frame, series) => valuesOf(frame, series).map(([at, value]) => [frame.x(at), frame.y(value)]);
const path = (line) => line.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

const dots = (frame, series, index) =>
  valuesOf(frame, series).map(([at, value, label]) =>
    svg("circle", { class: `dot shade-${index}`, cx: frame.x(at), cy: frame.y(value), r: 3.2 }, tip(series.name, label, value)));

const tip = (name, label, value) => svg("title", {}, `${name}, ${label}: ${value.toLocaleString("en-GB")}`);

function shortened(text, room) {
  const most = Math.max(3, Math.floor(room / LETTER_PX));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
