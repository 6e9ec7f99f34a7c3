/* Owns the right pane: one thread, what the bot is doing in it, and a composer of its own. */

import { createComposer } from "../composer.js";
import { h } from "../dom.js";
import { listKey } from "../store.js";
import { nameOf, statusOf } from "./conversation.js";
import { iconButton, statusLine } from "./parts.js";
import { createTimeline } from "./timeline.js";

export function createThread(root, { send, close }) {
  const where = h("p", { class: "topic" });
  const timeline = createTimeline("Thread");
  const composer = createComposer(({ channel, thread }, text) => send(channel, text, thread));
  const title = h("div", { class: "pane-title" }, h("h1", {}, "Thread"), where);
  const closer = iconButton("close", "Close thread", close, { title: "Close (Esc)" });
  root.append(h("header", { class: "pane-head" }, title, closer), timeline.node, composer.node);
  root.addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && close());
  let wantsFocus = false;

  return {
    /** Put the cursor into the composer as soon as the thread is there. */
    focusSoon: () => { wantsFocus = true; },
    render(state) {
      root.hidden = !state.place.thread;
      if (root.hidden) return;
      renderThread(state, state.channels.find(({ id }) => id === state.place.channel));
      if (wantsFocus) composer.focus();
      wantsFocus = false;
    },
  };

  function renderThread(state, channel) {
    const { thread } = state.place;
    const key = listKey(channel.id, thread);
    const howOf = () => ({ directory: state.directory, users: state.users });
    where.textContent = nameOf(channel);
    composer.open(key, { channel: channel.id, thread }, "Reply in thread", state.users);
    timeline.render(listKey(state.me.id, key), state.lists.get(key) ?? [], howOf, trailing(statusOf(state, key)));
  }
}

function trailing(status) {
  return status ? [{ key: "status", stamp: [status], make: () => statusLine(status) }] : [];
}
