/**
 * What changes the own picture and sound before they are sent (docs/calls.md#effects): the blurred background and the suppressed noise.
 * Each opened device may have an effect in between; the sender keeps its place and only gets another track.
 */
import type { EffectKind } from "../../shared/protocol/effects-worker.ts";
import type { Kind } from "../engine.ts";
import type { Tally } from "../tally.ts";

/** What the person wants. */
export type Effects = Readonly<Record<EffectKind, boolean>>;
/**
 * absent: the browser cannot. off: not wanted, or no device is open. slow: it ended by itself, because the machine does not keep up.
 * failed: it ended by itself for another reason.
 */
export type EffectState = "absent" | "off" | "starting" | "on" | "slow" | "failed";
export interface EffectStates {
  readonly wanted: Effects;
  readonly states: Readonly<Record<EffectKind, EffectState>>;
}

export interface EffectEvents {
  /** The changed track carries its first frame. */
  running(): void;
  slow(): void;
  failed(reason: string): void;
}
export interface RunningEffect {
  readonly track: MediaStreamTrack;
  /** Ends the worker and the changed track, not the source. */
  close(): void;
}
/** What the browser does for an effect. */
export interface EffectsPort {
  can(kind: EffectKind): boolean;
  /** Ends by itself with neither `slow` nor `failed`. */
  start(kind: EffectKind, source: MediaStreamTrack, events: EffectEvents): RunningEffect;
}

/** One opened device and its effect. */
export interface Worn {
  /** What to send: the source, the changed track, or null while an effect that is wanted from the beginning starts. */
  readonly track: MediaStreamTrack | null;
  close(): void;
}
export interface EffectsOfTab {
  read(): EffectStates;
  /** Applies to devices that are open and to those that open later. Forgets that an effect ended by itself. */
  want(effects: Effects): void;
  /** @param changed there is another track to send @returns what is sent for this device */
  wear(source: MediaStreamTrack, changed: () => void): Worn;
}

const OF: Readonly<Record<Kind, EffectKind>> = { video: "background", audio: "noise" };
const EFFECTS: readonly EffectKind[] = ["background", "noise"];

interface Wearer {
  readonly kind: EffectKind;
  /** Starts or ends the effect as it is wanted now. */
  look(): void;
  readonly state: "off" | "starting" | "on";
}

export function createEffects(
  deps: { readonly effects: EffectsPort | null; readonly report: (message: string) => void },
  tally: Tally,
  onChange: () => void,
): EffectsOfTab {
  const port = deps.effects;
  const wearers = new Set<Wearer>();
  let wanted: Effects = { background: false, noise: false };
  const ended: Record<EffectKind, "slow" | "failed" | null> = { background: null, noise: null };
  let last: EffectStates | null = null;

  const stateOf = (kind: EffectKind): EffectState => {
    if (port === null || !port.can(kind)) return "absent";
    const now = [...wearers].filter((one) => one.kind === kind).map(({ state }) => state);
    return (
      ended[kind] ?? (now.includes("starting") ? "starting" : now.includes("on") ? "on" : "off")
    );
  };
  const announceChange = (): void => {
    last = null;
    onChange();
  };
  const endAll = (kind: EffectKind, why: "slow" | "failed"): void => {
    ended[kind] = why;
    wanted = { ...wanted, [kind]: false };
    for (const wearer of wearers) if (wearer.kind === kind) wearer.look();
    announceChange();
  };

  return {
    read() {
      last ??= {
        wanted,
        states: { background: stateOf("background"), noise: stateOf("noise") },
      };
      return last;
    },
    want(next) {
      wanted = { background: next.background, noise: next.noise };
      for (const kind of EFFECTS) if (wanted[kind]) ended[kind] = null;
      for (const wearer of wearers) wearer.look();
      announceChange();
    },
    wear(source, changed) {
      const kind = OF[source.kind as Kind];
      const mayRun = port !== null && port.can(kind);
      let running: RunningEffect | null = null;
      let uncount: (() => void)[] = [];
      let isOn = false;
      /** Nobody may see the background of a person who wants it blurred; a sound with noise is better than none. */
      let isHeld = kind === "background" && mayRun && wanted[kind];

      const end = (): void => {
        running?.close();
        running = null;
        isOn = false;
        for (const run of uncount.splice(0)) run();
      };
      const start = (): void => {
        if (port === null) return;
        const started: RunningEffect = port.start(kind, source, {
          running() {
            if (running !== started) return;
            isOn = true;
            isHeld = false;
            started.track.enabled = source.enabled;
            changed();
            announceChange();
          },
          slow: () => running === started && endAll(kind, "slow"),
          failed(reason) {
            if (running !== started) return;
            deps.report(`${kind} failed: ${reason}`);
            endAll(kind, "failed");
          },
        });
        running = started;
        uncount = [tally.open("workers"), tally.open("tracks")];
      };
      const tryStart = (): void => {
        try {
          start();
        } catch (error) {
          deps.report(`${kind} does not start: ${String(error)}`);
          isHeld = false;
          endAll(kind, "failed");
        }
      };
      const wearer: Wearer = {
        kind,
        get state() {
          return running === null ? "off" : isOn ? "on" : "starting";
        },
        look() {
          if (mayRun && wanted[kind]) {
            if (running === null) tryStart();
            return;
          }
          if (running === null) return;
          isHeld = false;
          isOn = false;
          // First send the source, then end the effect: the sender never has an ended track.
          changed();
          end();
        },
      };
      wearers.add(wearer);
      wearer.look();
      if (running !== null) announceChange();
      return {
        get track() {
          if (running !== null && isOn) return (running as RunningEffect).track;
          return isHeld ? null : source;
        },
        close() {
          wearers.delete(wearer);
          end();
          announceChange();
        },
      };
    },
  };
}
