import { expect, it } from "vitest";
import type { DownloadEntry } from "../../../shared/protocol/state.ts";
import { totalsOf, transferLines } from "./lines.ts";

it("The total is that of the bytes of all files, without those that failed", () => {
  expect(
    totalsOf([
      { state: "done", moved: 100, size: 100 },
      { state: "running", moved: 50, size: 300 },
      { state: "paused", moved: 0, size: 100 },
      { state: "failed", moved: 7, size: 1000 },
    ]),
  ).toEqual({ running: 2, failed: 1, percent: 30 });
  expect(totalsOf([{ state: "failed", moved: 0, size: 1 }])).toEqual({
    running: 0,
    failed: 1,
    percent: 0,
  });
});

it("The total is unknown while the size of a file is", () => {
  expect(
    totalsOf([
      { state: "running", moved: 50, size: 300 },
      { state: "running", moved: 50, size: null },
    ]),
  ).toEqual({ running: 2, failed: 0, percent: null });
});

it("The list has uploads, files of messages and downloads, the oldest first, without downloads of a moment", () => {
  const entry = { rate: 0, error: null } as const;
  const download = (at: number, listed: boolean): DownloadEntry => ({
    ...entry,
    name: `down ${at}`,
    received: 1,
    size: null,
    state: "running",
    at,
    tabId: "t",
    listed,
  });
  const lines = transferLines({
    uploads: {
      byKey: {
        a: {
          ...entry,
          name: "up",
          sent: 2,
          size: 4,
          state: "running",
          at: 3,
          survives: true,
          fileName: null,
        },
      },
      chat: { m: { chatId: "lina", name: "photo", sent: 1, size: 2, state: "waiting", at: 1 } },
    },
    downloads: { byKey: { d: download(2, true), e: download(0, false) } },
  });
  expect(lines.map(({ key, kind, chatId, moved }) => [key, kind, chatId, moved])).toEqual([
    ["m", "chat", "lina", 1],
    ["d", "download", null, 1],
    ["a", "upload", null, 2],
  ]);
});
