/** Calls whose answers are a provider's own, without the envelope (docs/conferences.md#rest). */
import { z } from "zod";
import {
  attrsSchema,
  changeRolesSchema,
  CONFR_REST,
  confrErrorSchema,
  degradeSchema,
  deleteLiveSchema,
  disbandSchema,
  hostsSchema,
  kickSchema,
  liveCfgSchema,
  liveLayoutSchema,
  joinRoomResponseSchema,
  joinRoomSchema,
  selectResponseSchema,
  selectSchema,
} from "../../../shared/protocol/rest/confr.ts";
import {
  rtcTokenPath,
  rtcTokenQuerySchema,
  rtcTokenResponseSchema,
  ticketPath,
  ticketRequestSchema,
  ticketResponseSchema,
} from "../../../shared/protocol/rest/rtc.ts";

export interface ProviderCall {
  readonly id: string;
  readonly method: "get" | "post" | "delete";
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** Set for calls without a login: those that are made before it, and those that the role token in the body authorises. */
  readonly open?: true;
}

const PROVIDER = "easemob";
const [ORG, APP] = ["{org}", "{app}"];

export const PROVIDER_CALLS: readonly ProviderCall[] = [
  {
    id: "rtc.ticket",
    method: "post",
    path: ticketPath(PROVIDER),
    summary: "A ticket for a call or a conference",
    body: ticketRequestSchema,
    answer: ticketResponseSchema,
  },
  {
    id: "rtc.token",
    method: "get",
    path: rtcTokenPath,
    summary: "The video provider's token",
    query: rtcTokenQuerySchema,
    answer: rtcTokenResponseSchema,
  },
  {
    id: "rtc.room",
    method: "post",
    path: CONFR_REST.joinRoom(ORG, APP),
    summary: "The open conference of a name; the first request makes it",
    body: joinRoomSchema,
    answer: joinRoomResponseSchema,
  },
  {
    id: "rtc.select",
    method: "post",
    path: CONFR_REST.select(PROVIDER),
    summary: "What a conference is, after its password",
    body: selectSchema,
    answer: selectResponseSchema,
  },
  {
    id: "rtc.roles",
    method: "post",
    path: CONFR_REST.changeRoles(PROVIDER),
    summary: "Roles of members; the path is spelt as the spec has it",
    body: changeRolesSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.degrade",
    method: "post",
    path: CONFR_REST.degrade(PROVIDER),
    summary: "A lower role, strictly",
    body: degradeSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.kick",
    method: "post",
    path: CONFR_REST.kick(PROVIDER),
    summary: "Removes members",
    body: kickSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.disband",
    method: "post",
    path: CONFR_REST.disband(PROVIDER),
    summary: "Ends a conference for all",
    body: disbandSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.attrs",
    method: "post",
    path: CONFR_REST.attrs(PROVIDER),
    summary: "Attributes of a conference, and mute all",
    body: attrsSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.liveCfg",
    method: "post",
    path: CONFR_REST.liveCfg(PROVIDER),
    summary: "Live configuration: refused, this server mixes nothing",
    body: liveCfgSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.liveLayout",
    method: "post",
    path: CONFR_REST.liveLayout(PROVIDER),
    summary: "Layout of a live stream: refused, this server mixes nothing",
    body: liveLayoutSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.deleteLive",
    method: "delete",
    path: CONFR_REST.deleteLive(PROVIDER),
    summary: "Ends a live stream: refused, this server mixes nothing",
    body: deleteLiveSchema,
    answer: confrErrorSchema,
    open: true,
  },
  {
    id: "rtc.hosts",
    method: "get",
    path: CONFR_REST.hosts(PROVIDER),
    summary: "Hosts of the platform (DNS)",
    query: z.object({ app_key: z.string() }),
    answer: hostsSchema,
    open: true,
  },
  {
    id: "rtc.deploy",
    method: "get",
    path: CONFR_REST.deploy(PROVIDER),
    summary: "Deployment settings, none here",
    answer: z.object({}),
    open: true,
  },
];
