/**
 * The people being rung, as shared with all members of a group call: one conference attribute per person, keyed by the person's chat user
 * name (docs/calls.md#group-calls).
 */
import { z } from "../zod.ts";
import { GROUP_CALL_TIMEOUTS } from "../domain/group-call.ts";
import { GROUP_PERSON_STATES, type GroupPersonState } from "../domain/group-call-person.ts";

export const rungPersonSchema = z.object({
  state: z.enum(GROUP_PERSON_STATES),
  name: z.string().max(128),
  /** Chat user name of the ringing member. */
  by: z.string().max(64),
  /** When the state began, ms since the epoch by the clock of the ringing member. */
  at: z.number().int(),
});
export type RungPerson = z.infer<typeof rungPersonSchema>;

/** ms after which a ring of a side that says nothing any more counts as unanswered: the ring's time, and time for clocks that differ. */
export const RING_FORGOTTEN = GROUP_CALL_TIMEOUTS.ring * 3;

export interface ShownPerson {
  readonly userName: string;
  readonly name: string;
  readonly state: Exclude<GroupPersonState, "none" | "joined" | "left">;
}

/**
 * The rung people who are not inside, in the order in which they were rung.
 *
 * @param attrs of the conference
 * @param inside chat user names
 * @param now ms since the epoch
 */
export function rungPeople(
  attrs: Readonly<Record<string, string>>,
  inside: ReadonlySet<string>,
  now: number,
): ShownPerson[] {
  return Object.entries(attrs).flatMap(([userName, text]): ShownPerson[] => {
    const person = parsePerson(text);
    if (person === null || inside.has(userName)) return [];
    const { state, name, at } = person;
    if (state === "none" || state === "joined" || state === "left") return [];
    const forgotten = (state === "invited" || state === "ringing") && now - at > RING_FORGOTTEN;
    return [{ userName, name, state: forgotten ? "timeout" : state }];
  });
}

export function parsePerson(text: string): RungPerson | null {
  try {
    const parsed = rungPersonSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
