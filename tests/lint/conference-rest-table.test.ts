/** docs/conferences.md#calls-of-the-specification names each REST call of a conference, its schemas, and a test that exists. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as confr from "../../src/shared/protocol/rest/confr.ts";
import * as chatRest from "../../src/shared/protocol/easemob-rest.ts";
import * as rtc from "../../src/shared/protocol/rest/rtc.ts";
import { runsTest } from "./running-tests.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const section =
  read("docs/conferences.md").split("\n### Calls of the specification\n")[1]?.split("\n## ")[0] ??
  "";
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, call = "", schemas = "", test = ""] = line.split("|").map((cell) => cell.trim());
    const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
    return { call: call.replaceAll("`", ""), schemas: schemas.match(/\w+/g) ?? [], file, title };
  });

describe("The table of the specification's REST calls", () => {
  it("has every path of the protocol once", () => {
    const { joinRoom, ...provider } = confr.CONFR_REST;
    const paths = [
      rtc.ticketPath("{provider}"),
      joinRoom("{org}", "{app}"),
      ...Object.values(provider).map((path) => path("{provider}")),
    ];
    const named = rows.map(({ call }) => call.replace(/^[A-Z]+ /, ""));
    expect(named.toSorted()).toEqual([...paths, "/{org}/{app}/token"].toSorted());
  });

  it("names schemas of the protocol, and a test that runs in the file", () => {
    const known = new Set([confr, rtc, chatRest].flatMap((module) => Object.keys(module)));
    for (const { call, schemas, file, title } of rows) {
      // The only call without one answers an empty object.
      if (!call.endsWith("/deploy.json")) expect(schemas, call).not.toEqual([]);
      expect(
        schemas.filter((name) => !known.has(name)),
        call,
      ).toEqual([]);
      expect(existsSync(join(root, file)), `${call}: ${file}`).toBe(true);
      expect(runsTest(read(file), title), `${call}: ${title}`).toBe(true);
    }
  });
});
