/* Owns what one person has read, kept in the browser: the newest timestamp seen in each list, and the first visit. */

const keyOf = (person) => `datathread.read.${person}`;

export function loadMarks(person) {
  const stored = localStorage.getItem(keyOf(person));
  if (stored) return JSON.parse(stored);
  const marks = { since: Date.now() / 1000 };
  saveMarks(person, marks);
  return marks;
}

export function saveMarks(person, marks) {
  localStorage.setItem(keyOf(person), JSON.stringify(marks));
}
