/**
 * docs/conferences.md#operations-and-their-tests names each operation of a conference's socket in each direction,
 * docs/conferences.md#events-and-their-tests each event of the specification, and docs/conferences.md#results each result, with a test
 * that exists.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as callMessages from "../../src/shared/protocol/call-message.ts";
import * as callSignals from "../../src/shared/protocol/call-signal.ts";
import * as quality from "../../src/shared/protocol/qoe.ts";
import * as confrRest from "../../src/shared/protocol/rest/confr.ts";
import * as rtc from "../../src/shared/protocol/rest/rtc.ts";
import * as signalling from "../../src/shared/protocol/signalling.ts";
import * as errors from "../../src/shared/protocol/wire-error.ts";
import * as media from "../../src/shared/protocol/confr-media.ts";
import * as confr from "../../src/shared/protocol/confr-signalling.ts";
import * as state from "../../src/shared/protocol/state.ts";
import {
  CONFR_RESULT,
  confrClientSchema,
  confrServerSchema,
} from "../../src/shared/protocol/confr-signalling.ts";
import { RESULT } from "../../src/shared/protocol/signalling.ts";
import { runsTest } from "./running-tests.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const doc = read("docs/conferences.md");
/** The cells of the rows whose first cell is a number. */
const rowsOf = (heading: string): string[][] =>
  (doc.split(`\n${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => /^\| -?\d+ /.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
const operations = rowsOf("### Operations and their tests");
const tableOf = (heading: string): string[][] =>
  (doc.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));
const events = tableOf("### Events and their tests");
const others = tableOf("### Other operations and their tests");
const results = rowsOf("## Results");

/** Operations that clients understand and this server never sends: all members at once, live configurations. */
const UNSENT = new Set(["304", "452"]);
/** Results of the specification that never pass the wire: joining, devices, streams. */
const OF_CLIENTS = [-200, -201, -203];
/** Results of the specification with which another server may refuse an enter. */
const OF_OTHERS = [-501, -508, -510];
/** What the specification has beside the socket of a conference: "chat" is its conference message (operation 7). */
const OTHERS = [
  ...["102", "104", "1004"].map((op) => `server ${op}`),
  "client 1004",
  ..."0 1 2 3 100 102 104 105 106 107 200 201 202 203 204 205 206"
    .split(" ")
    .map((op) => `chat ${op}`),
  ...["300 to 304", "400", "401", "1001", "1002"].map((op) => `chat ${op}`),
  ...["0", "1", "2"].map((kind) => `statistics ${kind}`),
];
/** The events of the specification, in its order; those without a name in its words. */
const EVENTS = [
  "WSClose",
  "WSError",
  "ServerRefuseEnter",
  "EnterFail",
  "PushFail",
  "SubFail",
  "SubFailNotSupportVCodes",
  "SubFailSafariNotAllowSubBeforePub",
  "RemoteControlFail",
  "OpenMediaError",
  "ShareDesktopExtensionNotFound",
  "OpenDesktopMediaAccessDenied",
  "AudioMixerStreamNotAllowSub",
  "AudioMixerStreamNotAllowOnlySubVideo",
  "AudioMixerStreamRepeatPublish",
  "CurrentCalling",
  "NetworkChanaged",
  "codec not supported",
  "ICE connect fail",
  "add-candidate error",
  "session description error",
];
/** No browser needs an extension to share a screen. */
const NEVER = "ShareDesktopExtensionNotFound";
const schemas = new Set([confr, media, state, errors].flatMap((module) => Object.keys(module)));
const otherSchemas = new Set(
  [callMessages, callSignals, confrRest, quality, rtc, signalling].flatMap((module) =>
    Object.keys(module),
  ),
);

function expectTest(what: string, cell: string): void {
  const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
  expect(existsSync(join(root, file)) && file !== "", `${what}: ${file}`).toBe(true);
  expect(runsTest(read(file), title), `${what}: ${title}`).toBe(true);
}

describe("The tables of a conference's socket", () => {
  it("have every operation of both schemas once, with its schema", () => {
    const opsOf = (schema: { readonly options: readonly unknown[] }): number[] =>
      schema.options.map((one) => (one as { shape: { op: { value: number } } }).shape.op.value);
    const expected = [
      ...opsOf(confrClientSchema).map((op) => `${op} client confrClientSchema`),
      ...opsOf(confrServerSchema).map((op) => `${op} server confrServerSchema`),
    ];
    const named = operations.map(
      ([op = "", by = "", schema = ""]) => `${op} ${by} ${schema.replaceAll("`", "")}`,
    );
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  it("have every result once", () => {
    const known = [...Object.values(RESULT), ...Object.values(CONFR_RESULT)] as number[];
    expect(results.map(([code]) => Number(code)).toSorted()).toEqual(
      [...known, ...OF_CLIENTS, ...OF_OTHERS].toSorted(),
    );
  });

  it("have every other operation of the specification once, with a schema and a test unless it is not used", () => {
    expect(others.map(([, name]) => name).toSorted()).toEqual(OTHERS.toSorted());
    for (const [, name = "", schema = "", test = ""] of others) {
      if (schema === "") expect(test, name).toMatch(/^not used: ./);
      else {
        expect(otherSchemas, name).toContain(schema.replaceAll("`", ""));
        expectTest(name, test);
      }
    }
  });

  it("have every event of the specification once, with a schema of the protocol", () => {
    const named = events.map(([, event = ""]) => event.replaceAll("`", ""));
    expect(named.toSorted()).toEqual(EVENTS.toSorted());
    for (const [, event = "", , schema = ""] of events) {
      if (event !== `\`${NEVER}\``) expect(schemas, event).toContain(schema.replaceAll("`", ""));
    }
  });

  it("name a test that runs in the file", () => {
    for (const [op = "", by = "", , test = ""] of operations) {
      if (by === "server" && UNSENT.has(op)) expect(test).toBe("not sent by this server");
      else expectTest(`${op} ${by}`, test);
    }
    for (const [code = "", , test = ""] of results) expectTest(code, test);
    for (const [, event = "", , , test = ""] of events) {
      if (event === `\`${NEVER}\``) expect(test).toBe("does not occur");
      else expectTest(event, test);
    }
  });
});
