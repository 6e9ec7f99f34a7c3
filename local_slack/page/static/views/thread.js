/* Owns the right pane: one thread, what the app is doing in it and the way to stop it, and a composer of its own. */

import { createComposer } from "../composer.js";
import { h } from "../dom.js";
import { listKey, placeName } from "../names.js";
import { canStop } from "../store.js";
import { iconButton, statusLine } from "./parts.js";
import { createTimeline } from "./timeline.js";

export function createThread(root, { send, does, surfaces, close }) {
  const name = h("h1", {}, "Thread");
  const where = h("p", { class: "topic" });
  const timeline = createTimeline("Thread");
  const broadcast = h("input", { type: "checkbox" });
  const also = h("label", { class: "also" }, broadcast, h("span", {}));
  const composer = createComposer(post, does);
  const closer = iconButton("close", "Close thread", close, { title: "Close (Esc)" });
  composer.node.append(also);
  root.append(h("header", { class: "pane-head" }, h("div", { class: "pane-title" }, name, where), closer), timeline.node, composer.node);
  root.addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && close());
  composer.takeDrops(root);
  let wantsFocus = false;

  async function post({ channel, thread }, message) {
    await send(channel, { ...message, broadcast: broadcast.checked }, thread);
    broadcast.checked = false;
  }

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
    const stoppable = canStop(state, key);
    const status = state.statuses.get(key);
    const howOf = (message) => ({
      state, does, channel: channel.id, surfaceOf: surfaces.inChannel(channel.id, "thread"), bot: state.bot, users: state.users,
      alone: true, editing: state.editing === listKey(channel.id, message.ts),
    });
    name.textContent = state.sessions.get(key)?.title || "Thread";
    where.textContent = placeName(channel);
    also.hidden = channel.is_im;
    also.lastChild.textContent = `Also send to ${placeName(channel)}`;
    composer.open(key, { channel: channel.id, thread }, "Reply in thread", state.users);
    composer.offer(stoppable, state.prompts.get(key));
    timeline.render(listKey(state.me.id, key), state.lists.get(key) ?? [], howOf, { extra: trailing(status, state) });
  }
}

function trailing(status, { bot }) {
  return status ? [{ key: "status", stamp: [status], make: () => statusLine(status, bot) }] : [];
}
