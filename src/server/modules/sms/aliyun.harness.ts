/**
 * Stands in for Aliyun's short message service: it checks the signature of each request (ACS3-HMAC-SHA256) as the service does, and keeps
 * what would have been sent. Only what console-side code may rely on is here; no message leaves the machine.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** ms by which the clock of a request may differ. */
const CLOCK_TOLERANCE = 15 * 60_000;
const ALGORITHM = "ACS3-HMAC-SHA256";

export interface AliyunMessage {
  readonly mobile: string;
  readonly signName: string;
  readonly templateCode: string;
  readonly parameters: Readonly<Record<string, string>>;
}
export interface AliyunStandIn {
  /** Such as http://127.0.0.1:4000. */
  readonly endpoint: string;
  readonly sent: AliyunMessage[];
  /** Codes of refusals, in order. */
  readonly refused: string[];
  /** What the service answers to a right request; OK by default. */
  answer: string;
  /** Sees each request before it is checked, and may change it. */
  onRequest: (request: IncomingMessage) => void;
  close(): Promise<void>;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
/** As RFC 3986: encodeURIComponent leaves these five alone. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`,
  );

/** @returns why the service would refuse the request; null: it is signed by the holder of the secret */
function refusalOf(
  request: IncomingMessage,
  body: string,
  keys: { readonly id: string; readonly secret: string },
  seen: Set<string>,
): string | null {
  const { method = "", headers } = request;
  const [, credential = "", signed = "", signature = ""] =
    /^ACS3-HMAC-SHA256 Credential=([^,]*),SignedHeaders=([^,]*),Signature=([0-9a-f]*)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (credential !== keys.id) return "InvalidAccessKeyId.NotFound";
  const header = (name: string): string => String(headers[name] ?? "").trim();
  if (Math.abs(Date.parse(header("x-acs-date")) - Date.now()) > CLOCK_TOLERANCE) {
    return "InvalidTimeStamp.Expired";
  }
  const nonce = header("x-acs-signature-nonce");
  if (nonce === "" || seen.has(nonce)) return "SignatureNonceUsed";
  seen.add(nonce);
  const names = signed.split(";");
  for (const name of ["host", "x-acs-action", "x-acs-content-sha256", "x-acs-date"]) {
    if (!names.includes(name)) return "MissingSignedHeader";
  }
  if (header("x-acs-content-sha256") !== sha256(body)) return "SignatureDoesNotMatch";
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://aliyun.test");
  const query = [...searchParams]
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .toSorted()
    .join("&");
  const canonical = [
    method,
    pathname,
    query,
    ...names.map((name) => `${name}:${header(name)}`),
    "",
    signed,
    sha256(body),
  ].join("\n");
  const right = createHmac("sha256", keys.secret)
    .update(`${ALGORITHM}\n${sha256(canonical)}`)
    .digest("hex");
  const given = Buffer.from(signature.padEnd(right.length));
  return given.length === right.length && timingSafeEqual(given, Buffer.from(right))
    ? null
    : "SignatureDoesNotMatch";
}

export async function startAliyun(keys: {
  readonly id: string;
  readonly secret: string;
}): Promise<AliyunStandIn> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      standIn.onRequest(request);
      const refusal = refusalOf(request, body, keys, seen);
      const { searchParams } = new URL(request.url ?? "/", "http://aliyun.test");
      const respond = (status: number, code: string): void => {
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify({ Code: code, Message: code, RequestId: "1" }));
      };
      if (refusal !== null) {
        standIn.refused.push(refusal);
        return respond(400, refusal);
      }
      const one = (name: string): string => searchParams.get(name) ?? "";
      if (standIn.answer === "OK") {
        standIn.sent.push({
          mobile: one("PhoneNumbers"),
          signName: one("SignName"),
          templateCode: one("TemplateCode"),
          parameters: JSON.parse(one("TemplateParam")) as Record<string, string>,
        });
      }
      respond(200, standIn.answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const standIn: AliyunStandIn = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    refused: [],
    answer: "OK",
    onRequest: () => undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return standIn;
}
