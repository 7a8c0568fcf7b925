/**
 * The channels of a cloud for tests: lets people in whose token is right, and passes on who publishes what. The media goes directly between
 * the pages (stand-in.ts).
 */
import type { BrowserContext, Frame, Page } from "@playwright/test";
import { readAgoraToken } from "../../src/server/modules/calls/agora-token.harness.ts";
import { agoraStandIn, type FromCloud, type Kind, type ToCloud } from "./stand-in.ts";

interface Member {
  /** The client of the page that is in the channel. */
  readonly client: string;
  readonly uid: number;
  readonly channel: string;
  readonly frame: Frame;
  readonly published: Set<Kind>;
}

export interface AgoraCloud {
  /** Replaces the package in the pages of this context. Call it before the first call. */
  serve(context: BrowserContext): Promise<void>;
  /** What was let in or renewed, in order: `join 5`, `renew 5`. */
  readonly log: readonly string[];
  /** What was refused, with the reason. */
  readonly refusals: readonly string[];
  /** Which picture of a dual stream each receives, as low by `5 of 7`; without an entry the high one. */
  readonly layers: ReadonlyMap<string, "high" | "low">;
  /** Number of people per channel. */
  sizes(): number[];
  /** The cloud announces the end of every token, or ends it. */
  tokensEnd(how: "expiring" | "expired"): Promise<void>;
}

export function createAgoraCloud(keys: { appId: string; certificate: string }): AgoraCloud {
  const members = new Map<string, Member>();
  const log: string[] = [];
  const refusals: string[] = [];
  const layers = new Map<string, "high" | "low">();
  const send = async ({ frame, client }: Member, message: FromCloud): Promise<void> => {
    await frame
      .evaluate(([to, m]) => globalThis.fromAgoraCloud?.(to, m), [client, message] as const)
      // A page may close meanwhile.
      .catch(() => undefined);
  };
  const others = (member: Member): Member[] =>
    [...members.values()].filter((m) => m !== member && m.channel === member.channel);
  const leave = async (member: Member): Promise<void> => {
    if (!members.delete(member.client)) return;
    await Promise.all(others(member).map((m) => send(m, { t: "left", uid: member.uid })));
  };

  /** @returns why a token does not let in; "" when it does */
  const check = (token: string, channel: string, uid: number): string => {
    const read = readAgoraToken(token, keys.certificate);
    if (!read.valid) return "signature";
    if (read.appId !== keys.appId) return "app id";
    if (read.channel !== channel) return "channel";
    if (read.uid !== String(uid)) return "account";
    if ((read.issuedAt + read.lifetime) * 1000 < Date.now()) return "expired";
    return "";
  };
  const refused = (what: string, why: string): string => {
    if (why !== "") refusals.push(`${what}: ${why}`);
    else log.push(what);
    return why;
  };

  const receive = async (frame: Frame, client: string, message: ToCloud): Promise<string> => {
    if (message.t === "join") {
      const { channel, token, uid, appId } = message;
      const why = appId === keys.appId ? check(token, channel, uid) : "app id";
      if (refused(`join ${uid}`, why) !== "") return why;
      for (const m of members.values()) {
        if (m.channel === channel && m.uid === uid) await leave(m);
      }
      const member: Member = { client, uid, channel, frame, published: new Set() };
      members.set(client, member);
      for (const m of others(member)) {
        for (const kind of m.published) void send(member, { t: "published", uid: m.uid, kind });
      }
      return "";
    }
    const member = members.get(client);
    if (member === undefined) return message.t === "leave" ? "" : "not in a channel";
    const { uid, channel, published } = member;
    switch (message.t) {
      case "layer":
        layers.set(`${uid} of ${message.of}`, message.layer);
        return "";
      case "leave":
        await leave(member);
        return "";
      case "renew":
        return refused(`renew ${uid}`, check(message.token, channel, uid));
      case "publish":
      case "unpublish": {
        const { kind } = message;
        if (message.t === "publish") published.add(kind);
        else published.delete(kind);
        const t = message.t === "publish" ? "published" : "unpublished";
        await Promise.all(others(member).map((m) => send(m, { t, uid, kind })));
        return "";
      }
      case "signal": {
        const to = others(member).find((m) => m.uid === message.to);
        if (to === undefined) return "nobody there";
        await send(to, { t: "signal", from: uid, data: message.data });
        return "";
      }
    }
  };

  return {
    async serve(context) {
      await context.exposeBinding("toAgoraCloud", ({ frame }, client: string, message: ToCloud) =>
        receive(frame, client, message),
      );
      await context.route("**/assets/AgoraRTC_N-*.js", (route) =>
        route.fulfill({
          contentType: "text/javascript",
          body: `export default (${agoraStandIn.toString()})();`,
        }),
      );
      const watch = (page: Page): void => {
        const gone = (): void => {
          for (const member of members.values()) {
            if (member.frame === page.mainFrame()) void leave(member);
          }
        };
        page.on("close", gone);
        page.on("crash", gone);
        page.on("domcontentloaded", gone);
      };
      context.pages().forEach(watch);
      context.on("page", watch);
    },
    log,
    refusals,
    layers,
    sizes() {
      const sizes = new Map<string, number>();
      for (const { channel } of members.values()) sizes.set(channel, (sizes.get(channel) ?? 0) + 1);
      return [...sizes.values()];
    },
    async tokensEnd(how) {
      const told = [...members.values()];
      // A token that ended leaves nobody in the channel until they join again.
      if (how === "expired") members.clear();
      await Promise.all(told.map((member) => send(member, { t: how })));
    },
  };
}
