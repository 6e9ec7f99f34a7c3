/* Owns the middle pane: the channel's name, its messages or the first hint, the bot's state and the composer. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { createComposer } from "../composer.js";
import { hasNewReplies, label, listKey } from "../store.js";
import { avatar } from "./message.js";
import { hint } from "./hint.js";
import { createTimeline } from "./timeline.js";

const WITH_KEYBOARD = matchMedia("(pointer: fine)"); // on a touch screen, focus would raise its keyboard

export function createConversation(root, { send, openThread, toggleSidebar }) {
  const title = h("div", { class: "pane-title" });
  const menu = h("button", { type: "button", class: "tool menu-tool", "aria-label": "Show channels", onclick: toggleSidebar }, icon("menu"));
  const notice = h("div", { class: "notices", "aria-live": "polite" });
  const timeline = createTimeline("Messages");
  const composer = createComposer(({ channel }, text) => send(channel, text));
  root.append(h("header", { class: "pane-head" }, menu, title), timeline.node, notice, composer.node);
  let heading = null;

  return {
    composer,
    render(state) {
      const channel = state.channels.find(({ id }) => id === state.place.channel);
      const list = state.lists.get(channel.id);
      const moved = heading?.id !== channel.id;
      if (heading !== channel) title.replaceChildren(...titleOf(channel, state));
      heading = channel;
      notice.replaceChildren(...notices(state));
      composer.open(channel.id, { channel: channel.id }, `Message ${nameOf(channel)}`, state.users);
      timeline.render(listKey(state.me.id, channel.id), list ?? [], (message) => ({
        directory: state.directory, users: state.users, openThread,
        unread: hasNewReplies(state, channel.id, message),
        status: statusOf(state, listKey(channel.id, message.ts)),
      }), list?.length === 0 ? [hint(channel, state, composer.fill)] : []);
      if (moved && WITH_KEYBOARD.matches && !state.place.thread) composer.focus();
    },
  };
}

export function statusOf(state, key) {
  const status = state.statuses.get(key);
  return status ? `${state.bot.name} ${status}` : null;
}

export const nameOf = (channel) => (channel.is_im ? channel.name : `#${channel.name}`);

function titleOf(channel, state) {
  if (channel.is_im) {
    const other = state.users.get(channel.user);
    return [avatar(other, label(other)), h("h1", {}, channel.name), h("p", { class: "topic" }, "Direct message")];
  }
  return [
    h("h1", {}, icon(channel.is_private ? "lock" : "hash"), channel.name),
    channel.topic && h("p", { class: "topic" }, channel.topic),
    h("p", { class: "members" }, `${channel.members.length} members`),
  ].filter(Boolean);
}

function notices({ link, bot }) {
  if (link === "lost") return [h("p", { class: "notice" }, "The local workspace does not answer. ", h("code", {}, "make run"), " starts it; this page comes back by itself.")];
  if (bot.connected) return [];
  return [h("p", { class: "notice" }, h("strong", {}, bot.name), " is not connected. ", h("code", {}, "make run"), " starts it, and it then answers what is asked here meanwhile.")];
}
