/** Tickets (docs/calls.md#tickets) and the token of the Agora engine. Provider paths answer `{ error, ... }` instead of the envelope. */
import { z } from "../../zod.ts";
import { conferenceTypeSchema } from "../confr-model.ts";
import { chatUserNameSchema, idSchema, memberNameSchema } from "./entities.ts";

export const iceServerSchema = z.object({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.string().optional(),
  credential: z.string().optional(),
});
export const rtcCfgSchema = z.object({ iceServers: z.array(iceServerSchema) });
export type RtcCfg = z.infer<typeof rtcCfgSchema>;

/** Compared without case. */
export const ticketTypeSchema = z
  .string()
  .toUpperCase()
  .pipe(z.enum(["P2P", "CONFR"]));

/** Ticket (docs/calls.md#tickets). `tktId` is the signed secret that enter (op 200) presents. */
export const ticketSchema = z.object({
  confrId: idSchema,
  memName: chatUserNameSchema,
  tktId: z.string().min(1).max(4096),
  /** Socket address. A bare path is completed with the configured origin or the page's host. */
  url: z.string().min(1),
  type: ticketTypeSchema,
  caller: chatUserNameSchema.optional(),
  callee: chatUserNameSchema.optional(),
  /** Address of the quality socket. The query that comes with it names whose records follow, and stays in it. */
  qoeUpUrl: z.string().optional(),
  /** ms since the epoch. Only some platforms send it, and nothing here depends on it. */
  timestamp: z.number().int().optional(),
});
export type Ticket = z.infer<typeof ticketSchema>;

export const ticketPath = (provider: string): string => `/${provider}/rtc/req/ticket`;

/** What a client says of its browser. */
export const terminalSchema = z.looseObject({
  browser: z.string().max(200).nullish(),
  browserVersion: z.union([z.string().max(200), z.number()]).nullish(),
  version: z.string().max(200).nullish(),
  userAgent: z.string().max(1000).nullish(),
});
/** A role as a number. Clients write it as a text too. */
export const wantedRoleSchema = z.union([
  z.literal([7, 3, 1]),
  z.enum(["7", "3", "1"]).transform((role) => Number(role) as 7 | 3 | 1),
]);

/** Video codecs, best first. */
export const useVCodesSchema = z.array(z.enum(["VP8", "H264"])).max(4);

export const ticketRequestSchema = z.object({
  uid: memberNameSchema,
  /** The token of the login or of the chat; defaults to the bearer token of the header. */
  token: z.string().max(4096).optional(),
  /** Left out: 10, or what the conference of `confrId` is. */
  confrType: conferenceTypeSchema.optional(),
  /** Set: a ticket for that conference. Left out: create a conference. */
  confrId: idSchema.optional(),
  /** Whom to call; only for p2p, when creating. */
  callee: memberNameSchema.optional(),
  password: z.string().max(64).optional(),
  terminal: terminalSchema.optional(),
  /** The conference's name in lists. */
  name: z.string().trim().max(64).optional(),
  /** The wanted role; the server grants at most what the caller may have. */
  role: wantedRoleSchema.optional(),
  roleToken: z.string().max(4096).optional(),
  rec: z.boolean().optional(),
  recMerge: z.boolean().optional(),
  liveCfg: z.record(z.string(), z.unknown()).optional(),
  useVCodes: useVCodesSchema.optional(),
  maxTalkerCount: z.number().int().min(1).max(1000).optional(),
  maxAudienceCount: z.number().int().min(0).max(10_000).optional(),
  maxVideoCount: z.number().int().min(0).max(100).optional(),
  maxPubDesktopCount: z.number().int().min(0).max(20).optional(),
});
export type TicketRequest = z.infer<typeof ticketRequestSchema>;

export const ticketResponseSchema = z.object({
  /** 0 is success; else the error is tagged `server_refuse`. */
  error: z.number().int(),
  errorMessage: z.string().optional(),
  confrId: idSchema.optional(),
  /** How to publish and subscribe. Without a mixer 11 and 12 answer 10 (docs/conferences.md#mixed-types). */
  type: conferenceTypeSchema.optional(),
  /** What the conference was created as. */
  confrType: conferenceTypeSchema.optional(),
  ticket: ticketSchema.optional(),
  roleToken: z.string().optional(),
  rtcCfg: rtcCfgSchema.optional(),
});
export type TicketResponse = z.infer<typeof ticketResponseSchema>;

/** GET of the video provider's token service; the path is the provider's own. */
export const rtcTokenPath = "/token/rtcToken/v1";
/** Names that the Agora cloud accepts: fewer than 64 bytes of these characters. */
const channelNameSchema = z.string().regex(/^[\w !#$%&()+\-:;<=.>?@[\]^{}|~,]{1,63}$/);
export const rtcTokenQuerySchema = z.object({
  userAccount: chatUserNameSchema,
  channelName: channelNameSchema,
  appkey: z.string().min(1).max(128),
});
export const rtcTokenResponseSchema = z.object({
  code: z.string(),
  accessToken: z.string(),
  /** ms since the epoch in the answers of this server. Other token services use other units. */
  expireTime: z.number().int(),
  agoraUserId: z.number().int(),
});
