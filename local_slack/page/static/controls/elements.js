/* Owns which control stands for which element of Block Kit. One that it does not know becomes a note, never silence. */

import { h } from "../dom.js";
import { picture } from "../render/pictures.js";
import { button, feedback, iconAction, overflow } from "./buttons.js";
import { boxes, radios } from "./choices.js";
import { date, moment, time } from "./dates.js";
import { files } from "./files.js";
import { select } from "./selects.js";
import { number, text } from "./texts.js";

const CONTROLS = new Map(Object.entries({
  button, overflow, number_input: number, file_input: files, checkboxes: boxes, radio_buttons: radios,
  workflow_button: button, feedback_buttons: feedback, icon_button: iconAction,
  datepicker: date, timepicker: time, datetimepicker: moment,
  plain_text_input: text, email_text_input: text, url_text_input: text, rich_text_input: text,
  static_select: select, external_select: select, users_select: select, channels_select: select,
  conversations_select: select, multi_static_select: select, multi_external_select: select, multi_users_select: select,
  multi_channels_select: select, multi_conversations_select: select,
  image: picture,
}));

/** The control of one element; `use` is `{surface, block, label, dispatches, commit(value)}`. */
function control(element, use) {
  const make = CONTROLS.get(element.type);
  return make ? make(element, use) : h("p", { class: "note", role: "note" }, `A control of type “${element.type}”.`);
}

/** An element in a message or view that acts as soon as it is used. */
export function acting(element, block, surface) {
  const commit = (value) => {
    surface.put(block, element, value);
    return surface.act(block, element, value);
  };
  return control(element, { surface, block, commit, dispatches: true, label: labelOf(element) });
}

/** An element of an input block: it keeps what is put in, and acts only where the block asks for it. */
export function keeping(element, block, surface, onchange) {
  const commit = (value) => {
    surface.put(block, element, value);
    onchange();
    return block.dispatch_action ? surface.act(block, element, value) : true;
  };
  const keep = (value) => {
    surface.put(block, element, value);
    onchange();
  };
  return control(element, { surface, block, commit, keep, dispatches: block.dispatch_action, label: block.label.text });
}

const labelOf = ({ placeholder, type }) => placeholder?.text ?? type.replaceAll("_", " ");
