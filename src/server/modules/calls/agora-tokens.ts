/** Signs the tokens with which accounts join channels of the Agora cloud (docs/calls.md#agora-engine). */
import { createHash } from "node:crypto";
import agora from "agora-token";
import type { z } from "zod";
import type { rtcTokenResponseSchema } from "../../../shared/protocol/rest/rtc.ts";

// Node finds no names in this package, which is CommonJS.
const { RtcRole, RtcTokenBuilder } = agora;

/** Seconds for which a token lets its holder join and publish. The engine asks for another one before that. */
export const AGORA_TOKEN_TTL = 3600;

export interface AgoraKeys {
  readonly appId: string;
  readonly certificate: string;
}

/**
 * @param now ms since the epoch
 * @returns the answer of the token service; `expireTime` in ms since the epoch
 */
export function signAgoraToken(
  { appId, certificate }: AgoraKeys,
  channel: string,
  chatUserName: string,
  now: number,
): z.output<typeof rtcTokenResponseSchema> {
  const uid = agoraUidOf(chatUserName);
  return {
    code: "RES_0K",
    accessToken: RtcTokenBuilder.buildTokenWithUid(
      appId,
      certificate,
      channel,
      uid,
      RtcRole.PUBLISHER,
      AGORA_TOKEN_TTL,
      AGORA_TOKEN_TTL,
    ),
    expireTime: now + AGORA_TOKEN_TTL * 1000,
    agoraUserId: uid,
  };
}

/** The cloud knows accounts by numbers from 1 to 2^31 - 1. The same account has the same one on every process. */
export function agoraUidOf(chatUserName: string): number {
  const hash = createHash("sha256").update(chatUserName).digest().readUInt32BE(0);
  return (hash % (2 ** 31 - 1)) + 1;
}
