/** The gestures of a call. Each runs one command, shows its error, and ignores a second click while it runs. */
import { useCallback, useMemo, useRef, useState } from "react";
import { showError } from "../../state/show-message.ts";
import { useServices } from "../../state/services.ts";

export interface CallActions {
  readonly busy: string | null;
  answer(): void;
  refuse(): void;
  hangup(): void;
  setMuted(muted: boolean): void;
  setVideoOff(off: boolean): void;
  /** Opens devices that failed once more. */
  retryDevices(): void;
  bringHere(): void;
  /** Goes on here with the call of another device. */
  goOn(): void;
}

export function useCallActions(): CallActions {
  const { core, media } = useServices();
  const { call } = core.commands;
  const [busy, setBusy] = useState<string | null>(null);
  const running = useRef(new Set<string>());

  const run = useCallback((name: string, command: () => Promise<unknown>): void => {
    if (running.current.has(name)) return;
    running.current.add(name);
    setBusy(name);
    command()
      .catch(showError)
      .finally(() => {
        running.current.delete(name);
        setBusy((now) => (now === name ? null : now));
      });
  }, []);

  return useMemo(
    () => ({
      busy,
      answer: () =>
        run("answer", async () => {
          media.requireConnections();
          await call.answer({ accept: true });
        }),
      refuse: () => run("refuse", () => call.answer({ accept: false })),
      hangup: () => run("hangup", () => call.hangup({})),
      setMuted: (audioMuted) => run("mute", () => call.setLocal({ audioMuted })),
      setVideoOff: (videoOff) => run("camera", () => call.setLocal({ videoOff })),
      retryDevices: () => run("retry", () => call.setLocal({ publish: true })),
      goOn: () =>
        run("goOn", async () => {
          media.requireConnections();
          await call.goOn({});
        }),
      bringHere: () => run("bring", () => call.bringHere({})),
    }),
    [busy, call, media, run],
  );
}
