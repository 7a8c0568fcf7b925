import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { createTickets, TICKET_TTL } from "../tickets/tickets.ts";
import { checkConferencePassword, hashConferencePassword } from "./passwords.ts";
import { createRoleTokens } from "./role-tokens.ts";

const secret = "x".repeat(40);
const lina = { confrId: "c1", memName: "lina", loginSession: "s1" };

describe("Role tokens", () => {
  it("are valid for twelve hours, also in another process with the same secret", () => {
    const clock = createManualClock();
    const token = createRoleTokens(secret, clock).sign({ ...lina, role: 7 });
    const later = createRoleTokens(secret, clock);
    clock.advance(TICKET_TTL * 1000 - 1000);
    expect(later.verify(token)).toEqual({ ...lina, role: 7 });
    clock.advance(2000);
    expect(later.verify(token)).toBeNull();
  });

  it("are refused when forged, damaged or of another kind", async () => {
    const clock = createManualClock();
    const tokens = createRoleTokens(secret, clock);
    const token = tokens.sign({ ...lina, role: 3 });
    const [body = "", tail = ""] = token.split(".");
    const claims = { confrId: "c1", memName: "lina", role: 7, sid: "s1", exp: 9_999_999_999 };
    const encode = (value: unknown): string =>
      Buffer.from(JSON.stringify(value)).toString("base64url");
    const sign = (text: string, key: string | Buffer): string =>
      `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
    const key = createHmac("sha256", secret).update("conference-role").digest();
    const ticket = createTickets(secret, clock);
    for (const bad of [
      "",
      ".",
      body,
      `${body}.`,
      `${token}.x`,
      `${encode(claims)}.${tail}`,
      sign(encode(claims), secret),
      sign(encode({ ...claims, role: 9 }), key),
      sign(encode({ ...claims, sid: undefined }), key),
      sign("no json", key),
      createRoleTokens("y".repeat(40), clock).sign({ ...lina, role: 7 }),
      await ticket.sign({ confrId: "c1", memName: "lina", sessionId: "s" }),
    ]) {
      expect(tokens.verify(bad), bad).toBeNull();
    }
    // The same claims signed with the right key are accepted.
    expect(tokens.verify(sign(encode(claims), key))).toMatchObject({ role: 7 });
  });
});

describe("Passwords of conferences", () => {
  it("are salted hashes that match only their own password, however it was typed", async () => {
    const [one, two] = await Promise.all([
      hashConferencePassword("é密"),
      hashConferencePassword("é密"),
    ]);
    expect(one).not.toBe(two);
    expect(await checkConferencePassword(one, "é密")).toBe(true);
    expect(await checkConferencePassword(one, "e\u0301密")).toBe(true);
    expect(await checkConferencePassword(one, "é密 ")).toBe(false);
    expect(await checkConferencePassword("plain", "plain")).toBe(false);
    expect(await checkConferencePassword("", "")).toBe(false);
  });
});
