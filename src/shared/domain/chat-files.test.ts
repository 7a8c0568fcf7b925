import { expect, test } from "vitest";
import { fileKind, fileSize } from "./chat-files.ts";

test.each([
  ["image/png", "img"],
  ["image/webp", "img"],
  ["image/svg+xml", "file"],
  ["image/tiff", "file"],
  ["audio/mpeg", "audio"],
  ["video/mp4", "video"],
  ["text/html", "file"],
  ["", "file"],
])("A file of type %j is sent as %s", (type, kind) => {
  expect(fileKind(type)).toBe(kind);
});

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1 KB"],
  [1536, "1.5 KB"],
  [345_678, "338 KB"],
  [20 * 1024 * 1024, "20 MB"],
  [1023 * 1024 * 1024, "1023 MB"],
  [10 * 1024 ** 3, "10 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(fileSize(bytes)).toBe(text);
});
