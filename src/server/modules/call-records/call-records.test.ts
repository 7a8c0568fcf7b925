import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { callRecordsCall, type CallReport } from "../../../shared/protocol/rest/call-records.ts";
import { ticketPath } from "../../../shared/protocol/rest/rtc.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform, type Answer, type TestPlatform } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

export const MAY = whoMay({
  "calls.report": "++++",
  "calls.records": "++++",
  "calls.deleteRecords": "++++",
});

const PATH = callRecordsCall.path;
const START = Date.UTC(2026, 0, 5, 8);

/** 张伟 and 李娜 are colleagues; 王芳 works for another company. */
describe("Past calls", () => {
  let platform: TestPlatform;
  const token: Record<string, string> = {};
  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const name of ["zhangwei", "lina", "wangfang"]) {
      token[name] = (await platform.login(name)).access_token;
    }
  }, 120_000);
  afterAll(() => platform.close());
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
    expect((await records("zhangwei")).records[0]?.quality).toEqual({ rtt: 50, loss: 2.3 });
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
    covers([restCalls.callReport, restCalls.callRecords, restCalls.callRecordDelete], "refused"),
    async () => {
      expect((await platform.ask("POST", PATH, { json: reportOf() })).status).toBe(401);
      expect((await platform.ask("GET", PATH)).status).toBe(401);
      expect((await platform.ask("DELETE", `${PATH}/1`)).status).toBe(401);
    },
  );
});
