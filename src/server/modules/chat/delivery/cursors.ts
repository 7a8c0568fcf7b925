/**
 * How far each device has acknowledged its inboxes (docs/chat.md#gateway). Acknowledgements that arrive while a statement runs go into the
 * next one together. One that is lost with the process makes the device receive its last messages again, and the SDK knows them by their ids.
 */
import type { Logger } from "pino";
import type { Clock } from "../../../base/module.ts";
import type { Acknowledged } from "./inboxes.ts";
import type { InboxPlaces } from "../wire/records.ts";
import type { ChatStore } from "../store.ts";

export interface Cursors {
  /** As the store's, after what the user's devices have acknowledged here is stored. */
  open(userName: string, resource: string): Promise<InboxPlaces>;
  acknowledge(acknowledged: Acknowledged): void;
  /** Resolves when all acknowledgements are stored. */
  drain(): Promise<void>;
}

export function createCursors(deps: {
  readonly store: Pick<ChatStore, "openCursor" | "acknowledge">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}): Cursors {
  const { store, clock } = deps;
  let waiting = new Map<string, Acknowledged>();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()];
      waiting = new Map();
      try {
        await store.acknowledge(batch, clock.now());
      } catch (error) {
        deps.log.error({ err: error }, "acknowledgements of chat messages not stored");
      }
    }
    running = null;
  }
  const drain = async (): Promise<void> => {
    if (running !== null) await running;
  };

  return {
    async open(userName, resource) {
      await drain();
      return await store.openCursor(userName, resource, clock.now());
    },
    acknowledge(acknowledged) {
      const key = `${acknowledged.userName}\n${acknowledged.resource}`;
      const before = waiting.get(key)?.places ?? [];
      waiting.set(key, { ...acknowledged, places: new Map([...before, ...acknowledged.places]) });
      running ??= run();
    },
    drain,
  };
}
