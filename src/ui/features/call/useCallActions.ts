/** The gestures of a call: one command each, errors told, no second click while one runs. */
import { useCallback, useMemo, useRef, useState } from "react";
import { tellError } from "../../state/tell.ts";
import { useCore } from "../../state/services.ts";

export interface CallActions {
  readonly busy: string | null;
  answer(): void;
  refuse(): void;
  hangup(): void;
  setMuted(muted: boolean): void;
  setVideoOff(off: boolean): void;
  setMinimized(minimized: boolean): void;
  bringHere(): void;
}

export function useCallActions(): CallActions {
  const { call } = useCore().commands;
  const [busy, setBusy] = useState<string | null>(null);
  const running = useRef(new Set<string>());

  const run = useCallback((name: string, command: () => Promise<unknown>): void => {
    if (running.current.has(name)) return;
    running.current.add(name);
    setBusy(name);
    command()
      .catch(tellError)
      .finally(() => {
        running.current.delete(name);
        setBusy((now) => (now === name ? null : now));
      });
  }, []);

  return useMemo(
    () => ({
      busy,
      answer: () => run("answer", () => call.answer({ accept: true })),
      refuse: () => run("refuse", () => call.answer({ accept: false })),
      hangup: () => run("hangup", () => call.hangup({})),
      setMuted: (audioMuted) => run("mute", () => call.setLocal({ audioMuted })),
      setVideoOff: (videoOff) => run("camera", () => call.setLocal({ videoOff })),
      setMinimized: (minimized) => run("minimize", () => call.setMinimized({ minimized })),
      bringHere: () => run("bring", () => call.bringHere({})),
    }),
    [busy, call, run],
  );
}
