import { createHmac } from "node:crypto";
import { inflateSync } from "node:zlib";

/** Reads a token of the Agora cloud, version 007, and computes its signature again, without the package that wrote it. */
export function readAgoraToken(token: string, certificate: string) {
  if (!token.startsWith("007")) throw new Error("no token of version 007");
  const bytes = inflateSync(Buffer.from(token.slice(3), "base64"));
  let at = 0;
  const u16 = (): number => bytes.readUInt16LE((at += 2) - 2);
  const u32 = (): number => bytes.readUInt32LE((at += 4) - 4);
  const text = (): Buffer => {
    const length = u16();
    return bytes.subarray(at, (at += length));
  };
  const signature = text();
  const signed = bytes.subarray(at);
  const head = { appId: text().toString(), issuedAt: u32(), lifetime: u32(), salt: u32() };
  const services = u16();
  const service = u16();
  const privileges = Object.fromEntries(Array.from({ length: u16() }, () => [u16(), u32()]));
  const channel = text().toString();
  const uid = text().toString();
  if (at !== bytes.length) throw new Error("the token has bytes that no field explains");
  const hmac = (key: Buffer | string, data: Buffer | string): Buffer =>
    createHmac("sha256", key).update(data).digest();
  const packed = (value: number): Buffer => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32LE(value);
    return buffer;
  };
  const key = hmac(packed(head.salt), hmac(packed(head.issuedAt), certificate));
  return {
    ...head,
    services,
    service,
    privileges,
    channel,
    uid,
    valid: hmac(key, signed).equals(signature),
  };
}
