/*
 * Owns a list of messages: days, runs of one author, where the new ones begin, and staying at the end while somebody reads
 * there.
 */

import { h, reconcile } from "../dom.js";
import { day, seconds } from "../time.js";
import { messageView } from "./message.js";

const RUN_SECONDS = 300;
const NEAR_END_PX = 60;

/** `howOf(message)` gives what `messageView` needs; its values decide when a message is drawn anew. */
export function createTimeline(name) {
  const list = h("div", { class: "messages", role: "log", "aria-label": name });
  const scroller = h("div", { class: "scroller", tabindex: "0", "aria-label": `${name}, scrolling` }, list);
  let shown = null;
  let atEnd = true;
  const toEnd = () => { if (atEnd) scroller.scrollTop = scroller.scrollHeight; };
  scroller.addEventListener("scroll", () => {
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
  }, { passive: true });
  new ResizeObserver(toEnd).observe(scroller);
  new ResizeObserver(toEnd).observe(list);

  return {
    node: scroller,
    render(key, messages, howOf, { extra = [], since = null } = {}) {
      atEnd ||= key !== shown;
      shown = key;
      const active = document.activeElement;
      reconcile(list, [...rows(messages, howOf, since), ...extra]);
      if (active !== document.activeElement && active?.isConnected) active.focus({ preventScroll: true });
      toEnd();
    },
  };
}

function rows(messages, howOf, since) {
  const news = since ? messages.findIndex(({ ts, is_ephemeral }) => Number(ts) > Number(since) && !is_ephemeral) : -1;
  return messages.flatMap((message, index) => {
    const before = messages[index - 1];
    const today = day(message.ts);
    const newDay = !before || day(before.ts) !== today;
    const how = { ...howOf(message), headed: newDay || index === news || !continues(before, message) };
    const row = { key: message.ts, stamp: [message, ...Object.values(how)], make: () => messageView(message, how) };
    return [newDay && divider(today), index > 0 && index === news && divider("New", "day news"), row].filter(Boolean);
  });
}

function divider(text, look = "day") {
  return { key: `day ${text}`, stamp: [text], make: () => h("h2", { class: look }, h("span", {}, text)) };
}

/** Whether a message goes on under the name above it. */
function continues(before, message) {
  const near = seconds(message.ts) - seconds(before.ts) < RUN_SECONDS;
  const same = before.user === message.user && before.username === message.username;
  return near && same && !before.reply_count && !message.is_ephemeral && !before.is_ephemeral;
}
