/* Owns the right pane: one thread, what the bot is doing in it, and a composer of its own. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { createComposer } from "../composer.js";
import { listKey } from "../store.js";
import { nameOf, statusOf } from "./conversation.js";
import { statusLine } from "./message.js";
import { createTimeline } from "./timeline.js";

export function createThread(root, { send, close }) {
  const where = h("p", { class: "topic" });
  const timeline = createTimeline("Thread");
  const composer = createComposer(({ channel, thread }, text) => send(channel, text, thread));
  const closer = h("button", { type: "button", class: "tool", "aria-label": "Close thread", title: "Close (Esc)", onclick: close }, icon("close"));
  root.append(h("header", { class: "pane-head" }, h("div", { class: "pane-title" }, h("h1", {}, "Thread"), where), closer), timeline.node, composer.node);
  root.addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && close());

  let wantsFocus = false;

  return {
    /** Put the cursor into the composer as soon as the thread is there. */
    focusSoon: () => { wantsFocus = true; },
    render(state) {
      const { channel: id, thread } = state.place;
      root.hidden = !thread;
      if (!thread) return;
      const key = listKey(id, thread);
      const channel = state.channels.find((one) => one.id === id);
      const messages = state.lists.get(key) ?? [];
      where.textContent = nameOf(channel);
      composer.open(key, { channel: id, thread }, "Reply in thread", state.users);
      timeline.render(listKey(state.me.id, key), messages, () => ({ directory: state.directory, users: state.users }), trailing(statusOf(state, key)));
      if (wantsFocus) composer.focus();
      wantsFocus = false;
    },
  };
}

function trailing(status) {
  return status ? [{ key: "status", stamp: [status], make: () => statusLine(status) }] : [];
}
