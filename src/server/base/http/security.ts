/** Security headers. The console's pages run under a strict content security policy. */
import type { MiddlewareHandler } from "hono";
import type { ServerConfig } from "../config.ts";
import type { HttpEnv } from "../module.ts";
import { isHost } from "./origins.ts";

const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "font-src 'self' data:",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'self'",
];
/** The page of the contract runs no scripts and loads only its style sheet. */
const READING_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
];
/** The page of an invitation also has a script, which shows that a form is on its way. */
const INVITE_POLICY = [...READING_POLICY, "script-src 'self'"];
/** A worker follows the policy in the response for its script. The chat SDK in the core compiles code from text. */
const CORE_POLICY = ["default-src 'self'", "script-src 'self' 'unsafe-eval'"];

/** The core worker's script as the build names it. */
export const isCoreScript = (path: string): boolean => /^\/assets\/core-[\w-]+\.js$/.test(path);

/** Workers that change the own picture and sound run compiled libraries, and compile no code from text. */
const EFFECTS_POLICY = ["default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"];

/** The script of such a worker as the build names it. */
const isEffectsScript = (path: string): boolean => /^\/assets\/effects-[\w-]+\.js$/.test(path);

/**
 * @param hosts that the client may have called (`Client.hosts`)
 * @param connect origins other than its own that the console contacts (an Easemob cloud), from the configuration
 * @param styleHashes sources for the inline styles of the page itself
 */
export function contentSecurityPolicy(
  path: string,
  hosts: readonly string[],
  connect: readonly string[],
  styleHashes: readonly string[] = [],
): string {
  if (path === "/openapi") return READING_POLICY.join("; ");
  if (path.startsWith("/invite/")) return INVITE_POLICY.join("; ");
  // Not every browser lets 'self' cover ws:, so the own hosts are named. An invalid Host header adds nothing.
  const own = hosts.filter(isHost).flatMap((host) => [`ws://${host}`, `wss://${host}`]);
  const sources = ["connect-src 'self'", ...own, ...connect].join(" ");
  if (isCoreScript(path)) return [...CORE_POLICY, sources].join("; ");
  if (isEffectsScript(path)) return [...EFFECTS_POLICY, sources].join("; ");
  // React, Arco and the charts set styles through the CSSOM, which needs no exception.
  const styles = ["style-src 'self'", ...styleHashes].join(" ");
  // Pictures and films of the chat come from where its calls go.
  const files = connect.filter((one) => one.startsWith("https://") && !one.includes("*")).join(" ");
  const shown = [
    `img-src 'self' data: blob: ${files}`,
    `media-src 'self' blob: mediastream: ${files}`,
  ];
  return [...PAGE_POLICY, ...shown.map((one) => one.trim()), styles, sources].join("; ");
}

/** Hosts of the Agora cloud, whose servers listen at many ports. */
const AGORA_HOSTS = ["*.agora.io", "*.sd-rtn.com"];
const AGORA_SOURCES = AGORA_HOSTS.flatMap((host) => [`https://${host}:*`, `wss://${host}:*`]);

/**
 * Origins other than its own that the console contacts, both schemes for each.
 *
 * @param addresses configured addresses; "" stands for the own origin
 * @param agora whether calls use the Agora cloud
 */
export function foreignOrigins(addresses: readonly string[], agora = false): string[] {
  const configured = addresses
    .filter((address) => address !== "")
    .flatMap((address) => {
      const { host } = new URL(address.startsWith("//") ? `https:${address}` : address);
      return [`https://${host}`, `wss://${host}`];
    });
  return agora ? [...configured, ...AGORA_SOURCES] : configured;
}

/** The same by the server's configuration. */
export const connectedOrigins = (
  config: Pick<ServerConfig, "EASEMOB_URL" | "EASEMOB_API_URL"> & {
    readonly AGORA_APP_ID?: unknown;
  },
): string[] =>
  foreignOrigins([config.EASEMOB_URL, config.EASEMOB_API_URL], config.AGORA_APP_ID !== undefined);

export function securityHeaders(connect: readonly string[]): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const headers = c.res.headers;
    headers.set(
      "content-security-policy",
      contentSecurityPolicy(c.req.path, c.get("client").hosts, connect, c.get("styleHashes")),
    );
    headers.set("x-content-type-options", "nosniff");
    headers.set("referrer-policy", "same-origin");
    headers.set("x-frame-options", "DENY");
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("permissions-policy", "camera=(self), microphone=(self), display-capture=(self)");
  };
}
