import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { type AliyunStandIn, startAliyun } from "./aliyun.harness.ts";
import { createAliyunSink } from "./aliyun.ts";

const keys = { id: "LTAI-test", secret: "s3cret" };
let aliyun: AliyunStandIn;
beforeAll(async () => {
  aliyun = await startAliyun(keys);
});
afterAll(() => aliyun.close());
beforeEach(() => {
  aliyun.sent.length = 0;
  aliyun.refused.length = 0;
  aliyun.answer = "OK";
  aliyun.onRequest = () => undefined;
});

const sink = (more: Partial<Parameters<typeof createAliyunSink>[0]> = {}) =>
  createAliyunSink({
    keyId: keys.id,
    keySecret: keys.secret,
    signName: "城市安全（测试）",
    templateCode: "SMS_100001",
    inviteTemplateCode: "SMS_100002",
    mobileGoneTemplateCode: "SMS_100003",
    endpoint: aliyun.endpoint,
    ...more,
  });

it("A code is sent by the template and the signature, and Aliyun accepts how it is signed", async () => {
  const { send } = sink();
  await send("13900000001", "012345");
  await send("13900000002", "000000");
  expect(aliyun.sent).toEqual(
    [
      ["13900000001", "012345"],
      ["13900000002", "000000"],
    ].map(([mobile, code]) => ({
      mobile,
      signName: "城市安全（测试）",
      templateCode: "SMS_100001",
      parameters: { code },
    })),
  );
  expect(aliyun.refused).toEqual([]);
});

it("Who signs by another secret, or as somebody unknown, sends nothing", async () => {
  await expect(sink({ keySecret: "other" }).send("13900000001", "012345")).rejects.toThrow();
  await expect(sink({ keyId: "nobody" }).send("13900000001", "012345")).rejects.toThrow();
  expect(aliyun.sent).toEqual([]);
  expect(aliyun.refused).toEqual(["SignatureDoesNotMatch", "InvalidAccessKeyId.NotFound"]);
});

it("A request that somebody recorded and sends again sends nothing", async () => {
  let recorded: { url: string; headers: Record<string, string>; method: string } | undefined;
  aliyun.onRequest = ({ url = "", method = "", headers }) => {
    const { host: _, connection: __, "content-length": ___, ...signed } = headers;
    recorded ??= { url, method, headers: signed as Record<string, string> };
  };
  await sink().send("13900000001", "012345");
  expect(aliyun.sent).toHaveLength(1);
  const { url, method, headers } = recorded!;
  const again = await fetch(aliyun.endpoint + url, { method, headers });
  expect([again.status, aliyun.refused]).toEqual([400, ["SignatureNonceUsed"]]);
  expect(aliyun.sent).toHaveLength(1);
});

it("A request that was changed on its way sends nothing", async () => {
  aliyun.onRequest = (request) => {
    request.url = (request.url ?? "").replace("13900000001", "13900000002");
  };
  await expect(sink().send("13900000001", "012345")).rejects.toThrow();
  expect(aliyun.sent).toEqual([]);
  expect(aliyun.refused).toEqual(["SignatureDoesNotMatch"]);
});

it("A refusal of Aliyun is a failure, which says nothing of the code", async () => {
  aliyun.answer = "isv.TEMPLATE_MISSING_PARAMETERS";
  const failure = sink().send("13900000001", "987654");
  await expect(failure).rejects.toThrow("isv.TEMPLATE_MISSING_PARAMETERS");
  await expect(failure).rejects.not.toThrow("987654");
});

it("Aliyun's own limit of a number is answered as a limit", async () => {
  aliyun.answer = "isv.BUSINESS_LIMIT_CONTROL";
  const failure = await sink()
    .send("13900000001", "012345")
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AppError);
  expect(failure).toMatchObject({ code: "request.rate-limited", details: { retryAfter: 60 } });
});

it("An invitation is sent by a template of its own, and by none without it", async () => {
  const invitation = { company: "华安公司", link: "https://console.example.org/invite/x" };
  await sink().invite?.("13900000001", invitation);
  expect(aliyun.sent).toEqual([
    {
      mobile: "13900000001",
      signName: "城市安全（测试）",
      templateCode: "SMS_100002",
      parameters: invitation,
    },
  ]);
  expect(sink({ inviteTemplateCode: undefined }).invite).toBeUndefined();
  aliyun.answer = "isv.BUSINESS_LIMIT_CONTROL";
  await expect(sink().invite?.("13900000001", invitation)).rejects.toThrow(
    "该号码收到的短信过多，请稍后再试",
  );
});

it("A number is warned that its account uses it no more by a template without variables, and by none without it", async () => {
  await sink().mobileGone?.("13900000001");
  expect(aliyun.sent).toEqual([
    {
      mobile: "13900000001",
      signName: "城市安全（测试）",
      templateCode: "SMS_100003",
      parameters: {},
    },
  ]);
  expect(sink({ mobileGoneTemplateCode: undefined }).mobileGone).toBeUndefined();
});
