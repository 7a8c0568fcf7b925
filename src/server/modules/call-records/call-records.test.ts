import { beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { callRecords, START as RECORDED } from "../../../shared/domain/call-records.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import {
  callQualitySchema,
  callRecordsCall,
  type CallReport,
} from "../../../shared/protocol/rest/call-records.ts";
import { ticketPath } from "../../../shared/protocol/rest/rtc.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import type { Answer } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

export const MAY = whoMay({
  "calls.report": "++++",
  "calls.records": "++++",
  // Every account may list its own calls. Tests below ask for another person's call and get 404.
  "calls.quality": "++++",
  "calls.deleteRecords": "++++",
});

const PATH = callRecordsCall.path;
const START = Date.UTC(2026, 0, 5, 8);

/** 张伟 and 李娜 are colleagues; 王芳 works for another company. */
describe("Past calls", () => {
  const { host: platform, tokens: token } = platformForTests(["zhangwei", "lina", "wangfang"]);
  beforeEach(async () => {
    await platform.platform.database.pool.query("DELETE FROM call_records");
  });

  const ask = (who: string, method: string, path: string, json?: unknown): Promise<Answer> =>
    platform.ask(method, path, {
      token: token[who] ?? "",
      ...(json === undefined ? {} : { json }),
    });
  const reportOf = (part: Partial<CallReport> = {}): CallReport => ({
    callId: "c1",
    channel: "",
    type: 1,
    media: "voice",
    direction: "out",
    peer: "lina",
    result: "answered",
    startedAt: START,
    answeredAt: START + 5_000,
    endedAt: START + 65_000,
    ...part,
  });
  const report = (who: string, part: Partial<CallReport> = {}): Promise<Answer> =>
    ask(who, "POST", PATH, reportOf(part));
  async function records(who: string, query = ""): Promise<z.infer<typeof callRecordsCall.data>> {
    const { status, body } = await ask(who, "GET", `${PATH}?${query}`);
    expect(status).toBe(200);
    return callRecordsCall.data.parse(body.data);
  }
  /** Opens a call. @returns the id of its conference */
  async function openCall(caller: string, callee: string): Promise<string> {
    const answer = await fetch(`${platform.origin}${ticketPath("easemob")}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token[caller] ?? ""}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ uid: caller, confrType: 13, callee }),
    });
    const { confrId } = (await answer.json()) as { confrId: string };
    expect(confrId).toMatch(/^[0-9a-f-]{36}$/);
    return confrId;
  }

  it(covers([restCalls.callReport, restCalls.callRecords], "success"), async () => {
    expect((await report("zhangwei")).status).toBe(200);
    await report("zhangwei", {
      callId: "c2",
      media: "video",
      result: "busy",
      startedAt: START + 100_000,
      answeredAt: null,
      endedAt: START + 101_000,
    });
    const page = await records("zhangwei");
    expect(page.total).toBe(2);
    expect(page.records).toMatchObject([
      {
        peer: "lina",
        name: "李娜",
        result: "busy",
        media: "video",
        answeredAt: null,
        quality: null,
      },
      { result: "answered", startedAt: START, answeredAt: START + 5_000, endedAt: START + 65_000 },
    ]);
    expect((await records("zhangwei", "result=busy")).records).toHaveLength(1);
    expect((await records("zhangwei", "media=voice&direction=out")).records).toHaveLength(1);
    expect((await records("zhangwei", "keyword=LIN&limit=1&cursor=2")).records).toMatchObject([
      { result: "answered" },
    ]);
    expect((await records("zhangwei", "direction=in")).total).toBe(0);
    expect((await records("zhangwei", "peer=lina")).total).toBe(2);
    expect((await records("zhangwei", "peer=lin")).total).toBe(0);
  });

  it("keeps one record per call, however often it is reported", async () => {
    await Promise.all([report("zhangwei"), report("zhangwei"), report("zhangwei")]);
    expect((await records("zhangwei")).total).toBe(1);
  });

  it("keeps the answer of one device against the silence of another, in either order", async () => {
    const unanswered = { result: "missed", direction: "in", answeredAt: null } as const;
    await report("lina", { callId: "a", ...unanswered, peer: "zhangwei" });
    await report("lina", { callId: "a", direction: "in", peer: "zhangwei" });
    await report("lina", { callId: "b", direction: "in", peer: "zhangwei" });
    await report("lina", { callId: "b", ...unanswered, peer: "zhangwei" });
    const { records: rows } = await records("lina");
    expect(rows.map(({ result }) => result)).toEqual(["answered", "answered"]);
  });

  it("shows a missed call to a person without a device, until a device of theirs reports it", async () => {
    const channel = await openCall("zhangwei", "lina");
    await report("zhangwei", { channel, result: "no-response", answeredAt: null });
    expect((await records("lina")).records).toMatchObject([
      { peer: "zhangwei", name: "张伟", direction: "in", result: "missed", answeredAt: null },
    ]);
    await report("lina", {
      channel,
      direction: "in",
      peer: "zhangwei",
      result: "refused",
      answeredAt: null,
    });
    expect((await records("lina")).records).toMatchObject([{ result: "refused" }]);
    // a late report of the other side changes nothing
    await report("zhangwei", { channel, result: "cancelled", answeredAt: null });
    expect((await records("lina")).records).toMatchObject([{ result: "refused" }]);
  });

  it("adds nothing to the list of another person without a call that this server knows", async () => {
    const unanswered = { result: "no-response", answeredAt: null } as const;
    await report("zhangwei", { ...unanswered });
    await report("zhangwei", { ...unanswered, callId: "x", channel: "made-up" });
    // the call of other people
    await report("zhangwei", {
      ...unanswered,
      callId: "y",
      channel: await openCall("lina", "zhangwei"),
    });
    expect((await records("lina")).total).toBe(0);
  });

  it("does not reveal the name of a stranger", async () => {
    await report("zhangwei", { peer: "nobody-1", callId: "s" });
    await report("lina", { peer: "wangfang", callId: "s" });
    expect((await records("zhangwei")).records).toMatchObject([{ name: "nobody-1" }]);
    expect((await records("lina")).records).toMatchObject([{ name: "wangfang" }]);
  });

  it("shows the mean of what the person's own devices measured", async () => {
    const { pool } = platform.platform.database;
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id FROM accounts WHERE username IN ('zhangwei', 'lina') ORDER BY username DESC",
    );
    const sample = (
      account: string | undefined,
      seq: number,
      rtt: number,
      packetLossRate: number,
    ) =>
      pool.query(
        `INSERT INTO quality_samples (account_id, batch, seq, confr_id, mem_name, kind, time, received_at, record)
         VALUES ($1, 'b', $2, 'conference-q', 'm', 1, 0, now(), $3)`,
        [account, seq, JSON.stringify({ rtt, packetLossRate })],
      );
    await sample(rows[0]?.id, 0, 0, 0);
    await sample(rows[0]?.id, 1, 40, 3);
    await sample(rows[0]?.id, 2, 60, 4);
    await sample(rows[1]?.id, 0, 900, 90);
    await report("zhangwei", { channel: "conference-q" });
    expect((await records("zhangwei")).records[0]?.quality).toEqual({
      rtt: 50,
      loss: 2.3,
      // Records without a score have that of their sound: 2.3 % and 50 ms.
      mos: expect.closeTo(4.16, 1) as number,
    });
  });

  describe("the quality of a call", () => {
    /** Stores the records of a call of 80 s between 张伟 and 李娜, of which 张伟's sending loses a fifth in the middle. */
    async function measure(confrId: string, sides = ["zhangwei", "lina"]): Promise<void> {
      const { pool } = platform.platform.database;
      const names = { ann: "zhangwei", bob: "lina" } as const;
      const known: Readonly<Record<string, string>> = names;
      const records = callRecords(80, ({ at, from }) =>
        from === "ann" && at > 20_000 && at <= 50_000 ? { loss: 0.2 } : {},
      );
      await pool.query(
        `INSERT INTO quality_samples (account_id, batch, seq, confr_id, mem_name, kind, time, received_at, record)
         SELECT a.id, $1, r.n, $1, a.chat_user_name, 1, 0, now(), r.record
         FROM jsonb_array_elements($2) WITH ORDINALITY AS r(record, n)
         JOIN accounts a ON a.chat_user_name = r.record->>'memName'`,
        [
          confrId,
          JSON.stringify(
            records.flatMap((record) => {
              const memName = known[record.memName] ?? "";
              if (record.kind !== 1 || !sides.includes(memName)) return [];
              const subMemName = known[record.subMemName] ?? "";
              return [{ ...record, confrId, memName, subMemName }];
            }),
          ),
        ],
      );
    }
    async function qualityOf(who: string): Promise<z.infer<typeof callQualitySchema>> {
      const id = (await records(who)).records[0]?.id ?? "";
      const { status, body } = await ask(who, "GET", `${PATH}/${id}/quality`);
      expect(status).toBe(200);
      return callQualitySchema.parse(body.data);
    }

    it(covers(restCalls.callQuality, ["success"]), async () => {
      await measure("measured");
      await report("zhangwei", { channel: "measured" });
      await report("lina", { channel: "measured", direction: "in", peer: "zhangwei" });
      for (const who of ["zhangwei", "lina"]) {
        const { scores, causes } = await qualityOf(who);
        expect(scores.map(({ name }) => name).toSorted()).toEqual(["张伟", "李娜"].toSorted());
        const by = Object.fromEntries(scores.map(({ from, mos }) => [from, mos ?? 0]));
        expect(by["lina"]).toBeCloseTo(4.26, 2);
        expect(by["zhangwei"]).toBeLessThan(3.6);
        expect(causes).toEqual([
          {
            cause: "loss",
            name: "张伟",
            begin: RECORDED + 22_000,
            end: expect.any(Number) as number,
          },
        ]);
        // The list has the worse direction of it.
        expect((await records(who)).records[0]?.quality?.mos).toBeCloseTo(by["zhangwei"] ?? 0, 2);
      }
    });

    it("of a group call names each sender, also the person who rang", async () => {
      await measure("measured-group");
      await report("zhangwei", { channel: "measured-group" });
      await platform.platform.database.pool.query(
        "UPDATE call_records SET type = 2, peer = 'zhangwei', peer_name = '李娜、王芳' WHERE channel = 'measured-group'",
      );
      const { scores } = await qualityOf("zhangwei");
      expect(scores.map(({ name }) => name).toSorted()).toEqual(["张伟", "李娜"].toSorted());
    });

    it("has nothing of a call that was not measured, and nothing of the other side without own records", async () => {
      await report("zhangwei", { channel: "unmeasured" });
      expect(await qualityOf("zhangwei")).toEqual({ scores: [], causes: [] });
      // A report may name any channel.
      await measure("foreign", ["lina"]);
      await report("zhangwei", { callId: "c9", channel: "foreign", startedAt: START + 5 });
      expect(await qualityOf("zhangwei")).toEqual({ scores: [], causes: [] });
    });

    it(covers(restCalls.callQuality, ["foreign", "invalid"]), async () => {
      await measure("own");
      await report("zhangwei", { channel: "own" });
      const id = (await records("zhangwei")).records[0]?.id ?? "";
      for (const who of ["lina", "wangfang"]) {
        expect((await ask(who, "GET", `${PATH}/${id}/quality`)).status).toBe(404);
      }
      expect((await ask("zhangwei", "GET", `${PATH}/99999999/quality`)).status).toBe(404);
      expect((await ask("zhangwei", "GET", `${PATH}/no-id/quality`)).status).toBe(404);
      await ask("zhangwei", "DELETE", `${PATH}/${id}`);
      expect((await ask("zhangwei", "GET", `${PATH}/${id}/quality`)).status).toBe(404);
    });
  });

  it(covers(restCalls.callRecordDelete, ["success", "foreign"]), async () => {
    await report("zhangwei");
    const id = (await records("zhangwei")).records[0]?.id ?? "";
    expect((await ask("lina", "DELETE", `${PATH}/${id}`)).status).toBe(404);
    expect((await ask("zhangwei", "DELETE", `${PATH}/${id}`)).status).toBe(200);
    expect((await records("zhangwei")).total).toBe(0);
    // a late report does not bring it back
    await report("zhangwei");
    expect((await records("zhangwei")).total).toBe(0);
  });

  it(covers([restCalls.callReport, restCalls.callRecords], "foreign"), async () => {
    await report("zhangwei");
    expect((await records("lina")).total).toBe(0);
    expect((await records("wangfang")).total).toBe(0);
  });

  it(
    covers([restCalls.callReport, restCalls.callRecords, restCalls.callRecordDelete], "invalid"),
    async () => {
      const fields = (answer: Answer): string[] =>
        Object.keys(answer.body.details?.["fields"] ?? {});
      const late = await report("zhangwei", { endedAt: START - 1, answeredAt: null });
      expect([late.status, fields(late)]).toEqual([400, ["endedAt"]]);
      const self = await report("zhangwei", { peer: "zhangwei" });
      expect([self.status, fields(self)]).toEqual([400, ["peer"]]);
      const group = await report("zhangwei", { type: 2, channel: "123456789" });
      expect([group.status, fields(group)]).toEqual([400, ["type"]]);
      const page = await ask("zhangwei", "GET", `${PATH}?limit=0&result=lost`);
      expect([page.status, fields(page).sort()]).toEqual([400, ["limit", "result"]]);
      const gone = await ask("zhangwei", "DELETE", `${PATH}/x`);
      expect([gone.status, fields(gone)]).toEqual([400, ["id"]]);
    },
  );

  it(
    covers(
      [
        restCalls.callReport,
        restCalls.callRecords,
        restCalls.callRecordDelete,
        restCalls.callQuality,
      ],
      "refused",
    ),
    async () => {
      expect((await platform.ask("GET", `${PATH}/1/quality`)).status).toBe(401);
      expect((await platform.ask("POST", PATH, { json: reportOf() })).status).toBe(401);
      expect((await platform.ask("GET", PATH)).status).toBe(401);
      expect((await platform.ask("DELETE", `${PATH}/1`)).status).toBe(401);
    },
  );
});
