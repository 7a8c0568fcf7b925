/** Malformed requests to the whole platform must change nothing, reveal nothing internal, and never end in a 500. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSocket, until } from "../../src/server/host.harness.ts";
import { mutate, seededRandom } from "../../src/shared/mutate.harness.ts";
import {
  accountCall,
  envelopeSchema,
  restCalls,
  rtcTokenPath,
  ticketPath,
  ticketRequestSchema,
  ticketResponseSchema,
} from "../../src/shared/protocol/rest/index.ts";
import { SIGNALLING_PATH } from "../../src/shared/protocol/signalling.ts";
import { inParallel } from "../support/parallel.ts";
import { everyOddValue, makeAttack } from "./attacks.ts";
import { INSIDE, type MalformedWorld, startMalformedWorld } from "./malformed-world.ts";

const REQUESTS = 1000;
/** Requests under way at the same time. */
const PARALLEL = 8;

describe("The platform under malformed requests", () => {
  let world: MalformedWorld;
  beforeAll(async () => {
    world = await startMalformedWorld();
  }, 120_000);
  afterAll(() => world.close());

  it("answers every odd value in every place that a call reads", async () => {
    const before = await world.everything();
    const attacks = everyOddValue(world.target);
    expect(attacks.length).toBeGreaterThan(500);
    const wrong: string[] = [];
    await inParallel(PARALLEL, attacks, async ({ what, path, init }) => {
      try {
        await world.attack(what, path, init);
      } catch (error) {
        wrong.push(String(error).slice(0, 400));
      }
    });
    expect(wrong).toEqual([]);
    expect(await world.everything()).toEqual(before);
    expect(world.errors).toEqual([]);
  }, 300_000);

  it(`answers ${REQUESTS} other requests with a clear refusal and changes no row`, async () => {
    const before = await world.everything();
    const random = seededRandom(20_261_122);
    const statuses = new Map<number, number>();
    const attacks = Array.from({ length: REQUESTS }, () => makeAttack(random, world.target));
    await inParallel(PARALLEL, attacks, async ({ what, path, init }) => {
      const response = await world.attack(what, path, init);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const type = response.headers.get("content-type") ?? "";
      if (response.status < 400 || type.startsWith("application/json")) {
        const envelope = envelopeSchema.safeParse(await response.json());
        expect(envelope.success, `${what} ${path}`).toBe(true);
        if (response.status >= 400) {
          expect(envelope.data?.code, what).not.toBe(0);
          expect(envelope.data?.msg, what).toMatch(/[\u4e00-\u9fff]/);
        }
      }
    });
    expect(await world.everything()).toEqual(before);
    // The attacks reach their targets: some pass as harmless reads, most are refused, in each of the ways.
    const refused = [...statuses].filter(([s]) => s >= 400).reduce((sum, [, n]) => sum + n, 0);
    expect(refused).toBeGreaterThan(REQUESTS / 2);
    for (const status of [400, 401, 403, 413]) expect([...statuses.keys()]).toContain(status);
    expect(world.errors).toEqual([]);
    await world.get(accountCall.path, world.target.token);
  }, 300_000);

  it("answers 300 malformed ticket requests and creates no conference", async () => {
    const before = await world.everything();
    const random = seededRandom(3);
    const texts: string[] = [];
    while (texts.length < 300) {
      const text = mutate(random, { ...world.ownTicketRequest, confrId: "c1", terminal: "web" });
      if (!grants(text)) texts.push(text);
    }
    await inParallel(PARALLEL, texts, async (text) => {
      const response = await world.attack("ticket", ticketPath("easemob"), {
        method: "POST",
        headers: { authorization: `Bearer ${world.target.token}` },
        body: text,
      });
      const body = ticketResponseSchema.parse(await response.json());
      expect(body.error, text.slice(0, 300)).toBeLessThan(0);
      expect(body.ticket).toBeUndefined();
    });
    for (const token of world.target.badTokens) {
      const response = await world.ticket(token, JSON.stringify(world.ownTicketRequest));
      expect(response.status, token.slice(0, 60)).toBe(401);
      await world.attack(
        "video token",
        `${rtcTokenPath}?userAccount=wangfang&channelName=%00&appkey=x`,
        {
          headers: { authorization: `Bearer ${token}` },
        },
      );
    }
    expect(await world.everything()).toEqual(before);
    expect(world.errors).toEqual([]);
  }, 60_000);

  /** Whether a mutation is still a valid request: lina may call her colleagues. */
  function grants(text: string): boolean {
    try {
      const parsed = ticketRequestSchema.safeParse(JSON.parse(text));
      return parsed.success && parsed.data.uid === "lina" && parsed.data.confrId === undefined;
    } catch {
      return false;
    }
  }

  it("refuses odd paths and raw targets", async () => {
    const targets = [
      "//evil.example/",
      "/%00",
      "/%ff%fe",
      "/..%2f..%2fetc/passwd",
      "/../../etc/passwd",
      "/%2e%2e/%2e%2e/package.json",
      "/assets/..%5c..%5cpackage.json",
      `/${"a/".repeat(3000)}`,
      "/uaa/api/account/",
      "/uaa//api/account",
      "/easemob/rtc/req/ticket/x",
      "/token/rtcToken/v1%00",
      "*",
      "http://evil.example/uaa/api/account",
      "/uaa/api/account?systemName=%E0%A4%A",
      "/signalling",
      "/quality",
    ];
    for (const path of targets) {
      for (const method of ["GET", "POST", "OPTIONS", "TRACE"]) {
        const { status, text } = await world.raw(method, path);
        expect(status, `${method} ${path.slice(0, 80)} ${text.slice(0, 200)}`).toBeLessThan(500);
        expect(text, path).not.toMatch(INSIDE);
        expect(text, path).not.toMatch(/root:|"dependencies"/);
      }
    }
    expect(world.errors).toEqual([]);
  });

  it("still runs signalling and quality: a call, its statistics, and its end with the session", async () => {
    // The earlier requests may have used up the person's rate limit.
    let made = ticketResponseSchema.parse({ error: -1 });
    await until("a ticket is granted", async () => {
      made = ticketResponseSchema.parse(
        await (
          await world.ticket(world.target.token, JSON.stringify(world.ownTicketRequest))
        ).json(),
      );
      return made.error === 0;
    });
    const socket = await openSocket(world.origin + SIGNALLING_PATH);
    socket.send({ op: 200, tsxId: "e", ticket: made.ticket });
    expect(await socket.waitForFrame({ op: 1001 })).toMatchObject({
      result: 0,
      role: 7,
      memId: "lina",
    });
    const quality = await openSocket(`${world.origin}${made.ticket?.qoeUpUrl}?orgName=hyzh`);
    const record = {
      kind: 2,
      confrId: made.confrId,
      memId: "lina",
      memName: "lina",
      time: 1,
      sessionId: "s",
      event: 0,
    };
    quality.send({ batch: "b", records: [record] });
    expect(await quality.waitForFrame({})).toEqual({
      batch: "b",
      result: 0,
      startedAt: expect.any(Number),
    });
    const metrics = async () => (await fetch(`${world.origin}/metrics`)).text();
    for (const name of ["signalling_sockets", "quality_sockets", "conference_members"]) {
      expect(await metrics()).toMatch(new RegExp(`^${name} 1$`, "m"));
    }
    await fetch(`${world.origin}${restCalls.logout.path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.target.token}` },
    });
    expect([await socket.closed(), await quality.closed()]).toEqual([4401, 4401]);
    await until("both are gone", async () => /^signalling_sockets 0$/m.test(await metrics()));
    expect(world.errors).toEqual([]);
  });
});
