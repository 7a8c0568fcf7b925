/**
 * A group call of three people as the state tables have it (src/shared/domain/group-call.ts, group-call-person.ts), and what each tab must show of
 * it. A step of a test is a list of events; what follows is not written down a second time.
 */
import type { Page } from "@playwright/test";
import {
  type GroupCallEvent,
  type GroupCallState,
  groupCallStep,
} from "../../src/shared/domain/group-call.ts";
import {
  type GroupPersonEvent,
  type GroupPersonState,
  groupPersonStep,
} from "../../src/shared/domain/group-call-person.ts";
import type { CallMessage } from "../../src/shared/protocol/call-message.ts";

export const CALLING = ["zhangwei", "lina", "admin"] as const;
export type Caller = (typeof CALLING)[number];

export interface GroupCallModel {
  /** Each person's own side. */
  readonly status: Readonly<Record<Caller, GroupCallState>>;
  /** What became of those who were rung. */
  readonly rung: Readonly<Partial<Record<Caller, GroupPersonState>>>;
  /** Those who were let in, and so may join. */
  readonly admitted: readonly Caller[];
}
export const NO_CALL: GroupCallModel = {
  status: { zhangwei: "idle", lina: "idle", admin: "idle" },
  rung: {},
  admitted: [],
};

export type GroupCallAct =
  | { readonly act: "start" | "invite"; readonly by: Caller; readonly people: readonly Caller[] }
  | {
      readonly act: "answer" | "refuse" | "timeout" | "leave" | "join" | "lose the owner tab";
      readonly by: Caller;
    };

const call = { channel: "1", callId: "c" };
const message = { ...call, type: 2, media: "video", fromUserDevId: "f", toUserDevId: "t", ts: 1 };
const between = { fromUser: "from", toUser: "to" };
const sent = <A extends CallMessage["action"]>(
  action: A,
  more: object = {},
): Extract<CallMessage, { action: A }> =>
  ({ ...message, ...between, ...more, action }) as unknown as Extract<CallMessage, { action: A }>;

const tabId = "tab";
/** The events of this person's side, one after the other. */
const OWN: Readonly<Record<GroupCallAct["act"], readonly GroupCallEvent[]>> = {
  start: [{ type: "start", media: "video", groupId: null, people: [], tabId }, { type: "entered" }],
  invite: [{ type: "invite", people: [] }],
  answer: [{ type: "accept", tabId }, { type: "entered" }],
  refuse: [{ type: "refuse" }],
  timeout: [{ type: "timeout" }],
  leave: [{ type: "leave" }],
  join: [{ type: "join", ...call, media: "video", groupId: null, tabId }, { type: "entered" }],
  "lose the owner tab": [],
};
/** The events that the side that rang the person gets of it. */
const OF_PERSON: Readonly<Record<GroupCallAct["act"], readonly GroupPersonEvent[]>> = {
  start: [],
  invite: [],
  answer: [{ type: "rxAnswer", message: sent("sendAnswer", { result: "accept" }) }],
  refuse: [{ type: "rxAnswer", message: sent("sendAnswer", { result: "refuse" }) }],
  timeout: [{ type: "timeout" }],
  leave: [{ type: "gone" }],
  join: [{ type: "entered" }],
  "lose the owner tab": [],
};
const RUNG: readonly GroupPersonEvent[] = [
  { type: "invite" },
  { type: "ringSent" },
  { type: "rxConfirmRing", message: sent("confirmRing", { status: true }) },
];

/** Whether at least one person is in the call. */
const goesOn = ({ status }: GroupCallModel): boolean =>
  CALLING.some((name) => status[name] === "inCall");

/** The model after a step. */
export function afterAct(before: GroupCallModel, step: GroupCallAct): GroupCallModel {
  const status = { ...before.status };
  const rung = { ...before.rung };
  const own = (name: Caller, events: readonly GroupCallEvent[]): void => {
    for (const event of events) {
      const context = {
        me: name,
        device: "t",
        call: status[name] === "idle" ? null : call,
        busy: false,
        quiet: false,
        awaitsConfirm: false,
      };
      status[name] = groupCallStep(status[name], context, event).to;
    }
  };
  const person = (name: Caller, events: readonly GroupPersonEvent[]): void => {
    for (const event of events) {
      rung[name] = groupPersonStep(rung[name] ?? "none", { call, lastHope: true }, event).to;
    }
  };
  own(step.by, OWN[step.act]);
  if (rung[step.by] !== undefined) person(step.by, OF_PERSON[step.act]);
  const people = "people" in step ? step.people : [];
  for (const name of people) {
    person(name, RUNG);
    own(name, [{ type: "rxRing", message: sent("sendRing") }]);
  }
  const admitted = [...new Set([...before.admitted, step.by, ...people])];
  const after = { status, rung, admitted };
  return goesOn(after) ? after : NO_CALL;
}

/** What a tab shows. */
export interface GroupCallView {
  readonly status: GroupCallState;
  readonly inside: readonly string[];
  readonly rung: Readonly<Record<string, string>>;
  /** The ring, the large window, or the pill of a call that another tab carries. */
  readonly shows: "ring" | "window" | "pill" | "nothing";
  /** The banner by which the person joins. */
  readonly banner: boolean;
}

const SHOWN_STATES: readonly GroupPersonState[] = ["none", "joined", "left"];
/** @param owns whether the tab carries the media of its person */
export function expectedCall(model: GroupCallModel, name: Caller, owns: boolean): GroupCallView {
  const status = model.status[name];
  const isInside = status === "inCall";
  const inside = CALLING.filter((one) => model.status[one] === "inCall").toSorted();
  const rung = Object.entries(model.rung).filter(
    ([one, state]) => !SHOWN_STATES.includes(state) && model.status[one as Caller] !== "inCall",
  );
  return {
    status,
    inside: isInside ? inside : [],
    rung: isInside ? Object.fromEntries(rung.toSorted()) : {},
    shows: status === "ringing" ? "ring" : !isInside ? "nothing" : owns ? "window" : "pill",
    banner: status === "idle" && goesOn(model) && model.admitted.includes(name),
  };
}

/** Reads a tab. */
export const viewOfCall = (
  page: Page,
): Promise<GroupCallView & { readonly owns: boolean; readonly callId: string | null }> =>
  page.evaluate(() => {
    const { groupCall, conference } = globalThis.consoleCore.state;
    const isInside = groupCall.status === "inCall";
    const inside = Object.values(conference.members)
      .map(({ memName }) => memName)
      .sort();
    const rung = Object.entries(conference.attrs).flatMap(([key, text]) => {
      const { state } = JSON.parse(text) as { state: string };
      return ["none", "joined", "left"].includes(state) || inside.includes(key)
        ? []
        : [[key, state] as const];
    });
    const has = (selector: string): boolean => document.querySelector(selector) !== null;
    return {
      status: groupCall.status,
      inside: isInside ? inside : [],
      rung: isInside ? Object.fromEntries(rung.sort()) : {},
      shows: has('.ring[role="alertdialog"]')
        ? "ring"
        : has(".gcall")
          ? "window"
          : has(".pill .gcall-pill-kind")
            ? "pill"
            : "nothing",
      banner: has(".gcall-banner"),
      owns: conference.owner?.tabId === globalThis.consoleCore.tabId,
      callId: groupCall.info?.callId ?? null,
    };
  });
