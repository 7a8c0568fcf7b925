/** Conferences of two that the steps begin with. */
import type { Client } from "../client.ts";

type Open = (name: string) => Promise<Client>;

/**
 * lina is the admin, ops a speaker; both publish and receive. Both pictures are waited for: the package throws when a member leaves
 * or the conference ends while it still subscribes.
 */
export async function meeting(open: Open) {
  const lina = await open("lina");
  const ops = await open("ops");
  const confrId = await lina.host();
  await ops.join(confrId);
  await ops.publish();
  await lina.expectMedia("ops");
  await ops.expectMedia("lina");
  return { lina, ops, confrId };
}

/** lina publishes and is received by ops. */
export async function watched(open: Open, config: Record<string, unknown> = {}) {
  const lina = await open("lina");
  const ops = await open("ops");
  const confrId = await lina.act("create", config);
  const streamId = await lina.publish();
  await ops.join(confrId);
  await ops.expectMedia("lina");
  return { lina, ops, confrId, streamId };
}
