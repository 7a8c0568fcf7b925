/** What the parts of the library's face share. */
import type {
  ConferenceClientDeps,
  ConferenceEvents,
  Identity,
  Member,
  Stream,
  StreamRef,
} from "./contracts.ts";
import type { Emitter } from "./emitter.ts";
import { refusal } from "./refuse.ts";
import type { Tags } from "./tags.ts";
import type { View } from "./view.ts";

export interface Face {
  readonly deps: ConferenceClientDeps;
  readonly emitter: Emitter<ConferenceEvents>;
  readonly tags: Tags;
  /** The conference as the user was last told of it. */
  view(): View;
  /** Commands are answered on one port, the state comes on another: resolves once it is there as well, or after a while. */
  until(there: (view: View) => boolean): Promise<void>;
  identity: Identity | null;
  /** How the present conference was entered. */
  byTicket: boolean;
  /** Called once when the stream is gone. */
  readonly onGone: Map<string, () => void>;
}

const ADMIN = 7;

/** @throws 'confr is not exist' unless one is inside */
export function requireJoined(face: Face): View {
  const view = face.view();
  if (view.status !== "joined" && view.status !== "reconnecting") throw refusal("noCurrent");
  return view;
}

/** @throws 'the confrId is required at {method}', 'confr is not exist' for any but the present conference */
export function requireConference(face: Face, method: string, confrId: string): View {
  if (confrId === "") throw refusal("required", { field: "confrId", method });
  const view = requireJoined(face);
  if (view.confrId !== confrId) throw refusal("noCurrent");
  return view;
}

/** @throws as requireConfr, and for any who is no admin */
export function requireAdmin(face: Face, method: string, confrId: string): View {
  const view = requireConference(face, method, confrId);
  if (view.self?.role !== ADMIN) throw refusal("notAdmin", { method });
  return view;
}

export const hasAdmin = (view: View): boolean =>
  [...view.members.values()].some(({ role }) => role === ADMIN);

/** @throws 'Bad stream' for what is neither an id nor has one */
export function streamIdOf(ref: StreamRef): string {
  const id: unknown = typeof ref === "string" ? ref : (ref as { id?: unknown } | null)?.id;
  if (typeof id !== "string" || id === "") throw refusal("badStream");
  return id;
}

/** @throws 'Bad stream' for one that is not there */
export function requireStream(face: Face, ref: StreamRef): Stream {
  const found = face.view().streams.get(streamIdOf(ref));
  if (found === undefined) throw refusal("badStream");
  return found;
}

/** Members by id, chat user name or object. @throws for an empty list, and for one who is not there */
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
