/** Fake of the browser's effects. A test says when one runs, is slow or fails. */
import type { EffectKind } from "../../shared/protocol/effects-worker.ts";
import { FakeTrack } from "../media/devices.fake.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import {
  createEffects,
  type EffectEvents,
  type EffectsPort,
  type RunningEffect,
} from "./effects.ts";

export interface FakeEffect extends EffectEvents {
  readonly kind: EffectKind;
  readonly source: MediaStreamTrack;
  readonly track: FakeTrack;
  closed: boolean;
}

export class FakeEffects implements EffectsPort {
  readonly started: FakeEffect[] = [];
  readonly cannot = new Set<EffectKind>();
  /** Whether `start` throws. */
  broken = false;
  can(kind: EffectKind): boolean {
    return !this.cannot.has(kind);
  }
  start(kind: EffectKind, source: MediaStreamTrack, events: EffectEvents): RunningEffect {
    if (this.broken) throw new Error("no worker");
    const track = new FakeTrack(source.kind === "video" ? "video" : "audio", `changed ${kind}`);
    const made: FakeEffect = { ...events, kind, source, track, closed: false };
    this.started.push(made);
    return {
      track: track as unknown as MediaStreamTrack,
      close() {
        made.closed = true;
        track.stop();
      },
    };
  }
}

/** The dependencies of own devices, with all effects off. */
export const withEffects = (deps: MediaDeps, tally: Tally) => ({
  ...deps,
  effectsOfTab: createEffects(deps, tally, () => undefined),
});
