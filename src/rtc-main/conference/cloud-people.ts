/** What arrives of each person in a channel of the cloud: subscribes what is wanted of what is sent, in the layer that the tiles need. */
import type { Layer } from "../../shared/protocol/confr-model.ts";
import type { MediaDeps } from "../deps.ts";
import type { AgoraChannel } from "../engines/agora-channel.ts";
import type { Kind, LocalTracks } from "../engine.ts";

export const KINDS: readonly Kind[] = ["audio", "video"];
export const NO_TRACKS: LocalTracks = { audio: null, video: null };

interface Person {
  readonly sends: Set<Kind>;
  readonly tracks: Record<Kind, MediaStreamTrack | null>;
  /** When the first frame or packet came, in ms since the epoch. */
  readonly firstAt: Map<Kind, number>;
  /** The picture that was asked of the cloud. */
  layer: "high" | "low";
  /** Subscriptions of a person are changed one after the other. */
  queue: Promise<void>;
}

export interface CloudPeople {
  /** A person sends this kind from now on, also after coming back. */
  sends(uid: number, kind: Kind): void;
  /** @param kind without it the person has left */
  ends(uid: number, kind?: Kind): void;
  /** What is wanted of this person may have changed. */
  follow(uid: number): void;
  tracks(uid: number): LocalTracks;
  /** ms since the epoch; undefined while nothing has come. */
  firstAt(uid: number, kind: Kind): number | undefined;
  close(): void;
}

/** @param wanted says what this tab wants of a person */
export function createCloudPeople(
  deps: Pick<MediaDeps, "clock" | "report">,
  channel: () => Pick<AgoraChannel, "subscribe" | "unsubscribe" | "setLayer">,
  wanted: { kind(uid: number, kind: Kind): boolean; layer(uid: number): Layer },
  on: {
    /** The tracks of a person changed. */
    readonly tracks: (uid: number) => void;
    readonly first: (uid: number, kind: Kind, at: number) => void;
  },
): CloudPeople {
  const people = new Map<number, Person>();
  let closed = false;

  const personOf = (uid: number): Person => {
    const known = people.get(uid);
    if (known !== undefined) return known;
    const made: Person = {
      sends: new Set(),
      tracks: { audio: null, video: null },
      firstAt: new Map(),
      layer: "high",
      queue: Promise.resolve(),
    };
    people.set(uid, made);
    return made;
  };
  const wants = (uid: number, kind: Kind): boolean =>
    !closed &&
    people.get(uid)?.sends.has(kind) === true &&
    wanted.kind(uid, kind) &&
    (kind === "audio" || wanted.layer(uid) !== "none");
  const forget = (person: Person, kind: Kind): void => {
    person.tracks[kind] = null;
    person.firstAt.delete(kind);
  };

  async function receive(person: Person, uid: number, kind: Kind): Promise<void> {
    const want = wants(uid, kind);
    if (want === (person.tracks[kind] !== null)) return;
    if (!want) {
      forget(person, kind);
      on.tracks(uid);
      return channel().unsubscribe(uid, kind);
    }
    const arriving = await channel().subscribe(uid, kind);
    if (arriving === null || people.get(uid) !== person || !wants(uid, kind)) return;
    const { track } = arriving;
    person.tracks[kind] = track;
    arriving.onFirst(() => {
      if (closed || person.firstAt.has(kind) || person.tracks[kind] !== track) return;
      const at = deps.clock.now();
      person.firstAt.set(kind, at);
      on.first(uid, kind, at);
    });
    on.tracks(uid);
  }
  async function chooseLayer(person: Person, uid: number): Promise<void> {
    const layer = wanted.layer(uid);
    if (closed || layer === "none" || layer === person.layer) return;
    if (person.tracks.video === null) return;
    person.layer = layer;
    await channel().setLayer(uid, layer);
  }
  function follow(uid: number): void {
    const person = people.get(uid);
    if (person === undefined) return;
    person.queue = person.queue
      .then(() => receive(person, uid, "audio"))
      .then(() => receive(person, uid, "video"))
      .then(() => chooseLayer(person, uid))
      .catch((error: unknown) => {
        if (!closed) deps.report(`receiving ${uid} failed: ${String(error)}`);
      });
  }

  return {
    sends(uid, kind) {
      const person = personOf(uid);
      person.sends.add(kind);
      // A person who comes back sends other tracks.
      forget(person, kind);
      follow(uid);
    },
    ends(uid, kind) {
      const person = people.get(uid);
      if (person === undefined) return;
      for (const each of kind === undefined ? KINDS : [kind]) {
        person.sends.delete(each);
        forget(person, each);
      }
      if (kind === undefined) people.delete(uid);
      on.tracks(uid);
    },
    follow,
    tracks: (uid) => people.get(uid)?.tracks ?? NO_TRACKS,
    firstAt: (uid, kind) => people.get(uid)?.firstAt.get(kind),
    close() {
      closed = true;
    },
  };
}
