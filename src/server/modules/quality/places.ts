/**
 * Whether the person of a quality socket may still have the place in the call or conference that the socket is about, as the database
 * says it. The home of a call puts people out (../signalling/end-places.ts), and may be another process.
 */
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Directory } from "../../base/module.ts";
import { createCallStore } from "../calls/store.ts";
import { createGroupCallStore } from "../conferences/group-call-store.ts";
import { createStanding } from "../conferences/standing.ts";
import { createConferenceStore } from "../conferences/store.ts";
import type { QualityClaims } from "../tickets/quality-tickets.ts";

export interface Places {
  /** True also for a call or conference that the database does not know. @throws when the database does not answer */
  mayStay(place: Pick<QualityClaims, "confrId" | "memName" | "sessionId">): Promise<boolean>;
}

export function createPlaces(deps: {
  readonly db: NodePgDatabase;
  readonly directory: Pick<Directory, "mayTalk" | "principalOf">;
}): Places {
  const { db, directory } = deps;
  const calls = createCallStore(db);
  const conferences = createConferenceStore(db);
  const groupCalls = createGroupCallStore(db);
  const standing = createStanding(directory);
  return {
    async mayStay({ confrId, memName, sessionId }) {
      const call = await calls.find(confrId);
      if (call !== null) return directory.mayTalk(call.caller, call.callee);
      const conference = await conferences.find(confrId);
      if (conference === null) return true;
      const isGroupCall = conference.groupCall === true;
      const others = isGroupCall ? await groupCalls.visitors(conference) : [];
      // The database knows visitors of the calls that this platform carries. Those of the cloud it cannot judge.
      if (isGroupCall && others.length === 0) return true;
      return standing.mayStay(conference, { memName, loginSession: sessionId }, others);
    },
  };
}
