/* Owns how elements are made. Text only ever becomes a text node, so nothing that a message says turns into markup. */

/** An element: `on…` functions listen, `style` holds properties, true and false set and leave out an attribute. */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) assign(node, name, value);
  node.append(...present(children));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** As `h`, for the elements of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) assign(node, name, value);
  node.append(...present(children));
  return node;
}

function assign(node, name, value) {
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "style") Object.entries(value).forEach(([property, it]) => node.style.setProperty(property, it));
  else if (name.startsWith("aria-") && typeof value === "boolean") node.setAttribute(name, String(value));
  else if (value === true) node.setAttribute(name, "");
  else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
}

/** Nested lists of children made flat, without the absent ones. */
export function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

const stamps = new WeakMap();

/**
 * Make the children of `parent` the given rows `{key, stamp, make}`. A child whose stamp (a list compared item by item)
 * has not changed stays the very same node, so focus, selection and loaded images survive every update around it.
 */
export function reconcile(parent, rows) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  const nodes = rows.map((row) => (same(stamps.get(old.get(row.key)), row.stamp) ? old.get(row.key) : fresh(row)));
  const kept = new Set(nodes);
  old.forEach((node) => kept.has(node) || node.remove());
  nodes.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
}

function fresh({ key, stamp, make }) {
  const node = make();
  node.dataset.key = key;
  stamps.set(node, stamp);
  return node;
}

function same(before, now) {
  return before !== undefined && before.length === now.length && before.every((item, index) => item === now[index]);
}
