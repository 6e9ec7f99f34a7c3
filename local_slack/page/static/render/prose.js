/*
 * Owns texts of several lines. A dialect is `{blocks, spans, code}`: each block rule looks at the lines from one on and
 * gives `{node, next}` or null; lines that no rule takes are paragraphs, parted by empty lines.
 */

import { h } from "../dom.js";
import { codeBlock } from "./code.js";
import { MARKDOWN_SPANS, MRKDWN_SPANS, spans, spelled } from "./spans.js";
import { tableView } from "./table.js";

/** Slack's own markup, as it stands in `text` and in mrkdwn objects. */
export function mrkdwn(text, directory) {
  const fenced = text.replace(/```\n?([\s\S]+?)\n?```/g, "\n```\n$1\n```\n");
  return prose(fenced.split("\n"), MRKDWN, directory);
}

/** Standard Markdown, as it stands in a markdown block. */
export const markdown = (text, directory) => prose(text.split("\n"), MARKDOWN, directory);

/** One line of mrkdwn, for places that hold no paragraphs. */
export const mrkdwnLine = (text, directory) => spans(text, MRKDWN_SPANS, directory);

function prose(lines, dialect, directory) {
  const inside = {
    line: (text) => spans(text, dialect.spans, directory),
    block: (inner) => prose(inner, dialect, directory),
    code: (text) => dialect.code(text, directory),
  };
  const nodes = [];
  let paragraph = [];
  const close = () => {
    if (paragraph.length) nodes.push(h("p", {}, inside.line(paragraph.join("\n"))));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const taken = firstOf(dialect.blocks, (rule) => rule(lines, at, inside));
    if (taken || !lines[at].trim()) close();
    if (taken) nodes.push(taken.node);
    else if (lines[at].trim()) paragraph.push(lines[at]);
    at = taken ? taken.next : at + 1;
  }
  close();
  return nodes;
}

function firstOf(rules, apply) {
  for (const rule of rules) {
    const result = apply(rule);
    if (result) return result;
  }
  return null;
}

/** The first line from `at` on that fails the test, or the end. */
function until(lines, at, holds) {
  const end = lines.findIndex((line, index) => index >= at && !holds(line));
  return end < 0 ? lines.length : end;
}

function fence(lines, at, inside) {
  const opening = /^\s*(```+|~~~+)\s*([\w+-]*)\s*$/.exec(lines[at]);
  if (!opening) return null;
  const end = until(lines, at + 1, (line) => line.trim() !== opening[1]);
  return { node: codeBlock(inside.code(lines.slice(at + 1, end).join("\n")), opening[2]), next: end + 1 };
}

function quote(lines, at, inside) {
  const mark = /^\s?(?:>|&gt;) ?/;
  if (!mark.test(lines[at])) return null;
  const end = until(lines, at, (line) => mark.test(line));
  const quoted = lines.slice(at, end).map((line) => line.replace(mark, ""));
  return { node: h("blockquote", {}, inside.block(quoted)), next: end };
}

const ITEM = /^(\s*)(?:([-*+•◦▪])|(\d{1,9})[.)])\s+(\S.*)$/;

function list(lines, at, inside) {
  const [first] = gatherItem([], lines[at]);
  if (!first) return null;
  const belongs = (line) => {
    const [item] = gatherItem([], line);
    return item ? item.depth > first.depth || !item.number === !first.number : /^\s{2,}\S/.test(line);
  };
  const end = until(lines, at, belongs);
  const items = lines.slice(at, end).reduce(gatherItem, []);
  return { node: nested(items, inside), next: end };
}

function gatherItem(items, line) {
  const found = ITEM.exec(line);
  if (!found && items.length === 0) return [];
  if (!found) return [...items.slice(0, -1), { ...items.at(-1), text: `${items.at(-1).text}\n${line.trim()}` }];
  const [, indent, , number, text] = found;
  return [...items, { depth: indent.replace(/\t/g, "    ").length, number, text }];
}

function nested(items, inside) {
  const { depth, number } = items[0];
  const entries = [];
  for (let at = 0; at < items.length; ) {
    const end = until(items, at + 1, (item) => item.depth > depth);
    const children = items.slice(at + 1, end);
    entries.push(h("li", {}, inside.line(task(items[at].text)), children.length > 0 && nested(children, inside)));
    at = end;
  }
  return number === undefined ? h("ul", {}, entries) : h("ol", { start: number }, entries);
}

const task = (text) => text.replace(/^\[( |x|X)\] /, (_, mark) => (mark === " " ? "☐ " : "☑ "));

function heading(lines, at, inside) {
  const found = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[at]);
  if (!found) return null;
  return { node: h(`h${Math.min(found[1].length + 2, 6)}`, {}, inside.line(found[2])), next: at + 1 };
}

function rule(lines, at) {
  return /^\s*([-*_])(\s*\1){2,}\s*$/.test(lines[at]) ? { node: h("hr"), next: at + 1 } : null;
}

const DELIMITER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function table(lines, at, inside) {
  if (!lines[at].includes("|") || !DELIMITER.test(lines[at + 1] ?? "") || !lines[at + 1].includes("|")) return null;
  const end = until(lines, at + 2, (line) => line.includes("|"));
  const [header, delimiter, ...rows] = lines.slice(at, end).map(cellsOf);
  const aligns = delimiter.map((mark) => (mark.endsWith(":") ? (mark.startsWith(":") ? "center" : "right") : null));
  const cell = (text) => ({ text, nodes: inside.line(text) });
  return { node: tableView({ header: header.map(cell), rows: rows.map((row) => row.map(cell)), aligns }), next: end };
}

function cellsOf(line) {
  const bare = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return bare.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const MRKDWN = { blocks: [fence, quote, list], spans: MRKDWN_SPANS, code: spelled };
const MARKDOWN = { blocks: [fence, heading, rule, table, quote, list], spans: MARKDOWN_SPANS, code: (text) => text };
