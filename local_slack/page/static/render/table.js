/* Owns how a table looks: a header that stays, numbers to the right in figures of one width, scrolling of its own. */

import { h } from "../dom.js";

const NUMBER = /^[-+−]?[$€£¥]?\s?\d[\d.,'\u00a0\u202f ]*\s?(%|[kKMBT]|[$€£¥])?$/u;
const NOTHING = new Set(["", "-", "–", "—", "NULL", "null", "n/a"]);

/**
 * `header` and `rows` hold cells `{text, nodes}`; `aligns` gives "left", "center", "right" or null (by content, of `like`
 * where `rows` are only a part); a header cell may say how it is sorted; `rowHeader` is the column that names each row.
 */
export function tableView({ header, rows, aligns = [], caption, like = rows, rowHeader }) {
  const columns = header.map((_, index) => columnClass(like, index, aligns[index]));
  const heads = header.map(({ nodes, sort }, index) =>
    h("th", { class: columns[index] || false, scope: "col", "aria-sort": sort ?? null }, nodes));
  const cells = (row) => row.map(({ nodes }, index) =>
    h(index === rowHeader ? "th" : "td", { class: columns[index] || false, scope: index === rowHeader ? "row" : null }, nodes));
  return h("div", { class: "table-scroll", role: "region", tabindex: "0", "aria-label": caption ?? "Table" },
    h("table", {},
      caption && h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads)),
      h("tbody", {}, rows.map((row) => h("tr", {}, cells(row))))));
}

function columnClass(rows, index, align) {
  const texts = rows.map((row) => (row[index]?.text ?? "").trim()).filter((text) => !NOTHING.has(text));
  const numbers = texts.length > 0 && texts.every((text) => NUMBER.test(text));
  const side = align ?? (numbers ? "right" : null);
  return [side && side !== "left" && `to-${side}`, numbers && "figures"].filter(Boolean).join(" ");
}
