/**
 * The ringtone, generated with WebAudio so that nothing must be loaded, on the device that the person chose, and the vibration of a
 * phone. Before the first gesture a browser would refuse both and log a warning, so they begin with it; until then the ring is visible
 * but silent.
 */
import { keptRingDevice } from "../../state/ring-device.ts";

const NOTES = [659.25, 783.99, 987.77] as const;
const GAP = 0.16;
const PERIOD_MS = 2400;
const VOLUME = 0.16;
/** ms of vibration and rest, within one period. */
const VIBRATION = [400, 200, 400] as const;

/** An AudioContext whose output can be chosen; the types of the platform lag behind. */
export type RingContext = AudioContext & { setSinkId?(deviceId: string): Promise<void> };

/** What a ring uses of the browser. */
export interface RingWorld {
  /** @throws when this machine has no sound */
  openSound(): RingContext;
  /** Device of the ringtone; "" is the browser's own choice. */
  device(): string;
  /** null: this device does not vibrate. */
  readonly vibrate: ((pattern: number | number[]) => unknown) | null;
  /** Runs once the person has touched the page, at once if that has been. @returns a function that ends the wait */
  onceTouched(run: () => void): () => void;
  every(ms: number, run: () => void): () => void;
}

const browserWorld = (): RingWorld => ({
  openSound: () => new AudioContext(),
  device: keptRingDevice,
  vibrate: "vibrate" in navigator ? (pattern) => navigator.vibrate(pattern) : null,
  onceTouched(run) {
    if (navigator.userActivation?.hasBeenActive === true) {
      run();
      return () => undefined;
    }
    const end = (): void => {
      removeEventListener("pointerdown", touched, true);
      removeEventListener("keydown", touched, true);
    };
    const touched = (): void => {
      end();
      run();
    };
    addEventListener("pointerdown", touched, true);
    addEventListener("keydown", touched, true);
    return end;
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
});

function phrase(ctx: RingContext): void {
  if (ctx.state !== "running") return;
  for (const [index, frequency] of [...NOTES, ...NOTES].entries()) {
    const at = ctx.currentTime + index * GAP + (index >= NOTES.length ? 0.3 : 0);
    const tone = ctx.createOscillator();
    const gain = ctx.createGain();
    tone.type = "sine";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(VOLUME, at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(gain).connect(ctx.destination);
    tone.start(at);
    tone.stop(at + 0.55);
  }
}

/** Puts the ringtone on the chosen device; one that is gone leaves it on the usual one. */
async function begin(ctx: RingContext, device: string): Promise<void> {
  if (device !== "") await ctx.setSinkId?.(device).catch(() => undefined);
  await ctx.resume();
}

/** Rings until the returned function is called; does nothing where sound and vibration are refused. */
export function startRingtone(world: RingWorld = browserWorld()): () => void {
  let context: RingContext | null = null;
  const ends: (() => void)[] = [];
  ends.push(
    world.onceTouched(() => {
      try {
        const ctx = world.openSound();
        context = ctx;
        void begin(ctx, world.device()).then(
          () => phrase(ctx),
          () => undefined,
        );
      } catch {
        // no sound on this machine: the dialog is enough
      }
      const shake = (): unknown => world.vibrate?.([...VIBRATION]);
      shake();
      ends.push(
        world.every(PERIOD_MS, () => {
          if (context !== null) phrase(context);
          shake();
        }),
        () => void world.vibrate?.(0),
      );
    }),
  );
  return () => {
    for (const end of ends.splice(0)) end();
    void context?.close().catch(() => undefined);
    context = null;
  };
}

/** Plays the ringtone once, so that the person hears on which device it comes. */
export function tryRingtone(device: string): void {
  const stop = startRingtone({ ...browserWorld(), device: () => device, vibrate: null });
  setTimeout(stop, PERIOD_MS - 100);
}
