/* Owns data_visualization blocks: a drawing with its legend, and the same figures as a table for whoever prefers them. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { drawArea, drawBars, drawLines } from "./axes.js";
import { drawPie } from "./pie.js";
import { tableView } from "./table.js";

const DRAWERS = { line: drawLines, bar: drawBars, area: drawArea, pie: drawPie };

export function chart({ title, chart: data }) {
  const drawing = h("div", { class: "chart-drawing" }, DRAWERS[data.type](data, `${title}: ${inWords(data)}`), legend(data));
  const table = h("div", { hidden: true }, tableOf(data, title));
  const toggle = h("button", { type: "button", class: "tool", onclick: turn });
  const name = () => {
    const words = table.hidden ? "Show as a table" : "Show as a chart";
    toggle.setAttribute("aria-label", words);
    toggle.title = words;
    toggle.replaceChildren(icon(table.hidden ? "table" : "chart"));
  };

  function turn() {
    table.hidden = !table.hidden;
    drawing.hidden = !table.hidden;
    name();
  }

  name();
  return h("figure", { class: `chart chart-${data.type}` }, h("figcaption", {}, h("strong", {}, title), toggle), drawing, table);
}

/** A pie names its parts with their shares; one series alone is named by the axis. */
function legend(data) {
  if (data.type !== "pie") return data.series.length > 1 && keys(data.series.map(({ name }) => [name]));
  const total = data.segments.reduce((sum, { value }) => sum + value, 0);
  return keys(data.segments.map(({ label, value }) => [label, `${((100 * value) / total).toFixed(1)} %`]));
}

const keys = (rows) =>
  h("ul", { class: "legend" }, rows.map(([name, share], index) =>
    h("li", {}, h("i", { class: `shade-${index % 12}` }), h("span", {}, name), share && h("span", { class: "share" }, share))));

function tableOf(data, caption) {
  const cell = (value) => ({ text: figure(value), nodes: [figure(value)] });
  if (data.type === "pie") {
    const rows = data.segments.map(({ label, value }) => [label, value].map(cell));
    return tableView({ caption, header: ["", "value"].map(cell), rows });
  }
  const { categories, x_label } = data.axis_config;
  const at = (series, category) => series.data.find(({ label }) => label === category)?.value ?? "–";
  const header = [x_label ?? "", ...data.series.map(({ name }) => name)];
  const rows = categories.map((category) => [category, ...data.series.map((series) => at(series, category))]);
  return tableView({ caption, header: header.map(cell), rows: rows.map((row) => row.map(cell)) });
}

const figure = (value) => (typeof value === "number" ? value.toLocaleString("en-GB") : value);

function inWords(data) {
  if (data.type === "pie") return `pie chart of ${data.segments.length} parts`;
  const { categories } = data.axis_config;
  const names = data.series.map(({ name }) => name).join(", ");
  return `${data.type} chart of ${names}, ${categories[0]} to ${categories.at(-1)}`;
}
