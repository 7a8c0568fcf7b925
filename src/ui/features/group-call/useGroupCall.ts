/** The gestures of a group call. Each runs one command, shows its error, and ignores a second click while it runs. */
import { useCallback, useMemo, useRef, useState } from "react";
import { browserVideoCodecs } from "../../../rtc-main/index.ts";
import { useCore, useServices } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";

export interface GroupCallActions {
  readonly busy: ReadonlySet<string>;
  /** Rejects with the command's error, for a dialog that shows it. */
  start(input: {
    readonly media: "voice" | "video";
    readonly groupId: string | null;
    readonly people: readonly string[];
  }): Promise<void>;
  /** Adds people to the call of two that is on. Rejects with the command's error, for a dialog that shows it. */
  grow(people: readonly string[]): Promise<void>;
  /** Rejects with the command's error, for a dialog that shows it. */
  invite(people: readonly string[]): Promise<void>;
  again(userName: string): void;
  join(confrId: string): void;
  answer(): void;
  refuse(): void;
  leave(): void;
}

export function useGroupCall(): GroupCallActions {
  const { groupCall } = useCore().commands;
  const { media } = useServices();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const running = useRef(new Set<string>());
  const go = useCallback((name: string, work: () => Promise<unknown>): void => {
    if (running.current.has(name)) return;
    running.current.add(name);
    setBusy(new Set(running.current));
    work()
      .catch(showError)
      .finally(() => {
        running.current.delete(name);
        setBusy(new Set(running.current));
      });
  }, []);
  return useMemo(() => {
    /** What the browser receives and sends, so that others use one of these codecs. */
    const entry = () => {
      media.requireConnections();
      const codecs = browserVideoCodecs();
      return codecs === undefined ? {} : { codecs };
    };
    return {
      busy,
      start: async ({ people, ...input }) =>
        void (await groupCall.start({ ...input, people: [...people], ...entry() })),
      grow: async (people) => void (await groupCall.grow({ people: [...people] })),
      invite: async (people) => void (await groupCall.invite({ people: [...people] })),
      again: (userName) => go(`again:${userName}`, () => groupCall.invite({ people: [userName] })),
      join: (confrId) => go("join", async () => groupCall.join({ confrId, ...entry() })),
      answer: () => go("answer", async () => groupCall.answer({ accept: true, ...entry() })),
      refuse: () => go("refuse", () => groupCall.answer({ accept: false })),
      leave: () => go("leave", () => groupCall.leave({})),
    };
  }, [busy, go, groupCall, media]);
}
