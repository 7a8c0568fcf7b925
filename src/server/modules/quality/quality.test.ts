import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createTestHost,
  openSocket,
  type TestHost,
  type TestSocket,
  until,
} from "../../host.harness.ts";
import { mutate, seededRandom } from "../../../shared/mutate.harness.ts";
import {
  qualityAckSchema,
  QUALITY_LIMITS,
  type QualityRecord,
  qualityUploadSchema,
} from "../../../shared/protocol/qoe.ts";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { createTickets } from "../tickets/tickets.ts";
import { createQualityModule, RETENTION_MS } from "./index.ts";
import { createQualityTickets } from "../tickets/quality-tickets.ts";

/** What the server answers once a batch is stored; it says since when it runs. */
const storedAck = (batch: string) => ({
  batch,
  result: 0,
  startedAt: expect.any(Number) as number,
});

describe("The quality socket", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await createTestHost({
      modules: [createQualityModule],
      companies: { "1": ["zhangwei", "lina", "chenjie"], "2": ["wangfang", "zhaolei"] },
    });
  });
  afterEach(async () => {
    // First, because it waits for batches that are still being stored.
    await host.reset();
    await host.pg.query("delete from quality_samples; delete from quality_batches");
  });
  afterAll(() => host.close());

  /** The address of a ticket, to which clients append their query with its question mark. */
  const addressOf = (given: string): string =>
    `${host.origin}/quality?ticket=${given}&rest=?orgName=hyzh&appName=console&memName=undefined&ts=1&access_token=x`;
  const ticket = (user: string, confrId = "own"): Promise<string> =>
    createQualityTickets(host.deps.config.APP_SECRET, host.clock).sign({
      confrId,
      memName: user,
      sessionId: `session-${user}`,
    });
  const open = async (user = "zhangwei", confrId = "own"): Promise<TestSocket> =>
    openSocket(addressOf(await ticket(user, confrId)));
  const record = (changes: Record<string, unknown> = {}): QualityRecord =>
    ({
      kind: 2,
      confrId: "own",
      memId: "zhangwei",
      memName: "zhangwei",
      time: 1_700_000_000_123,
      sessionId: "s",
      event: 0,
      ...changes,
    }) as QualityRecord;
  const periodic = (changes: Record<string, unknown> = {}): QualityRecord =>
    record({
      kind: 1,
      event: undefined,
      streamType: 0,
      sId: "st",
      rtcId: "r",
      isPub: true,
      subMemName: "",
      subMemId: "",
      media: "video",
      packets: 1,
      bytes: 2,
      packetsLost: 0,
      packetLossRate: 0,
      KBps: 3,
      frameWidth: 640,
      frameHeight: 360,
      fps: 25,
      rtt: 40,
      audioInputLevel: 0,
      ...changes,
    });
  const stored = async () =>
    (
      await host.pg.query<Record<string, unknown>>(
        "select account_id, batch, seq, confr_id, mem_name, kind, time, record from quality_samples order by batch, seq",
      )
    ).rows;

  it("adds the scores up per connection, direction and medium, not per stream", async () => {
    const a = await open();
    const scored = (changes: Record<string, unknown>): QualityRecord =>
      periodic({ sId: "one", mos: 400, ...changes });
    const records = [
      scored({ media: "audio" }),
      scored({ media: "video" }),
      scored({ media: "video", mos: 300 }),
      scored({ media: "video", isPub: false, subMemName: "lina" }),
      scored({ media: "video", rtcId: "r2" }),
      // As older cores name a stream.
      scored({ media: "video", sId: "r:local:video" }),
    ];
    a.send({ batch: "b1", records });
    expect(await a.waitForFrame({})).toEqual(storedAck("b1"));
    const { rows } = await host.pg.query<Record<string, unknown>>(
      "select stream, mos_sum::int, samples from quality_streams order by stream",
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["r2:local:video", 400, 1],
      ["r:local:audio", 400, 1],
      ["r:local:video", 1100, 3],
      ["r:remote:video", 400, 1],
    ]);
  });

  it("stores a batch once and acknowledges every copy of it", async () => {
    const a = await open();
    const records = [record(), periodic()];
    for (let i = 0; i < 3; i += 1) a.send({ batch: "b1", records });
    // Sockets are served beside each other, so the first copy must be stored before another socket sends one.
    expect(await a.waitForFrame({})).toEqual(storedAck("b1"));
    const again = await open();
    again.send({ batch: "b1", records: [record({ event: 5 })] });
    for (let i = 0; i < 2; i += 1) expect(await a.waitForFrame({})).toEqual(storedAck("b1"));
    expect(await again.waitForFrame({})).toEqual(storedAck("b1"));
    const rows = await stored();
    expect(rows.map((r) => [r["seq"], r["confr_id"], r["kind"]])).toEqual([
      [0, "own", 2],
      [1, "own", 1],
    ]);
    expect(rows[0]).toMatchObject({
      account_id: "account-zhangwei",
      batch: "b1",
      mem_name: "zhangwei",
      time: "1700000000123",
      record: record(),
    });
    // The same batch name of another account is another batch.
    const lina = await open("lina");
    lina.send({ batch: "b1", records: [record({ memName: "lina", memId: "lina" })] });
    expect(await lina.waitForFrame({})).toEqual(storedAck("b1"));
    expect(await stored()).toHaveLength(3);
  });

  it("stores a batch of five hundred records", async () => {
    const a = await open();
    const records = Array.from({ length: 500 }, (_, i) => periodic({ bytes: i }));
    a.send({ batch: "big", records });
    expect(await a.waitForFrame({ batch: "big" })).toEqual(storedAck("big"));
    expect(await stored()).toHaveLength(500);
  });

  it.each([
    ["another conference than the ticket's", { confrId: "second" }],
    ["another user's name", { memName: "lina" }],
  ])("stores nothing of a batch that contains %s", async (_name, changes) => {
    const a = await open();
    a.send({ batch: "b", records: [record(), record(changes), record()] });
    expect(await a.waitForFrame({})).toMatchObject({ batch: "b", result: -405 });
    expect(await stored()).toEqual([]);
    a.send({ batch: "b", records: [record()] });
    expect(await a.waitForFrame({})).toEqual(storedAck("b"));
  });

  it("reads nothing without its ticket, and accepts no other token in its place", async () => {
    const good = await ticket("zhangwei");
    const { origin } = host;
    const refused: [string, string][] = [
      ["no ticket", `${origin}/quality?access_token=token-zhangwei`],
      ["an empty ticket", addressOf("")],
      ["an access token", addressOf("token-zhangwei")],
      ["an altered ticket", addressOf(`${good}x`)],
      ["a ticket of a conference", addressOf(await conferenceTicket())],
      ["a ticket of an unknown user", addressOf(await ticket("nobody"))],
    ];
    for (const [what, address] of refused) {
      const socket = await openSocket(address);
      socket.send({ batch: "b", records: [record()] });
      socket.send({ type: 2, event: 0 });
      expect(await socket.closed(), what).toBe(WS_CLOSE.unauthorised);
      expect(socket.frames, what).toEqual([]);
    }
    host.clock.advance(12 * 3_600_000);
    expect(await (await openSocket(addressOf(good))).closed()).toBe(WS_CLOSE.unauthorised);
    expect(await stored()).toEqual([]);
  });
  const conferenceTicket = (): Promise<string> =>
    createTickets(host.deps.config.APP_SECRET, host.clock).sign({
      confrId: "own",
      memName: "zhangwei",
      sessionId: "session-zhangwei",
    });

  it("refuses the ticket of a session that has ended", async () => {
    const given = await ticket("zhangwei");
    host.directory.endSession("session-zhangwei");
    const socket = await openSocket(addressOf(given));
    expect(await socket.closed()).toBe(WS_CLOSE.unauthorised);
  });

  it("is closed when the session of its user ends, when the user opens a fifth one, and when the server stops", async () => {
    const sockets = [];
    for (let i = 0; i < 4; i += 1) sockets.push(await open());
    await until("all four are in", async () => /^quality_sockets 4$/m.test(await host.metrics()));
    const lina = await open("lina");
    lina.send({ batch: "b", records: [] });
    await lina.waitForFrame({ result: -400 });
    expect(await (await open()).closed()).toBe(WS_CLOSE.tooMany);
    expect(await host.metrics()).toMatch(/^quality_sockets 5$/m);
    expect(new Set(host.directory.openSessions())).toEqual(
      new Set(["session-zhangwei", "session-lina"]),
    );
    host.directory.endSession("session-zhangwei");
    for (const socket of sockets) expect(await socket.closed()).toBe(WS_CLOSE.unauthorised);
    await until("they are gone", async () => /^quality_sockets 1$/m.test(await host.metrics()));
    await host.restart();
    expect(await lina.closed()).toBe(WS_CLOSE.shutdown);
  });

  /** As the platform's SDK sends them: each record a frame, and only the first names the conference. */
  const PLAIN = [
    {
      type: 0,
      counterId: 0,
      appkey: "hyzh#console",
      confrId: "own",
      memId: "zhangwei",
      memName: "zhangwei",
      time: 1_700_000_000_123,
      joinConfrTime: 1_700_000_000_000,
      sessionId: "s",
      networkType: "WIFI",
      sdkOS: "Web",
      sdkVersion: "3.4.1",
      deviceInfo: "chrome",
      osVersion: "120",
      result: 0,
    },
    { type: 2, time: 1_700_000_000_124, event: 20, rtcId: "r", connState: 2, rtcCfg: { a: [] } },
    {
      type: 1,
      time: 1_700_000_000_125,
      streamType: 0,
      sId: "st",
      rtcId: "r",
      isPub: true,
      vW: 640,
      vKBps: 90,
      aPLR: 0,
    },
    { type: 2, event: 16, subMemName: null },
  ];

  it("stores the plain records of kinds 0, 1 and 2 beside batches, and answers nothing", async () => {
    const a = await open();
    for (const frame of PLAIN) a.send(frame);
    a.send({ batch: "b1", records: [record(), periodic()] });
    // The frames are handled in turn, so everything before the batch is stored.
    expect(await a.waitForFrame({})).toEqual(storedAck("b1"));
    expect(a.frames).toHaveLength(1);
    const rows = await stored();
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      const about = { account_id: "account-zhangwei", confr_id: "own", mem_name: "zhangwei" };
      expect(row).toMatchObject(about);
    }
    const plain = rows.filter((row) => row["batch"] !== "b1");
    const byTime = plain.toSorted((x, y) => Number(x["time"]) - Number(y["time"]));
    expect(byTime.map((row) => row["kind"])).toEqual([0, 2, 1, 2]);
    expect(byTime.map((row) => row["record"])).toMatchObject(PLAIN);
    // A record without a time has that of its arrival.
    expect(byTime[3]?.["time"]).toBe(String(host.clock.now()));
  });

  it("knows the member of a plain record by the name with the app key too", async () => {
    const a = await open();
    a.send({ ...PLAIN[0], memName: "hyzh#console_zhangwei" });
    a.send({ batch: "b", records: [record()] });
    await a.waitForFrame({ batch: "b" });
    expect((await stored()).map((row) => row["mem_name"])).toEqual(["zhangwei", "zhangwei"]);
  });

  it.each([
    ["of another conference", { confrId: "second" }, -405],
    ["of another member", { memName: "lina" }, -405],
    ["of another application's member", { memName: "other#app_zhangwei" }, -405],
    ["of an unknown kind", { type: 3 }, -400],
    ["with a time that is none", { time: "now" }, -400],
    ["with a NUL inside", { rtcCfg: { iceServers: ["\0"] } }, -400],
    ["with half a character as a name", { "\ud800": 1 }, -400],
    ["that is too large", { deviceInfo: "x".repeat(QUALITY_LIMITS.plainBytes) }, -400],
  ])("refuses a plain record %s and goes on", async (_name, changes, result) => {
    const a = await open();
    a.send({ ...PLAIN[0], ...changes });
    expect(await a.waitForFrame({})).toMatchObject({ batch: "", result });
    a.send(PLAIN[0] ?? {});
    a.send({ batch: "b", records: [record()] });
    expect(await a.waitForFrame({ batch: "b" })).toMatchObject({ result: 0 });
    expect(await stored()).toHaveLength(2);
  });

  it("limits the rate and closes when flooded", async () => {
    const a = await open();
    for (let i = 0; i < QUALITY_LIMITS.burst + QUALITY_LIMITS.badFrames; i += 1) {
      a.send({ batch: `b${i}`, records: [record()] });
    }
    expect(await a.closed()).toBe(WS_CLOSE.tooMany);
    expect((await stored()).length).toBeLessThanOrEqual(QUALITY_LIMITS.burst);
  });

  it("asks to resend when the database fails, and then stores the batch", async () => {
    const a = await open();
    await host.pg.query("alter table quality_samples rename to hidden");
    a.send({ batch: "b", records: [record()] });
    expect(await a.waitForFrame({})).toMatchObject({ batch: "b", result: -503 });
    await host.pg.query("alter table hidden rename to quality_samples");
    a.send({ batch: "b", records: [record()] });
    expect(await a.waitForFrame({})).toEqual(storedAck("b"));
    expect(await stored()).toHaveLength(1);
  });

  it("has its records removed after thirty days, once a day and after a start that comes later", async () => {
    const a = await open();
    a.send({ batch: "old", records: [record()] });
    await a.waitForFrame({ result: 0 });
    host.clock.advance(RETENTION_MS - 1000);
    const b = await open("lina");
    b.send({ batch: "new", records: [record({ memName: "lina" })] });
    await b.waitForFrame({ result: 0 });
    await host.restart();
    expect(await stored()).toHaveLength(2);
    host.clock.advance(86_400_000);
    await until("the old one is removed", async () => (await stored()).length === 1);
    expect((await stored())[0]?.["batch"]).toBe("new");
    host.clock.advance(RETENTION_MS);
    await host.restart();
    await until("the new one is removed", async () => (await stored()).length === 0);
    const batches = () => host.pg.query("select * from quality_batches");
    await until("its batch is removed", async () => (await batches()).rows.length === 0);
  });

  it("answers or closes on each of 1000 malformed frames and stores nothing", async () => {
    const random = seededRandom(7);
    const bystander = await open("lina");
    let socket = await open();
    let sent = 0;
    let stores = 0;
    while (sent < 1000) {
      const text = mutate(random, { batch: "m", records: [record(), periodic()] });
      if (wellFormed(text)) continue;
      sent += 1;
      const before = socket.frames.length;
      socket.raw(text);
      await until("an answer", () => socket.frames.length > before);
      const ack = qualityAckSchema.parse(socket.frames.at(-1));
      // A mutated id is still readable, but belongs to no conference.
      expect([-400, -405], text.slice(0, 300)).toContain(ack.result);
      if (socket.frames.filter((f) => f["result"] === -400).length === QUALITY_LIMITS.badFrames) {
        expect(await socket.closed()).toBe(WS_CLOSE.badFrames);
        socket = await open();
        stores += 1;
        bystander.send({ batch: `ok${stores}`, records: [record({ memName: "lina" })] });
        expect(await bystander.waitForFrame({ batch: `ok${stores}` })).toMatchObject({ result: 0 });
        host.clock.advance(200);
      }
    }
    const rows = await stored();
    expect(stores).toBeGreaterThan(30);
    expect(rows.filter((r) => r["mem_name"] !== "lina")).toEqual([]);
    expect(rows).toHaveLength(stores);
    const large = await open();
    large.raw(`{"batch":"${"x".repeat(QUALITY_LIMITS.frameBytes)}"}`);
    expect(await large.closed()).toBe(1009);
  });

  /** Mutated records that remain valid do not count as malformed. */
  function wellFormed(text: string): boolean {
    try {
      const upload = qualityUploadSchema.safeParse(JSON.parse(text));
      return (
        upload.success &&
        !/[\0\p{Surrogate}]/u.test(upload.data.batch) &&
        upload.data.records.every(
          (r) =>
            r.memName === "zhangwei" &&
            r.confrId === "own" &&
            !Object.values(r).some((v) => typeof v === "string" && /[\0\p{Surrogate}]/u.test(v)),
        )
      );
    } catch {
      return false;
    }
  }
});
