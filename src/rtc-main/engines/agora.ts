/**
 * The `agora` engine of a call of two: the Agora cloud carries the media and does its own signalling. The rtcId is the channel. A group call
 * goes by conference/cloud-engine.ts.
 */
import { AppError } from "../../shared/errors.ts";
import type { AgoraAccess } from "../../shared/protocol/media-port.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import { agoraSamples } from "../stats/agora.ts";
import { createAgoraChannel } from "./agora-channel.ts";
import type { Engine, EngineEvents, Kind, LocalTracks } from "../engine.ts";

export function createAgoraEngine(
  deps: Pick<MediaDeps, "loadAgora" | "clock" | "report">,
  options: { readonly access: AgoraAccess; readonly tracks: LocalTracks; readonly tally: Tally },
  events: EngineEvents,
): Engine {
  const rtcId = options.access.channel;
  const firstMedia = new Map<Kind, number>();
  let closed = false;

  const fail = (step: string, cause: unknown): void =>
    events.failed(new AppError("call.connection-failed", { cause, details: { step } }), rtcId);
  const subscribe = async (uid: number, kind: Kind): Promise<void> => {
    const arriving = await channel.subscribe(uid, kind);
    if (arriving === null) return;
    arriving.onFirst(() => {
      if (closed || firstMedia.has(kind)) return;
      const at = deps.clock.now();
      firstMedia.set(kind, at);
      events.firstMedia(rtcId, kind, at);
    });
    events.remoteTrack(rtcId, arriving.track);
  };
  const channel = createAgoraChannel(
    deps,
    { ...options, dual: false },
    {
      state: (state) => events.ice(rtcId, state),
      sends(uid, kind) {
        subscribe(uid, kind).catch((error: unknown) => {
          if (closed) return;
          deps.report(`agora subscribe failed: ${String(error)}`);
          fail("subscribe", error);
        });
      },
      // What comes after this is shown only once its own first media is reported.
      ends(_uid, kind) {
        if (kind === undefined) firstMedia.clear();
        else firstMedia.delete(kind);
        events.remoteGone(rtcId, kind);
      },
      expiring: events.tokenExpiring,
      failed: fail,
    },
  );

  return {
    // The cloud negotiates on its own, so these commands do nothing.
    offer: () => undefined,
    description: () => undefined,
    candidates: () => undefined,
    closeConnection: () => undefined,
    setPicture: () => undefined,
    configure: () => undefined,
    setTracks: channel.setTracks,
    renew: channel.renew,
    sample() {
      const { stats } = channel;
      return Promise.resolve(stats === null ? [] : agoraSamples(rtcId, stats, deps.clock.now()));
    },
    rtcIds: () => (closed ? [] : [rtcId]),
    replay() {
      channel.replay();
      for (const [kind, at] of firstMedia) events.firstMedia(rtcId, kind, at);
    },
    async close() {
      if (closed) return;
      closed = true;
      await channel.close();
      events.remoteGone(rtcId);
    },
  };
}
