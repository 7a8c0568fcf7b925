import { expect, it } from "vitest";
import { drafted, isChanged, UNCHANGED, withFlag, withMove } from "./draft.ts";

const setting = (key: string) => ({ key, used: true, required: false });
const SAVED = ["a", "b", "c"].map(setting);
const keysOf = (fields: readonly { readonly key: string }[]) => fields.map(({ key }) => key);

it("What a person changes lies on top of what is saved, also when that changes", () => {
  const off = withFlag(UNCHANGED, "b", { used: false });
  const draft = withMove(withFlag(off, "b", { required: true }), drafted(SAVED, off), "c", 0);
  const shown = drafted(SAVED, draft);
  expect(shown).toEqual([setting("c"), setting("a"), { key: "b", used: false, required: true }]);
  expect(isChanged(SAVED, shown)).toBe(true);
  // Another person requires one field, adds one and removes one.
  const others = [{ ...setting("a"), required: true }, setting("b"), setting("d")];
  expect(keysOf(drafted(others, draft))).toEqual(["a", "b", "d"]);
  expect(drafted(others, draft)[0]?.required).toBe(true);
  expect(drafted(others, draft)[1]?.used).toBe(false);
});

it("What comes back to what is saved is no change", () => {
  const there = withFlag(UNCHANGED, "a", { used: false });
  const back = withFlag(there, "a", { used: true });
  expect(isChanged(SAVED, drafted(SAVED, there))).toBe(true);
  expect(isChanged(SAVED, drafted(SAVED, back))).toBe(false);
  const moved = withMove(back, drafted(SAVED, back), "a", 2);
  expect(isChanged(SAVED, drafted(SAVED, moved))).toBe(true);
  const home = withMove(moved, drafted(SAVED, moved), "a", 0);
  expect(isChanged(SAVED, drafted(SAVED, home))).toBe(false);
});
