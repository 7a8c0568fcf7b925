/** Sends codes and invitations by Aliyun's short message service (docs/server.md#sms). Its SDK is loaded with the first code. */
import { createRequire } from "node:module";
import type * as Sdk from "@alicloud/dysmsapi20170525";
import { AppError } from "../../../shared/errors.ts";
import type { SmsSink } from "./index.ts";

/** ms that each part of a request may take: to connect, and to be answered. */
const PATIENCE = 8000;
/** Aliyun's own limit of messages to a number. */
const TOO_OFTEN = "isv.BUSINESS_LIMIT_CONTROL";
/** Seconds after which a number that Aliyun limits may ask again: its shortest limit is one message a minute. */
const LATER = 60;

const OFTEN_TO_NUMBER = "该号码收到的短信过多，请稍后再试";

const require = createRequire(import.meta.url);

export function createAliyunSink(options: {
  readonly keyId: string;
  readonly keySecret: string;
  /** Name of the signature that Aliyun has approved. */
  readonly signName: string;
  /** Code of the template, whose one variable is `code`. */
  readonly templateCode: string;
  /** Code of the template of invitations, whose variables are `company` and `link`; undefined: none are sent. */
  readonly inviteTemplateCode: string | undefined;
  /** Code of the template, without variables, that warns a number that its account uses it no more; undefined: none is warned. */
  readonly mobileGoneTemplateCode: string | undefined;
  /** An address, such as https://dysmsapi.aliyuncs.com. */
  readonly endpoint: string;
}): SmsSink {
  const { host, protocol } = new URL(options.endpoint);
  let client: Sdk.default | null = null;

  async function sendBy(
    templateCode: string,
    mobile: string,
    parameters: Readonly<Record<string, string>>,
    tooOften: string,
  ): Promise<void> {
    // The package is CommonJS: `import()` would put its class below another `default`.
    const sdk = require("@alicloud/dysmsapi20170525") as typeof Sdk;
    const { $OpenApiUtil } =
      require("@alicloud/openapi-core") as typeof import("@alicloud/openapi-core");
    client ??= new sdk.default(
      new $OpenApiUtil.Config({
        accessKeyId: options.keyId,
        accessKeySecret: options.keySecret,
        endpoint: host,
        protocol: protocol.slice(0, -1),
        connectTimeout: PATIENCE,
        readTimeout: PATIENCE,
      }),
    );
    const { body } = await client.sendSms(
      new sdk.SendSmsRequest({
        phoneNumbers: mobile,
        signName: options.signName,
        templateCode,
        templateParam: JSON.stringify(parameters),
      }),
    );
    if (body?.code === "OK") return;
    if (body?.code === TOO_OFTEN) {
      throw new AppError("request.rate-limited", {
        message: tooOften,
        details: { retryAfter: LATER },
      });
    }
    throw new Error(`Aliyun answered ${body?.code}`);
  }

  const { templateCode, inviteTemplateCode, mobileGoneTemplateCode } = options;
  return {
    send: (mobile, code) =>
      sendBy(templateCode, mobile, { code }, "验证码发送过于频繁，请稍后再试"),
    ...(mobileGoneTemplateCode === undefined
      ? {}
      : {
          mobileGone: (mobile) => sendBy(mobileGoneTemplateCode, mobile, {}, OFTEN_TO_NUMBER),
        }),
    ...(inviteTemplateCode === undefined
      ? {}
      : {
          invite: (mobile, { company, link }) =>
            sendBy(inviteTemplateCode, mobile, { company, link }, OFTEN_TO_NUMBER),
        }),
  };
}
