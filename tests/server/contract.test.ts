/**
 * Every REST call of the platform: each is served, and each is proved by contract tests (see covers.harness.ts). The list of
 * calls is written by hand (tests/support/specification-calls.ts), so that the test notices a call that nobody declared.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as rest from "../../src/shared/protocol/rest/index.ts";
import type { RestCall } from "../../src/shared/protocol/rest/index.ts";
import { ID_FIELD } from "./cast.ts";
import type { Covered } from "../../src/server/covers.harness.ts";
import { SPECIFIED_CALLS, UNSHOWN_CALLS } from "../support/specification-calls.ts";
import { schemaOf } from "./generate.ts";

/** Calls that are not served yet, and why. The test fails as soon as one of them is served. */
const PENDING: Readonly<Record<string, string>> = {};

/** Kinds of proof that make no sense for a call, and why. */
const NOT_MEANT: Readonly<Record<string, Partial<Record<Covered, string>>>> = {};

const CALLS: readonly RestCall[] = Object.values(rest.restCalls);
const shape = (line: string): string => line.replaceAll(/\{\w+\}/g, "{}");
const served = new Map(CALLS.map((call) => [shape(`${call.method} ${call.path}`), call]));

/** Names of the fields that a call reads. */
function fieldsOf(call: RestCall): string[] {
  const names = (schema: unknown): string[] =>
    typeof schema !== "object" || schema === null
      ? []
      : Object.entries(schema).flatMap(([key, inner]) => [
          ...(key === "properties" ? Object.keys(inner as object) : []),
          ...names(inner),
        ]);
  return [call.params, call.query, call.body].flatMap((part) => names(schemaOf(part)));
}

/** The kinds of proof that a call needs. */
function needed(call: RestCall): Covered[] {
  const fields = fieldsOf(call);
  const kinds: Covered[] = ["success"];
  if (fields.length > 0 || call.bodyType === "multipart") kinds.push("invalid");
  if (call.auth !== "none") kinds.push("refused");
  const company = call.access?.company === "required" || call.access?.permissions !== undefined;
  if (call.auth === "bearer" && (company || fields.some((field) => ID_FIELD.test(field))))
    kinds.push("foreign");
  return kinds.filter((kind) => NOT_MEANT[call.id]?.[kind] === undefined);
}

/** `covers(…)` of every test of the server: call id and kind. */
function covered(): Set<string> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files = ["src/server", "tests/server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(root, folder, name)),
  );
  const found = new Set<string>();
  for (const file of files) {
    const source = readFileSync(file, "utf8");
    for (const [, given = "", kinds = ""] of source.matchAll(
      /\bcovers\(\s*(\[[^\]]*\]|[\w.]+)\s*,\s*(\[[^\]]*\]|"\w+")/g,
    )) {
      // A list of calls may be a constant of the file.
      const calls = given.startsWith("[")
        ? given
        : (source.match(new RegExp(`const ${given}\\b[^=]*= (\\[[^\\]]*\\])`))?.[1] ?? given);
      for (const name of calls.match(/[\w.]+/g) ?? []) {
        const last = name.split(".").at(-1) ?? "";
        const call = { ...rest, ...rest.restCalls }[last as keyof typeof rest.restCalls] as
          | RestCall
          | undefined;
        if (call?.id === undefined) throw new Error(`${file}: covers(${name}) names no call`);
        for (const kind of kinds.match(/\w+/g) ?? []) found.add(`${call.id} ${kind}`);
      }
    }
  }
  return found;
}

describe("The REST contract", () => {
  it("has sixty calls with a path of our own server", () => {
    expect(SPECIFIED_CALLS).toHaveLength(new Set(SPECIFIED_CALLS.map(shape)).size);
    expect(SPECIFIED_CALLS).toHaveLength(60);
  });

  it("Every call is served, except those listed as pending", () => {
    const missing = SPECIFIED_CALLS.filter((line) => !served.has(shape(line)));
    expect(missing.sort()).toEqual(Object.keys(PENDING).sort());
  });

  it("Calls without a path in the specification are served as well", () => {
    const ids = CALLS.map((call) => call.id);
    expect(Object.values(UNSHOWN_CALLS).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("The video provider's token has its path and format", () => {
    expect(rest.rtcTokenPath).toMatch(/^\/token\/rtcToken\//);
    expect(Object.keys(rest.rtcTokenQuerySchema.shape)).toEqual([
      "userAccount",
      "channelName",
      "appkey",
    ]);
  });

  it("Every call has its contract tests", () => {
    const proofs = covered();
    const lacking = CALLS.flatMap((call) =>
      needed(call)
        .filter((kind) => !proofs.has(`${call.id} ${kind}`))
        .map((kind) => `${call.id} ${kind}`),
    );
    expect(lacking).toEqual([]);
  });

  it("Exceptions name existing calls and kinds that are really missing", () => {
    const ids = CALLS.map((call) => call.id);
    const proofs = covered();
    for (const [id, kinds] of Object.entries(NOT_MEANT)) {
      expect(ids).toContain(id);
      for (const kind of Object.keys(kinds))
        expect(proofs.has(`${id} ${kind}`), `${id} ${kind}`).toBe(false);
    }
  });
});
