/**
 * Conference calls of the provider (docs/conferences.md#rest). They answer `{ error, ... }` with 0 for success. What admins do is
 * authorised by the role token, everything else by the token of the caller. Tickets are in rtc.ts.
 */
import { z } from "../../zod.ts";
import { confrAttrSchema, confrStateSchema } from "../confr-model.ts";
import { hasNoNul, NUL_MESSAGE } from "./call.ts";
import { idSchema, memberNameSchema } from "./entities.ts";
import { conferenceTypeSchema } from "../confr-model.ts";
import { useVCodesSchema, wantedRoleSchema } from "./rtc.ts";

const confrId = idSchema;
const roleToken = z.string().min(1).max(4096);
const uids = z.array(memberNameSchema).min(1).max(100);
const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);

export const confrLimitsSchema = z.object({
  maxTalkerCount: z.number().int().min(1).max(1000).optional(),
  maxAudienceCount: z.number().int().min(0).max(10_000).optional(),
  maxVideoCount: z.number().int().min(0).max(100).optional(),
  maxPubDesktopCount: z.number().int().min(0).max(20).optional(),
});

/** Paths under the provider; `chanage` is the wire's spelling. */
export const CONFR_REST = {
  changeRoles: (provider: string) => `/${provider}/rtc/chanage/roles`,
  degrade: (provider: string) => `/${provider}/rtc/role/degrade`,
  kick: (provider: string) => `/${provider}/rtc/kick/member`,
  disband: (provider: string) => `/${provider}/rtc/disband/conference`,
  select: (provider: string) => `/${provider}/rtc/select/confr`,
  attrs: (provider: string) => `/${provider}/rtc/confr/attrs/update`,
  liveCfg: (provider: string) => `/${provider}/rtc/livecfg`,
  liveLayout: (provider: string) => `/${provider}/rtc/live/layout`,
  deleteLive: (provider: string) => `/${provider}/rtc/delete/live`,
  joinRoom: (org: string, app: string) => `/${org}/${app}/conferences/room`,
  /** Server discovery: hosts of the platform; query app_key. */
  hosts: (provider: string) => `/${provider}/server.json`,
  /** Optional deploy config. */
  deploy: (provider: string) => `/${provider}/deploy.json`,
} as const;

export const confrErrorSchema = z.object({
  error: z.number().int(),
  errorMessage: z.string().optional(),
});
/** The platform's SDK puts its whole conference here when it ends one. */
const conferenceSchema = z.union([
  confrId,
  z.object({ confrId }).transform((conference) => conference.confrId),
]);
/** The role token authorises and names the conference. A `confrId` beside it must be the same. */
const adminBody = z.object({ roleToken, confrId: conferenceSchema.optional() });
export const changeRolesSchema = adminBody.extend({ uids, role: wantedRoleSchema });
/** The new role must be lower than the present one. */
export const degradeSchema = adminBody.extend({ uids, role: wantedRoleSchema });
export const kickSchema = adminBody.extend({ uids });
export const disbandSchema = adminBody;
export const selectSchema = z.object({
  uid: memberNameSchema,
  token: z.string().max(4096).optional(),
  confrId,
  password: z.string().max(64).optional(),
  roleToken: roleToken.optional(),
});
export const confrInfoSchema = z.object({
  confrId,
  type: conferenceTypeSchema,
  name: z.string(),
  hasPassword: z.boolean(),
  createdBy: z.string(),
  createdByName: z.string(),
  /** ms since the epoch */
  createdAt: z.number(),
  members: z.number().int(),
  limits: confrLimitsSchema,
});
export type ConferenceInfo = z.infer<typeof confrInfoSchema>;
/** What a client knows of a conference: the specification promises no field of it. */
export const knownConferenceSchema = confrInfoSchema.partial().required({ confrId: true });
export type KnownConference = z.infer<typeof knownConferenceSchema>;
/** This server sends `confr` with all its fields. */
export const selectResponseSchema = confrErrorSchema.extend({
  confr: confrInfoSchema.partial().optional(),
});
export const attrsSchema = adminBody
  .extend({
    cattrs: z.array(confrAttrSchema).min(1).max(100).optional(),
    cstate: confrStateSchema.optional(),
  })
  .refine((body) => body.cattrs !== undefined || body.cstate !== undefined, "cattrs or cstate");
/** The client's configuration of the conference stands beside the other fields. */
export const joinRoomSchema = confrLimitsSchema.extend({
  roomName: text(64).min(1),
  password: z.string().min(1).max(64),
  memName: memberNameSchema,
  token: z.string().max(4096).optional(),
  confrType: conferenceTypeSchema.optional(),
  rec: z.boolean().optional(),
  recMerge: z.boolean().optional(),
  useVCodes: useVCodesSchema.optional(),
});
export const joinRoomResponseSchema = confrErrorSchema.extend({
  confrId: confrId.optional(),
  isCreator: z.boolean().optional(),
});
const liveId = z.string().min(1).max(64);
export const liveCfgSchema = adminBody.extend({ liveCfg: z.record(z.string(), z.unknown()) });
export const liveLayoutSchema = adminBody.extend({
  liveId,
  regions: z.array(z.unknown()).max(100),
});
export const deleteLiveSchema = adminBody.extend({ liveId });
const port = z.coerce.number().int().min(1).max(65_535);
const portsOfHost = z.object({ ip: z.string().min(1).max(64), min_port: port, max_port: port });
/**
 * Addresses that clients use in place of the server's own (docs/conferences.md#addresses). Ports come as texts too.
 */
export const deployConfigSchema = z.object({
  /** Host of the signalling socket, with its port. */
  ws: z.string().min(1).max(255).optional(),
  /** Host of the TURN servers, with its port. */
  turn: z.string().min(1).max(255).optional(),
  rtc: z
    .object({
      /** Candidates of the node: the n-th port of `src` becomes the n-th of `dst`. */
      candidate_map: z
        .array(z.object({ src: portsOfHost, dst: portsOfHost }))
        .max(100)
        .optional(),
    })
    .optional(),
});
export type DeployConfig = z.infer<typeof deployConfigSchema>;
export const hostsSchema = z.object({
  rest: z.object({
    hosts: z.array(
      /** `domain` includes the port, if it is not the scheme's own: clients put the two together. */
      z.object({ protocol: z.string(), domain: z.string() }),
    ),
  }),
});
