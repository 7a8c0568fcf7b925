/** Group calls over REST (docs/calls.md#group-calls): making one, letting people in, and which go on. Tickets are those of conferences. */
import type { Hono } from "hono";
import { AppError } from "../../../shared/errors.ts";
import {
  GROUP_CALL_PEOPLE,
  groupCallInviteCall,
  groupCallOpenCall,
  groupCallPastCall,
  groupCallStartCall,
  type OpenGroupCall,
} from "../../../shared/protocol/rest/group-calls.ts";
import { route } from "../../base/http/route.ts";
import type { HttpEnv, Principal } from "../../base/module.ts";
import { Refusal } from "../tickets/provider.ts";
import type { GroupCallRecords } from "./group-call-records.ts";
import type { GroupCallStore } from "./group-call-store.ts";
import type { ConferenceRestDeps } from "./rest.ts";
import type { ConferenceRecord } from "./store.ts";

/** ms in which the caller of a new call has to enter it. Later an empty call counts as over. */
const ENTER_MS = 60_000;
/** How often a start looks for a call of the group. Each time it was late, somebody else began one. */
const LOOKS = 5;
/** People in a call, and pictures that are on: so many fit on a screen and through the node. */
const LIMITS = { maxTalkerCount: 50, maxVideoCount: 16 } as const;
/** The cloud takes one picture of an account, which is that of the camera. */
const CLOUD_LIMITS = { ...LIMITS, maxPubDesktopCount: 0 } as const;

const refused = (field: string, text: string): AppError =>
  new AppError("request.invalid", { message: text, details: { fields: { [field]: text } } });

/** A call that the person may not know of, or that is over. That the database did not answer is another error. */
function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

export function registerGroupCallRoutes(
  app: Hono<HttpEnv>,
  deps: ConferenceRestDeps & {
    readonly calls: GroupCallStore;
    readonly changed: (conferenceId: string) => void;
    readonly past: GroupCallRecords["past"];
  },
): void {
  const { access, calls, clock, config, conferences, directory } = deps;

  /** Those calls in which somebody is, or that have just begun, with how many are inside. */
  async function going(
    found: readonly ConferenceRecord[],
  ): Promise<{ readonly conference: ConferenceRecord; readonly inside: number }[]> {
    const open = found.filter(({ id }) => !deps.isEnding(id));
    const elsewhere = await deps.membersElsewhere(open.map(({ id }) => id));
    return open
      .map((conference) => ({
        conference,
        inside: conferences.get(conference.id)?.sessions.size ?? elsewhere.get(conference.id) ?? 0,
      }))
      .filter(
        ({ conference, inside }) => inside > 0 || clock.now() - conference.createdAt < ENTER_MS,
      );
  }

  /** @throws AppError when the caller may not ring one of them */
  async function checkPeople(
    { chatUserName }: Principal,
    people: readonly string[],
    members: readonly string[],
  ): Promise<string[]> {
    if (people.includes(chatUserName)) throw refused("people", "不能和自己音视频通话");
    const known = new Set([...members, ...(await directory.colleagues(chatUserName))]);
    for (const name of people) {
      if (!known.has(name) && !(await directory.mayTalk(chatUserName, name))) {
        throw refused("people", "不能与对方通话");
      }
    }
    return [...new Set(people)];
  }
  const limited = ({ accountId }: Principal): void => {
    if (!deps.admit(accountId)) throw new AppError("request.rate-limited");
  };

  route(app, groupCallStartCall, deps, async ({ body, principal }) => {
    limited(principal);
    const { callId, media, groupId } = body;
    const group = groupId === null ? null : await calls.groupOf(groupId, principal.chatUserName);
    if (groupId !== null && group === null) {
      throw new AppError("request.not-found", { message: "群组不存在" });
    }
    if (groupId === null && body.people.length === 0) throw refused("people", "请选择要呼叫的人");
    const people = await checkPeople(principal, body.people, group?.members ?? []);
    let made: ConferenceRecord | null = null;
    for (let looks = 1; made === null && looks <= LOOKS; looks += 1) {
      const open = groupId === null ? [] : await calls.ofGroup(groupId);
      const [present] = await going(open);
      made =
        present?.conference ??
        (await access.create(principal, {
          type: 10,
          companyId: null,
          name: group?.name ?? "",
          limits: config.AGORA_APP_ID === undefined ? LIMITS : CLOUD_LIMITS,
          call: { callId, media, groupId },
          over: open.map(({ id }) => id),
        }));
    }
    if (made?.call === undefined) throw new AppError("server.internal");
    await invite(made.id, people);
    deps.onMade();
    return { confrId: made.id, callId: made.call.callId, media: made.call.media };
  });

  async function invite(conferenceId: string, people: readonly string[]): Promise<void> {
    if ((await calls.countWith(conferenceId, people)) > GROUP_CALL_PEOPLE) {
      throw refused("people", `一次通话最多邀请 ${GROUP_CALL_PEOPLE} 人`);
    }
    await calls.invite(conferenceId, people, clock.now());
    deps.changed(conferenceId);
  }

  route(app, groupCallInviteCall, deps, async ({ params, body, principal }) => {
    limited(principal);
    const conference = await access.find(principal, [], params.confrId).catch(nullIfRefused);
    const gone = conference === null || deps.isEnding(params.confrId);
    // A meeting and somebody else's call get the same answer.
    if (gone || conference.call === undefined) {
      throw new AppError("request.not-found", { message: "通话不存在或已结束" });
    }
    const { groupId } = conference.call;
    const group = groupId === null ? null : await calls.groupOf(groupId, principal.chatUserName);
    const people = await checkPeople(principal, body.people, group?.members ?? []);
    await invite(conference.id, people);
    return null;
  });

  route(app, groupCallOpenCall, deps, async ({ principal }) => {
    const found = await going(await calls.open(principal.chatUserName));
    const shown = found.map(async ({ conference, inside }): Promise<OpenGroupCall[]> => {
      const { id, call, creator, createdAt } = conference;
      if (call === undefined) return [];
      const person = await directory.personByChatName(creator);
      return [
        {
          confrId: id,
          ...call,
          startedBy: creator,
          startedByName: person?.name ?? creator,
          startedAt: createdAt,
          inside,
        },
      ];
    });
    return { calls: (await Promise.all(shown)).flat() };
  });

  route(app, groupCallPastCall, deps, async ({ query, principal }) => {
    if ((await calls.groupOf(query.groupId, principal.chatUserName)) === null) {
      throw new AppError("request.not-found", { message: "群组不存在" });
    }
    const past = await deps.past(query.groupId);
    const names = new Map(
      await Promise.all(
        [...new Set(past.map(({ startedBy }) => startedBy))].map(
          async (name) => [name, (await directory.personByChatName(name))?.name ?? name] as const,
        ),
      ),
    );
    return {
      calls: past.map((call) => ({
        ...call,
        startedByName: names.get(call.startedBy) ?? call.startedBy,
      })),
    };
  });
}
