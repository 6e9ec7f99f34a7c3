/* Owns how moments read: a Slack timestamp becomes a clock, a day, or "today 10:31". */

const LANGUAGE = "en-GB";
const CLOCK = new Intl.DateTimeFormat(LANGUAGE, { hour: "2-digit", minute: "2-digit" });
const WEEKDAY = new Intl.DateTimeFormat(LANGUAGE, { weekday: "long", day: "numeric", month: "long" });
const WITH_YEAR = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "long", year: "numeric" });
const FULL = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full", timeStyle: "medium" });

const moment = (ts) => new Date(Number(ts) * 1000);

export const clock = (ts) => CLOCK.format(moment(ts));
export const full = (ts) => FULL.format(moment(ts));
export const seconds = (ts) => Number(ts);

export function day(ts) {
  const date = moment(ts);
  const ago = Math.round((midnight(new Date()) - midnight(date)) / 86_400_000);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  return (ago < 180 ? WEEKDAY : WITH_YEAR).format(date);
}

export const dayAndClock = (ts) => `${day(ts).replace(/^(To|Yester)day$/, (word) => word.toLowerCase())} ${clock(ts)}`;

function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}
