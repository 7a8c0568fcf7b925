/** Who may join a channel of the Agora engine (docs/calls.md#agora-engine). */
import { lt } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { agoraChannels } from "../../base/database/schema/calls.ts";
import type { Directory } from "../../base/module.ts";

/** ms after which a channel is forgotten. No call lasts as long. */
const KEPT = 7 * 24 * 3_600_000;

export interface Channels {
  /**
   * The first account that asks founds the channel. Others may join when they may talk with the founder.
   *
   * @param at ms since the epoch
   */
  mayJoin(name: string, chatUserName: string, at: number): Promise<boolean>;
}

export function createChannels(
  db: NodePgDatabase,
  directory: Pick<Directory, "mayTalk">,
): Channels {
  return {
    async mayJoin(name, chatUserName, at) {
      await db.delete(agoraChannels).where(lt(agoraChannels.createdAt, new Date(at - KEPT)));
      const [row] = await db
        .insert(agoraChannels)
        .values({ name, founder: chatUserName, createdAt: new Date(at) })
        // An update that changes nothing returns the row that is there.
        .onConflictDoUpdate({ target: agoraChannels.name, set: { name } })
        .returning({ founder: agoraChannels.founder });
      const founder = row?.founder ?? chatUserName;
      return founder === chatUserName || directory.mayTalk(founder, chatUserName);
    },
  };
}
