/** Encrypts a workbook with a password, as Excel 2007 does and as later ones do. */
import { createCipheriv, createHash } from "node:crypto";
import * as XLSX from "@e965/xlsx";

const le = (n: number): Buffer => {
  const b = Buffer.alloc(4);
  b.writeUInt32LE(n);
  return b;
};
const hashOf = (name: string, ...parts: readonly Uint8Array[]): Buffer =>
  createHash(name).update(Buffer.concat(parts)).digest();
const spun = (name: string, salt: Buffer, password: string, rounds: number): Buffer => {
  let found = hashOf(name, salt, Buffer.from(password, "utf16le"));
  for (let i = 0; i < rounds; i += 1) found = hashOf(name, le(i), found);
  return found;
};
const padded = (data: Buffer): Buffer =>
  Buffer.concat([data, Buffer.alloc((16 - (data.length % 16)) % 16)]);
const fit = (b: Buffer, length: number): Buffer =>
  Buffer.concat([b, Buffer.alloc(length, 0x36)]).subarray(0, length);
const cipher = (name: string, key: Buffer, iv: Buffer | null, data: Buffer): Buffer => {
  const made = createCipheriv(name, key, iv).setAutoPadding(false);
  return Buffer.concat([made.update(padded(data)), made.final()]);
};
const sizeOf = (data: Buffer): Buffer => Buffer.concat([le(data.length), le(0)]);

function container(info: Buffer, packed: Buffer): Buffer {
  const cfb = XLSX.CFB.utils.cfb_new();
  XLSX.CFB.utils.cfb_add(cfb, "/EncryptionInfo", info);
  XLSX.CFB.utils.cfb_add(cfb, "/EncryptedPackage", packed);
  return Buffer.from(XLSX.CFB.write(cfb, { type: "buffer" }) as unknown as Uint8Array);
}

/** AES of 128 bits, without chaining. */
export function encryptStandard(data: Buffer, password: string): Buffer {
  const salt = Buffer.from("0123456789abcdef");
  const found = hashOf("sha1", spun("sha1", salt, password, 50_000), le(0));
  const mixed = Buffer.alloc(64, 0x36);
  for (const [i, byte] of found.entries()) mixed[i] = (mixed[i] ?? 0) ^ byte;
  const key = hashOf("sha1", mixed).subarray(0, 16);
  const ecb = (some: Buffer): Buffer => cipher("aes-128-ecb", key, null, some);
  const verifier = Buffer.from("fedcba9876543210");
  const name = Buffer.from("Microsoft Enhanced RSA and AES Cryptographic Provider\0", "utf16le");
  const header = [0x24, 0, 0x660e, 0x8004, 128, 0x18, 0, 0].map(le);
  const info = Buffer.concat([
    Buffer.from([4, 0, 2, 0]),
    le(0x24),
    le(32 + name.length),
    ...header,
    name,
    le(16),
    salt,
    ecb(verifier),
    le(20),
    ecb(hashOf("sha1", verifier)),
  ]);
  return container(info, Buffer.concat([sizeOf(data), ecb(data)]));
}

/** AES of 256 bits in segments. */
export function encryptAgile(data: Buffer, password: string): Buffer {
  const salt = Buffer.from("0123456789abcdef");
  const found = spun("sha512", salt, password, 1000);
  const secret = Buffer.alloc(32, 7);
  const input = Buffer.alloc(16, 9);
  const lock = (block: string, some: Buffer): string => {
    const key = fit(hashOf("sha512", found, Buffer.from(block, "hex")), 32);
    return cipher("aes-256-cbc", key, salt, some).toString("base64");
  };
  const segments: Buffer[] = [];
  for (let at = 0; at < data.length; at += 4096) {
    const iv = hashOf("sha512", salt, le(at / 4096)).subarray(0, 16);
    segments.push(cipher("aes-256-cbc", secret, iv, data.subarray(at, at + 4096)));
  }
  const same = `saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="${salt.toString("base64")}"`;
  const xml = `<encryption xmlns:p="x"><keyData ${same}/><keyEncryptors><keyEncryptor><p:encryptedKey spinCount="1000" ${same} encryptedVerifierHashInput="${lock("fea7d2763b4b9e79", input)}" encryptedVerifierHashValue="${lock("d7aa0f6d3061344e", hashOf("sha512", input))}" encryptedKeyValue="${lock("146e0be7abacd0d6", secret)}"/></keyEncryptor></keyEncryptors></encryption>`;
  const info = Buffer.concat([Buffer.from([4, 0, 4, 0]), le(0x40), Buffer.from(xml)]);
  return container(info, Buffer.concat([sizeOf(data), ...segments]));
}
