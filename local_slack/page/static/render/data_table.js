/* Owns the table blocks: a `table` as it is, a `data_table` with a filter, sorting by a column and pages. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { inline, richText } from "./rich_text.js";
import { tableView } from "./table.js";

const PAGE_SIZE = 5;

export function plainTable({ rows, column_settings }, directory) {
  const [header, ...body] = rows.map((row) => row.map((cell) => cellOf(cell, directory)));
  return tableView({ header, rows: body, aligns: (column_settings ?? []).map((setting) => setting?.align ?? null) });
}

export function dataTable({ rows, caption, page_size = PAGE_SIZE, row_header_column_index: rowHeader = 0 }, directory) {
  const [header, ...body] = rows.map((row) => row.map((cell) => cellOf(cell, directory)));
  const name = caption?.text ?? caption;
  const table = h("div", {});
  const foot = h("div", { class: "pager" });
  let order = { column: null, down: false };
  let wanted = "";
  let page = 0;

  const filter = h("input", {
    class: "field filter", type: "search", placeholder: "Filter", "aria-label": `Filter ${name}`,
    oninput: () => turnTo(0, () => { wanted = filter.value.trim().toLowerCase(); }),
  });

  function turnTo(next, change = () => {}) {
    change();
    page = next;
    show();
  }

  function show() {
    const left = body.filter((row) => row.some(({ text }) => text.toLowerCase().includes(wanted)));
    const sorted = order.column === null ? left : sortedBy(left, order);
    const heads = header.map((cell, column) => ({ ...cell, nodes: [sortButton(cell, column)], sort: sortWord(column) }));
    const shown = sorted.slice(page * page_size, (page + 1) * page_size);
    table.replaceChildren(tableView({ header: heads, rows: shown, like: body, caption: name, rowHeader }));
    foot.replaceChildren(...pager(left.length));
  }

  const sortWord = (column) => (order.column === column ? (order.down ? "descending" : "ascending") : null);

  function sortButton(cell, column) {
    const active = order.column === column;
    const press = () => turnTo(0, () => { order = { column, down: active && !order.down }; });
    const again = () => {
      press();
      table.querySelectorAll(".sort")[column].focus();
    };
    return h("button", { type: "button", class: "sort", "aria-pressed": active, onclick: again },
      cell.nodes, active && icon(order.down ? "down" : "up"));
  }

  function pager(count) {
    const last = Math.ceil(count / page_size) - 1;
    if (last < 1) return [h("span", {}, counted(count))];
    const shown = `${page * page_size + 1}–${Math.min((page + 1) * page_size, count)}`;
    const turn = (label, next) =>
      h("button", { type: "button", class: "control", disabled: next < 0 || next > last, onclick: () => turnTo(next) }, label);
    return [turn("Previous", page - 1), h("span", {}, `${shown} of ${counted(count)}`), turn("Next", page + 1)];
  }

  show();
  return h("div", { class: "data-table" }, body.length > page_size && filter, table, foot);
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
