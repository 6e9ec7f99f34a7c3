/* Owns what an app says about its work: one task as a card that folds, and a plan of several. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { link } from "./links.js";
import { richText } from "./rich_text.js";

const STATES = { pending: "to do", in_progress: "in progress", complete: "done", error: "failed" };
const DRAWINGS = { complete: "check", error: "close" };

export function taskCard(task, { directory }) {
  const { title, status = "pending", details, output, sources } = task;
  const attributes = { class: `task task-${status in STATES ? status : "pending"}` };
  const mark = h("span", { class: "task-mark", role: "img", "aria-label": STATES[status] ?? status },
    DRAWINGS[status] && icon(DRAWINGS[status]));
  const inside = [
    details && h("div", { class: "task-details" }, richText(details, directory)),
    output && h("div", { class: "task-output" }, richText(output, directory)),
    sources?.length > 0 && h("ul", { class: "sources" }, sources.map(source)),
  ].filter(Boolean);
  const head = [mark, h("span", { class: "task-title" }, title)];
  if (!inside.length) return h("div", attributes, h("div", { class: "task-head" }, head));
  return h("details", { ...attributes, open: status === "in_progress" || status === "error" },
    h("summary", { class: "task-head" }, head, icon("down")),
    h("div", { class: "task-inside" }, inside));
}

const source = ({ url, text }) => h("li", {}, link(url, text || url) ?? text);

export function plan({ title, tasks = [] }, surface) {
  const done = tasks.filter(({ status }) => status === "complete").length;
  return h("section", { class: "plan", "aria-label": title || "Plan" },
    h("div", { class: "plan-head" },
      h("strong", {}, title || "Plan"),
      tasks.length > 0 && h("span", { class: "plan-count" }, `${done} of ${tasks.length} done`)),
    tasks.length > 0 && h("progress", { max: tasks.length, value: done, "aria-label": "Tasks done" }),
    tasks.map((task) => taskCard(task, surface)));
}
