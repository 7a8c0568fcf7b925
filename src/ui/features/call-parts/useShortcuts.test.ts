/** Which key presses run a shortcut of a conference. */
import { expect, it } from "vitest";
import { shortcutOf } from "./useShortcuts.ts";

const press = (key: string, more: object = {}) =>
  shortcutOf({
    key,
    code: `Key${key.toUpperCase()}`,
    altKey: true,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    repeat: false,
    ...more,
  });

it("Only Alt with a letter of the list is a shortcut, also where Alt changes the character", () => {
  expect(["m", "v", "s", "h", "p", "c", "l"].map((key) => press(key))).toEqual([..."mvshpcl"]);
  expect(press("µ", { code: "KeyM" })).toBe("m");
  expect(press("m", { altKey: false })).toBeNull();
  for (const more of ["ctrlKey", "metaKey", "shiftKey", "repeat"]) {
    expect(press("m", { [more]: true }), more).toBeNull();
  }
  expect(press("d")).toBeNull();
});
