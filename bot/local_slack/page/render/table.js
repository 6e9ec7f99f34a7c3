/* Owns how a table looks: a header that stays, numbers to the right in figures of one width, scrolling of its own. */

import { h } from "../dom.js";

const NUMBER = /^[-+−]?[$€£¥]?\s?\d[\d.,'\u00a0\u202f ]*\s?(%|[kKMBT]|[$€£¥])?$/u;
const NOTHING = new Set(["", "-", "–", "—", "NULL", "null", "n/a"]);

/** `header` and `rows` hold cells `{text, nodes}`; `aligns` gives "left", "center", "right" or null (by content). */
export function tableView({ header, rows, aligns = [], caption }) {
  const columns = header.map((_, index) => columnClass(rows, index, aligns[index]));
  const cells = (tag, row, more = {}) =>
    row.map(({ nodes }, index) => h(tag, { class: columns[index] || false, ...more }, nodes));
  return h("div", { class: "table-scroll", role: "region", tabindex: "0", "aria-label": caption ?? "Table" },
    h("table", {},
      caption && h("caption", {}, caption),
      h("thead", {}, h("tr", {}, cells("th", header, { scope: "col" }))),
      h("tbody", {}, rows.map((row) => h("tr", {}, cells("td", row))))));
}

function columnClass(rows, index, align) {
  const texts = rows.map((row) => (row[index]?.text ?? "").trim()).filter((text) => !NOTHING.has(text));
  const numbers = texts.length > 0 && texts.every((text) => NUMBER.test(text));
  const side = align ?? (numbers ? "right" : null);
  return [side && side !== "left" && `to-${side}`, numbers && "figures"].filter(Boolean).join(" ");
}
