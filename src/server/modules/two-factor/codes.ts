/** The secrets of the second factor: how they are kept, how a code is checked, and what recovery codes look like. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
} from "node:crypto";
import { Secret, TOTP } from "otpauth";

/** Seconds for which a code is good, as all authenticators expect. */
export const PERIOD = 30;
/** Codes of the periods before and after are good too, since clocks differ. */
const WINDOW = 1;
/** Bytes of a secret, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
export const RECOVERY_CODES = 10;
/** Without letters and digits that look alike. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const RECOVERY_LENGTH = 10;
const NONCE = 12;
const TAG = 16;

export interface FactorCodes {
  /** A new secret in base32. */
  newSecret(): string;
  seal(secret: string): string;
  /** @throws Error when the sealed text was made with another APP_SECRET */
  open(sealed: string): string;
  /** The address that authenticators read from the QR picture. */
  uri(secret: string, username: string): string;
  /** The period whose code this is; null when it is wrong. `now` in ms. */
  stepOf(secret: string, code: string, now: number): number | null;
  newRecoveryCodes(): string[];
  /** People write the codes with spaces, hyphens and capitals. */
  recoveryHash(accountId: string, code: string): string;
}

export const isTotp = (code: string): boolean => /^\d{6}$/.test(code.replaceAll(/\s/g, ""));

/** What an authenticator shows above the code. */
const ISSUER = "城市综合安全服务平台";

export function createFactorCodes(appSecret: string): FactorCodes {
  const keyOf = (use: string): Buffer =>
    Buffer.from(hkdfSync("sha256", appSecret, "", `two-factor ${use}`, 32));
  const sealKey = keyOf("seal");
  const hashKey = keyOf("recovery");
  const totpOf = (secret: string, label: string): TOTP =>
    new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD });
  return {
    newSecret: () => new Secret({ size: SECRET_BYTES }).base32,
    seal(secret) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
      const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, NONCE));
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      const opened = [decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()];
      return Buffer.concat(opened).toString("utf8");
    },
    uri: (secret, username) => totpOf(secret, username).toString(),
    stepOf(secret, code, now) {
      // Other texts can have more bytes than characters, and the package compares bytes.
      if (!isTotp(code)) return null;
      const token = code.replaceAll(/\s/g, "");
      const delta = totpOf(secret, "").validate({ token, timestamp: now, window: WINDOW });
      return delta === null ? null : Math.floor(now / 1000 / PERIOD) + delta;
    },
    newRecoveryCodes: () =>
      Array.from({ length: RECOVERY_CODES }, () => {
        const letters = Array.from({ length: RECOVERY_LENGTH }, () =>
          LETTERS.charAt(randomInt(LETTERS.length)),
        ).join("");
        return `${letters.slice(0, 5)}-${letters.slice(5)}`;
      }),
    recoveryHash(accountId, code) {
      const plain = code.toLowerCase().replaceAll(/[\s-]/g, "");
      return createHmac("sha256", hashKey).update(`${accountId}\n${plain}`).digest("base64url");
    },
  };
}
