import { expect, test, vi } from "vitest";
import { basePathOf, locksBelow, nameBelow, withoutBase } from "./base-path.ts";

test.each([
  ["https://example.org/assets/index-a1.js", ""],
  ["https://example.org/console/assets/core-a1.js?v=1#x", "/console"],
  ["http://localhost:8080/a/b/assets/index-a1.js", "/a/b"],
  ["https://example.org/assets/assets/index-a1.js", "/assets"],
  ["http://localhost:5173/src/ui/main.tsx", ""],
  ["file:///home/me/console/src/ui/state/theme.ts", ""],
])("A script at %s lies below the base path %j", (script, base) => {
  expect(basePathOf(script)).toBe(base);
});

test.each([
  ["/console/im/people?id=1", "/console", "/im/people?id=1"],
  ["/console", "/console", "/"],
  ["/console?a=/console/", "/console", "/?a=/console/"],
  ["/console/console/hyzh/console/chatfiles/1", "/console", "/hyzh/console/chatfiles/1"],
  ["/consoles/x", "/console", "/consoles/x"],
  ["/im/console/x", "/console", "/im/console/x"],
  ["/console/x", "", "/console/x"],
])("%s below %j is the console's %s", (path, base, own) => {
  expect(withoutBase(path, base)).toBe(own);
});

test("What the pages of a host share has a name of its own below each base path, and its old name without one", async () => {
  expect([nameBelow("", "keyval-store"), nameBelow("/a/b", "keyval-store")]).toEqual([
    "keyval-store",
    "/a/b:keyval-store",
  ]);
  const request = vi.fn(async (..._given: unknown[]) => undefined);
  const work = (): undefined => undefined;
  await locksBelow("/a", { request }).request("call-owner", { ifAvailable: true }, work);
  await locksBelow("/a", { request }).request("call-owner", work);
  await locksBelow("", { request }).request("call-owner", work);
  expect(request.mock.calls).toEqual([
    ["/a:call-owner", { ifAvailable: true }, work],
    ["/a:call-owner", work],
    ["call-owner", work],
  ]);
});
