/* Owns the middle pane: the place's name, its messages or the app's home, the bot's state and the composer. */

import { createComposer } from "../composer.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { listKey, placeName } from "../names.js";
import { address } from "../route.js";
import { canStop, hasNewReplies } from "../store.js";
import { hint } from "./hint.js";
import { createHome } from "./home.js";
import { avatar, iconButton } from "./parts.js";
import { createTimeline } from "./timeline.js";

const WITH_KEYBOARD = matchMedia("(pointer: fine)"); // on a touch screen, focus would raise its keyboard

export function createConversation(root, { send, does, surfaces, showSidebar, inspect }) {
  const title = h("div", { class: "pane-title" });
  const notice = h("div", { class: "notices", "aria-live": "polite" });
  const timeline = createTimeline("Messages");
  const home = createHome(surfaces);
  const composer = createComposer(({ channel }, message) => send(channel, message), does);
  const menu = iconButton("menu", "Show channels", showSidebar, { class: "tool menu-tool" });
  const inspector = iconButton("pulse", "Inspector", inspect, { title: "Inspector (Ctrl .)", "aria-keyshortcuts": "Control+." });
  root.append(h("header", { class: "pane-head" }, menu, title, inspector), home.node, timeline.node, notice, composer.node);
  composer.takeDrops(root);
  let shown = [];

  return {
    composer,
    render(state) {
      const { place } = state;
      const channel = state.channels.find(({ id }) => id === place.channel);
      const atHome = isApp(channel, state) && place.tab === "home";
      const moved = shown[0]?.id !== channel.id;
      const now = [channel, atHome, state.me];
      if (now.some((one, index) => one !== shown[index])) title.replaceChildren(...titleOf(channel, state, atHome));
      shown = now;
      notice.replaceChildren(...notices(state));
      home.render(state, atHome);
      timeline.node.hidden = atHome;
      composer.node.hidden = atHome;
      if (atHome) return;
      composer.open(channel.id, { channel: channel.id }, `Message ${placeName(channel)}`, state.users);
      composer.offer(false, state.prompts.get(channel.id));
      renderMessages(state, channel);
      if (moved && WITH_KEYBOARD.matches && !place.thread) composer.focus();
    },
  };

  function renderMessages(state, channel) {
    const list = state.lists.get(channel.id);
    const howOf = (message) => {
      const key = listKey(channel.id, message.ts);
      return {
        state,
        channel: channel.id,
        does,
        surfaceOf: surfaces.inChannel(channel.id),
        bot: state.bot,
        users: state.users,
        unread: hasNewReplies(state, channel.id, message),
        status: state.statuses.get(key),
        canStop: canStop(state, key),
        editing: state.editing === key,
      };
    };
    const extra = list?.length === 0 ? [hint(channel, state, composer.fill)] : [];
    const since = state.news?.channel === channel.id ? state.news.since : null;
    timeline.render(listKey(state.me.id, channel.id), list ?? [], howOf, { extra, since });
  }
}

const isApp = (channel, { bot }) => channel.is_im && channel.user === bot.user_id;

function titleOf(channel, state, atHome) {
  if (isApp(channel, state)) {
    return [avatar(state.users.get(channel.user)), h("h1", {}, channel.name), tabs(channel, state, atHome)];
  }
  if (channel.is_im) {
    return [avatar(state.users.get(channel.user)), h("h1", {}, channel.name), h("p", { class: "topic" }, "Direct message")];
  }
  return [
    h("h1", {}, icon(channel.is_private ? "lock" : "hash"), channel.name),
    channel.is_ext_shared && h("span", { class: "badge badge-outside" }, "shared with another organisation"),
    h("p", { class: "topic" }, channel.topic),
    h("p", { class: "members" }, `${channel.members.length} members`),
  ].filter(Boolean);
}

function tabs(channel, { me }, atHome) {
  const tab = (name, value, current) =>
    h("a", {
      class: "tab", href: address({ as: me.id, channel: channel.id, tab: value }), "aria-current": current ? "true" : null,
    }, name);
  return h("nav", { class: "tabs", "aria-label": "Parts of the app" },
    tab("Messages", null, !atHome), tab("Home", "home", atHome));
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
