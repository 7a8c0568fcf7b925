/** The gestures of a conference. Each runs one command, shows its error, and ignores a second click while it runs. */
import { useCallback, useMemo, useRef, useState } from "react";
import { browserVideoCodecs } from "../../../rtc-main/index.ts";
import { isMixed, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import type { CommandInput } from "../../../shared/protocol/core-rpc.ts";
import { useAppearance, useCore, useServices, useSlice } from "../../state/services.ts";
import { showError, showErrorWithRetry } from "../../state/show-message.ts";

type Role = 7 | 3 | 1;

export interface ConferenceActions {
  readonly busy: ReadonlySet<string>;
  create(input: CommandInput<"conference", "create">): Promise<boolean>;
  join(input: CommandInput<"conference", "join">): Promise<boolean>;
  exit(close: boolean): void;
  setMuted(audioMuted: boolean): void;
  setVideoOff(videoOff: boolean): void;
  /** Tries again to open devices that failed to open. */
  retryDevices(): void;
  share(): void;
  unshare(streamId: string): void;
  bringHere(): void;
  request(kind: "talker" | "admin"): void;
  answer(id: string, agree: boolean): void;
  /** Raises or lowers the own hand. */
  hand(up: boolean): void;
  /** Lowers the hands of these members (admin). */
  lowerHands(memIds: string[]): void;
  /** @param mayUnmute whether the members may unmute themselves */
  muteAll(on: boolean, mayUnmute?: boolean): void;
  muteMember(memId: string, on: boolean): void;
  setRole(memId: string, from: Role, to: Role): void;
  kick(memId: string): void;
  say(text: string): Promise<boolean>;
  invite(userNames: string[]): Promise<boolean>;
}

/** Codecs that this browser can receive and send, so that others use one of them. */
const browserCodecs = (): Pick<CommandInput<"conference", "join">, "codecs"> => {
  const codecs = browserVideoCodecs();
  return codecs === undefined ? {} : { codecs };
};

export function useConference(): ConferenceActions {
  const { conference } = useCore().commands;
  const { media } = useServices();
  const mixed = isMixed(useSlice("conference").info?.type);
  const [{ cameraControl }] = useAppearance();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const running = useRef(new Set<string>());

  const run = useCallback(async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
    if (running.current.has(name)) return false;
    running.current.add(name);
    setBusy(new Set(running.current));
    try {
      await work();
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      running.current.delete(name);
      setBusy(new Set(running.current));
    }
  }, []);

  return useMemo(() => {
    const go = (name: string, work: () => Promise<unknown>): void => void run(name, work);
    const share = (): void =>
      go("share", async () => {
        let granted: boolean;
        try {
          // must come first, because the browser shows its picker only during the click
          granted = await media.captureScreen({ audio: !mixed });
        } catch (error) {
          return showErrorWithRetry(error, share);
        }
        if (!granted) return;
        try {
          await conference.publish({ type: STREAM_TYPE.screen });
        } catch (error) {
          media.stopScreen();
          throw error;
        }
      });
    return {
      busy,
      create: (input) =>
        run("create", async () => {
          media.requireConnections();
          await conference.create({ ...input, cameraControl, ...browserCodecs() });
        }),
      join: (input) =>
        run("join", async () => {
          media.requireConnections();
          await conference.join({ ...input, cameraControl, ...browserCodecs() });
        }),
      exit: (close) => go("exit", () => conference.exit({ close })),
      setMuted: (audioMuted) =>
        go("mute", () =>
          conference.setLocal(audioMuted ? { audioMuted } : { audioMuted, publish: true }),
        ),
      setVideoOff: (videoOff) =>
        go("camera", () =>
          conference.setLocal(videoOff ? { videoOff } : { videoOff, publish: true }),
        ),
      retryDevices: () => go("retry", () => conference.setLocal({ publish: true })),
      share,
      unshare: (streamId) => go("share", () => conference.unpublish({ streamId })),
      bringHere: () => go("bring", () => conference.bringHere({})),
      request: (kind) => go("request", () => conference.request({ kind })),
      answer: (id, agree) => go(`answer:${id}`, () => conference.answerRequest({ id, agree })),
      hand: (up) => go("hand", () => conference.hand({ up })),
      lowerHands: (memIds) => go("hands", () => conference.hand({ up: false, memIds })),
      muteAll: (on, mayUnmute = false) =>
        go("mute-all", () => conference.muteAll({ on, mayUnmute })),
      muteMember: (memId, on) => go(`mute:${memId}`, () => conference.muteMember({ memId, on })),
      setRole: (memId, from, to) =>
        go(`role:${memId}`, () =>
          to < from
            ? conference.degradeRole({ memIds: [memId], role: to })
            : conference.grantRole({ memIds: [memId], role: to }),
        ),
      kick: (memId) => go(`kick:${memId}`, () => conference.kick({ memIds: [memId] })),
      say: (text) => run("say", () => conference.sendMessage({ text })),
      invite: (userNames) => run("invite", () => conference.invite({ userNames })),
    };
  }, [busy, cameraControl, conference, media, mixed, run]);
}
