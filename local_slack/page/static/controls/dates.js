/* Owns dates and times; the browser's own pickers do the work. */

import { h } from "../dom.js";

const pad = (number) => String(number).padStart(2, "0");

export const date = (element, use) => native("date", element, use, "selected_date", element.initial_date);
export const time = (element, use) => native("time", element, use, "selected_time", element.initial_time);

/** A moment is sent in seconds since 1970, and shown where the person is. */
export function moment(element, use) {
  const read = (text) => (text ? Math.floor(new Date(text).getTime() / 1000) : null);
  return native("datetime-local", element, use, "selected_date_time", element.initial_date_time, { read, show: local });
}

function local(seconds) {
  const at = new Date(seconds * 1000);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

const AS_IT_IS = { read: (text) => text || null, show: (value) => value };

function native(type, element, { surface, block, label, commit }, field, initial, { read, show } = AS_IT_IS) {
  const before = surface.value(block, element)?.[field] ?? initial ?? null;
  surface.put(block, element, { [field]: before });
  const value = before === null ? "" : show(before);
  const onchange = () => commit({ [field]: read(node.value) });
  const node = h("input", { type, class: "field", value, "aria-label": label, autofocus: element.focus_on_load, onchange });
  return node;
}
