/** Applies one op to a tree of plain data. The core and its mirrors use the same code, so that they cannot diverge. */

type Key = string | number;
type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container =>
  typeof value === "object" && value !== null;

/** `__proto__` is a valid chat user name but never a valid key here. */
function checkKey(container: Container, key: Key): string {
  if (key === "__proto__") throw new TypeError("the key __proto__ is not allowed");
  if (Array.isArray(container) && !(Number.isInteger(Number(key)) && Number(key) >= 0)) {
    throw new TypeError(`an array has no key ${String(key)}`);
  }
  return String(key);
}

const own = (container: Container, key: string): unknown =>
  Object.hasOwn(container, key) ? (container as Record<string, unknown>)[key] : undefined;

/** The value at the path, or undefined. */
export function valueAt(root: Container, path: readonly Key[]): unknown {
  let at: unknown = root;
  for (const key of path) {
    if (!isContainer(at)) return undefined;
    at = own(at, checkKey(at, key));
  }
  return at;
}

function parentOf(root: Container, path: readonly Key[]): Container {
  const parent = valueAt(root, path.slice(0, -1));
  if (!isContainer(parent))
    throw new TypeError(`there is no object at ${path.slice(0, -1).join(".")}`);
  return parent;
}

/** @throws TypeError when the parent is missing or a key is not allowed */
export function setAt(root: Container, path: readonly Key[], value: unknown): void {
  const parent = parentOf(root, path);
  const last = path.at(-1);
  if (last === undefined) throw new TypeError("the path is empty");
  const key = checkKey(parent, last);
  if (Array.isArray(parent)) {
    if (Number(key) > parent.length) throw new TypeError(`index ${key} leaves a hole`);
    parent[Number(key)] = value;
  } else {
    parent[key] = value;
  }
}

/** Removes a key, or an element of an array. A missing key is not an error. */
export function deleteAt(root: Container, path: readonly Key[]): void {
  const parent = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || !isContainer(parent)) return;
  const key = checkKey(parent, last);
  if (Array.isArray(parent)) {
    if (Number(key) < parent.length) parent.splice(Number(key), 1);
  } else {
    delete parent[key];
  }
}
