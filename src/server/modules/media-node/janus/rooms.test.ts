import { describe, expect, it } from "vitest";
import { AppError } from "../../../../shared/errors.ts";
import { createRooms } from "./rooms.ts";

describe("Rooms of Janus", () => {
  it("attach again after a failed attempt, whatever it failed with", async () => {
    const attempts: number[] = [];
    const rooms = createRooms({
      attach: async () => {
        attempts.push(attempts.length);
        if (attempts.length === 1) throw new Error("attach failed");
        return attempts.length;
      },
      detach: () => undefined,
      message: async () => undefined,
    });
    await expect(rooms.ensure("a")).rejects.toThrow("attach failed");
    await rooms.ensure("a");
    await rooms.ensure("b");
    expect(attempts).toHaveLength(2);
  });

  it("keep a handle that was attached while a request of the lost one failed", async () => {
    const handles: number[] = [];
    const failures: ((error: Error) => void)[] = [];
    const rooms = createRooms({
      attach: async () => handles.push(handles.length),
      detach: () => undefined,
      message: (handle) =>
        handle === 1
          ? new Promise((_resolve, reject) => failures.push(reject))
          : Promise.resolve(undefined),
    });
    const lost = rooms.ensure("a");
    await expect.poll(() => failures.length, { timeout: 15_000 }).toBe(1);
    rooms.forget();
    await rooms.ensure("a");
    failures[0]?.(new AppError("conference.media-unavailable"));
    await expect(lost).rejects.toThrow();
    await rooms.ensure("a");
    await rooms.ensure("b");
    expect(handles).toHaveLength(2);
  });
});
