/** STUN and TURN servers for a browser, with coturn's shared-secret credentials. */
import { createHmac } from "node:crypto";
import type { RtcCfg } from "../../../shared/protocol/rest/rtc.ts";
import type { ServerConfig } from "../../base/config.ts";
import { TICKET_TTL } from "./tickets.ts";

/**
 * @param user chat user name, part of the TURN user name `expiry:user`
 * @param now ms since the epoch
 * @returns an empty list when nothing is configured; calls then work only where both sides can reach each other directly
 */
export function iceServers(
  config: Pick<ServerConfig, "STUN_URL" | "TURN_URL" | "TURN_SECRET">,
  user: string,
  now: number,
): RtcCfg["iceServers"] {
  const servers: RtcCfg["iceServers"] = [];
  if (config.STUN_URL !== undefined) servers.push({ urls: config.STUN_URL });
  if (config.TURN_URL !== undefined && config.TURN_SECRET !== undefined) {
    const username = `${Math.floor(now / 1000) + TICKET_TTL}:${user}`;
    const credential = createHmac("sha1", config.TURN_SECRET).update(username).digest("base64");
    for (const urls of config.TURN_URL.split(/,\s*/)) {
      servers.push({ urls, username, credential });
    }
  }
  return servers;
}
