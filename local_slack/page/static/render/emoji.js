/* Owns the emoji names that this page knows; any other name stays as it was written. */

const KNOWN = new Map(Object.entries({
  "+1": "👍", thumbsup: "👍", "-1": "👎", thumbsdown: "👎", wave: "👋", clap: "👏", pray: "🙏", muscle: "💪", ok_hand: "👌",
  smile: "😄", slightly_smiling_face: "🙂", blush: "😊", joy: "😂", wink: "😉", thinking_face: "🤔", sweat_smile: "😅",
  cry: "😢", confused: "😕", heart: "❤️", tada: "🎉", rocket: "🚀", fire: "🔥", sparkles: "✨", star: "⭐", zap: "⚡",
  eyes: "👀", wastebasket: "🗑️",
  white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", warning: "⚠️", no_entry: "⛔", question: "❓", exclamation: "❗",
  information_source: "ℹ️", bulb: "💡", mag: "🔍", lock: "🔒", key: "🔑", gear: "⚙️", wrench: "🔧", hourglass: "⌛",
  hourglass_flowing_sand: "⏳", stopwatch: "⏱️", calendar: "📅", bar_chart: "📊", chart_with_upwards_trend: "📈",
  chart_with_downwards_trend: "📉", page_facing_up: "📄", paperclip: "📎", link: "🔗", floppy_disk: "💾", inbox_tray: "📥",
  outbox_tray: "📤", memo: "📝", clipboard: "📋", pushpin: "📌", speech_balloon: "💬", robot_face: "🤖", iphone: "📱",
  large_green_circle: "🟢", large_yellow_circle: "🟡", red_circle: "🔴", arrow_up: "⬆️", arrow_down: "⬇️",
  arrow_right: "➡️",
}));

export const emoji = (name) => KNOWN.get(name) ?? `:${name}:`;

/** Plain text with its emoji. */
export const emojiText = (text) => text.replace(/:([a-z0-9_+-]+):/g, (_, name) => emoji(name));

/** One name for each emoji. */
export const emojiNames = () => [...new Map([...KNOWN].map(([name, sign]) => [sign, name])).values()];
