/* Owns the middle pane: the channel's name, its messages or the first hint, the bot's state and the composer. */

import { createComposer } from "../composer.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { hasNewReplies, listKey } from "../store.js";
import { hint } from "./hint.js";
import { avatar, iconButton } from "./parts.js";
import { createTimeline } from "./timeline.js";

const WITH_KEYBOARD = matchMedia("(pointer: fine)"); // on a touch screen, focus would raise its keyboard

export function createConversation(root, { send, openThread, showSidebar }) {
  const title = h("div", { class: "pane-title" });
  const notice = h("div", { class: "notices", "aria-live": "polite" });
  const timeline = createTimeline("Messages");
  const composer = createComposer(({ channel }, text) => send(channel, text));
  const menu = iconButton("menu", "Show channels", showSidebar, { class: "tool menu-tool" });
  root.append(h("header", { class: "pane-head" }, menu, title), timeline.node, notice, composer.node);
  let shown = null;

  return {
    composer,
    render(state) {
      const channel = state.channels.find(({ id }) => id === state.place.channel);
      const moved = shown?.id !== channel.id;
      if (shown !== channel) title.replaceChildren(...titleOf(channel, state));
      shown = channel;
      notice.replaceChildren(...notices(state));
      composer.open(channel.id, { channel: channel.id }, `Message ${nameOf(channel)}`, state.users);
      renderMessages(state, channel);
      if (moved && WITH_KEYBOARD.matches && !state.place.thread) composer.focus();
    },
  };

  function renderMessages(state, channel) {
    const list = state.lists.get(channel.id);
    const howOf = (message) => ({
      directory: state.directory,
      users: state.users,
      openThread,
      unread: hasNewReplies(state, channel.id, message),
      status: statusOf(state, listKey(channel.id, message.ts)),
    });
    const first = list?.length === 0 ? [hint(channel, state, composer.fill)] : [];
    timeline.render(listKey(state.me.id, channel.id), list ?? [], howOf, first);
  }
}

/** What the bot says it is doing in a thread, or null. */
export function statusOf(state, key) {
  const status = state.statuses.get(key);
  return status ? `${state.bot.name} ${status}` : null;
}

export const nameOf = (channel) => (channel.is_im ? channel.name : `#${channel.name}`);

function titleOf(channel, { users }) {
  if (channel.is_im) {
    return [avatar(users.get(channel.user)), h("h1", {}, channel.name), h("p", { class: "topic" }, "Direct message")];
  }
  return [
    h("h1", {}, icon(channel.is_private ? "lock" : "hash"), channel.name),
    h("p", { class: "topic" }, channel.topic),
    h("p", { class: "members" }, `${channel.members.length} members`),
  ];
}

function notices({ link, bot }) {
  const command = h("code", {}, "make run");
  const say = (...words) => [h("p", { class: "notice" }, words)];
  if (link === "lost") {
    return say("The local workspace does not answer. ", command, " starts it; this page comes back by itself.");
  }
  if (bot.connected) return [];
  const promise = " starts it, and it then answers what is asked here meanwhile.";
  return say(h("strong", {}, bot.name), " is not connected. ", command, promise);
}
