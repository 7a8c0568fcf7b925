import { expect, it } from "vitest";
import { devicesWhile } from "./open-ahead.ts";

const info = { media: "video" } as never;
const ring = { status: "confirmRing", ringTab: "t1", gestureTab: null, info } as const;

it("Only the tab in which a call rings opens devices, and it gives them to the answer", () => {
  expect(devicesWhile(ring, "t1")).toBe("video");
  expect(devicesWhile(ring, "t2")).toBeNull();
  const answered = { ...ring, status: "sendAnswer", gestureTab: "t1" } as const;
  expect(devicesWhile(answered, "t1")).toBe("keep");
  expect(devicesWhile({ ...answered, gestureTab: "t2" }, "t1")).toBeNull();
  expect(devicesWhile({ ...answered, status: "idle", info: null }, "t1")).toBeNull();
});
