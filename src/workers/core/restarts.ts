/** Counts how often a core of this build died while tabs were open. It stores the ids of its tabs; the next core checks which of their locks are still held. */
import { z } from "../../shared/zod.ts";
import { tabLock } from "../../shared/protocol/tab-port.ts";
import type { CoreEnv, Tabs } from "./contracts.ts";

const runSchema = z.object({ restarts: z.number().int(), tabIds: z.array(z.string()) });

/**
 * @param onRestart this start is a restart
 * @returns the count, including this start if it is a restart; afterwards the tabs are stored
 */
export async function countRestarts(
  env: Pick<CoreEnv, "kv" | "locks" | "build">,
  tabs: Pick<Tabs, "list" | "onJoin" | "onLeave">,
  onRestart?: () => void,
): Promise<number> {
  const key = `core.run.${env.build}`;
  const former = runSchema.safeParse(await env.kv.get(key).catch(() => undefined));
  let restarts = former.success ? former.data.restarts : 0;
  if (former.success) {
    const alive = await Promise.all(former.data.tabIds.map((id) => env.locks.held(tabLock(id))));
    if (alive.includes(true)) {
      restarts += 1;
      onRestart?.();
    }
  }
  const note = (): void => {
    void env.kv.set(key, { restarts, tabIds: tabs.list().map((tab) => tab.tabId) }).catch(() => {});
  };
  tabs.onJoin(note);
  tabs.onLeave(note);
  note();
  return restarts;
}
