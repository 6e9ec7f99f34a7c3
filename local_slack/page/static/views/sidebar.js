/* Owns the left pane: channels and direct messages with unread marks, the app's presence, and who one is. */

import { h, reconcile } from "../dom.js";
import { icon } from "../icons.js";
import { label, standing } from "../names.js";
import { address } from "../route.js";
import { avatar } from "./parts.js";

const SECOND = "Open a second window as somebody else";

export function createSidebar(root, { actAs }) {
  const team = h("p", { class: "team" });
  const channels = h("ul", { class: "places" });
  const direct = h("ul", { class: "places" });
  const people = h("select", { id: "act-as", onchange: () => actAs(people.value) });
  const face = h("span", { class: "face" });
  const second = h("a", { class: "tool", target: "_blank", title: SECOND, "aria-label": SECOND }, icon("window"));
  let known = null;

  root.append(
    h("header", { class: "brand" },
      h("span", { class: "brand-mark", "aria-hidden": "true" }, icon("mark")),
      h("div", {}, h("p", { class: "brand-name" }, "Datathread"), team)),
    h("div", { class: "places-scroll", onkeydown: walk },
      h("h2", {}, "Channels"), channels,
      h("h2", {}, "Direct messages"), direct),
    h("footer", { class: "me" },
      face,
      h("div", { class: "me-choice" }, h("label", { for: "act-as" }, "Act as"), people),
      second));

  return {
    render(state) {
      const rows = (wanted) => state.channels.filter(wanted).map((channel) => row(channel, state));
      reconcile(channels, rows(({ is_im }) => !is_im));
      reconcile(direct, rows(({ is_im }) => is_im));
      if (known !== state.me) renderMe(state);
      known = state.me;
    },
  };

  function walk(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...root.querySelectorAll(".place")];
    const next = by && links[links.indexOf(document.activeElement) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  function renderMe({ team: { name }, me, users, place }) {
    const persons = [...users.values()].filter(({ is_bot }) => !is_bot);
    const other = persons.find(({ id }) => id !== me.id) ?? me;
    team.textContent = name;
    people.replaceChildren(...persons.map((user) => h("option", { value: user.id }, nameAndKind(user))));
    people.value = me.id;
    face.replaceChildren(avatar(me));
    second.href = address({ as: other.id, channel: place.channel });
  }
}

function nameAndKind(user) {
  const kind = user.kind === "external" && user.team ? `external, ${user.team}` : standing(user);
  return kind ? `${label(user)} (${kind})` : label(user);
}

function row(channel, state) {
  const current = state.place.channel === channel.id;
  const unread = current && state.held !== channel.id ? 0 : channel.unread ?? 0;
  const other = channel.is_im ? state.users.get(channel.user) : null;
  const away = Boolean(other?.is_bot) && !state.bot.connected;
  const make = () => h("li", {}, placeLink(channel, state.me.id, { current, unread, other, away }));
  return { key: channel.id, stamp: [channel, current, unread, away, state.me], make };
}

function placeLink(channel, as, { current, unread, other, away }) {
  const attributes = {
    class: unread ? "place unread" : "place",
    href: address({ as, channel: channel.id }),
    "aria-current": current ? "page" : null,
    "aria-label": unread ? `${channel.name}, ${unread} unread` : channel.name,
  };
  return h("a", attributes,
    other ? avatar(other) : icon(channel.is_private ? "lock" : "hash"),
    h("span", { class: "place-name" }, channel.name),
    channel.is_ext_shared && h("span", { class: "shared", title: "shared with another organisation" }, icon("globe")),
    other?.is_bot && presence(away),
    unread > 0 && h("span", { class: channel.mentions ? "count count-mentions" : "count" }, unread));
}

function presence(away) {
  if (away) return h("span", { class: "presence", title: "not connected" }, "away");
  return h("span", { class: "presence on", title: "connected" });
}
