/**
 * Tells those whom a call or a conference concerns that it began, ended, or that people came and left, so that their banners, rings
 * and lobbies are true (docs/calls.md#group-calls, docs/calls.md#to-another-device, docs/conferences.md#lobby). Several changes
 * within a short time are announced once.
 */
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { DataTag } from "../../../shared/protocol/data-tags.ts";
import type { Bus, Clock } from "../../base/module.ts";

/** ms in which changes of one call are gathered, unless the announcement is of another pace. */
export const CALL_NEWS_MS = 250;

export function createCallNews(deps: {
  readonly tag: DataTag;
  readonly bus: Pick<Bus, "publish">;
  readonly clock: Pick<Clock, "setTimeout">;
  /** Whom the call concerns: chat user names, or everybody in a company. */
  readonly people: (
    conferenceId: string,
  ) => Promise<readonly string[] | { readonly company: string }>;
  /** ms in which changes are gathered. */
  readonly gatherMs?: number;
  readonly onError: (error: unknown, what: string) => void;
}): { changed(conferenceId: string): void; stop(): void } {
  const waiting = new Map<string, { cancel(): void }>();
  async function publish(conferenceId: string): Promise<void> {
    try {
      const whom = await deps.people(conferenceId);
      const changes: DataChanges = {
        tags: [deps.tag],
        except: null,
        only: null,
        ...("company" in whom
          ? { supplierId: whom.company }
          : { supplierId: null, people: [...whom] }),
      };
      await deps.bus.publish(DATA_CHANGES, changes);
    } catch (error) {
      deps.onError(error, "call news");
    }
  }
  return {
    changed(conferenceId) {
      if (waiting.has(conferenceId)) return;
      const timer = deps.clock.setTimeout(() => {
        waiting.delete(conferenceId);
        void publish(conferenceId);
      }, deps.gatherMs ?? CALL_NEWS_MS);
      waiting.set(conferenceId, timer);
    },
    stop() {
      for (const timer of waiting.values()) timer.cancel();
      waiting.clear();
    },
  };
}
