/**
 * The media move to another tab without a gap (docs/calls.md#moving): the successor opens its devices and a connection while the owner
 * still carries the media, and becomes the owner once the other side hears it. If that fails, the owner keeps the media.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Clock, MediaPort, Tabs } from "../contracts.ts";
import { createRestartableTimer } from "../restartable-timer.ts";
import type { Opened, OwnerCommand, OwnerDeps, OwnRequest, SuccessorMedia } from "./contracts.ts";
import { createOwnerPort } from "./owner-port.ts";

export interface Succession {
  /** Null while no tab takes over. */
  readonly tabId: string | null;
  /** @param taken called when the tab has become the owner */
  begin(
    tab: { readonly tabId: string; readonly epoch: number; readonly port: MediaPort },
    request: OwnRequest,
    taken: (event: Opened) => void,
  ): void;
  /** The owner is gone: the successor takes its place now. @returns false when there is none that has its devices */
  promote(): boolean;
  /** The owner keeps the media. */
  cancel(): void;
  /** Stops without a message to the tab. */
  stop(): void;
}

export function createSuccession(deps: {
  readonly clock: Pick<Clock, "after">;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly timeoutMillis: { readonly opened: number; readonly carries: number };
  readonly media: NonNullable<OwnerDeps["successor"]>;
  readonly onFailed: (error: AppError) => void;
  /** To the owner, which the successor is by then. */
  readonly toOwner: (command: OwnerCommand) => boolean;
}): Succession {
  const successorPort = createOwnerPort();
  const deadline = createRestartableTimer(deps.clock);
  let running: {
    readonly tabId: string;
    readonly taken: (event: Opened) => void;
    opened: Opened | null;
    media: SuccessorMedia | null;
    stopLeave: () => void;
  } | null = null;

  const forget = (): void => {
    running?.stopLeave();
    running = null;
    deadline.cancel();
    successorPort.detach();
  };
  const cancel = (): void => {
    const media = running?.media;
    successorPort.send({ t: "release" });
    forget();
    media?.dropped();
  };
  const fail = (error: AppError): void => {
    if (running === null) return;
    cancel();
    deps.onFailed(error);
  };
  const promote = (): boolean => {
    if (running === null || running.opened === null || running.media === null) return false;
    const { taken, opened, media } = running;
    forget();
    taken(opened);
    media.promoted();
    return true;
  };

  return {
    get tabId() {
      return running?.tabId ?? null;
    },
    begin({ tabId, epoch, port }, request, taken) {
      const attempt = {
        tabId,
        taken,
        opened: null as Opened | null,
        media: null as SuccessorMedia | null,
        stopLeave: deps.tabs.onLeave((left) => {
          if (left === tabId) cancel();
        }),
      };
      running = attempt;
      const tooLate = (): void => fail(new AppError("media.open-failed"));
      deadline.start(deps.timeoutMillis.opened, tooLate);
      successorPort.attach(port, epoch, {
        owned: () => undefined,
        opened(event) {
          attempt.opened = event;
          if (attempt.media !== null) return;
          deadline.start(deps.timeoutMillis.carries, tooLate);
          attempt.media = deps.media(epoch, {
            send: (command) =>
              running === attempt ? successorPort.send(command) : deps.toOwner(command),
            carries: () => {
              if (running === attempt) promote();
            },
            failed: (error) => {
              if (running === attempt) fail(error);
            },
          });
        },
        failed: fail,
        released: cancel,
        other: (event) => attempt.media?.event(event),
      });
      port.send({ t: "own", epoch, ...request, ahead: true });
    },
    promote,
    cancel,
    stop: forget,
  };
}
