/**
 * Tells the backend that this person has entered a group at the provider (docs/chat.md#groups-and-the-backend). What could not be
 * saved is kept with the browser and saved later.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import { AppError } from "../../../../shared/errors.ts";
import { groupIdSchema } from "../../../../shared/protocol/group-model.ts";
import { groupUserAddCall } from "../../../../shared/protocol/rest/im-groups.ts";
import { z } from "../../../../shared/zod.ts";
import type { CoreEnv, Http, Timer } from "../../contracts.ts";

export interface GroupMirror {
  /** @throws AppError chat.group-save-failed; the membership is then saved later */
  save(me: string, groupId: string): Promise<void>;
  /** Saves what was not saved before. `onSaved` follows when something was. */
  mend(me: string): Promise<void>;
  clear(): void;
}

const unsavedSchema = z.array(groupIdSchema).catch([]);
const keyOf = (me: string): string => `chat.groups.unsaved.${me}`;
/** The backend has decided: the person is no member there, or may not be one. */
const isDecided = (error: unknown): boolean =>
  ["request.not-found", "request.conflict", "auth.forbidden", "chat.not-allowed"].includes(
    AppError.from(error).code,
  );

export function createGroupMirror(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "random">;
  readonly http: Pick<Http, "call">;
  readonly onSaved: () => void;
}): GroupMirror {
  const { env } = deps;
  let timer: Timer | null = null;
  let tries = 0;
  let generation = 0;
  /** Changes of the stored list run one after the other. */
  let queue: Promise<unknown> = Promise.resolve();

  const change = (me: string, edit: (ids: Set<string>) => void): Promise<void> => {
    const next = queue.then(async () => {
      const ids = new Set(unsavedSchema.parse(await env.kv.get<unknown>(keyOf(me))));
      edit(ids);
      if (ids.size === 0) await env.kv.del(keyOf(me));
      else await env.kv.set(keyOf(me), [...ids]);
    });
    queue = next.catch(() => undefined);
    return next;
  };
  const add = (me: string, groupId: string): Promise<unknown> =>
    deps.http.call(groupUserAddCall, { body: { userName: me, groupIdStr: groupId } });
  const later = (me: string): void => {
    timer?.cancel();
    tries += 1;
    timer = env.clock.after(reconnectDelay(tries, env.random()), () => void mend(me));
  };

  const mend: GroupMirror["mend"] = async (me) => {
    timer?.cancel();
    timer = null;
    const ownGeneration = generation;
    let failed = false;
    const found = await env.kv.get<unknown>(keyOf(me)).catch(() => {
      failed = true;
    });
    if (failed && ownGeneration === generation) return later(me);
    const ids = unsavedSchema.parse(found);
    for (const groupId of ids) {
      try {
        await add(me, groupId);
      } catch (error) {
        if (ownGeneration !== generation) return;
        if (!isDecided(error)) {
          failed = true;
          continue;
        }
      }
      // What stays in the list is saved once more, without harm.
      await change(me, (unsaved) => unsaved.delete(groupId)).catch(() => undefined);
    }
    if (ownGeneration !== generation || ids.length === 0) return;
    if (failed) return later(me);
    tries = 0;
    deps.onSaved();
  };

  return {
    async save(me, groupId) {
      const ownGeneration = generation;
      // Before the call, so that a core that dies meanwhile leaves it to the next one.
      await change(me, (unsaved) => unsaved.add(groupId)).catch(() => undefined);
      try {
        await add(me, groupId);
      } catch (cause) {
        if (ownGeneration === generation) later(me);
        throw new AppError("chat.group-save-failed", { cause });
      }
      // What stays in the list is saved once more, without harm.
      await change(me, (unsaved) => unsaved.delete(groupId)).catch(() => undefined);
    },
    mend,
    clear() {
      generation += 1;
      timer?.cancel();
      timer = null;
      tries = 0;
    },
  };
}
