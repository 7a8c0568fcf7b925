/** With a sender no code reaches the log (docs/server.md#log). */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { startTestPlatform } from "../../platform.harness.ts";

it("No code is in the log of a server with a sender, whether it was sent, was refused, or the sender failed", async () => {
  const codes: string[] = [];
  let status = 200;
  const service = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { code } = JSON.parse(body) as { code: string };
      codes.push(code);
      // A provider may repeat what it refuses.
      response.statusCode = status;
      response.end(`refused: ${body}`);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  let log = "";
  const host = await startTestPlatform({
    env: { SMS_WEBHOOK_URL: `http://127.0.0.1:${port}/` },
    log: pino({ level: "trace" }, { write: (line: string) => void (log += line) }),
  });
  try {
    const send = (mobile: string) => host.ask("POST", restCalls.sendSms.path, { json: { mobile } });
    const register = (mobile: string, smsCode: string) =>
      host.ask("POST", restCalls.register.path, {
        json: {
          supplierName: "日志有限公司",
          contact: "赵六",
          mobile,
          smsCode,
          username: "logboss",
          password: "Secret2026",
        },
      });
    expect((await send("13700000001")).status).toBe(200);
    const [first = ""] = codes;
    expect((await register("13700000002", first)).status).toBe(400);
    expect((await register("13700000001", first)).status).toBe(200);
    host.clock.advance(60_000);
    expect((await send("13700000001")).status).toBe(200);
    const reset = await host.ask("POST", restCalls.resetPassword.path, {
      form: { mobile: "13700000001", smsCode: codes.at(-1) ?? "", newPassword: "Changed2026" },
    });
    expect(reset.status).toBe(200);
    status = 500;
    expect((await send("13700000003")).status).toBe(503);
    status = 200;
    const { access_token: token } = await host.login("admin");
    const made = await host.ask("POST", restCalls.inviteEmployee.path, {
      token,
      supplierId: "1",
      json: {},
    });
    const { link } = restCalls.inviteEmployee.data.parse(made.body.data);
    const post = (fields: Record<string, string>) =>
      fetch(host.origin + link, { method: "POST", body: new URLSearchParams(fields) });
    const person = {
      name: "钱七",
      mobile: "13700000004",
      username: "logged",
      password: "Join2026x",
    };
    expect((await post({ ...person, act: "code" })).status).toBe(200);
    const joined = await post({ ...person, again: person.password, smsCode: codes.at(-1) ?? "" });
    expect(joined.status).toBe(200);
  } finally {
    await host.close();
    service.close();
  }
  expect(codes.length).toBe(4);
  expect(log, "the log is written").toContain('"route":"/invite/:token"');
  // A time or a port may hold the same digits by chance, so they count as a word alone.
  for (const code of codes) expect(log).not.toMatch(new RegExp(`\\b${code}\\b`));
}, 120_000);
