/* Owns the drawer that shows what app and server said to each other: every call, every envelope, and what was wrong with it. */

import { h, reconcile } from "../dom.js";
import { jsonView } from "../render/json.js";
import { full } from "../time.js";
import { iconButton } from "./parts.js";

const KINDS = [["", "Everything"], ["call", "Calls"], ["envelope", "Envelopes"], ["error", "Errors"]];
const FINE = new Set(["ok", "acknowledged", "waiting"]);
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const ARROWS = { call: "→", response_url: "→", webhook: "→", envelope: "←", http: "←" };

export function createInspector(root, close) {
  const search = h("input", {
    class: "field", type: "search", placeholder: "Search names and contents", "aria-label": "Search", oninput: draw,
  });
  const kinds = KINDS.map(([kind, name]) =>
    h("button", { type: "button", class: "control control-quiet", "aria-pressed": kind === "", onclick: () => choose(kind) }, name));
  const count = h("span", { class: "inspector-count", role: "status" });
  const list = h("div", { class: "entries", role: "listbox", "aria-label": "Calls and envelopes", tabindex: "0", onkeydown: walk });
  const detail = h("div", { class: "entry-detail", tabindex: "0", role: "region", "aria-label": "Details" });
  root.append(
    h("header", { class: "inspector-head" }, h("h2", {}, "Inspector"), search, h("span", { class: "kinds" }, kinds), count,
      iconButton("close", "Close inspector", close, { title: "Close (Esc)" })),
    h("div", { class: "inspector-body" }, list, detail));
  root.addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && close());
  const texts = new WeakMap();
  let entries = new Map();
  let wanted = "";
  let chosen = null;
  let shown = null;

  return {
    focus: () => search.focus(),
    render({ journal }) {
      if (root.hidden || journal === entries) return;
      entries = journal;
      draw();
    },
  };

  function choose(kind) {
    wanted = kind;
    kinds.forEach((button, index) => button.setAttribute("aria-pressed", String(KINDS[index][0] === kind)));
    draw();
  }

  function found() {
    const words = search.value.trim().toLowerCase();
    return [...entries.values()].reverse().filter((entry) => isOfKind(entry, wanted) && textOf(entry).includes(words));
  }

  function textOf(entry) {
    if (!texts.has(entry)) texts.set(entry, JSON.stringify(entry).toLowerCase());
    return texts.get(entry);
  }

  function draw() {
    const rows = found();
    const atTop = list.scrollTop < 8;
    count.textContent = `${rows.length} of ${entries.size}`;
    reconcile(list, rows.map((entry) => {
      const selected = entry.number === chosen;
      return { key: String(entry.number), stamp: [entry, selected], make: () => rowOf(entry, selected) };
    }));
    if (atTop) list.scrollTop = 0;
    if (shown !== entries.get(chosen)) show();
  }

  function rowOf(entry, selected) {
    const attributes = {
      class: isBad(entry) ? "entry entry-bad" : "entry",
      id: `entry-${entry.number}`,
      role: "option",
      "aria-selected": selected,
      onclick: () => select(entry.number),
    };
    return h("div", attributes,
      h("time", {}, TIME.format(new Date(entry.at * 1000))),
      h("span", { class: "entry-way", title: entry.kind }, ARROWS[entry.kind] ?? "·"),
      h("span", { class: "entry-name" }, entry.name, entry.attempt > 0 && h("small", {}, ` attempt ${entry.attempt + 1}`)),
      h("span", { class: "entry-outcome" }, entry.outcome),
      h("span", { class: "entry-ms" }, entry.ms === null || entry.ms === undefined ? "" : `${Math.round(entry.ms)} ms`));
  }

  function select(number) {
    chosen = number;
    draw();
    list.setAttribute("aria-activedescendant", `entry-${number}`);
    list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  function walk(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const rows = found();
    const at = rows.findIndex(({ number }) => number === chosen);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next) select(next.number);
  }

  function show() {
    shown = entries.get(chosen);
    detail.replaceChildren(...(shown ? detailOf(shown) : [h("p", { class: "gone" }, "Choose a call or an envelope to see all of it.")]));
  }
}

const isBad = ({ outcome, errors }) => !FINE.has(outcome) || errors?.length > 0;

function isOfKind(entry, kind) {
  if (kind === "error") return isBad(entry);
  return !kind || (kind === "call") === (ARROWS[entry.kind] === "→");
}

const WAYS = {
  call: "the app called", envelope: "sent over Socket Mode", http: "sent by HTTP", response_url: "the app answered by response_url",
  webhook: "the app posted by webhook",
};

function detailOf(entry) {
  const { errors = [] } = entry;
  const at = errors.map((line) => /\[json-pointer:([^\]]*)\]/.exec(line)?.[1]).filter(Boolean);
  return [
    h("h3", {}, entry.name),
    h("p", { class: "entry-facts" },
      [WAYS[entry.kind] ?? entry.kind, entry.status && `HTTP ${entry.status}`, entry.outcome, full(entry.at)]
        .filter(Boolean).join(" · ")),
    errors.length > 0 && h("ul", { class: "entry-errors" }, errors.map((line) => h("li", {}, line))),
    h("h4", {}, "Request"), jsonView(entry.request, at),
    entry.response !== null && entry.response !== undefined && [h("h4", {}, "Response"), jsonView(entry.response, [])],
  ].flat().filter(Boolean);
}
