/**
 * Each text that the specification's error catalogue has for calls (§8), in its case: in a call of two and in a group call, or the reason why
 * it has none there. Texts that the specification does not show are ours.
 */
import { expect, it } from "vitest";
import { CALL_TEXTS, CANCEL_DONE } from "../../../shared/domain/call-texts.ts";
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import { createGroupWorld } from "../group-calls/group-calls.harness.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";

/** What a person reads when a command is refused. */
const refusal = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "",
    (error: Error) => error.message,
  );
/** @returns the texts that the person reads in all */
type Case = () => Promise<readonly string[]>;

interface Two {
  readonly ann: Person;
  readonly bob: Person;
  readonly w: World;
}
/** @param act returns who reads the text, or the text of a refusal */
const two =
  (act: (all: Two) => Promise<Person | string>): Case =>
  async () => {
    const w = createWorld();
    const [ann, bob] = [w.person("ann"), w.person("bob")];
    try {
      const read = await act({ ann, bob, w });
      await w.run(300);
      return typeof read === "string" ? [read] : read.texts();
    } finally {
      for (const { calls } of [ann, bob]) calls.stop();
    }
  };
const rings = async ({ ann, w }: Two): Promise<void> => {
  await Promise.all([ann.start("bob"), w.run(100)]);
};
const talks = async (all: Two): Promise<void> => {
  await rings(all);
  await all.bob.answer();
  await all.w.run(300);
};
/** The callee's message that never came arrives with other fields. */
const replies =
  (more: Partial<CallMessage>) =>
  async (all: Two): Promise<Person> => {
    const { ann, w } = all;
    w.losing.add("sendRing");
    await rings(all);
    const fields = { fromUser: "bob", toUser: "ann", toUserDevId: "", status: true };
    ann.receive({ ...w.sent[0]!, ...fields, result: "accept", ...more } as CallMessage);
    return ann;
  };
/** The confirmation that never came arrives with other fields. */
const confirms =
  (more: Partial<CallMessage>) =>
  async (all: Two): Promise<Person> => {
    const { bob, w } = all;
    w.losing.add("confirmAnswer");
    await talks(all);
    const confirm = w.sent.find(({ action }) => action === "confirmAnswer")!;
    bob.receive({ ...confirm, ...more } as CallMessage);
    return bob;
  };

type Group = ReturnType<typeof createGroupWorld> & {
  readonly ann: ReturnType<ReturnType<typeof createGroupWorld>["person"]>;
  readonly bob: ReturnType<ReturnType<typeof createGroupWorld>["person"]>;
};
const group =
  (act: (all: Group) => Promise<Group["ann"] | string>): Case =>
  async () => {
    const world = createGroupWorld();
    const [ann, bob] = [world.person("ann"), world.person("bob")];
    try {
      const read = await act({ ...world, ann, bob });
      await world.run(300);
      return typeof read === "string" ? [read] : read.texts;
    } finally {
      for (const { calls } of [ann, bob]) calls.stop();
    }
  };
const groupRings = async ({ ann, run }: Group): Promise<void> => {
  await ann.start(["bob"]);
  await run(300);
};
const groupTalks = async (all: Group): Promise<void> => {
  await groupRings(all);
  await all.bob.answer();
  await all.run(300);
};
/** A copy of the first message of an action arrives with other fields. */
const arrives = (
  { sent, deliver }: Group,
  to: "ann" | "bob",
  action: CallMessage["action"],
  more: Partial<CallMessage>,
): void => {
  const found = sent.find((one) => one.action === action)!;
  deliver(to, { ...found, ...more } as CallMessage);
};
const groupReplies = (more: Partial<CallMessage>) =>
  group(async (all) => {
    all.losing.add("confirmRing").add("sendAnswer");
    await groupRings(all);
    arrives(all, "ann", "confirmRing", { result: "accept", ...more } as Partial<CallMessage>);
    return all.ann;
  });
const groupConfirms = (more: Partial<CallMessage>) =>
  group(async (all) => {
    all.losing.add("confirmAnswer");
    await groupTalks(all);
    arrives(all, "bob", "confirmAnswer", more);
    return all.bob;
  });

const channel = { channel: "9" };
const callId = { callId: "9" };
const NO_CANCEL =
  "nobody cancels a group call; the person leaves it, and the ring of others ends with the call";

const rows: readonly (readonly [text: string, two: Case, group: Case | string])[] = [
  // --- refused, or not sent
  [
    "您当前正在通话中,请结束当前通话后再次发起。",
    two(async (all) => {
      await rings(all);
      return refusal(all.ann.start("eve"));
    }),
    group(async (all) => {
      await groupRings(all);
      return refusal(all.ann.start(["eve"]));
    }),
  ],
  [
    "不能和自己音视频通话",
    two(({ ann }) => refusal(ann.start("ann"))),
    group(({ ann }) => refusal(ann.start(["bob", "ann"]))),
  ],
  [
    "通话请求发送失败，请重试。",
    two(async ({ ann, w }) => {
      w.failing.add("sendRing");
      const asked = refusal(ann.start("bob"));
      await w.run(100);
      return asked;
    }),
    group(async (all) => {
      all.failing.add("sendRing");
      await groupRings(all);
      return all.ann;
    }),
  ],
  [
    "答复音视频通话请求发送失败，请重试。",
    two(async (all) => {
      all.w.failing.add("sendAnswer");
      await talks(all);
      return all.bob;
    }),
    group(async (all) => {
      all.failing.add("sendAnswer");
      await groupTalks(all);
      return all.bob;
    }),
  ],
  [
    "确认音视频通话请求发送失败，请重试。",
    two(async (all) => {
      all.w.failing.add("confirmAnswer");
      await talks(all);
      return all.ann;
    }),
    group(async (all) => {
      all.failing.add("confirmAnswer");
      await groupTalks(all);
      return all.ann;
    }),
  ],
  [
    "取消音视频通话失败",
    two(async (all) => {
      await rings(all);
      all.w.failing.add("cancelCall");
      await all.ann.hangup();
      return all.ann;
    }),
    NO_CANCEL,
  ],
  // --- a mismatch
  [
    CALL_TEXTS.sayRingChannelMismatch.text,
    two(replies({ action: "confirmRing", ...channel })),
    groupReplies(channel),
  ],
  [
    CALL_TEXTS.sayRingCallMismatch.text,
    two(replies({ action: "confirmRing", ...callId })),
    groupReplies(callId),
  ],
  [
    CALL_TEXTS.sayAnswerChannelMismatch.text,
    two(replies({ action: "sendAnswer", ...channel })),
    groupReplies({ action: "sendAnswer", ...channel }),
  ],
  [
    CALL_TEXTS.sayAnswerCallMismatch.text,
    two(replies({ action: "sendAnswer", ...callId })),
    groupReplies({ action: "sendAnswer", ...callId }),
  ],
  [
    CALL_TEXTS.sayAnswerInCall.text,
    two(async (all) => {
      await talks(all);
      const answer = all.w.sent.find(({ action }) => action === "sendAnswer")!;
      all.ann.receive({ ...answer, ...callId });
      return all.ann;
    }),
    group(async (all) => {
      await groupTalks(all);
      arrives(all, "ann", "sendAnswer", callId);
      return all.ann;
    }),
  ],
  [CALL_TEXTS.sayConfirmChannelMismatch.text, two(confirms(channel)), groupConfirms(channel)],
  [CALL_TEXTS.sayConfirmCallMismatch.text, two(confirms(callId)), groupConfirms(callId)],
  [
    CALL_TEXTS.sayConfirmInCall.text,
    two(async (all) => {
      await talks(all);
      const confirm = all.w.sent.find(({ action }) => action === "confirmAnswer")!;
      all.bob.receive({ ...confirm, ...callId });
      return all.bob;
    }),
    group(async (all) => {
      await groupTalks(all);
      arrives(all, "bob", "confirmAnswer", callId);
      return all.bob;
    }),
  ],
  // --- success
  [
    "通话请求已经发送",
    two(async (all) => {
      all.w.losing.add("confirmRing");
      await rings(all);
      return all.ann;
    }),
    group(async (all) => {
      all.losing.add("confirmRing");
      await groupRings(all);
      return all.ann;
    }),
  ],
  [
    "通话请求已经发送成功",
    two(async (all) => {
      await rings(all);
      return all.ann;
    }),
    group(async (all) => {
      await groupRings(all);
      return all.ann;
    }),
  ],
  [
    "取消音视频通话成功",
    two(async (all) => {
      await rings(all);
      await all.ann.hangup();
      return all.ann;
    }),
    NO_CANCEL,
  ],
  // --- nobody answers in time
  [
    "对方没有回应，可能是不在线，请稍后重试。释放房间",
    two(async (all) => {
      await rings(all);
      await all.w.run(30_500);
      return all.ann;
    }),
    group(async (all) => {
      await groupRings(all);
      await all.run(30_500);
      return all.ann;
    }),
  ],
  [
    "长时间未回应对方的音视频通话请求。",
    two(async (all) => {
      all.w.losing.add("cancelCall");
      await rings(all);
      await all.w.run(30_500);
      return all.bob;
    }),
    group(async (all) => {
      await groupRings(all);
      await all.run(30_500);
      return all.bob;
    }),
  ],
  [
    "长时间未收到对方的音视频通话确认信息。",
    two(async (all) => {
      all.w.losing.add("confirmAnswer");
      await talks(all);
      await all.w.run(60_500);
      return all.bob;
    }),
    group(async (all) => {
      all.losing.add("confirmAnswer");
      await groupTalks(all);
      await all.run(60_500);
      return all.bob;
    }),
  ],
];

it.each(rows)("%s in a call of two", async (text, inCallOfTwo) => {
  expect((await inCallOfTwo()).at(-1)).toBe(text);
});
it.each(
  rows.flatMap(([text, , inGroup]) =>
    typeof inGroup === "string" ? [] : [[text, inGroup] as const],
  ),
)("%s in a group call", async (text, inGroup) => {
  expect((await inGroup()).at(-1)).toBe(text);
});

it("Each mismatch, success and timeout text has its row, and only a cancellation has no case in a group call", () => {
  const says =
    /^say(?:Ring|Answer|Confirm)|^say(?:NoResponse|NotAnswered|NoConfirm|BusySelf|Self)$/;
  const named = Object.entries(CALL_TEXTS).flatMap(([key, { text }]) =>
    says.test(key) ? [text] : [],
  );
  expect(rows.map(([text]) => text)).toEqual(expect.arrayContaining(named));
  expect(rows.flatMap(([text, , without]) => (without === NO_CANCEL ? [text] : []))).toEqual([
    "取消音视频通话失败",
    CANCEL_DONE.text,
  ]);
});
