/* Owns pie charts: a ring that begins at noon and goes with the clock. */

import { svg } from "../dom.js";

const SIZE = 220;
const OUTER = 104;
const INNER = 62;
const SHORT = new Intl.NumberFormat("en-GB", { notation: "compact", maximumSignificantDigits: 4 });

export function drawPie({ segments }, name) {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  let turned = 0;
  const slices = segments.map(({ label, value }, index) => {
    const from = turned;
    turned += value / total;
    const words = `${label}: ${value.toLocaleString("en-GB")}`;
    return svg("path", { class: `slice shade-${index % 12}`, d: ring(from, turned) }, svg("title", {}, words));
  });
  return svg("svg", { class: "plot plot-pie", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": name },
    slices,
    svg("text", { class: "total", x: SIZE / 2, y: SIZE / 2 + 7, "text-anchor": "middle" }, SHORT.format(total)));
}

/** A part of the ring, between two shares of a turn. A whole turn stops a hair before its beginning, or it would vanish. */
function ring(from, to) {
  const end = Math.min(to, from + 0.99999);
  const at = (turn, radius) => {
    const angle = 2 * Math.PI * turn - Math.PI / 2;
    return `${(SIZE / 2 + radius * Math.cos(angle)).toFixed(2)} ${(SIZE / 2 + radius * Math.sin(angle)).toFixed(2)}`;
  };
  const large = end - from > 0.5 ? 1 : 0;
  return `M${at(from, OUTER)}A${OUTER} ${OUTER} 0 ${large} 1 ${at(end, OUTER)}`
    + `L${at(end, INNER)}A${INNER} ${INNER} 0 ${large} 0 ${at(from, INNER)}Z`;
}
