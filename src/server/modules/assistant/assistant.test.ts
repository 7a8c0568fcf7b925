import { jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { whoMay } from "../../who-may.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { TICKET_TTL } from "./index.ts";

const { assistant } = restCalls;
whoMay({ "assistant.open": "-+++" });
const SECRET = "shared-with-the-assistant-".padEnd(40, "x");

describe("A platform with an assistant", () => {
  let host: TestPlatform;
  beforeAll(async () => {
    host = await startTestPlatform({
      env: { AI_URL: "https://ai.example.org/chat?from=console", AI_SECRET: SECRET },
    });
  }, 60_000);
  afterAll(() => host.close());

  it(covers(assistant, "success", "a token for the assistant alone, in the fragment"), async () => {
    const token = (await host.login("lina")).access_token;
    const { body } = await host.ask("POST", assistant.path, { token, supplierId: "1" });
    const url = new URL(assistant.data.parse(body.data).url ?? "");
    expect(url.origin + url.pathname + url.search).toBe("https://ai.example.org/chat?from=console");
    const ticket = new URLSearchParams(url.hash.slice(1)).get("sso_token") ?? "";
    const check = (audience: string, after = 0) =>
      jwtVerify(ticket, new TextEncoder().encode(SECRET), {
        algorithms: ["HS256"],
        audience,
        currentDate: new Date(host.clock.now() + after * 1000),
      });
    const { payload } = await check("https://ai.example.org");
    expect(payload).toMatchObject({ sub: "3", username: "lina", supplierId: "1" });
    await expect(check("https://other.example.org")).rejects.toThrow(/aud/);
    await expect(check("https://ai.example.org", TICKET_TTL + 1)).rejects.toThrow(/exp/);
    // It is no login of the console.
    expect((await host.ask("POST", assistant.path, { token: ticket })).status).toBe(401);
  });

  it(covers(assistant, ["refused", "foreign"]), async () => {
    expect((await host.ask("POST", assistant.path)).status).toBe(401);
    const guest = (await host.login("guest")).access_token;
    expect((await host.ask("POST", assistant.path, { token: guest })).status).toBe(403);
    const lina = (await host.login("lina")).access_token;
    const foreign = await host.ask("POST", assistant.path, { token: lina, supplierId: "2" });
    expect(foreign.status).toBe(403);
  });
});

it("A platform without an assistant says so", async () => {
  const host = await startTestPlatform();
  const token = (await host.login("lina")).access_token;
  const { body } = await host.ask("POST", assistant.path, { token });
  expect(body.data).toEqual({ url: null });
  await host.close();
}, 60_000);
