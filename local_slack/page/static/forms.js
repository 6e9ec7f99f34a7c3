/*
 * Owns what lies between the blocks that an app sent and the app: what people put into controls, what is sent when they
 * use one, and the blocks already drawn, which stay the same nodes while the message around them grows.
 */

import * as api from "./api.js";
import { confirmed, tellWhy } from "./dialogs.js";
import { mrkdwn } from "./render/prose.js";

/** `state` is the store's. A target is `{message: {channel, ts}}` or `{view_id}`. */
export function createForms(state) {
  const forms = new Map();
  const channels = new Map();

  function surface(key, target, values = {}, pane = "") {
    if (!forms.has(key)) forms.set(key, { values: structuredClone(values), drawn: {} });
    const form = forms.get(key);
    const put = (block, element, value) => {
      form.values[block.block_id] ??= {};
      form.values[block.block_id][element.action_id] = { type: element.type, ...value };
    };
    return {
      values: form.values,
      drawn: (form.drawn[pane] ??= new Map()),
      state,
      directory: state.directory,
      put,
      value: (block, element) => form.values[block.block_id]?.[element.action_id],
      act: (block, element, value) => act(target, form, block, element, value),
      options: (block, element, typed) =>
        api.options({ as: state.me.id, ...target, block_id: block.block_id, action_id: element.action_id, value: typed }),
      upload: (file) => api.upload(state.me.id, file),
    };
  }

  async function act(target, { values }, { block_id }, element, value) {
    const { type, action_id, confirm } = element;
    if (confirm && !(await confirmed(wordsOf(confirm, state.directory)))) return false;
    try {
      await api.action({ as: state.me.id, ...target, action: { type, block_id, action_id, ...value }, values });
      return true;
    } catch (error) {
      tellWhy(error, state.bot.name);
      return false;
    }
  }

  /** One function for each channel and pane, for ever the same: the first message of a thread stands in two panes. */
  function inChannel(channel, pane = "") {
    const key = `${pane} ${channel}`;
    if (!channels.has(key)) channels.set(key, ({ ts }) => surface(`${channel}/${ts}`, { message: { channel, ts } }, {}, pane));
    return channels.get(key);
  }

  return {
    inChannel,
    ofView: (view) => surface(view.id, { view_id: view.id }, view.state?.values),
    clear: () => forms.clear(),
  };
}

const wordsOf = ({ title, text, confirm, deny, style }, directory) => ({
  title: title.text,
  text: text.type === "mrkdwn" ? mrkdwn(text.text, directory) : text.text,
  confirm: confirm.text,
  deny: deny.text,
  style,
});
