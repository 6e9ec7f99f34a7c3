/* Owns how JSON reads: one line for each value, in colours, with the lines marked that a JSON pointer names. */

import { h } from "../dom.js";
import { iconButton } from "../views/parts.js";

/** `pointers` are JSON pointers into `value`; what they name, or the nearest that is there, is marked. */
export function jsonView(value, pointers) {
  const lines = [];
  write(value, { lines, pointer: "", depth: 0, lead: [], tail: "" });
  const marked = new Set(pointers.map((pointer) => nearest(pointer, lines)));
  const copy = () => navigator.clipboard.writeText(JSON.stringify(value, null, 2));
  return h("div", { class: "json" },
    iconButton("copy", "Copy JSON", copy, { class: "tool json-copy" }),
    h("pre", { tabindex: "0" }, lines.map(({ pointer, depth, nodes }) =>
      h("span", { class: marked.has(pointer) ? "json-line json-wrong" : "json-line", style: { "--depth": depth } }, nodes, "\n"))));
}

function nearest(pointer, lines) {
  const known = new Set(lines.map((line) => line.pointer));
  let here = pointer;
  while (here && !known.has(here)) here = here.slice(0, here.lastIndexOf("/"));
  return here;
}

function write(value, { lines, pointer, depth, lead, tail }) {
  const isList = Array.isArray(value);
  const entries = value !== null && typeof value === "object" ? Object.entries(value) : null;
  if (!entries?.length) {
    const text = entries ? (isList ? "[]" : "{}") : JSON.stringify(value) ?? "null";
    const look = `json-${value === null ? "null" : typeof value}`;
    lines.push({ pointer, depth, nodes: [lead, h("span", { class: look }, text), tail] });
    return;
  }
  lines.push({ pointer, depth, nodes: [lead, isList ? "[" : "{"] });
  entries.forEach(([name, inner], index) => write(inner, {
    lines,
    pointer: `${pointer}/${name}`,
    depth: depth + 1,
    lead: isList ? [] : [h("span", { class: "json-key" }, JSON.stringify(name)), ": "],
    tail: index < entries.length - 1 ? "," : "",
  }));
  lines.push({ pointer: null, depth, nodes: [isList ? "]" : "}", tail] });
}
