/**
 * Client credentials by system name (docs/session.md#systems). They only say which system a login belongs to. They are not secret,
 * because every console contains them.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { AppError } from "../../../shared/errors.ts";
import {
  type ConsoleConfig,
  SYSTEM_NAMES,
  type SystemName,
} from "../../../shared/protocol/config.ts";

export const CLIENTS = Object.fromEntries(
  SYSTEM_NAMES.map((name) => [name, { id: name, secret: `${name}-public` }]),
) as ConsoleConfig["clients"];

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * The system whose credentials a basic-auth header carries.
 *
 * @throws AppError auth.invalid-client
 */
export function clientOf(header: string | undefined): SystemName {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? "")?.[1];
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const name = SYSTEM_NAMES.find((n) =>
    timingSafeEqual(digest(text), digest(`${CLIENTS[n].id}:${CLIENTS[n].secret}`)),
  );
  if (name === undefined) throw new AppError("auth.invalid-client");
  return name;
}
