/** Control of shared screens for the host page, of both sides (docs/conferences.md#control-of-a-screen). */
import { type ControlEnd } from "../../shared/domain/remote-control.ts";
import type { ControlInput } from "../../shared/protocol/remote-control.ts";
import { captureControl, type ControlExecutor } from "../../rtc-main/index.ts";
import { type Face, requireJoined, requireStream } from "./context.ts";
import type { Answer, Stream, StreamRef } from "./contracts.ts";
import type { View } from "./view.ts";

/** All may be left out. */
export interface RemoteControlOptions {
  /** Element that shows the screen. Default: the one that is bound to the stream. */
  readonly videoTag?: HTMLVideoElement;
  /** Takes mouse and keyboard. Default: the element of the screen, which then gets a tabindex. */
  readonly target?: HTMLElement;
  /** The picture is shown mirrored. */
  readonly mirror?: boolean;
  readonly onAccept?: (stream: Stream) => void;
  /** Result -402. */
  readonly onReject?: (stream: Stream) => void;
  /** Result -403. */
  readonly onBusy?: (stream: Stream) => void;
  /** Result -408, or no answer within the control timeout. */
  readonly onRemoteControlTimeout?: (stream: Stream) => void;
  /** Results -405 and -507, and every unknown result. */
  readonly onNotAllowRemoteControl?: (stream: Stream) => void;
  /** The control has ended: it was released or stopped, or something is gone. */
  readonly onDisControlled?: (stream: Stream, why: ControlEnd) => void;
}
export interface RemoteControlApi {
  /**
   * Asks to control a shared screen. Once it is granted, mouse, wheel and keys over the target are sent. Escape twice releases it. Rejects
   * with 'Bad stream', or 'Not allow control. cause by the stream not sub'. A former control ends.
   */
  remoteControl(stream: StreamRef, options?: RemoteControlOptions): Promise<void>;
  /** Releases the screen, or withdraws the request. */
  freeRemoteControl(stream: StreamRef): Promise<void>;
  /** Sends input of the host page to the controlled screen, with x and y from 0 to 10000. Without a control it is dropped. */
  triggerRemoteControl(stream: StreamRef, actions: readonly ControlInput[]): Promise<void>;
  /** Ends the control of the own screen. */
  stopRemoteControl(): Promise<void>;
  /** The host page executes the input of a controller; null: no longer. Without it, only a shared tab of this page can be controlled. */
  setControlExecutor(executor: ControlExecutor | null): void;
}

export function createRemoteControl(face: Face): {
  readonly api: RemoteControlApi;
  changed(before: View, now: View): void;
  dispose(): void;
} {
  const { core, media, warn } = face.deps;
  const { commands } = core;
  let current: { readonly stream: Stream; readonly options: RemoteControlOptions } | null = null;
  let stopCapture: (() => void) | null = null;

  const release = (): void => {
    stopCapture?.();
    stopCapture = null;
  };
  const free = async (): Promise<void> => {
    await commands.releaseControl({});
  };
  function begin({ stream, options }: NonNullable<typeof current>): void {
    release();
    const video = options.videoTag ?? face.tags.tagOf(stream.id);
    if (video !== null) {
      const surface = options.target ?? video;
      if (!surface.hasAttribute("tabindex")) surface.tabIndex = 0;
      stopCapture = captureControl({
        surface,
        video,
        mirror: options.mirror ?? false,
        clock: { after: face.deps.after },
        // Input of a moment that is past is not sent again.
        send: (actions) =>
          void commands.sendControl({ streamId: stream.id, actions }).catch(() => undefined),
        onEscape: () => void free().catch((error: unknown) => warn(`free: ${String(error)}`)),
      });
      surface.focus({ preventScroll: true });
    }
    options.onAccept?.(stream);
  }
  function end(why: ControlEnd): void {
    const was = current;
    current = null;
    const began = stopCapture !== null;
    release();
    if (was === null) return;
    const { stream, options } = was;
    if (why === "rejected") options.onReject?.(stream);
    else if (why === "busy") options.onBusy?.(stream);
    else if (why === "late") options.onRemoteControlTimeout?.(stream);
    else if (why === "notAllowed") options.onNotAllowRemoteControl?.(stream);
    if (began || why === "released" || why === "stopped" || why === "gone") {
      options.onDisControlled?.(stream, why);
    }
  }
  const remoteControl: RemoteControlApi["remoteControl"] = async (ref, options = {}) => {
    requireJoined(face);
    const stream = requireStream(face, ref);
    const next = { stream, options };
    const former = current;
    current = next;
    try {
      await commands.askControl({ streamId: stream.id });
    } catch (error) {
      if (current === next) current = former;
      throw error;
    }
  };

  const { register } = face.tagHandlers;
  register("remoteControl", (streamId, detail) =>
    remoteControl(streamId, (detail ?? {}) as RemoteControlOptions),
  );
  register("freeRemoteControl", free);

  return {
    api: {
      remoteControl,
      async freeRemoteControl(ref) {
        const { of } = face.view().control.own;
        if (of?.streamId === requireStream(face, ref).id) await free();
      },
      async triggerRemoteControl(ref, actions) {
        await commands.sendControl({
          streamId: requireStream(face, ref).id,
          actions: [...actions],
        });
      },
      async stopRemoteControl() {
        await commands.stopControl({});
      },
      setControlExecutor: (executor) => media.controlWith(executor),
    },
    changed(before, now) {
      const { own, ended, screen, freed } = now.control;
      if (ended !== null && ended.id !== before.control.ended?.id) end(ended.why);
      const began = own.state === "controlling" && before.control.own.state !== "controlling";
      if (began && current !== null && own.of?.streamId === current.stream.id) begin(current);
      // The core is gone, and the control with it.
      if (own.state === "idle" && before.control.own.state !== "idle" && current !== null) {
        end("gone");
      }
      const asks = screen.state === "asked" && screen.by !== null;
      if (
        asks &&
        (before.control.screen.state !== "asked" || before.control.screen.id !== screen.id)
      ) {
        const { id, by } = screen;
        const controller = now.members.get(by?.memId ?? "");
        const answer =
          (agree: boolean): Answer =>
          async () => {
            await commands.answerControl({ id, agree });
          };
        if (controller !== undefined) {
          const stream = now.streams.get(by?.streamId ?? "") ?? null;
          face.emitter.emit("onRemoteControl", stream, controller, answer(true), answer(false));
        }
      }
      if (freed !== null && freed.id !== before.control.freed?.id) {
        const { why, counts, memId, streamId } = freed;
        const find = <T>(of: (view: View) => ReadonlyMap<string, T>, id: string): T | null =>
          of(now).get(id) ?? of(before).get(id) ?? null;
        const controller = find(({ members }) => members, memId);
        const stream = find(({ streams }) => streams, streamId);
        face.emitter.emit("onFreeControl", stream, controller, { why, counts });
      }
    },
    dispose: release,
  };
}
