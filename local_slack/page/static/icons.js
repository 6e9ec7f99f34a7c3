/* Owns the drawings of the page: one stroke each, on a grid of 20, in the colour of the text around them. */

import { svg } from "./dom.js";

const STROKES = {
  hash: "M7.6 3 6 17M14 3l-1.6 14M3.4 7.4h13.6M3 12.6h13.6",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  close: "M5 5l10 10M15 5 5 15",
  send: "M3.5 10h12M10.5 5l5 5-5 5",
  thread: "M4 4h12v9H9.5L6 16.2V13H4zM7 7.4h6M7 9.8h4",
  menu: "M3 6h14M3 10h14M3 14h9",
  download: "M10 3v9M6 8.5l4 4 4-4M4 16.5h12",
  copy: "M7 7h9v9H7zM4 13V4h9",
  check: "M4 10.5l4 4 8-9",
  file: "M5.5 3H12l3 3v11h-9.5zM12 3v3h3",
  smile: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4M7.5 8.2h.01M12.5 8.2h.01M6.8 11.8c1.6 2.4 4.8 2.4 6.4 0",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  plus: "M10 4v12M4 10h12",
  stop: "M6 6h8v8H6z",
  bolt: "M11 2.5 4.5 11.5H10l-1 6 6.5-9H10z",
  pencil: "M4 16l.8-3.4L13.2 4.2l2.6 2.6-8.4 8.4zM11.6 5.8l2.6 2.6",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6",
  link: "M8.5 11.5l3-3M7.5 9.5 5.6 11.4a2.7 2.7 0 0 0 3.8 3.8l1.9-1.9M12.5 10.5l1.9-1.9a2.7 2.7 0 0 0-3.8-3.8L8.7 6.7",
  eye: "M2.5 10s2.8-5 7.5-5 7.5 5 7.5 5-2.8 5-7.5 5-7.5-5-7.5-5zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  pulse: "M2.5 10h3.2l2-5.5 4 11 2.2-5.5h3.6",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4",
  table: "M3.5 4.5h13v11h-13zM3.5 8.2h13M3.5 11.8h13M8.5 8.2v7.3",
  chart: "M4 16.5V11M8 16.5V5M12 16.5V8.5M16 16.5V3.5",
  alert: "M10 3 2.8 16h14.4zM10 8v3.6M10 13.8h.01",
  info: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4M10 9v4.5M10 6.5h.01",
  good: "M6.5 17V8.5l3.5-6c1.4 0 2 1 1.7 2.4L11.2 8H16l-1.4 7.4c-.2 1-.8 1.6-1.8 1.6zM6.5 9H3.5v8h3",
  bad: "M13.5 3v8.5l-3.5 6c-1.4 0-2-1-1.7-2.4l.5-3.1H4l1.4-7.4C5.6 3.6 6.2 3 7.2 3zM13.5 11h3V3h-3",
  globe: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4M2.8 10h14.4M10 2.8c2.4 2 3 4.6 3 7.2s-.6 5.2-3 7.2c-2.4-2-3-4.6-3-7.2s.6-5.2 3-7.2",
  home: "M3.5 9.5 10 4l6.5 5.5M5.5 8.5V16h9V8.5M8.5 16v-4h3v4",
  window: "M4 7h9v9H4zM8 7V4h8v8h-3",
  up: "M5 12l5-5 5 5",
  down: "M5 8l5 5 5-5",
  /* The mark: one thread that runs through three points of data. */
  mark: "M3 14.5c2.6 0 2.4-9 5-9s2.4 9 5 9 2.2-5.5 4-9M3 14.5h.01M10.4 10h.01M17 5.5h.01",
};

export const icon = (name) =>
  svg("svg", { viewBox: "0 0 20 20", class: `icon icon-${name}`, "aria-hidden": "true" }, svg("path", { d: STROKES[name] }));
