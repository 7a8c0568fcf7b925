/** State and checks that the parts of the library's API share. */
import type {
  ConferenceClientDeps,
  ConferenceEvents,
  Identity,
  Member,
  Stream,
  StreamRef,
} from "./contracts.ts";
import { CONFERENCE_ROLE } from "../../shared/domain/conference-types.ts";
import type { Emitter } from "./emitter.ts";
import { refusal } from "./refuse.ts";
import type { TagHandlers } from "./tag-handlers.ts";
import type { Tags } from "./tags.ts";
import type { View } from "./view.ts";

export interface Face {
  readonly deps: ConferenceClientDeps;
  readonly emitter: Emitter<ConferenceEvents>;
  readonly tags: Tags;
  /** Parts of the library register here what they do at an event of a bound element. */
  readonly tagHandlers: TagHandlers;
  /** The conference as of the last emitted events. */
  view(): View;
  /** Waits until the state fulfils the condition, at most STATE_MS: answers and state arrive on different ports. */
  until(there: (view: View) => boolean): Promise<void>;
  identity: Identity | null;
  /** Whether the current conference was entered with a ticket. */
  byTicket: boolean;
  /** By stream id, a function to call once when the stream is removed. */
  readonly onGone: Map<string, () => void>;
  /** Kinds that the own camera stream sends of the page's own tracks, from this tab. */
  readonly ownKinds: Set<"audio" | "video">;
}

const isJoined = ({ status }: View): boolean => status === "joined" || status === "reconnecting";

/**
 * @throws a text that asks for the service when no conference was entered, 'current closed' when it has ended, and 'confr is not exist'
 *   while it is being entered
 */
export function requireJoined(face: Face): View {
  const view = face.view();
  if (isJoined(view)) return view;
  if (view.status === "connecting") throw refusal("noCurrent");
  throw refusal(view.status === "idle" && view.lastExit === null ? "noService" : "closed");
}

/** @throws 'the confrId is required at {method}'; 'confr is not exist' for any but the current conference */
export function requireConference(face: Face, method: string, confrId: string): View {
  if (confrId === "") throw refusal("required", { field: "confrId", method });
  const view = face.view();
  if (!isJoined(view) || view.confrId !== confrId) throw refusal("noCurrent");
  return view;
}

/** @throws like requireConference, and when the person is not an admin */
export function requireAdmin(face: Face, method: string, confrId: string): View {
  const view = requireConference(face, method, confrId);
  if (view.self?.role !== CONFERENCE_ROLE.admin) throw refusal("notAdmin", { method });
  return view;
}

export const hasAdmin = (view: View): boolean =>
  [...view.members.values()].some(({ role }) => role === CONFERENCE_ROLE.admin);

/** @throws 'Bad stream' when the reference is not an id and has none */
export function streamIdOf(ref: StreamRef): string {
  const id: unknown = typeof ref === "string" ? ref : (ref as { id?: unknown } | null)?.id;
  if (typeof id !== "string" || id === "") throw refusal("badStream");
  return id;
}

/** @throws 'Bad stream' when the stream does not exist */
export function requireStream(face: Face, ref: StreamRef): Stream {
  const found = face.view().streams.get(streamIdOf(ref));
  if (found === undefined) throw refusal("badStream");
  return found;
}

/** Ids of members given by id, chat user name or object. @throws for an empty list or an unknown member */
export function memIdsOf(
  view: View,
  method: string,
  members: readonly (string | Pick<Member, "id">)[],
): string[] {
  if (!Array.isArray(members) || members.length === 0) throw refusal("noMembers", { method });
  return members.map((one) => {
    const name = typeof one === "string" ? one : one.id;
    if (view.members.has(name)) return name;
    const found = [...view.members.values()].find(({ memName }) => memName === name);
    if (found === undefined) throw refusal("noMember", { memName: name });
    return found.id;
  });
}
