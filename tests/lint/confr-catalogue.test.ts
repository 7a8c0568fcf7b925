/** Each row of the conference catalogue is proved by a test: one that names it by coversRow, or one that the row names. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFR_CATALOGUE, type ConfrRow } from "../../src/shared/domain/confr-catalogue.ts";

/** Rows whose test is still being written; one that has its test must leave this list. It ends empty. */
const WAITING: readonly string[] = [
  "role.ids",
  "role.entered",
  "role.event",
  "role.enforced",
  "session.one",
  "session.rebuild",
  "session.sync",
  "session.exit",
  "session.close",
  "session.disband",
  "session.exit-callback",
  "session.grace",
  "stream.published",
  "stream.republished",
  "stream.removed",
  "stream.reuse",
  "stream.hangup",
  "stream.audience",
  "stream.control",
  "ice.weak",
  "ice.restart",
  "ice.rebuild",
  "ice.exhausted",
  "ice.push",
  "ice.sub",
  "ice.closed",
  "ice.moved",
  "end.21",
  "end.21-skip",
  "end.22",
  "end.23",
  "end.24",
  "end.other",
  "end.25",
  "end.21-server",
  "end.22-server",
  "end.23-server",
  "end.24-server",
  "request.talker",
  "request.admin",
  "request.agree",
  "request.refuse",
  "request.relayed",
  "mute.all",
  "mute.all-change",
  "mute.one",
  "join.twice",
  "join.type",
  "publish.current",
  "publish.not-open",
  "publish.audience",
  "publish.audience-server",
  "publish.repeat",
  "publish.repeat-desktop",
  "publish.repeat-server",
  "publish.repeat-mixer",
  "publish.mixed-desktop",
  "publish.mixed-desktop-server",
  "subscribe.mixed",
  "subscribe.unknown",
  "subscribe.same-rtc",
  "message.accept",
  "message.exempt",
  "request.no-admin",
  "message.sess-id-server",
  "admin.role",
  "admin.role-token",
  "admin.role-server",
  "mute.role",
  "mute.member",
  "degrade.lower",
  "degrade.server",
  "attrs.key",
  "attrs.joined",
  "disband.token",
  "result.-507",
  "result.-405",
  "result.-523",
  "exit.0",
  "exit.6",
  "exit.11",
  "exit.12",
  "exit.12-server",
  "event.refuse-enter",
  "event.push-fail",
  "event.sub-fail",
  "event.codecs",
  "event.calling",
  "event.refused-server",
  "text.current-closed",
  "text.confr",
  "time.enterTimeout",
  "time.getCopyIntervalMillis",
  "time.iceRebuildCount",
  "time.iceRebuildIntervalMillis",
  "time.exitDelayMillis",
  "time.sessionCloseMillis",
  "time.codecSwitchMillis",
  "time.networkWeakMillis",
  "time.rebuildAfterEnterMillis",
  "limit.server",
];

const SELF = "confr-catalogue.test.ts";
const root = join(import.meta.dirname, "../..");
const rows: readonly ConfrRow[] = CONFR_CATALOGUE;

const sources = new Map(
  ["src", "tests"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !file.endsWith(SELF))
      .map((file): [string, string] => [
        join(top, file),
        readFileSync(join(root, top, file), "utf8"),
      ]),
  ),
);

/** Ids that a source names in its coversRow calls. */
function named(source: string): string[] {
  return [...source.matchAll(/coversRow\(\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/g)].flatMap((call) =>
    [...(call[1] ?? "").matchAll(/["'`]([^"'`]*)["'`]/g)].map((id) => id[1] ?? ""),
  );
}
const covered = new Map<string, string[]>();
for (const [file, source] of sources) {
  for (const id of named(source)) covered.set(id, [...(covered.get(id) ?? []), file]);
}
const provedBy = ({ id, test }: ConfrRow): boolean => {
  if (covered.has(id)) return true;
  if (test === undefined) return false;
  const [file = "", title = ""] = test.split(" › ");
  return title !== "" && (sources.get(file) ?? "").includes(title);
};

describe("the conference catalogue", () => {
  it("has each row once", () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("reads ids out of titles", () => {
    expect(named('it(coversRow("a.b"), x); it(coversRow(["c", "d"], "what"), x)')).toEqual([
      "a.b",
      "c",
      "d",
    ]);
    expect(named('it("coversRow is not called", x)')).toEqual([]);
  });

  it("is named by tests in rows that it has", () => {
    const known = new Set(rows.map(({ id }) => id));
    const unknown = [...covered].filter(([id]) => !known.has(id));
    expect(unknown).toEqual([]);
  });

  it("has a test for each row", () => {
    const open = rows.filter((row) => !provedBy(row)).map(({ id }) => id);
    expect(open).toEqual(WAITING);
  });
});
