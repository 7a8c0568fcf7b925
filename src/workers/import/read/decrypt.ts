/**
 * Reads a workbook that is encrypted although nobody set a password: Excel encrypts one whose structure is protected, with a
 * password that all its copies know ([MS-OFFCRYPTO] 2.3.4). A file with a password of its own is refused.
 */
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { AppError } from "../../../shared/errors.ts";
import { u16, u32, u64 } from "./bytes.ts";
import { checkSignal, corrupt, tooLarge } from "./faults.ts";
import { readSlice } from "./inflate.ts";
import { LIMITS } from "./limits.ts";
import { type Tag, tags } from "./markup.ts";

/** What Excel takes where the person gave no password. */
const PASSWORD = "VelvetSweatshop";
/** Most rounds of hashing; Excel makes 100,000. */
const MOST_ROUNDS = 1_000_000;
const STANDARD_ROUNDS = 50_000;
const AES_BLOCK = 16;
const SEGMENT = 4096;

type Bytes = Uint8Array<ArrayBuffer>;
type Hash = (data: Uint8Array) => Uint8Array;
/** Decrypts the package behind its length. */
type Decrypt = (data: Bytes) => Promise<Bytes>;

const HASHES: Readonly<Record<string, Hash>> = {
  SHA1: sha1,
  SHA256: sha256,
  SHA384: sha384,
  SHA512: sha512,
};

/** Blocks of which the keys of a password are made, for the test of the password and for the key of the package. */
const BLOCKS = {
  input: [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79],
  hash: [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e],
  key: [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6],
} as const;

const locked = (): AppError => new AppError("import.encrypted");

/** @returns the file within. @throws AppError import.encrypted, import.corrupt, import.too-large */
export async function decryptWorkbook(blob: Blob, signal: AbortSignal): Promise<Blob> {
  if (blob.size > LIMITS.xlsBytes) throw tooLarge("encrypted");
  const file = await readSlice(blob, 0, blob.size);
  const { CFB } = await import("@e965/xlsx");
  checkSignal(signal);
  const stream = (name: string): Bytes => {
    const found = (CFB.find(container, name) as { content?: Iterable<number> } | null)?.content;
    if (found === undefined) throw corrupt(`stream ${name}`);
    return Uint8Array.from(found);
  };
  let container: unknown;
  try {
    container = CFB.parse(file, {});
  } catch (cause) {
    throw corrupt("container", cause);
  }
  const info = stream("EncryptionInfo");
  const packed = stream("EncryptedPackage");
  if (info.length < 8 || packed.length < 8 + AES_BLOCK) throw locked();
  const decrypt =
    u16(info, 0) === 4 && u16(info, 2) === 4 ? await agile(info) : await standard(info);
  checkSignal(signal);
  const size = u64(packed, 0);
  const whole = packed.length - ((packed.length - 8) % AES_BLOCK);
  const plain = await decrypt(packed.slice(8, whole));
  if (size > plain.length) throw corrupt("encrypted package is cut off");
  return new Blob([plain.subarray(0, size)]);
}

function concat(...parts: readonly ArrayLike<number>[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const counted = (n: number): number[] => [n & 255, (n >> 8) & 255, (n >> 16) & 255, n >>> 24];

/** Cuts bytes to a length, or fills them up as the format says. */
function fit(bytes: Uint8Array, length: number): Bytes {
  const out = new Uint8Array(length).fill(0x36);
  out.set(bytes.subarray(0, length));
  return out;
}

function hashPassword(hash: Hash, salt: Uint8Array, rounds: number): Uint8Array {
  const password = Array.from(PASSWORD, (sign) => [sign.charCodeAt(0), 0]).flat();
  let found = hash(concat(salt, password));
  const next = new Uint8Array(4 + found.length);
  for (let i = 0; i < rounds; i += 1) {
    next.set(counted(i));
    next.set(found, 4);
    found = hash(next);
  }
  return found;
}

const importKey = (key: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", key, "AES-CBC", false, ["encrypt", "decrypt"]);

/**
 * AES-CBC without padding. The platform expects padding, so a block is appended that decrypts to nothing but padding.
 *
 * @param data whole blocks
 */
async function decryptCbc(key: CryptoKey, iv: Bytes, data: Bytes): Promise<Bytes> {
  const last = data.slice(-AES_BLOCK);
  const padding = await crypto.subtle.encrypt(
    { name: "AES-CBC", iv: last },
    key,
    new Uint8Array(0),
  );
  const padded = concat(data, new Uint8Array(padding));
  return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-CBC", iv }, key, padded));
}

/** AES without chaining: what CBC has mixed in is taken out again. */
async function decryptBlocks(key: CryptoKey, data: Bytes): Promise<Bytes> {
  const plain = await decryptCbc(key, new Uint8Array(AES_BLOCK), data);
  for (let i = AES_BLOCK; i < data.length; i += 1) plain[i]! ^= data[i - AES_BLOCK]!;
  return plain;
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** How Excel 2007 encrypts. */
async function standard(info: Uint8Array): Promise<Decrypt> {
  const headerSize = u32(info, 8);
  const at = 12 + headerSize;
  if (u16(info, 2) !== 2 || headerSize < 32 || info.length < at + 72) throw locked();
  const isAes = [0x660e, 0x660f, 0x6610].includes(u32(info, 20));
  const keyLength = u32(info, 28) / 8;
  if (!isAes || (keyLength !== 16 && keyLength !== 32)) throw locked();
  const salt = info.subarray(at + 4, at + 20);
  const found = sha1(concat(hashPassword(sha1, salt, STANDARD_ROUNDS), counted(0)));
  const half = (mark: number): Uint8Array => {
    const mixed = new Uint8Array(64).fill(mark);
    for (const [i, byte] of found.entries()) mixed[i]! ^= byte;
    return sha1(mixed);
  };
  const key = await importKey(concat(half(0x36), half(0x5c)).slice(0, keyLength));
  const verifier = await decryptBlocks(key, info.slice(at + 20, at + 36));
  const expected = await decryptBlocks(key, info.slice(at + 40, at + 72));
  if (!equal(sha1(verifier), expected.subarray(0, 20))) throw locked();
  return (data) => decryptBlocks(key, data);
}

interface Cipher {
  readonly hash: Hash;
  readonly salt: Bytes;
  /** In bytes. */
  readonly keyLength: number;
}

function base64(text: string | undefined): Bytes {
  try {
    return Uint8Array.from(atob(text ?? ""), (sign) => sign.charCodeAt(0));
  } catch (cause) {
    throw corrupt("encryption settings", cause);
  }
}

/** @throws AppError import.encrypted for a cipher that Excel does not use by itself */
function cipherOf(tag: Tag): Cipher {
  const hash = HASHES[(tag.attribute("hashAlgorithm") ?? "").replace("-", "")];
  const keyLength = Number(tag.attribute("keyBits")) / 8;
  const isUsual =
    tag.attribute("cipherAlgorithm") === "AES" &&
    tag.attribute("cipherChaining") === "ChainingModeCBC" &&
    (keyLength === 16 || keyLength === 32);
  if (hash === undefined || !isUsual) throw locked();
  return { hash, salt: base64(tag.attribute("saltValue")), keyLength };
}

/** How Excel encrypts since 2010. */
async function agile(info: Uint8Array): Promise<Decrypt> {
  const all = [...tags(new TextDecoder().decode(info.subarray(8)))];
  const data = all.find(({ name }) => name === "keyData");
  const tag = all.find(({ name }) => name === "encryptedKey");
  if (data === undefined || tag === undefined) throw locked();
  const { hash, salt, keyLength } = cipherOf(tag);
  const rounds = Number(tag.attribute("spinCount"));
  if (!(rounds >= 0 && rounds <= MOST_ROUNDS)) throw locked();
  const found = hashPassword(hash, salt, rounds);
  const open = async (block: readonly number[], attribute: string): Promise<Bytes> => {
    const key = await importKey(fit(hash(concat(found, block)), keyLength));
    const given = base64(tag.attribute(attribute));
    if (given.length === 0 || given.length % AES_BLOCK !== 0) throw locked();
    return decryptCbc(key, fit(salt, AES_BLOCK), given);
  };
  const input = await open(BLOCKS.input, "encryptedVerifierHashInput");
  const expected = await open(BLOCKS.hash, "encryptedVerifierHashValue");
  const actual = hash(input.subarray(0, salt.length));
  if (!equal(actual, expected.subarray(0, actual.length))) throw locked();
  const secret = await open(BLOCKS.key, "encryptedKeyValue");
  const key = await importKey(secret.slice(0, keyLength));
  const { hash: dataHash, salt: dataSalt } = cipherOf(data);
  const ivOf = (segment: number): Bytes =>
    fit(dataHash(concat(dataSalt, counted(segment))), AES_BLOCK);
  return async (packed) => {
    const plain = await decryptCbc(key, ivOf(0), packed);
    // Each segment is a chain of its own, but all were decrypted as one chain.
    for (let at = SEGMENT; at < packed.length; at += SEGMENT) {
      const iv = ivOf(at / SEGMENT);
      for (let i = 0; i < AES_BLOCK; i += 1) plain[at + i]! ^= packed[at + i - AES_BLOCK]! ^ iv[i]!;
    }
    return plain;
  };
}
