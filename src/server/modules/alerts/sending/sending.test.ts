/** What is sent to whom, again and again until it arrives, and while the database is away. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { alertMessageSchema } from "../../../../shared/protocol/alert-message.ts";
import { DATA_CHANGES } from "../../../base/cluster/data-changes.ts";
import { WRITE_AGAIN_MS } from "./deliveries.ts";
import { TRY_AGAIN_MS } from "./index.ts";
import type { KnownChannel } from "./known.ts";
import { robotRefusal } from "./webhook-bodies.ts";
import { alertOf, channelOf, createSendingWorld } from "./sending.harness.ts";

interface Request {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
const requests: Request[] = [];
/** What the receiver answers, the last one again and again. */
let answers: { readonly status: number; readonly body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (part: string) => (body += part));
  request.on("end", () => {
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    response.writeHead(answer?.status ?? 200).end(answer?.body ?? "");
  });
});
let host = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => void receiver.close());
beforeEach(() => {
  requests.length = 0;
  answers = [{ status: 200, body: '{"errcode":0,"code":0}' }];
});

const hook = (part: Partial<KnownChannel> = {}) =>
  channelOf({ target: `http://${host}/robot?access_token=abc`, ...part });
async function started(
  rows: Parameters<typeof createSendingWorld>[0],
  env: Readonly<Record<string, string>> = {},
) {
  const world = createSendingWorld(rows, {
    ALERT_HOSTS: host,
    CONSOLE_URL: "https://console.example.org/",
    ...env,
  });
  await world.sending.start();
  return world;
}
const began = (part: Parameters<typeof alertOf>[0] = {}) =>
  ({ event: "began", alert: alertOf(part) }) as const;

describe("A webhook", () => {
  async function one(channel: Partial<KnownChannel>, news = began()) {
    const world = await started({ channels: [hook(channel)] });
    world.sending.send(news);
    await expect.poll(() => world.written).toHaveLength(1);
    await world.sending.stop();
    const [request] = requests;
    if (request === undefined) throw new Error("nothing arrived");
    return { ...request, json: JSON.parse(request.body) as Record<string, unknown>, world };
  }

  it("gets our own JSON, signed over its bytes", async () => {
    const { json, body, headers, world } = await one({ secret: "一个密钥" });
    expect(json).toMatchObject({
      event: "began",
      title: "[警告] 接口变慢 · 平台",
      link: "https://console.example.org/monitor/alerts?alert=2b1c7a52-7c1e-4bd0-9a55-1f0d8b5a9e01",
      alert: {
        rule: "http-slow",
        value: 1500,
        limit: 1000,
        startTime: "2026-11-28T02:00:00.000Z",
        endTime: null,
      },
    });
    expect(json["text"]).toContain("当前值: 1.5 s (接口耗时)\n阈值: 1 s");
    const right = createHmac("sha256", "一个密钥").update(body).digest("hex");
    expect(headers["x-signature"]).toBe(`sha256=${right}`);
    expect(world.written).toMatchObject([
      { channelId: "7", event: "began", success: true, tries: 1, error: "" },
    ]);
  });

  it("of DingTalk gets markdown, with time and signature in the address", async () => {
    const { json, path, world } = await one({ format: "dingtalk", secret: "SEC1" });
    expect(json).toMatchObject({ msgtype: "markdown" });
    const query = new URL(path, "http://x").searchParams;
    const time = String(world.clock.now());
    // The string is the time in ms, a line feed and the secret; the secret is the key.
    const right = createHmac("sha256", "SEC1").update(`${time}\nSEC1`).digest("base64");
    expect(Object.fromEntries(query)).toEqual({
      access_token: "abc",
      timestamp: time,
      sign: right,
    });
  });

  it("of WeCom gets markdown of at most 4096 bytes, and names keep no markup", async () => {
    const subject = { kind: "error", name: `[x](http://evil) ${"错".repeat(3000)}` } as const;
    const { json } = await one({ format: "wecom" }, began({ subject }));
    const { content } = json["markdown"] as { content: string };
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(4096);
    expect(content).toContain(String.raw`\[x\](http://evil)`);
  });

  it("of Feishu gets a text, with time and signature in the body", async () => {
    const { json, world } = await one({ format: "feishu", secret: "k", language: "en" });
    const time = String(Math.floor(world.clock.now() / 1000));
    // The key is the time in s, a line feed and the secret; the text is empty.
    const right = createHmac("sha256", `${time}\nk`).update("").digest("base64");
    expect(json).toMatchObject({ msg_type: "text", timestamp: time, sign: right });
    const { text } = json["content"] as { text: string };
    expect(text).toContain("[Warning] Requests are slow · Platform");
  });

  it.each([
    ["dingtalk", '{"errcode":310000,"errmsg":"sign not match"}', "310000 sign not match"],
    ["feishu", '{"code":19021,"msg":"sign match fail"}', "19021 sign match fail"],
    ["wecom", "<html>", "无法识别"],
  ] as const)(
    "of %s that answers 200 with an error is tried again",
    async (format, body, words) => {
      expect(robotRefusal(format, body)).toContain(words);
      answers = [
        { status: 200, body },
        { status: 200, body: '{"errcode":0,"code":0}' },
      ];
      const world = await started({ channels: [hook({ format })] });
      world.sending.send(began());
      await expect.poll(() => world.timers).toContain(TRY_AGAIN_MS[0]);
      world.clock.advance(TRY_AGAIN_MS[0]);
      await expect.poll(() => world.written).toMatchObject([{ success: true, tries: 2 }]);
      await world.sending.stop();
    },
  );
});

it("A message that does not arrive is tried five times within two minutes, and its end waits for it", async () => {
  answers = [{ status: 503, body: "" }];
  const world = await started({ channels: [hook()] });
  world.sending.send(began());
  world.sending.send({ event: "ended", alert: alertOf({ endedAt: Date.UTC(2026, 10, 28, 3) }) });
  for (const [at, pause] of TRY_AGAIN_MS.entries()) {
    await expect.poll(() => requests.length).toBe(at + 1);
    await expect.poll(() => world.timers).toContain(pause);
    world.clock.advance(pause);
  }
  await expect
    .poll(() => world.written)
    .toMatchObject([{ event: "began", success: false, tries: 5, error: "对方回答了 HTTP 503" }]);
  await expect.poll(() => requests.length).toBe(6);
  expect(TRY_AGAIN_MS.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(120_000);
  expect(JSON.parse(requests.at(-1)?.body ?? "")).toMatchObject({ event: "ended" });
  await expect.poll(() => world.timers).toContain(TRY_AGAIN_MS[0]);
  await world.sending.stop();
  expect(world.written).toMatchObject([{}, { event: "ended", success: false, tries: 1 }]);
  expect(world.clock.pending).toBe(0);
});

it("While the database is away alerts are sent, and what became of them is written later", async () => {
  const seers = [{ name: "ops", companyId: "1", all: true }];
  const world = await started({ channels: [hook()], seers });
  world.database.away = true;
  world.sending.send(began());
  await expect.poll(() => requests.length).toBe(1);
  expect(world.signals).toMatchObject([{ to: "ops", action: "alert" }]);
  await expect.poll(() => world.timers).toContain(WRITE_AGAIN_MS);
  expect(world.written).toEqual([]);
  world.database.away = false;
  world.clock.advance(WRITE_AGAIN_MS);
  await expect.poll(() => world.written).toMatchObject([{ success: true, tries: 1 }]);
  await world.sending.stop();
});

it("A company gets its own alerts, the platform's company all of them, from the level that the channel names", async () => {
  const path = (name: string) => `http://${host}/${name}`;
  const world = await started({
    channels: [
      hook({ id: "1", target: path("platform") }),
      hook({ id: "2", target: path("critical"), leastLevel: "critical" }),
      hook({ id: "3", target: path("two"), companyId: "2", platform: false }),
    ],
  });
  const arrived = () => requests.splice(0).map(({ path: to }) => to.slice(1));
  const after = async (n: number, news: Parameters<typeof world.sending.send>[0]) => {
    world.sending.send(news);
    await expect.poll(() => requests.length).toBe(n);
    return arrived().toSorted();
  };
  const key = (n: number) => `2b1c7a52-7c1e-4bd0-9a55-1f0d8b5a9e0${n}`;
  expect(await after(1, began({ key: key(1) }))).toEqual(["platform"]);
  expect(await after(2, began({ key: key(2), companyId: "2" }))).toEqual(["platform", "two"]);
  expect(await after(1, began({ key: key(3), companyId: "3" }))).toEqual(["platform"]);
  expect(await after(2, began({ key: key(4), level: "critical" }))).toEqual([
    "critical",
    "platform",
  ]);
  world.sending.send(began({ key: key(5), silenced: true }));
  await expect.poll(() => world.written).toHaveLength(6);
  expect(arrived()).toEqual([]);
  await world.sending.stop();
});

it("Consoles of those who may see an alert learn of it, each with the companies in which they may", async () => {
  const world = await started({
    seers: [
      { name: "ops", companyId: "1", all: true },
      { name: "wangfang", companyId: "2", all: false },
      { name: "zhangwei", companyId: "2", all: false },
      { name: "zhangwei", companyId: "1", all: true },
    ],
  });
  const heard = (news: Parameters<typeof world.sending.send>[0]) => {
    world.sending.send(news);
    return world.signals
      .splice(0)
      .map(({ to, ext }) => [to, alertMessageSchema.parse(ext).companies]);
  };
  expect(heard(began())).toEqual([
    ["ops", ["1"]],
    ["zhangwei", ["1"]],
  ]);
  expect(heard(began({ companyId: "2", silenced: true }))).toEqual([
    ["ops", ["1"]],
    ["wangfang", ["2"]],
    ["zhangwei", ["2", "1"]],
  ]);
  expect(heard(began({ level: "notice" }))).toEqual([]);
  world.sending.send({ event: "ended", alert: alertOf({ companyId: "1" }) });
  expect(alertMessageSchema.parse(world.signals[0]?.ext)).toMatchObject({
    event: "ended",
    companyName: "华安物业服务有限公司",
    rule: "http-slow",
    subjectKind: "platform",
  });
  await world.sending.stop();
});

it("A changed channel holds at once", async () => {
  const channels: KnownChannel[] = [];
  const world = await started({ channels });
  world.sending.send(began());
  channels.push(hook({ type: "chat", people: ["lina", "ops"] }));
  const changed = { supplierId: "1", tags: ["alert-channels"], only: null, except: null };
  await world.bus.publish(DATA_CHANGES, changed);
  await expect
    .poll(() => {
      world.sending.send(began({ key: "2b1c7a52-7c1e-4bd0-9a55-1f0d8b5a9e09" }));
      return world.said.map(({ to }) => to);
    })
    .toEqual(expect.arrayContaining(["lina", "ops"]));
  expect(world.said[0]?.text).toMatch(/^\[警告\] 接口变慢 · 平台\n最慢的 1% 请求/);
  expect(requests).toEqual([]);
  await world.sending.stop();
});

it("A mail has the same in plain text and in HTML, in which names are no markup", async () => {
  const mails: { to: string[]; text: string }[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (part: Buffer) => (text += part.toString()));
      stream.on("end", () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", () => resolve()));
  const { port } = smtp.server.address() as AddressInfo;
  const channels = [
    channelOf({ type: "mail", target: "duty@example.org,boss@example.org", language: "en" }),
  ];
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Alerts <alerts@example.org>" };
  const world = await started({ channels }, env);
  expect(world.sending.hasMail).toBe(true);
  world.sending.send(began({ rule: "17", ruleName: "<b>Tabs</b> & more" }));
  await expect.poll(() => world.written).toMatchObject([{ success: true, error: "" }]);
  const [mail] = mails;
  expect(mail?.to).toEqual(["duty@example.org", "boss@example.org"]);
  expect(mail?.text).toContain("From: Alerts <alerts@example.org>");
  expect(mail?.text).toContain("Auto-Submitted: auto-generated");
  expect(mail?.text).toContain("Content-Type: text/plain");
  expect(mail?.text).toContain("&lt;b&gt;Tabs&lt;/b&gt; &amp; more");
  await world.sending.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});
