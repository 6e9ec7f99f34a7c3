/* Owns what somebody and some place are called. */

export const label = (user) => (user.is_bot ? user.name : user.real_name || user.name);

/** What sets a person apart from the members of this team: "guest", or the organisation they are from. */
export const standing = (user) => (user?.kind === "external" ? user.team ?? "external" : ["guest", "colleague"].includes(user?.kind) ? user.kind : null);

/** A direct conversation is called by the name of its other side. */
export const named = (channel, users) => (channel.is_im ? { ...channel, name: label(users.get(channel.user)) } : channel);

export const placeName = (channel) => (channel.is_im ? channel.name : `#${channel.name}`);

/** A list of messages: a channel's top level ("C1") or one thread ("C1/ts"). */
export const listKey = (channel, thread) => (thread ? `${channel}/${thread}` : channel);
