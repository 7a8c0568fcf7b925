import { describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { CallOptions } from "../contracts.ts";
import { createFakeClock } from "../core.fake.ts";
import { createFiles } from "./index.ts";

const STORED = { fileName: `${"a".repeat(22)}.png`, originalName: "现场.png", size: 3 };
const tab = (tabId: string) => ({ tabId, id: "1" });

function setUp() {
  const calls: CallOptions[] = [];
  const ends: ((error?: AppError) => void)[] = [];
  const writes: unknown[] = [];
  let leave: (tabId: string) => void = () => undefined;
  let listeners = 0;
  const files = createFiles({
    http: {
      call: ((_call: unknown, _input: unknown, options: CallOptions) => {
        calls.push(options);
        return new Promise((resolve, reject) => {
          options.signal?.addEventListener("abort", () =>
            reject(new AppError("request.cancelled")),
          );
          ends.push((error) => (error === undefined ? resolve(STORED) : reject(error)));
        });
      }) as never,
      file: (_call, input) => Promise.resolve(new Blob([JSON.stringify(input)])),
    },
    store: {
      set: (path, value) => void writes.push([path[2], (value as { sent: number }).sent]),
      del: (path) => void writes.push([path[2]]),
    },
    clock: createFakeClock(),
    session: { onUser: () => () => undefined },
    tabs: {
      onLeave(handler) {
        leave = handler;
        listeners += 1;
        return () => void (listeners -= 1);
      },
    },
  });
  const upload = (key: string, content = "abc", tabId = "t1") =>
    files.handlers.upload({ key, file: new Blob([content]), name: "现场.png" }, tab(tabId));
  return {
    ...files,
    upload,
    calls,
    ends,
    writes,
    leave: (id: string) => leave(id),
    listeners: () => listeners,
  };
}

describe("An upload", () => {
  it("shows its progress in the slice until it has ended, and answers the stored file", async () => {
    const { upload, calls, ends, writes } = setUp();
    const done = upload("k");
    const sent = calls[0]?.form?.get("file");
    expect(sent).toBeInstanceOf(File);
    expect([(sent as File).name, (sent as File).size]).toEqual(["现场.png", 3]);
    calls[0]?.onSent?.(2, 200);
    calls[0]?.onSent?.(200, 200);
    ends[0]?.();
    expect(await done).toEqual(STORED);
    expect(writes).toEqual([["k", 0], ["k", 2], ["k", 3], ["k"]]);
  });

  it.each([
    ["", "file.empty"],
    ["x".repeat(5 * 1024 * 1024 + 1), "file.too-large"],
  ])("is refused before it is sent when its size is wrong", async (content, code) => {
    const { upload, calls } = setUp();
    await expect(upload("k", content)).rejects.toMatchObject({ code });
    expect(calls).toEqual([]);
  });

  it("leaves nothing in the slice after a refusal, and its key is free again", async () => {
    const { upload, ends, writes } = setUp();
    const refused = upload("k");
    await expect(upload("k")).rejects.toMatchObject({ code: "request.conflict" });
    ends[0]?.(new AppError("file.wrong-type"));
    await expect(refused).rejects.toMatchObject({ code: "file.wrong-type" });
    expect(writes.at(-1)).toEqual(["k"]);
    const again = upload("k");
    ends[1]?.();
    expect(await again).toEqual(STORED);
  });

  it("ends when somebody cancels it, when its tab leaves, and when the core stops", async () => {
    const { upload, handlers, leave, stop, listeners } = setUp();
    const cancelled = upload("a");
    expect(await handlers.cancel({ key: "a" }, tab("t2"))).toBe(true);
    await expect(cancelled).rejects.toMatchObject({ code: "request.cancelled" });
    expect(await handlers.cancel({ key: "a" }, tab("t2"))).toBe(false);
    const left = upload("b");
    const stays = upload("c", "abc", "t2");
    leave("t1");
    await expect(left).rejects.toMatchObject({ code: "request.cancelled" });
    stop();
    await expect(stays).rejects.toMatchObject({ code: "request.cancelled" });
    expect(listeners()).toBe(0);
  });
});

it("A file is read by its name", async () => {
  const { handlers } = setUp();
  const blob = await handlers.read({ fileName: STORED.fileName }, tab("t1"));
  expect(await blob.text()).toBe(JSON.stringify({ query: { fileName: STORED.fileName } }));
});
