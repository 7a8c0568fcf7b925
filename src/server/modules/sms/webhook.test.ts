import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_INVITE_TEMPLATE, DEFAULT_TEMPLATE } from "../../../shared/domain/sms-text.ts";
import { createMobileGone } from "./mobile-gone.ts";
import { createWebhookSink } from "./webhook.ts";

const template = DEFAULT_TEMPLATE;
const inviteTemplate = DEFAULT_INVITE_TEMPLATE;
let server: Server;
let url = "";
let status = 200;
const requests: { body: string; signature: string | undefined }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      requests.push({ body, signature: request.headers["x-signature"] as string | undefined });
      response.writeHead(status, status === 302 ? { location: url } : {}).end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`;
});
afterAll(() => void server.close());

it("A code is sent to the service with its text, signed by the secret", async () => {
  const secret = "w".repeat(32);
  await createWebhookSink({ url, secret, template, inviteTemplate }).send("13900000001", "012345");
  const { body = "", signature } = requests.at(-1) ?? {};
  expect(JSON.parse(body)).toEqual({
    mobile: "13900000001",
    code: "012345",
    text: "您的验证码是 012345，5 分钟内有效，请勿告诉他人。",
  });
  const right = createHmac("sha256", secret).update(body).digest("hex");
  expect(signature).toBe(`sha256=${right}`);
  await createWebhookSink({ url, secret: undefined, template, inviteTemplate }).send(
    "13900000001",
    "1",
  );
  expect(requests.at(-1)?.signature).toBeUndefined();
});

it.each([500, 302])("A service that answers %i has sent nothing", async (wrong) => {
  status = wrong;
  await expect(
    createWebhookSink({ url, secret: undefined, template, inviteTemplate }).send(
      "13900000001",
      "012345",
    ),
  ).rejects.toThrow();
});

it("The text is what the template says", async () => {
  status = 200;
  const own = "【安全】{code} 是您的验证码。";
  await createWebhookSink({ url, secret: undefined, template: own, inviteTemplate }).send(
    "13900000001",
    "012345",
  );
  expect(JSON.parse(requests.at(-1)?.body ?? "")).toMatchObject({
    text: "【安全】012345 是您的验证码。",
  });
});

it("An invitation is sent to the service with its link and its text", async () => {
  status = 200;
  const sink = createWebhookSink({ url, secret: undefined, template, inviteTemplate });
  const link = "https://console.example.org/invite/1.a.b";
  await sink.invite?.("13900000001", { company: "华安$&公司", link });
  expect(JSON.parse(requests.at(-1)?.body ?? "")).toEqual({
    mobile: "13900000001",
    link,
    text: `华安$&公司邀请您加入，请打开链接：${link}`,
  });
});

it("A number is warned by a text alone that its account uses it no more", async () => {
  status = 200;
  const sink = createWebhookSink({ url, secret: undefined, template, inviteTemplate });
  await sink.mobileGone?.("13900000001");
  expect(JSON.parse(requests.at(-1)?.body ?? "")).toEqual({
    mobile: "13900000001",
    text: "您的账号已不再使用此手机号。如非本人操作，请立即联系企业管理员。",
  });
});

it("A number that cannot be warned stops nothing, and the log hides it", async () => {
  const lines: unknown[] = [];
  const warn = createMobileGone(
    { mobileGone: (mobile) => Promise.reject(new Error(`no way to ${mobile}`)) },
    { warn: (...line: unknown[]) => void lines.push(line) },
  );
  await warn("13900000001");
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).toContain("no way to 139****0001");
  expect(JSON.stringify(lines)).not.toContain("13900000001");
});
