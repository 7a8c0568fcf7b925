/** For tests: a push service with a browser behind it. It decrypts by RFC 8291 itself, apart from the library that encrypts. */
import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  randomBytes,
  verify,
} from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type PushPayload, pushPayloadSchema } from "../../../shared/protocol/push.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** What the browser reads. */
  readonly payload: PushPayload;
  /** The decrypted text, as a browser hands it to a service worker. */
  readonly text: string;
  /** The bytes that went over the network. */
  readonly body: Buffer;
}

export interface TestPushService {
  readonly origin: string;
  readonly received: readonly Received[];
  /** The status of the next answers. */
  status: number;
  /** A new browser: what its PushSubscription says. */
  browser(): { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Waits until so many pushes have come to one address, or to all. */
  until(count: number, endpoint?: string): Promise<readonly Received[]>;
  close(): Promise<void>;
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer => {
  const made = createHmac("sha256", key);
  for (const part of parts) made.update(part);
  return made.digest();
};
const ONE = Buffer.from([1]);

/** RFC 8188 with the keys of RFC 8291, for one record. */
function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const shared = ecdh.computeSecret(sender);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const ikm = hmac(hmac(auth, shared), info, ONE);
  const prk = hmac(salt, ikm);
  const key = hmac(prk, "Content-Encoding: aes128gcm\0", ONE).subarray(0, 16);
  const nonce = hmac(prk, "Content-Encoding: nonce\0", ONE).subarray(0, 12);
  const opened = createDecipheriv("aes-128-gcm", key, nonce);
  opened.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]);
  // The last record ends with 2 and any number of zeros.
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString("utf8");
}

/** Checks the signature of RFC 8292. @returns the claims, and the key that signed them */
export function vapidOf(headers: IncomingHttpHeaders): {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly valid: boolean;
} {
  const found = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(headers.authorization ?? "");
  const [, token = "", key = ""] = found ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  return {
    claims: JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as Record<
      string,
      unknown
    >,
    key,
    valid: verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    ),
  };
}

export async function startPushService(): Promise<TestPushService> {
  const browsers = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>();
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let status = 201;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const browser = browsers.get(path);
      if (browser !== undefined) {
        const body = Buffer.concat(chunks);
        const text = decrypt(body, browser.ecdh, browser.auth);
        const payload = pushPayloadSchema.parse(JSON.parse(text));
        received.push({ path, headers: request.headers, payload, text, body });
      }
      response.writeHead(browser === undefined ? 404 : status).end();
      for (const wake of waiting) wake();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    get status() {
      return status;
    },
    set status(next) {
      status = next;
    },
    browser() {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/send/${randomBytes(8).toString("hex")}`;
      browsers.set(path, { ecdh, auth });
      return {
        endpoint: `${origin}${path}`,
        keys: {
          p256dh: ecdh.getPublicKey().toString("base64url"),
          auth: auth.toString("base64url"),
        },
      };
    },
    async until(count, endpoint) {
      const those = (): readonly Received[] =>
        received.filter(({ path }) => endpoint === undefined || `${origin}${path}` === endpoint);
      const deadline = AbortSignal.timeout(20_000);
      while (those().length < count) {
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          deadline.addEventListener("abort", () =>
            reject(new Error(`${those().length} of ${count} pushes came`)),
          );
        });
      }
      return those();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
