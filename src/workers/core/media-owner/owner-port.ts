/** The media port of the current owner: sends commands with the owner's epoch and sorts the events. */
import { AppError } from "../../../shared/errors.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { MediaPort } from "../contracts.ts";
import type { Opened, OwnerCommand } from "./contracts.ts";

export interface OwnerEvents {
  /** The tab holds the lock. */
  readonly owned: () => void;
  readonly opened: (event: Opened) => void;
  /** The tab could not open the media. */
  readonly failed: (error: AppError) => void;
  /** The tab released the media without a request: its page went into the back/forward cache. */
  readonly released: () => void;
  readonly other: (event: MediaEvent) => void;
}

export interface OwnerPort {
  /** Null when no tab is attached. */
  readonly port: MediaPort | null;
  /** Listens to the tab with this epoch and stops listening to the one before. */
  attach(port: MediaPort, epoch: number, on: OwnerEvents): void;
  detach(): void;
  /** @returns false when no tab is attached */
  send(command: OwnerCommand | { readonly t: "release" | "replay" }): boolean;
}

function pass(event: MediaEvent, on: OwnerEvents): void {
  if (event.t === "owned") on.owned();
  else if (event.t === "opened") on.opened(event);
  else if (event.t === "failed" && event.rtcId === undefined) {
    on.failed(AppError.fromWire(event.error));
  } else if (event.t === "released") on.released();
  else on.other(event);
}

export function createOwnerPort(): OwnerPort {
  let attached: { readonly port: MediaPort; readonly epoch: number } | null = null;
  let stopEvents: (() => void) | null = null;

  const detach = (): void => {
    stopEvents?.();
    stopEvents = null;
    attached = null;
  };

  return {
    get port() {
      return attached?.port ?? null;
    },
    attach(port, epoch, on) {
      detach();
      attached = { port, epoch };
      stopEvents = port.onEvent((event) => {
        if (event.epoch === epoch) pass(event, on);
      });
    },
    detach,
    send(command) {
      if (attached === null) return false;
      attached.port.send({ ...command, epoch: attached.epoch });
      return true;
    },
  };
}
