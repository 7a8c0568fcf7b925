/** Two weeks of the demo's calls, their quality, and messages between its people. */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "../../base/database/companies.ts";
import { numbers } from "../../base/database/seed-employees.ts";
import { accounts, employees } from "../../base/database/schema/base.ts";
import { callRecords } from "../../base/database/schema/calls.ts";
import { conferences, groupCallVisits } from "../../base/database/schema/conferences.ts";
import {
  chatInbox,
  chatInboxHead,
  chatMessage,
  chatRead,
} from "../../base/database/schema/chat.ts";
import {
  qualityBatches,
  qualitySamples,
  qualityStreams,
} from "../../base/database/schema/quality.ts";
import { plainMessage } from "../chat/messages/plain-message.ts";
import { measuredRecords, scoresOf } from "./measured.ts";
import { DAY, demoGroupCalls, MINUTE, type Person } from "./group-calls.ts";

const DAYS = 14;
const TALK: readonly (readonly [string, string])[] = [
  ["东区三号楼的消防栓压力偏低，今天能派人看吗？", "已安排维保一组，下午两点到。"],
  ["昨天的巡检记录发我一份。", "好的，稍后发到群里。"],
  ["西区地库照明坏了两盏。", "收到，机电班组正在处理。"],
  ["本周五下午有应急演练，请通知各项目部。", "已通知，名单确认后告诉你。"],
  ["隐患整改单还差两份没有闭环。", "一份已整改，另一份明天复查。"],
  ["新员工的入职材料齐了吗？", "还差安全生产承诺书。"],
  ["值班表更新了，请核对。", "核对无误。"],
];

/** @returns ids of the rows that were made */
export async function addDemoTraffic(
  tx: Transaction,
  options: { readonly companyId: string; readonly now: number; readonly appKey: string },
): Promise<{ calls: string[]; quality: string[]; messages: string[] }> {
  const { companyId, now } = options;
  const people: Person[] = await tx
    .select({ id: accounts.id, userName: accounts.chatUserName, name: employees.name })
    .from(employees)
    .innerJoin(accounts, eq(accounts.id, employees.accountId))
    .where(
      and(
        eq(employees.companyId, companyId),
        isNull(employees.dimissionAt),
        inArray(accounts.username, ["admin", "zhangwei", "lina", "ops"]),
      ),
    )
    .orderBy(employees.id);
  const below = numbers(20_26);
  const measured = numbers(20_27);
  const pair = (): readonly [Person, Person] => {
    const a = below(people.length);
    const b = (a + 1 + below(people.length - 1)) % people.length;
    const [from, to] = [people[a], people[b]];
    if (from === undefined || to === undefined) throw new Error("the demo has no people");
    return [from, to];
  };
  /** A working hour of the day that ends `ago` days before now, and never later than a few minutes ago. */
  const moment = (ago: number): number =>
    Math.min(now - ago * DAY - below(9 * 60) * MINUTE, now - 5 * MINUTE);

  const calls: (typeof callRecords.$inferInsert)[] = [];
  const samples: (typeof qualitySamples.$inferInsert)[] = [];
  const batches: (typeof qualityBatches.$inferInsert)[] = [];
  const streams: (typeof qualityStreams.$inferInsert)[] = [];
  for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
    for (let n = 4 + below(7); n > 0; n -= 1) {
      const [from, to] = pair();
      const start = moment(ago);
      const id = `demo-${ago}-${n}`;
      const answered = below(5) > 0;
      const seconds = answered ? 70 + below(900) : 20;
      const end = start + (seconds + 8) * 1000;
      const common = {
        callId: id,
        channel: id,
        type: CALL_TYPE.single,
        media: n % 2 === 0 ? ("voice" as const) : ("video" as const),
        startedAt: new Date(start),
        answeredAt: answered ? new Date(start + 8000) : null,
        endedAt: new Date(end),
        own: true,
      };
      for (const [owner, peer, direction] of [
        [from, to, "out"],
        [to, from, "in"],
      ] as const) {
        calls.push({
          ...common,
          accountId: owner.id,
          direction,
          peer: peer.userName,
          peerName: peer.name,
          result: answered ? "answered" : direction === "out" ? "no-response" : "missed",
        });
        if (!answered) continue;
        const batch = `${id}-${direction}`;
        batches.push({ accountId: owner.id, batch, receivedAt: new Date(end) });
        const records = measuredRecords(
          { callId: id, owner: owner.userName, peer: peer.userName, answeredAt: start + 8000 },
          measured,
        );
        const receivedAt = new Date(end);
        for (const [seq, record] of records.entries()) {
          const { confrId, memName, kind, time } = record;
          samples.push({
            accountId: owner.id,
            batch,
            seq,
            confrId,
            memName,
            kind,
            time,
            receivedAt,
            record,
          });
        }
        streams.push(
          ...scoresOf(records).map((one) => ({ ...one, accountId: owner.id, receivedAt })),
        );
      }
    }
  }
  const together = demoGroupCalls({ people, companyId, below, moment });
  calls.push(...together.records);
  const messages: (typeof chatMessage.$inferInsert)[] = [];
  let serial = 0;
  const lines: { at: number; from: Person; to: Person; text: string }[] = [];
  for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
    for (let n = 2 + below(3); n > 0; n -= 1) {
      const [from, to] = pair();
      const [asked, said] = TALK[below(TALK.length)] ?? ["", ""];
      const at = moment(ago) - 30 * MINUTE;
      lines.push({ at, from, to, text: asked });
      lines.push({ at: at + (2 + below(20)) * MINUTE, from: to, to: from, text: said });
    }
  }
  // Ids follow the time, since histories are read by them.
  for (const { at, from, to, text } of lines.toSorted((a, b) => a.at - b.at)) {
    serial += 1;
    messages.push(
      plainMessage({
        appKey: options.appKey,
        from: from.userName,
        to: to.userName,
        text,
        at,
        serial,
      }),
    );
  }
  // The newest message of each conversation waits for both, so that a new browser shows the conversations.
  const newest = new Map(messages.map((message) => [message.conversation, message]));
  // All older ones have been read.
  const read = new Map<string, { reader: string; sender: string; upTo: bigint }>();
  for (const { id, sender, recipient, conversation } of messages) {
    if (newest.get(conversation)?.id === id) continue;
    read.set(`${recipient} ${sender}`, { reader: recipient, sender, upTo: id });
  }
  const keys = new Map<string, bigint>();
  const entries = [...newest.values()].flatMap(({ id, sender, recipient }) =>
    [sender, recipient].map((userName) => {
      const key = (keys.get(userName) ?? 0n) + 1n;
      keys.set(userName, key);
      return { userName, key, messageId: id };
    }),
  );
  await tx.insert(conferences).values(together.conferences);
  await tx.insert(groupCallVisits).values(together.visits);
  const madeCalls = await tx.insert(callRecords).values(calls).returning({ id: callRecords.id });
  await tx.insert(qualityBatches).values(batches);
  await tx.insert(qualitySamples).values(samples);
  await tx.insert(qualityStreams).values(streams);
  await tx.insert(chatMessage).values(messages);
  await tx.insert(chatRead).values([...read.values()]);
  await tx
    .insert(chatInboxHead)
    .values([...keys].map(([userName, lastKey]) => ({ userName, lastKey })));
  await tx.insert(chatInbox).values(entries);
  return {
    calls: madeCalls.map(({ id }) => id),
    quality: batches.map(({ batch }) => batch),
    messages: messages.map(({ id }) => String(id)),
  };
}
