/** The demo's group calls, as the server records real ones (docs/calls.md#records). */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import type { callRecords } from "../../base/database/schema/calls.ts";
import type { conferences, groupCallVisits } from "../../base/database/schema/conferences.ts";

export const DAY = 86_400_000;
export const MINUTE = 60_000;
/** Group calls, one every third day. */
const CALLS = 5;

export interface Person {
  readonly id: string;
  readonly userName: string;
  readonly name: string;
}

/** @param options.moment a time on the day that ends so many days before now, ms since the epoch */
export function demoGroupCalls(options: {
  readonly people: readonly Person[];
  readonly companyId: string;
  readonly below: (limit: number) => number;
  readonly moment: (daysAgo: number) => number;
}): {
  readonly records: (typeof callRecords.$inferInsert)[];
  readonly conferences: (typeof conferences.$inferInsert)[];
  readonly visits: (typeof groupCallVisits.$inferInsert)[];
} {
  const { people, below } = options;
  const found: ReturnType<typeof demoGroupCalls> = { records: [], conferences: [], visits: [] };
  for (let n = 0; n < CALLS; n += 1) {
    const id = `demo-group-${n}`;
    const start = options.moment(n * 3) - 20 * MINUTE;
    const end = start + (4 + below(12)) * MINUTE;
    const media = n % 2 === 0 ? ("video" as const) : ("voice" as const);
    const first = below(people.length);
    // The last one is called and does not answer.
    const asked = people.map((_, i) => people[(first + i) % people.length]).filter((p) => !!p);
    const [caller] = asked;
    if (caller === undefined) continue;
    const inside = asked.slice(0, Math.max(2, asked.length - 1));
    const names = asked
      .slice(1)
      .map(({ name }) => name)
      .join("、");
    found.conferences.push({
      id,
      type: 10,
      caller: caller.userName,
      companyId: options.companyId,
      callId: id,
      callMedia: media,
      callRecorded: true,
      createdAt: new Date(start),
      activeAt: new Date(end),
      endedAt: new Date(end),
    });
    asked.forEach((person, i) => {
      const entered = start + i * 6000;
      const answered = inside.includes(person);
      const left = answered ? end - i * 1000 : start + 60_000;
      if (answered) {
        found.visits.push({
          conferenceId: id,
          userName: person.userName,
          enteredAt: new Date(entered),
          leftAt: new Date(left),
        });
      }
      found.records.push({
        accountId: person.id,
        callId: id,
        channel: id,
        type: CALL_TYPE.group,
        media,
        direction: person === caller ? "out" : "in",
        peer: caller.userName,
        peerName:
          person === caller
            ? names
            : [caller, ...asked.filter((other) => other !== caller && other !== person)]
                .map(({ name }) => name)
                .join("、"),
        result: answered ? "answered" : "missed",
        startedAt: new Date(start),
        answeredAt: answered ? new Date(entered) : null,
        endedAt: new Date(left),
        own: true,
      });
    });
  }
  return found;
}
