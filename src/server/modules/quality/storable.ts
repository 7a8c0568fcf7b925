/** What PostgreSQL can store as JSON: no NUL and no lone surrogate, both valid in JSON, and no more levels than anybody needs. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const DEPTH = 20;

export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return !UNSTORABLE.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === DEPTH) return false;
  return Object.entries(value).every(
    ([key, inner]) => !UNSTORABLE.test(key) && isStorable(inner, depth + 1),
  );
}
