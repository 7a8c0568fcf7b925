/** The conference as tabs see it. Applies the server's frames to the slice in the order of their versions. */
import { noConference } from "../../../shared/protocol/initial-state.ts";
import { CAMERA_AT_REST, type CameraState } from "../../../shared/protocol/confr-camera.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import {
  type ConferenceMember,
  type ConferenceStream,
} from "../../../shared/protocol/confr-model.ts";
import {
  type ConferenceAnswer,
  memberOf,
  type ConferenceServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import type { ConferenceSlice, ConferenceStreamView } from "../../../shared/protocol/state.ts";
import type { Store } from "../contracts.ts";

const MESSAGES = 200;
/** A camera that is off is at rest when it is on again. */
const cameraOf = (before: CameraState = CAMERA_AT_REST): CameraState => ({
  torch: before.torch,
  freezeFrame: before.freezeFrame,
  zoom: before.zoom,
});

export type Snapshot = Pick<ConferenceAnswer, "mems" | "streams" | "cver" | "cattrs" | "cstate">;
export interface Changes {
  /** Streams that were published or republished. */
  readonly added: readonly ConferenceStream[];
  readonly removed: readonly ConferenceStream[];
  readonly gone: readonly ConferenceMember[];
}
const NOTHING: Changes = { added: [], removed: [], gone: [] };

export interface Model {
  readonly slice: Readonly<ConferenceSlice>;
  patch(part: Partial<ConferenceSlice>): void;
  /** Adds an own stream that the server has just accepted. The versioned event for it comes before or after this. */
  put(stream: ConferenceStream): void;
  patchStream(id: string, part: Partial<ConferenceStreamView>): void;
  /** Replaces everything. Streams and members that the snapshot lacks are removed. */
  reset(snapshot: Snapshot): Changes;
  /** Applies an event. @returns what changed, or "gap" when a version was missed */
  apply(signal: ConferenceServerSignal): Changes | "gap";
  message(message: ConferenceSlice["messages"][number]): void;
  clear(lastExit: ConferenceSlice["lastExit"]): void;
}

/** @param onChange called after a change of the slice @param unlisted streams that no snapshot has, although they are there */
export function createModel(
  store: Pick<Store, "get" | "set" | "flush">,
  onChange: () => void = () => undefined,
  unlisted: () => readonly ConferenceStream[] = () => [],
): Model {
  const slice = (): Readonly<ConferenceSlice> => store.get("conference");
  const set = (path: [keyof ConferenceSlice, ...string[]], value: unknown): void =>
    store.set(["conference", ...path], value);
  const patch = (part: Partial<ConferenceSlice>): void => {
    for (const [key, value] of Object.entries(part)) {
      set([key as keyof ConferenceSlice], value);
    }
    store.flush();
    onChange();
  };
  /** What is received of a stream. For an own stream: what is sent. */
  const subArgsOf = (
    stream: ConferenceStream,
    before?: ConferenceStreamView,
  ): Pick<ConferenceStreamView, "located" | "video" | "audio"> =>
    stream.memId === slice().self?.memId
      ? {
          located: true,
          video: stream.hasVideo && stream.voff === 0,
          audio: stream.hasAudio && stream.aoff === 0,
        }
      : { located: false, video: before?.video ?? false, audio: before?.audio ?? false };
  const viewOf = (
    stream: ConferenceStream,
    before?: ConferenceStreamView,
  ): ConferenceStreamView => ({
    ...stream,
    ...subArgsOf(stream, before),
    layer: before?.layer ?? "high",
    connection: before?.connection ?? "none",
    ...(before?.rtcId === undefined ? {} : { rtcId: before.rtcId }),
    talking: before?.talking ?? false,
    quality: before?.quality ?? 2,
    ...(stream.voff === 1 ? CAMERA_AT_REST : cameraOf(before)),
  });
  const without = <T>(all: Readonly<Record<string, T>>, key: string): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([id]) => id !== key));

  /** A mute of all holds for everybody again (docs/conferences.md#mute). */
  const bound = ({ members, self }: Readonly<ConferenceSlice>) => {
    const off = ({ free: _free, ...member }: ConferenceMember): ConferenceMember => member;
    const entries = Object.entries(members).map(([id, member]) => [id, off(member)] as const);
    return { members: Object.fromEntries(entries), self: self === null ? null : off(self) };
  };

  return {
    get slice() {
      return slice();
    },
    patch,
    put(stream) {
      const { streams } = slice();
      patch({ streams: { ...streams, [stream.id]: viewOf(stream, streams[stream.id]) } });
    },
    patchStream(id, part) {
      const known = slice().streams[id];
      if (known === undefined) return;
      for (const [key, value] of Object.entries(part)) {
        if (known[key as keyof ConferenceStreamView] !== value) set(["streams", id, key], value);
      }
      store.flush();
    },
    reset({ mems = [], streams: listed = [], cver = 0, cattrs = [], cstate }) {
      const before = slice();
      const streams = [...listed, ...unlisted()];
      const next = Object.fromEntries(
        streams.map((stream) => [stream.id, viewOf(stream, before.streams[stream.id])]),
      );
      const members = Object.fromEntries(mems.map((one) => [one.id, memberOf(one)]));
      const { muteAll, mayUnmute = false } = cstate ?? before;
      const changes: Changes = {
        added: streams,
        removed: Object.values(before.streams).filter(({ id }) => next[id] === undefined),
        gone: Object.values(before.members).filter(({ memId }) => members[memId] === undefined),
      };
      patch({
        members,
        streams: next,
        cver,
        muteAll,
        mayUnmute,
        attrs: Object.fromEntries(cattrs.map(({ key, val }) => [key, val])),
        self: members[before.self?.memId ?? ""] ?? before.self,
        mutedByAdmin: members[before.self?.memId ?? ""]?.muted ?? before.mutedByAdmin,
      });
      return changes;
    },
    apply(signal) {
      const now = slice();
      if ("cver" in signal && signal.cver !== undefined) {
        if (signal.cver <= now.cver) return NOTHING;
        if (signal.cver > now.cver + 1) return "gap";
        set(["cver"], signal.cver);
      }
      switch (signal.op) {
        case OP.memberEntered:
        case OP.memberChanged: {
          const member = memberOf(signal.mem);
          const isSelf = now.self?.memId === member.memId;
          patch({
            members: { ...now.members, [member.memId]: member },
            ...(isSelf ? { self: member } : {}),
            ...(isSelf && member.muted !== undefined ? { mutedByAdmin: member.muted } : {}),
          });
          return NOTHING;
        }
        case OP.memberExited: {
          const gone = now.members[signal.memId];
          patch({ members: without(now.members, signal.memId) });
          return { ...NOTHING, gone: gone === undefined ? [] : [gone] };
        }
        case OP.members:
          patch({ members: Object.fromEntries(signal.mems.map((one) => [one.id, memberOf(one)])) });
          return NOTHING;
        case OP.streamAdded: {
          const { pubS: stream } = signal;
          const view = viewOf(stream, now.streams[stream.id]);
          patch({ streams: { ...now.streams, [stream.id]: view } });
          return { ...NOTHING, added: [stream] };
        }
        case OP.terminate:
        case OP.streamRemoved: {
          const { pubSId = "" } = signal;
          const removed = now.streams[pubSId];
          patch({ streams: without(now.streams, pubSId) });
          return { ...NOTHING, removed: removed === undefined ? [] : [removed] };
        }
        case OP.streamControl: {
          const known = now.streams[signal.streamId];
          if (known === undefined) return NOTHING;
          const { voff, aoff } = signal;
          const next = { ...known, voff, aoff };
          const view = viewOf(next, known);
          patch({ streams: { ...now.streams, [known.id]: view } });
          return NOTHING;
        }
        case OP.attributes: {
          const attrs = { ...now.attrs };
          for (const { key, val, op } of signal.cattrs) {
            if (op === "DEL") delete attrs[key];
            else attrs[key] = val;
          }
          const { muteAll, mayUnmute = false } = signal.cstate;
          const same = muteAll === now.muteAll && mayUnmute === now.mayUnmute;
          patch({ attrs, ...(same ? {} : { muteAll, mayUnmute, ...bound(now) }) });
          return NOTHING;
        }
        case OP.role: {
          if (now.self === null) return NOTHING;
          const self = { ...now.self, role: signal.role };
          patch({ self, members: { ...now.members, [self.memId]: self } });
          return NOTHING;
        }
        default:
          store.flush();
          return NOTHING;
      }
    },
    message(message) {
      patch({ messages: [...slice().messages, message].slice(-MESSAGES) });
    },
    clear(lastExit) {
      // Tabs still read what happened last.
      store.set(["conference"], { ...noConference(lastExit), signals: slice().signals });
      store.flush();
      onChange();
    },
  };
}
