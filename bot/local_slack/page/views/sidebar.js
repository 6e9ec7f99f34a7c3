/* Owns the left pane: the workspace, its channels and direct messages with unread marks, the bot's state, and who one is. */

import { h, reconcile } from "../dom.js";
import { icon } from "../icons.js";
import { address } from "../route.js";
import { label, unreadCount } from "../store.js";
import { avatar } from "./message.js";

export function createSidebar(root, { actAs }) {
  const team = h("p", { class: "team" });
  const channels = h("ul", { class: "places" });
  const direct = h("ul", { class: "places" });
  const people = h("select", { id: "act-as", onchange: () => actAs(people.value) });
  const face = h("span", { class: "face" });
  const second = h("a", { class: "tool", target: "_blank", rel: "opener", title: "Open a second window as somebody else", "aria-label": "Open a second window as somebody else" }, icon("window"));
  root.append(
    h("header", { class: "brand" }, h("span", { class: "brand-mark", "aria-hidden": "true" }, icon("mark")), h("div", {}, h("p", { class: "brand-name" }, "Datathread"), team)),
    h("div", { class: "places-scroll" }, h("h2", {}, "Channels"), channels, h("h2", {}, "Direct messages"), direct),
    h("footer", { class: "me" }, face, h("div", { class: "me-choice" }, h("label", { for: "act-as" }, "Act as"), people), second));
  let known = null;

  return {
    render(state) {
      team.textContent = state.team.name;
      reconcile(channels, state.channels.filter(({ is_im }) => !is_im).map((channel) => row(channel, state)));
      reconcile(direct, state.channels.filter(({ is_im }) => is_im).map((channel) => row(channel, state)));
      if (known === state.me) return;
      known = state.me;
      const persons = [...state.users.values()].filter(({ is_bot }) => !is_bot);
      people.replaceChildren(...persons.map((user) => h("option", { value: user.id, selected: user.id === state.me.id }, nameAndKind(user))));
      face.replaceChildren(avatar(state.me, label(state.me)));
      second.href = address({ as: (persons.find(({ id }) => id !== state.me.id) ?? state.me).id, channel: state.channels.find(({ is_im }) => !is_im)?.id });
    },
  };
}

const nameAndKind = (user) => (user.kind === "member" ? label(user) : `${label(user)} (${user.kind})`);

function row(channel, state) {
  const current = state.place.channel === channel.id;
  const unread = current ? 0 : unreadCount(state, channel.id);
  const other = channel.is_im && state.users.get(channel.user);
  const present = !other?.is_bot || state.bot.connected;
  return { key: channel.id, stamp: [channel, current, unread, present, state.me], make };

  function make() {
    const name = unread ? `${channel.name}, ${unread} unread` : channel.name;
    return h("li", {},
      h("a", { class: unread ? "place unread" : "place", href: address({ as: state.me.id, channel: channel.id }), "aria-current": current ? "page" : null, "aria-label": name },
        other ? avatar(other, channel.name) : icon(channel.is_private ? "lock" : "hash"),
        h("span", { class: "place-name" }, channel.name),
        other?.is_bot && h("span", { class: present ? "presence on" : "presence", title: present ? "connected" : "not connected" }, present ? "" : "away"),
        unread > 0 && h("span", { class: "count" }, unread)));
  }
}
