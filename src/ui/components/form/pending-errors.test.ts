import { expect, it } from "vitest";
import { pendingFile } from "../upload/pending.ts";
import { PICTURE_RULES } from "../upload/rules.ts";
import { pendingErrors } from "./pending-errors.ts";

const files = { label: "x", input: "files", rules: PICTURE_RULES } as const;

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
