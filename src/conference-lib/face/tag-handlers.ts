/**
 * What a bound element does at an event that the page dispatches on it (docs/conferences.md#library). Each part of the library registers
 * the handlers of its events; an event without a handler logs a warning.
 */
import { TAG_EVENTS, type TagEvent } from "./tags.ts";

/** @param detail of the event, whatever the page gave */
export type TagHandler = (streamId: string, detail: unknown) => Promise<unknown>;

export interface TagHandlers {
  /** @throws Error when the event has a handler */
  register(event: TagEvent, handler: TagHandler): void;
  /** Handles an event that was dispatched on a bound element. A failure is logged. */
  answer(event: TagEvent, streamId: string, detail: unknown): void;
}

export function createTagHandlers(warn: (message: string) => void): TagHandlers {
  const handlers = new Map<TagEvent, TagHandler>();
  return {
    register(event, handler) {
      if (!TAG_EVENTS.includes(event)) throw new Error(`${event} is no event of elements`);
      if (handlers.has(event)) throw new Error(`${event} has a handler`);
      handlers.set(event, handler);
    },
    answer(event, streamId, detail) {
      const handler = handlers.get(event);
      if (handler === undefined) return warn(`${event}: nothing answers this event`);
      const failed = (error: unknown): void => warn(`${event}: ${String(error)}`);
      try {
        handler(streamId, detail).catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  };
}
