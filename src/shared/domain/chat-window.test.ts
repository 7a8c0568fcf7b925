import { expect, test } from "vitest";
import { CHAT_TAIL, shorten, tailAt } from "./chat-window.ts";

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => String(from + n));
const never = (): boolean => false;

test("A list within its limit stays as it is", () => {
  expect(shorten({ order: ids(0, 500) }, 500, "newest", never)).toBeNull();
});

test("At the newest messages the oldest ones go, but none that the server does not have", () => {
  const less = shorten({ order: ids(0, 501) }, 500, "newest", (id) => id === "3");
  expect(less).toMatchObject({ beginningCut: true });
  expect(less?.tail).toBeUndefined();
  expect(less?.order).toEqual(["3", ...ids(52, 501)]);
});

test("Toward older messages those before the newest ones go, first without and then with a gap", () => {
  const first = shorten({ order: ids(0, 501) }, 500, "older", never);
  expect(first).toMatchObject({ beginningCut: false, tail: String(501 - CHAT_TAIL) });
  expect(first?.order).toEqual([...ids(0, 400), ...ids(451, 501)]);
  const grown = { order: [...ids(-60, 400), ...ids(451, 501)], tail: first?.tail };
  const second = shorten(grown, 500, "older", never);
  expect(second).toMatchObject({ tail: "451", beginningCut: false });
  expect(second?.order).toEqual([...ids(-60, 340), ...ids(451, 501)]);
});

test("New messages that arrive while old ones are read go from the newest end's beginning", () => {
  const memory = { order: [...ids(0, 400), ...ids(1000, 1101)], tail: "1000" };
  const less = shorten(memory, 500, "older", never);
  expect(less?.order).toEqual([...ids(0, 400), ...ids(1051, 1101)]);
  expect(less?.tail).toBe("1051");
});

test("Toward newer messages the oldest ones of the window go", () => {
  const memory = { order: [...ids(0, 451), ...ids(1000, 1050)], tail: "1000" };
  const less = shorten(memory, 500, "newer", never);
  expect(less?.order).toEqual([...ids(51, 451), ...ids(1000, 1050)]);
  expect(less).toMatchObject({ tail: "1000", beginningCut: true });
});

test("The newest messages begin at their first one, or at the first of all when none is missing", () => {
  expect(tailAt({ order: ["a", "b", "c"], tail: "b" })).toBe(1);
  expect(tailAt({ order: ["a", "b", "c"] })).toBe(0);
});
