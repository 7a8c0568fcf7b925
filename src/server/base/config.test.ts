import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { keepSecret } from "./secret.ts";

const dirs: string[] = [];
const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "secret-"));
  dirs.push(dir);
  return dir;
};
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true });
});

it("Variables have defaults, and an empty variable counts as absent", () => {
  const config = readConfig({ PORT: "", DATABASE_URL: "" }, "k".repeat(40));
  expect(config).toMatchObject({ PORT: 8080, DATA_DIR: "./data", APP_SECRET: "k".repeat(40) });
  expect(config.DATABASE_URL).toBeUndefined();
});

it.each([
  ["PORT", "70000"],
  ["PORT", "http"],
  ["TRUSTED_PROXIES", "proxy.example.org"],
  ["ALLOWED_ORIGINS", "*"],
  ["ALLOWED_ORIGINS", "https://app.example.org,null"],
  ["DATABASE_URL", "mysql://x"],
  ["STATEMENT_TIMEOUT", "0"],
  ["UPLOAD_COMPANY_MB", "0"],
  ["UPLOAD_HOURLY_MB", "much"],
  ["UPLOAD_FILE_MB", "4096"],
  ["OPS_LISTEN", "10.0.0.5"],
  ["OPS_LISTEN", "10.0.0.5:99999"],
  ["OPS_TOKEN", "short"],
  ["SMS_WEBHOOK_URL", "sms.example.org"],
  ["SMS_TEMPLATE", "您的验证码已发送"],
  ["SMS_TEMPLATE", "{code} 与 {code}"],
  ["SMS_TEMPLATE", `{code}${"长".repeat(70)}`],
  ["SMS_ALIYUN_ENDPOINT", "dysmsapi.aliyuncs.com"],
  ["REDIS_URL", "x"],
  ["TURN_URL", "http://x"],
  ["TURN_URL", "turn:x,http://x"],
  ["MEDIA_TURN_PORT", "65536"],
  ["APP_SECRET", "short"],
  ["EASEMOB_APP_KEY", "no-hash"],
  ["CALL_SIGNALLING", "mail"],
  ["EASEMOB_URL", "https://im.example.org"],
  ["EASEMOB_API_URL", "https://a1.example.org/v1"],
  ["EASEMOB_CALLBACK_SECRET", "short"],
  ["ACCESS_TOKEN_TTL", "0"],
  ["LOG_LEVEL", "loud"],
  ["LOG_LEVELS", "chat"],
  ["LOG_LEVELS", "chat=loud"],
  ["LOG_LEVELS", "kitchen=info"],
  ["LOG_LEVELS", "chat=info,"],
  ["CONSOLE_LOG_LEVELS", "http=debug"],
  ["CONSOLE_LOG_LEVELS", "database=info"],
  ["ADMIN_PASSWORD", "short"],
  ["MEDIA_EMBEDDED", "maybe"],
  ["MEDIA_PORT", "70000"],
  ["MEDIA_BIND", "localhost"],
  ["MEDIA_PUBLIC_IP", "example.org"],
  ["MEDIA_MAX_CONNECTIONS", "0"],
  ["JANUS_URL", "http://x"],
  ["JANUS_URL", "ws://x,tcp://y"],
])("The configuration refuses %s=%s and names the variable", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`\\n  ${name}: `));
});

it("Areas of the log have levels of their own", () => {
  expect(readConfig({}).LOG_LEVELS).toBeUndefined();
  expect(readConfig({ LOG_LEVELS: "chat=debug, http = warn" }).LOG_LEVELS).toEqual({
    chat: "debug",
    http: "warn",
  });
});

it("The error names every wrong variable at once", () => {
  expect(() => readConfig({ PORT: "x", LOG_LEVEL: "y" })).toThrow(/PORT[^]*LOG_LEVEL/);
});

it("The server keeps one secret in the data folder, readable by its owner alone", () => {
  const dir = folder();
  const secret = keepSecret(dir);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(keepSecret(dir)).toBe(secret);
  expect(statSync(join(dir, "secret")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dir, "secret"), "utf8")).toBe(secret);
});

it("The server refuses a damaged secret instead of signing with it", () => {
  const dir = folder();
  writeFileSync(join(dir, "secret"), "");
  expect(() => keepSecret(dir)).toThrow(/damaged/);
});

it("An Easemob cloud needs both addresses and the credentials", () => {
  const whole = {
    EASEMOB_URL: "wss://im.example.org/websocket",
    EASEMOB_API_URL: "https://a1.example.org",
    EASEMOB_CLIENT_ID: "id",
    EASEMOB_CLIENT_SECRET: "secret",
  };
  expect(readConfig(whole)).toMatchObject(whole);
  for (const name of Object.keys(whole)) {
    expect(() => readConfig({ ...whole, [name]: "" })).toThrow(
      new RegExp(`\\n  ${name}: is needed`),
    );
  }
});

it("Aliyun's short message service needs all of its variables, and no webhook beside it", () => {
  const whole = {
    SMS_ALIYUN_KEY_ID: "id",
    SMS_ALIYUN_KEY_SECRET: "secret",
    SMS_ALIYUN_SIGN_NAME: "城市安全",
    SMS_ALIYUN_TEMPLATE_CODE: "SMS_1",
  };
  expect(readConfig(whole)).toMatchObject(whole);
  for (const name of Object.keys(whole)) {
    expect(() => readConfig({ ...whole, [name]: "" })).toThrow(
      new RegExp(`\\n  ${name}: is needed`),
    );
  }
  expect(() => readConfig({ ...whole, SMS_WEBHOOK_URL: "https://sms.example.org" })).toThrow(
    /SMS_ALIYUN_KEY_ID: cannot be set beside/,
  );
});
