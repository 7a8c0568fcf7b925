import { proxy } from "valtio";
import { expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { UploadEntry } from "../../../shared/protocol/state.ts";
import { uploaded } from "./uploaded.ts";

const entry = (over: Partial<UploadEntry>): UploadEntry => ({
  name: "a.pdf",
  sent: 0,
  size: 4,
  rate: 0,
  state: "running",
  error: null,
  survives: true,
  at: 0,
  fileName: null,
  ...over,
});
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

function followed() {
  const slice = proxy({ ready: true, byKey: {} as Record<string, UploadEntry> });
  const taken: string[] = [];
  const core = {
    state: { uploads: slice },
    commands: { uploads: { cancel: async ({ key }: { key: string }) => void taken.push(key) } },
  };
  const done = uploaded(core as never, "k").catch((error: unknown) => AppError.from(error).code);
  return { slice, taken, done };
}

it("The stored file is taken out of the queue once it is there", async () => {
  const { slice, taken, done } = followed();
  await turn();
  slice.byKey["k"] = entry({});
  await turn();
  expect(taken).toEqual([]);
  slice.byKey["k"] = entry({ state: "done", fileName: "stored.pdf" });
  expect(await done).toBe("stored.pdf");
  expect(taken).toEqual(["k"]);
});

it("A refusal and somebody's end of it are told apart, and a restarted core is no end", async () => {
  const refused = followed();
  const error = new AppError("file.quota").toWire();
  refused.slice.byKey["k"] = entry({ state: "failed", error });
  expect(await refused.done).toBe("file.quota");

  const ended = followed();
  ended.slice.byKey["k"] = entry({});
  await turn();
  // The core dies, and the next one reads its storage.
  ended.slice.ready = false;
  delete ended.slice.byKey["k"];
  await turn();
  ended.slice.byKey["k"] = entry({});
  ended.slice.ready = true;
  await turn();
  expect(ended.taken).toEqual([]);
  delete ended.slice.byKey["k"];
  expect(await ended.done).toBe("request.cancelled");
});
