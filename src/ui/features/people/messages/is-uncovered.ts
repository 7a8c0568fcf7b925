/** px of the newest message that must be in sight. */
const LEAST = 8;

/** Whether the newest message of the list is in sight, with no window, dialog or menu over its middle. */
export function isUncovered(box: HTMLElement): boolean {
  const newest = box.querySelector("ol > li:last-child") ?? box;
  const row = newest.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  const top = Math.max(row.top, frame.top, 0);
  const bottom = Math.min(row.bottom, frame.bottom, innerHeight);
  if (bottom - top < Math.min(LEAST, row.height)) return false;
  const found = document.elementFromPoint(frame.left + frame.width / 2, (top + bottom) / 2);
  return found !== null && box.contains(found);
}
