import { createHmac } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { z } from "../../../shared/zod.ts";
import { iceServers } from "./ice-servers.ts";
import { parse } from "./provider.ts";
import { createTickets, TICKET_TTL } from "./tickets.ts";

const secret = "x".repeat(40);
const claims = { confrId: "c1", memName: "lina", sessionId: "s1" };

describe("Tickets", () => {
  it("are valid for twelve hours, also in another process with the same secret", async () => {
    const clock = createManualClock();
    const tktId = await createTickets(secret, clock).sign(claims);
    const later = createTickets(secret, clock);
    clock.advance(TICKET_TTL * 1000 - 1000);
    expect(await later.verify(tktId)).toEqual(claims);
    clock.advance(2000);
    expect(await later.verify(tktId)).toBeNull();
  });

  it("are refused with another secret, a changed claim, no signature, and when the token is of another kind", async () => {
    const clock = createManualClock();
    const tickets = createTickets(secret, clock);
    const tktId = await tickets.sign(claims);
    const [head, , tail] = tktId.split(".");
    const forged = Buffer.from(JSON.stringify({ typ: "ticket", ...claims, memName: "wangfang" }));
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const key = createHmac("sha256", secret).update("conference-ticket").digest();
    const sign = (payload: Record<string, unknown>, by: Uint8Array, exp?: number) => {
      const jwt = new SignJWT(payload).setProtectedHeader({ alg: "HS256" });
      return (exp === undefined ? jwt : jwt.setExpirationTime(exp)).sign(by);
    };
    const exp = Math.floor(clock.now() / 1000) + 60;
    const bad = [
      await createTickets("y".repeat(40), clock).sign(claims),
      `${head}.${forged.toString("base64url")}.${tail}`,
      `${none}.${forged.toString("base64url")}.`,
      await sign({ typ: "ticket", ...claims }, Buffer.from(secret), exp),
      await sign({ typ: "access", ...claims }, key, exp),
      await sign({ typ: "ticket", ...claims }, key),
      "",
      "a.b.c",
    ];
    for (const token of bad) expect(await tickets.verify(token), token).toBeNull();
    expect(await tickets.verify(await sign({ typ: "ticket", ...claims }, key, exp))).toEqual(
      claims,
    );
  });
});

it("A refused request names the wrong field with its path", () => {
  const schema = z.object({ pubS: z.object({ type: z.number() }) });
  expect(() => parse(schema, { pubS: { type: "x" } })).toThrow(/^请求内容不正确：pubS\.type /);
});

describe("ICE servers", () => {
  it("are empty when nothing is configured, and omit a TURN server without its secret", () => {
    expect(iceServers({}, "lina", 0)).toEqual([]);
    expect(iceServers({ TURN_URL: "turn:t:3478" }, "lina", 0)).toEqual([]);
  });

  it("have credentials that coturn's shared-secret check accepts", () => {
    const config = { STUN_URL: "stun:t:3478", TURN_URL: "turn:t:3478", TURN_SECRET: "north" };
    const username = `${1000 + TICKET_TTL}:lina`;
    expect(iceServers(config, "lina", 1_000_500)).toEqual([
      { urls: "stun:t:3478" },
      {
        urls: "turn:t:3478",
        username,
        credential: createHmac("sha1", "north").update(username).digest("base64"),
      },
    ]);
  });

  it("have each TURN server of the list", () => {
    const config = { TURN_URL: "turn:t:3478, turn:t:443?transport=tcp", TURN_SECRET: "north" };
    expect(iceServers(config, "lina", 0).map(({ urls }) => urls)).toEqual([
      "turn:t:3478",
      "turn:t:443?transport=tcp",
    ]);
  });
});
