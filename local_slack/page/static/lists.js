/* Owns how one list of messages becomes the next: adding, changing and taking away, always in the order of time. */

/** The list with `message` in it, once. */
export function withMessage(list, message) {
  const others = list.filter(({ ts }) => ts !== message.ts);
  const at = others.findLastIndex(({ ts }) => Number(ts) < Number(message.ts)) + 1;
  return others.toSpliced(at, 0, message);
}

export const withChange = (list, ts, change) => list.map((message) => (message.ts === ts ? change(message) : message));

/** What is left of a deleted message: the place of its thread, if it has one. */
export function without(list, deleted) {
  return list.flatMap((message) => (message.ts === deleted ? remains(message) : [message]));
}

function remains({ ts, thread_ts, reply_count, reply_users, latest_reply }) {
  return reply_count ? [{ subtype: "tombstone", ts, thread_ts, reply_count, reply_users, latest_reply }] : [];
}

/** The root as it stands after a reply; a reply that it counts already changes nothing. */
export function withReply(root, reply) {
  if (Number(root.latest_reply ?? 0) >= Number(reply.ts)) return root;
  return {
    ...root,
    thread_ts: root.ts,
    reply_count: (root.reply_count ?? 0) + 1,
    latest_reply: reply.ts,
    reply_users: [...new Set([...(root.reply_users ?? []), reply.user])],
  };
}

export const isReply = (message) => Boolean(message.thread_ts) && message.thread_ts !== message.ts;

/** The newest moment in a list, replies that its messages count among them; 0 for an empty one. */
export const newest = (list) => Math.max(0, ...list.flatMap(({ ts, latest_reply }) => [Number(ts), Number(latest_reply ?? 0)]));
