/** Holds a publisher's packets back section by section, by the videoroom's `moderate` request. */
import { type Held, NOT_HELD } from "../contracts.ts";
import type { Connection } from "./connections.ts";

export interface Moderation {
  /** Resolves once Janus has accepted the change; rejects when it has not. */
  hold(c: Connection, held: Held): Promise<void>;
}

export function createModeration(deps: {
  /** Sends a request by the handle that created the rooms. */
  readonly inRoom: (body: Record<string, unknown>) => Promise<void>;
  readonly message: (handle: number, body: Record<string, unknown>) => Promise<unknown>;
}): Moderation {
  /** What was last requested from Janus. */
  const asked = new WeakMap<Connection, Held>();
  /** Requests go out one after another; otherwise an older one could win. */
  const changes = new WeakMap<Connection, Promise<void>>();

  async function change(c: Connection, held: Held, before: Held): Promise<void> {
    const { audio, high, low } = c.plan;
    const sections = [
      ...(held.audio === before.audio ? [] : [{ track: audio, mute: held.audio }]),
      ...(held.video === before.video
        ? []
        : [high, low].map((track) => ({ track, mute: held.video }))),
    ];
    for (const { track, mute } of sections) {
      if (track === null) continue;
      const { mid } = track;
      await deps.inRoom({ request: "moderate", room: c.conferenceId, id: c.id, mid, mute });
    }
    if (before.video && !held.video) {
      await deps.message(c.handle, { request: "configure", keyframe: true });
    }
  }

  return {
    hold(c, held) {
      const before = asked.get(c) ?? NOT_HELD;
      asked.set(c, held);
      const turn = (changes.get(c) ?? Promise.resolve()).then(() => change(c, held, before));
      changes.set(c, turn);
      return turn;
    },
  };
}
