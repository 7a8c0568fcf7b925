import { expect, it } from "vitest";
import { PICTURE_RULES } from "./rules.ts";
import { isPending, pendingErrors, pendingFile, pendingKey, pendingKeysIn } from "./pending.ts";

const files = { label: "x", input: "files", rules: PICTURE_RULES } as const;

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

it("A field whose file is on its way is named with its place, in a group too", () => {
  const fields = [
    { ...files, key: "logo" },
    { ...files, key: "papers" },
    { key: "name", label: "x" },
    { key: "posts", label: "x", input: "groups", most: 3, fields: [{ ...files, key: "files" }] },
  ] as const;
  const values = {
    logo: ["a.png", pendingFile("k")],
    papers: ["a.pdf"],
    name: pendingFile("k"),
    posts: [{ files: [] }, { files: [pendingFile("k")] }],
  };
  expect(pendingErrors(fields, values, "wait")).toEqual({ logo: "wait", "posts.1.files": "wait" });
  expect(pendingErrors(fields, {}, "wait")).toEqual({});
});
