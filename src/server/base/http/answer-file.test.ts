import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { answerFile, rangeOf } from "./answer-file.ts";

const CONTENT = "0123456789";

/** @returns status, headers and text of the answer to these headers, and how often the file was opened */
async function asked(headers: Record<string, string>, content = CONTENT) {
  let opened = 0;
  const answer = await answerFile(
    new Headers(headers),
    () => {
      opened += 1;
      return Promise.resolve({
        stream: (range) =>
          Readable.from([
            Buffer.from(range === undefined ? content : content.slice(range.start, range.end + 1)),
          ]),
        close: () => Promise.resolve(),
      });
    },
    { size: content.length, hash: "abc", headers: { "content-type": "text/plain" } },
  );
  return { status: answer.status, headers: answer.headers, text: await answer.text(), opened };
}

test.each([
  [undefined, null],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=10-19", { start: 10, end: 19 }],
  ["bytes=90-900", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-900", { start: 0, end: 99 }],
  ["bytes=100-", "none"],
  ["bytes=5-1", "none"],
  ["bytes=-", null],
  ["bytes=0-1,5-6", null],
  ["items=0-1", null],
])("The range %s of 100 bytes", (header, expected) => {
  expect(rangeOf(header, 100)).toEqual(expected);
});

test("A file is answered with its tag, and a part of it with the place of the part", async () => {
  const whole = await asked({});
  expect([whole.status, whole.text, whole.headers.get("etag")]).toEqual([200, CONTENT, '"abc"']);
  expect(whole.headers.get("accept-ranges")).toBe("bytes");
  const part = await asked({ range: "bytes=2-4" });
  expect([part.status, part.text]).toEqual([206, "234"]);
  expect(part.headers.get("content-range")).toBe("bytes 2-4/10");
  expect(part.headers.get("content-length")).toBe("3");
  expect(part.headers.get("content-type")).toBe("text/plain");
});

test("A browser that has the file gets no bytes, and one that has another content gets the whole file", async () => {
  for (const known of ['"abc"', 'W/"abc"', '"x", "abc"', "*"]) {
    expect(await asked({ "if-none-match": known })).toMatchObject({ status: 304, opened: 0 });
  }
  expect((await asked({ "if-none-match": '"x"' })).text).toBe(CONTENT);
  expect((await asked({ range: "bytes=2-4", "if-range": '"abc"' })).text).toBe("234");
  expect((await asked({ range: "bytes=2-4", "if-range": '"x"' })).text).toBe(CONTENT);
});

test("A part beyond the end is refused with the size, and an empty file is answered", async () => {
  const beyond = await asked({ range: "bytes=10-" });
  expect([beyond.status, beyond.headers.get("content-range"), beyond.opened]).toEqual([
    416,
    "bytes */10",
    0,
  ]);
  expect(await asked({}, "")).toMatchObject({ status: 200, text: "" });
});
