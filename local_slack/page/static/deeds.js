/* Owns what a person does with messages and with the app: each deed asks the server, and says so when it came to nothing. */

import * as api from "./api.js";
import { tell, tellWhy } from "./dialogs.js";
import { encoded } from "./mentions.js";
import { listKey } from "./names.js";
import { address } from "./route.js";

export function createDeeds(store) {
  const { state } = store;

  async function attempt(verb, fields) {
    try {
      return await verb({ as: state.me.id, ...fields });
    } catch (error) {
      tellWhy(error, state.bot.name);
      return null;
    }
  }

  const listOf = ({ channel, thread }) => state.lists.get(listKey(channel, thread)) ?? [];

  const deeds = {
    react: (channel, { ts }, name) => attempt(api.react, { channel, ts, name }),
    remove: (channel, { ts }) => attempt(api.remove, { channel, ts }),
    stop: ({ channel, thread }) => attempt(api.stop, { channel, thread_ts: thread }),
    upload: (file) => api.upload(state.me.id, file),
    shortcut: (callback_id, message) => attempt(api.shortcut, { callback_id, ...(message && { message }) }),
    dismiss: (channel, { ts }) => store.happen({ type: "message_deleted", channel, deleted_ts: ts }),
    startEdit: (channel, { ts }) => store.edit(listKey(channel, ts)),
    leaveEdit: () => store.edit(null),
    async edit(channel, { ts }, text) {
      if (await attempt(api.edit, { channel, ts, text })) store.edit(null);
    },
    /** Everything from this message on is new again. */
    markUnread(channel, { ts }) {
      const before = listOf({ channel }).filter((message) => Number(message.ts) < Number(ts)).at(-1)?.ts ?? "0000000000.000000";
      store.hold(channel, before);
      return attempt(api.read, { channel, ts: before });
    },
    async copyLink(channel, { ts, thread_ts }) {
      const place = address({ as: state.me.id, channel, thread: thread_ts ?? ts });
      const done = await navigator.clipboard.writeText(`${location.origin}/${place}`).then(() => true, () => false);
      tell(done ? "The link is copied." : "The browser does not allow copying.");
    },
    /** Begin to edit one's last message of a list; whether there is one. */
    editLast(target) {
      const mine = listOf(target).findLast(({ user, subtype }) => user === state.me.id && !subtype?.startsWith("channel_"));
      if (mine) deeds.startEdit(target.channel, mine);
      return Boolean(mine);
    },
    /** What "/" offers: commands to go on writing, and shortcuts that happen at once. */
    commands() {
      const { commands = [], shortcuts = [], name } = state.bot;
      return [
        ...commands.map(({ command, description, usage_hint }) => ({
          label: command, words: command, note: [usage_hint, description].filter(Boolean).join(" · "),
        })),
        ...shortcuts.filter(({ type }) => type === "global").map((shortcut) => ({
          label: shortcut.name, note: `shortcut · ${name}`, run: () => deeds.shortcut(shortcut.callback_id),
        })),
      ];
    },
    /** Send what was written: a message, or a slash command. Resolves to the message's ts; rejects with what to say. */
    async send(channel, { text, typed, files, broadcast }, thread_ts) {
      const [, word, rest] = /^(\/[\w-]+)(?:\s+([\s\S]*))?$/.exec(typed) ?? [];
      const place = { as: state.me.id, channel, ...(thread_ts && { thread_ts }) };
      if (!word) return (await api.post({ ...place, text, ...(files.length && { files }), ...(broadcast && { broadcast }) })).ts;
      if (!state.bot.commands?.some(({ command }) => command === word)) {
        const words = `${word} is not a command here: the app has no such command.`;
        throw Object.assign(new Error(word), { words });
      }
      await command({ ...place, command: word, text: encoded(rest ?? "", state.users) });
      return null;
    },
  };

  /** The words stay in the composer only when nobody heard them. */
  async function command(fields) {
    try {
      await api.command(fields);
    } catch (error) {
      tellWhy(error, state.bot.name);
      if (error.code !== "operation_timeout") throw error;
    }
  }

  return deeds;
}
