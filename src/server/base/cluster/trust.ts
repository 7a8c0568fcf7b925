/**
 * A request that one server process relays for another bears a signed mark. It contains the client's address, and shows that
 * the request was relayed.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../module.ts";

export const CARRIED = "x-console-carried";
/** Milliseconds for which a mark is valid. */
const HOLDS = 30_000;

export interface Marks {
  /** @param address of the client */
  make(method: string, target: string, address: string): string;
  /** @returns the client's address; null when the request was not relayed, or not by one of our processes */
  read(request: {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
    readonly headers: IncomingHttpHeaders;
  }): string | null;
}

/** @param secret of the platform, the same in all its processes */
export function createMarks(secret: string, clock: Clock): Marks {
  const sign = (method: string, target: string, address: string, at: string): string =>
    createHmac("sha256", secret)
      .update(JSON.stringify(["carried", method, target, address, at]))
      .digest("base64url");
  return {
    make(method, target, address) {
      const at = String(clock.now());
      return [at, sign(method, target, address, at), address].join(" ");
    },
    read({ method = "", url = "", headers }) {
      const given = headers[CARRIED];
      if (typeof given !== "string") return null;
      const [at = "", signature = "", address = ""] = given.split(" ");
      const age = clock.now() - Number(at);
      if (!(Math.abs(age) <= HOLDS)) return null;
      const expected = Buffer.from(sign(method, url, address, at));
      const said = Buffer.from(signature);
      return said.length === expected.length && timingSafeEqual(said, expected) ? address : null;
    },
  };
}
