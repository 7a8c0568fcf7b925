/**
 * The ringtone, generated with WebAudio so that nothing must be loaded. Before the first gesture a browser would refuse the sound
 * and log a warning, so the context is created only after it; until then the ring is visible but silent.
 */
const NOTES = [659.25, 783.99, 987.77] as const;
const GAP = 0.16;
const PERIOD_MS = 2400;
const VOLUME = 0.16;

/** Rings until the returned function is called; does nothing when sound is refused. */
export function startRingtone(): () => void {
  let context: AudioContext | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;

  const phrase = (ctx: AudioContext): void => {
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
  };

  const begin = (): void => {
    removeEventListener("pointerdown", begin, true);
    removeEventListener("keydown", begin, true);
    if (context !== null) return;
    try {
      const ctx = new AudioContext();
      context = ctx;
      void ctx.resume().then(
        () => phrase(ctx),
        () => undefined,
      );
      timer = setInterval(() => phrase(ctx), PERIOD_MS);
    } catch {
      // no sound on this machine: the dialog is enough
    }
  };

  if (navigator.userActivation?.hasBeenActive === true) begin();
  else {
    addEventListener("pointerdown", begin, true);
    addEventListener("keydown", begin, true);
  }

  return () => {
    removeEventListener("pointerdown", begin, true);
    removeEventListener("keydown", begin, true);
    clearInterval(timer);
    void context?.close().catch(() => undefined);
    context = null;
  };
}
