/**
 * What admins do over REST (docs/conferences.md#rest). The role token alone authorises: it names the conference, the member and the
 * login. The login must still be valid, and the member must hold the admin role at present.
 */
import type { Hono } from "hono";
import { CONFERENCE_ROLE, isMixed } from "../../../shared/domain/conference-types.ts";
import type { z } from "zod";
import { chatUserOf } from "../../../shared/domain/member-names.ts";
import {
  attrsSchema,
  changeRolesSchema,
  CONFR_REST,
  degradeSchema,
  deleteLiveSchema,
  disbandSchema,
  kickSchema,
  liveCfgSchema,
  liveLayoutSchema,
} from "../../../shared/protocol/rest/confr.ts";
import { END_REASON, RESULT } from "../../../shared/protocol/signalling.ts";
import type { HttpEnv, Principal } from "../../base/module.ts";
import { actsFor, openProviderRoute, parse, Refusal } from "../tickets/provider.ts";
import { isPlain } from "./access.ts";
import { end, kick } from "./membership.ts";
import { type ConferenceRestDeps, presentRole, throttled } from "./rest.ts";
import { setAttributes, setRoles } from "./roles.ts";
import type { ConferenceRecord } from "./store.ts";
import type { ConferenceState, Verdict } from "./types.ts";

interface AdminBody {
  readonly confrId?: string | undefined;
  readonly roleToken: string;
}
interface Asked<B> {
  readonly principal: Principal;
  readonly body: B;
  readonly conference: ConferenceRecord;
  /** Undefined while nobody is inside. */
  readonly open: ConferenceState | undefined;
}

const noAdmin = (): Refusal => new Refusal(RESULT.notAllowed, "需要管理员角色");
const NOBODY: Verdict = { result: RESULT.notFound, msg: "会议中没有成员" };

export function registerAdminRoutes(
  app: Hono<HttpEnv>,
  deps: ConferenceRestDeps & {
    /** Ends an empty conference. */
    readonly endConference: (conferenceId: string, reason: number) => void;
  },
): void {
  const { config, conferences, access, roleTokens } = deps;
  const provider = config.RTC_PROVIDER;
  const namesOf = (uids: readonly string[]): string[] =>
    uids.map((uid) => chatUserOf(uid, config.EASEMOB_APP_KEY));

  function adminRoute<S extends z.ZodType<AdminBody>>(
    method: "POST" | "DELETE",
    path: string,
    schema: S,
    run: (asked: Asked<z.output<S>>) => Verdict,
    /** Whether everybody inside a group call may, since nobody leads it. */
    mayCaller: (body: z.output<S>) => boolean = () => false,
  ): void {
    openProviderRoute(app, [method], path, deps, async ({ c, body }) => {
      // Proxies may drop the body of a DELETE.
      const request = parse(schema, body ?? (method === "DELETE" ? c.req.query() : body));
      const token = roleTokens.verify(request.roleToken);
      const caller = mayCaller(request);
      if (token === null || (token.role !== CONFERENCE_ROLE.admin && !caller)) throw noAdmin();
      const { confrId, memName } = token;
      if (request.confrId !== undefined && request.confrId !== confrId) throw noAdmin();
      const principal = await deps.directory.principalOf(token.loginSession);
      if (principal?.chatUserName !== memName) throw noAdmin();
      if (!deps.admit(principal.accountId)) throw throttled();
      const away = await deps.elsewhere(c, confrId, body);
      if (away !== null) return away;
      const conference = await access.find(principal, actsFor(c, principal), confrId);
      if (deps.isEnding(confrId)) throw new Refusal(RESULT.conferenceGone, "会议已结束");
      const open = conferences.get(confrId);
      const enough =
        caller && conference.call !== undefined ? CONFERENCE_ROLE.talker : CONFERENCE_ROLE.admin;
      // Outside the conference, only the creator is still an admin.
      const inside =
        open !== undefined &&
        [...open.sessions.values()].some(
          (s) => s.member.memName === memName && s.member.role >= enough,
        );
      const present =
        inside ||
        (conference.creator === memName && presentRole(conferences, conference, memName) === 7);
      if (!present) throw noAdmin();
      const verdict = run({ principal, body: request, conference, open });
      if (verdict.result !== RESULT.ok) throw new Refusal(verdict.result, verdict.msg ?? "");
      return { error: RESULT.ok };
    });
  }

  adminRoute("POST", CONFR_REST.changeRoles(provider), changeRolesSchema, ({ body, open }) =>
    open === undefined ? NOBODY : setRoles(open, namesOf(body.uids), body.role, false),
  );
  adminRoute("POST", CONFR_REST.degrade(provider), degradeSchema, ({ body, open }) =>
    open === undefined ? NOBODY : setRoles(open, namesOf(body.uids), body.role, true),
  );
  adminRoute("POST", CONFR_REST.kick(provider), kickSchema, ({ principal, body, open }) =>
    open === undefined ? NOBODY : kick(open, principal.chatUserName, namesOf(body.uids)),
  );
  adminRoute("POST", CONFR_REST.disband(provider), disbandSchema, ({ conference, open }) => {
    if (open === undefined) deps.endConference(conference.id, END_REASON.closed);
    else end(open, END_REASON.closed);
    return { result: RESULT.ok };
  });
  adminRoute(
    "POST",
    CONFR_REST.attrs(provider),
    attrsSchema,
    ({ body, open }) => {
      const { cattrs = [], cstate } = body;
      if (open === undefined) return NOBODY;
      if (!cattrs.every(({ key, val }) => isPlain(key) && isPlain(val))) {
        return { result: RESULT.clientFailure, msg: "请求含有无效字符" };
      }
      return setAttributes(open, cattrs, cstate?.muteAll, cstate?.mayUnmute);
    },
    ({ cstate }) => cstate === undefined,
  );

  // There is no mixer yet, so refuse. A stored configuration would look as if mixing took place.
  const noMixer = ({ conference }: Asked<AdminBody>): Verdict => ({
    result: RESULT.notAllowed,
    msg: isMixed(conference.type) ? "服务端尚未提供直播混流" : "该会议类型不支持直播混流",
  });
  adminRoute("POST", CONFR_REST.liveCfg(provider), liveCfgSchema, noMixer);
  adminRoute("POST", CONFR_REST.liveLayout(provider), liveLayoutSchema, noMixer);
  adminRoute("DELETE", CONFR_REST.deleteLive(provider), deleteLiveSchema, noMixer);
}
