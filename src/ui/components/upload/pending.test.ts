import { expect, it } from "vitest";
import { isPending, pendingFile, pendingKey, pendingKeysIn } from "./pending.ts";

it("A file on its way is named by its upload, and a stored one by itself", () => {
  expect(pendingKey(pendingFile("k-1"))).toBe("k-1");
  expect([pendingKey("a.pdf"), isPending("a.pdf"), isPending(pendingFile("k"))]).toEqual([
    null,
    false,
    true,
  ]);
});

it("The uploads of a form are found in its fields and in its groups", () => {
  const values = {
    name: "upload",
    logo: ["a.png", pendingFile("k-1")],
    posts: [{ files: [pendingFile("k-2")] }, { files: [] }],
  };
  expect(pendingKeysIn(values)).toEqual(["k-1", "k-2"]);
  expect(pendingKeysIn(undefined)).toEqual([]);
});
