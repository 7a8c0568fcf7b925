/**
 * Who may create and enter a conference. A conference belongs to the company for which its creator acts, or to none. Those who
 * act for the company may enter the former; those who may talk to its creator may enter the latter. A password may be required.
 * Everyone else gets the same answer as for a conference that never existed.
 */
import { type VideoCodec } from "../../../shared/protocol/confr-model.ts";
import { CONFR_LIMITS, CONFR_RESULT } from "../../../shared/protocol/confr-signalling.ts";
import { CONFERENCE_TYPE, OPTIONS_PERMISSION } from "../../../shared/domain/conference-types.ts";
import { isMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { AppError } from "../../../shared/errors.ts";
import { holds } from "../../base/http/route.ts";
import type { KeptFailures } from "../../base/limits/kept-failures.ts";
import { createThrottle, type Throttle } from "../../base/limits/throttle.ts";
import type { Clock, Directory, Principal } from "../../base/module.ts";
import { Refusal } from "../tickets/provider.ts";
import { checkConferencePassword, hashConferencePassword } from "./passwords.ts";
import type { RoleTokens } from "./role-tokens.ts";
import type { ConferenceRecord, ConferenceStore, GroupCall } from "./store.ts";
import type { ConferenceLimits } from "./types.ts";

/** Wrong passwords per account within PASSWORD_MS: for one conference, and for all. */
export const PASSWORD_TRIES = 5;
export const PASSWORD_TRIES_ALL = 20;
export const PASSWORD_MS = 5 * 60_000;
/** After a million conferences, one in a thousand random numbers is taken. */
const NUMBER_TRIES = 20;

export interface Wish {
  readonly type: 10 | 11 | 12 | 14;
  readonly companyId: string | null;
  readonly name?: string | undefined;
  readonly roomName?: string | undefined;
  readonly password?: string | undefined;
  readonly limits: { readonly [K in keyof ConferenceLimits]?: number | undefined };
  readonly rec?: boolean | undefined;
  readonly recMerge?: boolean | undefined;
  readonly liveCfg?: Record<string, unknown> | undefined;
  readonly vcodes?: readonly VideoCodec[] | undefined;
  readonly call?: GroupCall | undefined;
  /** Calls of the group that are over, as far as the server knows. */
  readonly over?: readonly string[] | undefined;
}

export interface Access {
  /**
   * Creates a conference.
   *
   * @returns null when an open conference of that name exists, or a call of the group besides those that are over
   * @throws Refusal
   */
  create(principal: Principal, wish: Wish): Promise<ConferenceRecord | null>;
  /**
   * Finds a conference that this person may know about.
   *
   * @param companies for which the person acts (../tickets/provider.ts)
   * @throws Refusal
   */
  find(
    principal: Principal,
    companies: readonly string[],
    conferenceId: string,
  ): Promise<ConferenceRecord>;
  /** Whom the lobby shows the conference: everybody in its company, or without one its creator and the creator's colleagues. */
  whoMayFind(conferenceId: string): Promise<readonly string[] | { readonly company: string }>;
  /**
   * Like find, for the open conference of this name.
   *
   * @returns null when there is none
   */
  findByName(
    principal: Principal,
    companyId: string | null,
    roomName: string,
  ): Promise<ConferenceRecord | null>;
  /**
   * Checks the password. The creator needs none, and neither does a person with a role token from an earlier entry.
   *
   * @throws Refusal
   */
  checkPassword(
    principal: Principal,
    conference: ConferenceRecord,
    given: { readonly password?: string | undefined; readonly roleToken?: string | undefined },
  ): Promise<void>;
}

const LIMITS = Object.keys(CONFR_LIMITS) as (keyof ConferenceLimits)[];

/** Whether somebody chose another kind or other limits than the default ones. The server sets those of a group call. */
const hasOptions = ({ type, limits, call }: Wish): boolean =>
  call === undefined &&
  (type !== CONFERENCE_TYPE.communication ||
    LIMITS.some((key) => limits[key] !== undefined && limits[key] !== CONFR_LIMITS[key]));

/** Whether the person may choose kinds and limits in this company, or in one of theirs when the conference has none. */
const mayChoose = ({ grants }: Principal, companyId: string | null): boolean =>
  grants
    .filter(({ supplierId }) => companyId === null || supplierId === companyId)
    .some((grant) => holds(grant, OPTIONS_PERMISSION));

/** Whether the database can store the text within JSON. */
export const isPlain = (text: string): boolean => !/[\p{Surrogate}\0]/u.test(text);

export function createAccess(deps: {
  readonly store: ConferenceStore;
  readonly directory: Pick<Directory, "mayTalk" | "colleagues">;
  readonly roleTokens: RoleTokens;
  readonly clock: Clock;
  /** Where wrong passwords are kept. */
  readonly failures: KeptFailures;
  /** Returns a random meeting number. */
  readonly newNumber: () => string;
  /** Whether this person may enter the group call. */
  readonly mayEnterCall: (conference: ConferenceRecord, userName: string) => Promise<boolean>;
}): Access {
  const { store, directory, roleTokens, clock, failures } = deps;
  const limits = { withinMs: PASSWORD_MS, forgive: false };
  const [pairKind, accountKind] = ["conference", "conference-account"] as const;
  const pair = createThrottle(
    clock,
    { ...limits, failures: PASSWORD_TRIES },
    { failures, kind: pairKind },
  );
  const account = createThrottle(
    clock,
    { ...limits, failures: PASSWORD_TRIES_ALL },
    { failures, kind: accountKind },
  );

  async function tryOnce(
    throttle: Throttle,
    key: string,
    work: () => Promise<boolean>,
    kept: readonly number[] | undefined,
  ): Promise<boolean> {
    try {
      return await throttle.run(key, work, kept);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "auth.locked") throw error;
      const seconds = String(error.details?.["retryAfter"] ?? "");
      throw new Refusal(RESULT.notAllowed, `密码错误次数过多，请 ${seconds} 秒后再试`);
    }
  }

  /** @returns the free number that was used, null when the conference or call exists */
  async function createNumbered(
    create: (number: string) => ReturnType<ConferenceStore["create"]>,
  ): Promise<string | null> {
    for (let tries = 1; ; tries += 1) {
      const number = deps.newNumber();
      const done = await create(number);
      if (done === "made") return number;
      if (done !== "number") return null;
      if (tries === NUMBER_TRIES) throw new Error("no free meeting number was found");
    }
  }

  return {
    async create(principal, wish) {
      // friends without a company may call each other too
      if (principal.supplierIds.length === 0 && wish.call === undefined) {
        throw new Refusal(RESULT.notAllowed, "只有企业成员可以创建会议");
      }
      if (hasOptions(wish) && !mayChoose(principal, wish.companyId)) {
        throw new Refusal(RESULT.notAllowed, "没有设置会议类型和人数上限的权限，请联系管理员");
      }
      const {
        type,
        companyId,
        name = "",
        roomName,
        password = "",
        liveCfg,
        vcodes = [],
        call,
      } = wish;
      const texts = [name, roomName ?? "", liveCfg === undefined ? "" : textsOf(liveCfg)];
      if (!texts.every(isPlain)) throw new Refusal(RESULT.clientFailure, "请求含有无效字符");
      const given = Object.fromEntries(
        LIMITS.flatMap((key) => {
          const value = wish.limits[key];
          return value === undefined ? [] : [[key, value]];
        }),
      );
      const at = clock.now();
      const values = {
        type,
        creator: principal.chatUserName,
        companyId,
        name,
        roomName: roomName ?? null,
        passwordHash: password === "" ? null : await hashConferencePassword(password),
      };
      const id = await createNumbered((number) =>
        store.create({
          ...values,
          id: number,
          limits: given,
          rec: wish.rec ?? false,
          recMerge: wish.recMerge ?? false,
          liveCfg: liveCfg ?? null,
          vcodes,
          call,
          over: wish.over,
          at,
        }),
      );
      if (id === null) return null;
      return {
        ...values,
        id,
        limits: { ...CONFR_LIMITS, ...given },
        vcodes,
        createdAt: at,
        ended: false,
        kept: { roles: {}, cattrs: [], muteAll: false, muted: [] },
        ...(call === undefined ? {} : { groupCall: true, call }),
      };
    },
    async find(principal, companies, conferenceId) {
      const found = isMeetingNumber(conferenceId) ? await store.find(conferenceId) : null;
      if (found === null || !(await mayKnow(principal, companies, found))) {
        throw new Refusal(RESULT.notAllowed, "会议不存在或无权进入");
      }
      if (found.ended) throw new Refusal(RESULT.conferenceGone, "会议已结束");
      return found;
    },
    async whoMayFind(conferenceId) {
      const found = await store.find(conferenceId);
      if (found === null) return [];
      const { companyId: company, creator } = found;
      return company === null ? [creator, ...(await directory.colleagues(creator))] : { company };
    },
    findByName: (principal, companyId, roomName) =>
      isPlain(roomName)
        ? store.findByName(companyId, principal.chatUserName, roomName)
        : Promise.resolve(null),
    async checkPassword(principal, conference, { password = "", roleToken }) {
      const { passwordHash, creator, id } = conference;
      if (passwordHash === null || creator === principal.chatUserName) return;
      const role = roleToken === undefined ? null : roleTokens.verify(roleToken);
      if (role?.confrId === id && role.memName === principal.chatUserName) return;
      // A request without a password only asks whether one is needed, and does not count as an attempt.
      if (password === "") throw new Refusal(CONFR_RESULT.wrongPassword, "需要会议密码");
      const { accountId } = principal;
      const both = `${accountId}\n${id}`;
      const [ofPair, ofAccount] = await failures.times([
        { kind: pairKind, key: both },
        { kind: accountKind, key: accountId },
      ]);
      const check = () => checkConferencePassword(passwordHash, password);
      const good = await tryOnce(
        account,
        accountId,
        () => tryOnce(pair, both, check, ofPair),
        ofAccount,
      );
      if (!good) throw new Refusal(CONFR_RESULT.wrongPassword, "会议密码不正确");
    },
  };

  async function mayKnow(
    { chatUserName }: Principal,
    companies: readonly string[],
    conference: ConferenceRecord,
  ): Promise<boolean> {
    const { companyId, creator } = conference;
    if (conference.call !== undefined) return deps.mayEnterCall(conference, chatUserName);
    if (companyId !== null) return companies.includes(companyId);
    return creator === chatUserName || directory.mayTalk(chatUserName, creator);
  }
}

/** Most nesting levels of a live configuration. */
const DEPTH = 20;

/** All texts of a JSON value, including keys. A value that is nested too deep yields a text that is refused. */
function textsOf(value: unknown, depth = 0): string {
  if (depth > DEPTH) return "\0";
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${textsOf(inner, depth + 1)}`)
    .join(" ");
}
