/** Commands to the owner tab. They are queued while no owner is ready, and dropped when another tab becomes the owner. */
import type { OwnerCommand } from "../media-owner/contracts.ts";

export interface TabCommands {
  send(command: OwnerCommand): void;
  /**
   * The owner with this epoch is ready: it receives what is queued.
   *
   * @returns false when another owner was ready before; the queue was meant for that one and is dropped
   */
  ownerReady(epoch: number): boolean;
  /** Continues with the owner of an earlier core. */
  resume(epoch: number): void;
  /** The first ready owner counts as another one. */
  awaitNewOwner(): void;
  forget(): void;
}

/** No owner has this epoch. */
const NO_EPOCH = -1;

/** @param toTab returns false when the owner cannot receive the command */
export function createTabCommands(toTab: (command: OwnerCommand) => boolean): TabCommands {
  let owner: number | null = null;
  let queue: OwnerCommand[] = [];

  const send = (command: OwnerCommand): void => {
    if (owner === null || !toTab(command)) queue.push(command);
  };

  return {
    send,
    ownerReady(epoch) {
      const same = owner === null || owner === epoch;
      const commands = same ? queue : [];
      owner = epoch;
      queue = [];
      for (const command of commands) send(command);
      return same;
    },
    resume(epoch) {
      owner = epoch;
      queue = [];
    },
    awaitNewOwner() {
      owner = NO_EPOCH;
    },
    forget() {
      owner = null;
      queue = [];
    },
  };
}
