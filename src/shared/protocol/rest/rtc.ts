/** Tickets (docs/calls.md#tickets) and the token of the Agora engine. Provider paths answer `{ error, ... }` instead of the envelope. */
import { z } from "../../zod.ts";
import { chatUserNameSchema, idSchema } from "./entities.ts";

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
  qoeUpUrl: z.string().optional(),
  /** What the quality socket presents; a platform without it takes the access token in the socket's address. */
  qoeTktId: z.string().min(1).max(4096).optional(),
  timestamp: z.number().int(),
});
export type Ticket = z.infer<typeof ticketSchema>;

/** 10 communication, 11 communication-mix, 12 live, 13 p2p, 14 intercom. */
export const conferenceTypeSchema = z.union([
  z.literal(10),
  z.literal(11),
  z.literal(12),
  z.literal(13),
  z.literal(14),
]);

export const ticketPath = (provider: string): string => `/${provider}/rtc/req/ticket`;

export const ticketRequestSchema = z.object({
  uid: chatUserNameSchema,
  /** The session's access token; defaults to the bearer token of the header. */
  token: z.string().max(4096).optional(),
  confrType: conferenceTypeSchema,
  /** Set: a ticket for that conference. Left out: create a conference. */
  confrId: idSchema.optional(),
  /** Whom to call; only for p2p, when creating. */
  callee: chatUserNameSchema.optional(),
  password: z.string().max(64).optional(),
  terminal: z.string().max(200).optional(),
  /** The conference's name in lists. */
  name: z.string().trim().max(64).optional(),
  /** The wanted role; the server grants at most what the caller may have. */
  role: z.union([z.literal(7), z.literal(3), z.literal(1)]).optional(),
  roleToken: z.string().max(4096).optional(),
  rec: z.boolean().optional(),
  recMerge: z.boolean().optional(),
  liveCfg: z.record(z.string(), z.unknown()).optional(),
  useVCodes: z
    .array(z.enum(["VP8", "H264"]))
    .max(4)
    .optional(),
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
  type: ticketTypeSchema.optional(),
  ticket: ticketSchema.optional(),
  roleToken: z.string().optional(),
  rtcCfg: rtcCfgSchema.optional(),
});
export type TicketResponse = z.infer<typeof ticketResponseSchema>;

/** GET of the video provider's token service; the path is the provider's own. */
export const rtcTokenPath = "/token/rtcToken/v1";
export const rtcTokenQuerySchema = z.object({
  userAccount: chatUserNameSchema,
  channelName: idSchema,
  appkey: z.string().min(1).max(128),
});
export const rtcTokenResponseSchema = z.object({
  code: z.string(),
  accessToken: z.string(),
  expireTime: z.number().int(),
  agoraUserId: z.number().int(),
});
