/* Owns the table blocks: a `table` as it is, a `data_table` with sorting by a column and pages. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { inline, richText } from "./rich_text.js";
import { tableView } from "./table.js";

const PAGE_SIZE = 5;

export function plainTable({ rows, column_settings }, directory) {
  const [header, ...body] = rows.map((row) => row.map((cell) => cellOf(cell, directory)));
  return tableView({ header, rows: body, aligns: (column_settings ?? []).map((setting) => setting?.align ?? null) });
}

export function dataTable({ rows, caption, page_size = PAGE_SIZE }, directory) {
  const [header, ...body] = rows.map((row) => row.map((cell) => cellOf(cell, directory)));
  const place = h("div", { class: "data-table" });
  let order = { column: null, down: false };
  let page = 0;

  function show() {
    const sorted = order.column === null ? body : sortedBy(body, order);
    const heads = header.map((cell, column) => ({ ...cell, nodes: [sortButton(cell, column)] }));
    const shown = sorted.slice(page * page_size, (page + 1) * page_size);
    place.replaceChildren(tableView({ header: heads, rows: shown, caption: caption?.text ?? caption }), pager());
  }

  function sortButton(cell, column) {
    const active = order.column === column;
    const press = () => {
      order = { column, down: active && !order.down };
      page = 0;
      show();
    };
    return h("button", { type: "button", class: "sort", "aria-pressed": active, onclick: press },
      cell.nodes, active && icon(order.down ? "down" : "up"));
  }

  function pager() {
    const last = Math.ceil(body.length / page_size) - 1;
    const turn = (by) => () => {
      page += by;
      show();
    };
    if (last < 1) return h("div", { class: "pager" }, counted(body.length));
    const shown = `${page * page_size + 1}–${Math.min((page + 1) * page_size, body.length)}`;
    return h("div", { class: "pager" },
      h("button", { type: "button", class: "control", disabled: page === 0, onclick: turn(-1) }, "Previous"),
      h("span", {}, `${shown} of ${counted(body.length)}`),
      h("button", { type: "button", class: "control", disabled: page === last, onclick: turn(1) }, "Next"));
  }

  show();
  return place;
}

const counted = (rows) => (rows === 1 ? "1 row" : `${rows} rows`);

/** A cell `{text, value, nodes}`; `value` is what sorting compares. */
function cellOf(cell, directory) {
  if (cell.type === "rich_text") {
    const nodes = cell.elements.length === 1 ? inline(cell.elements[0], directory) : richText(cell, directory);
    const text = h("p", {}, nodes.map((node) => node.cloneNode?.(true) ?? node)).textContent;
    return { text, value: text, nodes };
  }
  const text = String(cell.text ?? cell.value ?? "");
  return { text, value: cell.value ?? text, nodes: [text] };
}

function sortedBy(rows, { column, down }) {
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const sign = down ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column].value, other[column].value];
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : compare(String(a), String(b)));
  });
}
