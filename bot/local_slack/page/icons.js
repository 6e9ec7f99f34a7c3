/* Owns the drawings of the page: one stroke each, on a grid of 20, in the colour of the text around them. */

const SVG = "http://www.w3.org/2000/svg";

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
  window: "M4 7h9v9H4zM8 7V4h8v8h-3",
  up: "M5 12l5-5 5 5",
  down: "M5 8l5 5 5-5",
  /* The mark: one thread that runs through three points of data. */
  mark: "M3 14.5c2.6 0 2.4-9 5-9s2.4 9 5 9 2.2-5.5 4-9M3 14.5h.01M10.4 10h.01M17 5.5h.01",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", STROKES[name]);
  svg.append(path);
  return svg;
}
