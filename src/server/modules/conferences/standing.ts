/**
 * Whether somebody who had a place in a conference still may have it (docs/server.md#end-of-access). Companies and roles end while
 * tickets and sessions last, so it is asked at each entry and whenever access ends.
 */
import type { Directory } from "../../base/module.ts";
import type { ConferenceSpec } from "./types.ts";

export interface Standing {
  /**
   * @param loginSession of the ticket with which the person entered
   * @param others chat user names of the people inside
   */
  mayStay(
    spec: Pick<ConferenceSpec, "companyId" | "creator" | "groupCall">,
    person: { readonly memName: string; readonly loginSession: string },
    others: readonly string[],
  ): Promise<boolean>;
}

export function createStanding(directory: Pick<Directory, "principalOf" | "mayTalk">): Standing {
  return {
    async mayStay({ companyId, creator, groupCall }, { memName, loginSession }, others) {
      if (groupCall === true) {
        // Not everybody in it knows everybody: who was rung came by one of the others.
        const known = [...new Set([creator, ...others])].filter((name) => name !== memName);
        if (known.length === 0) return true;
        const talks = await Promise.all(known.map((name) => directory.mayTalk(memName, name)));
        return talks.includes(true);
      }
      if (companyId === null) return creator === memName || directory.mayTalk(memName, creator);
      const principal = await directory.principalOf(loginSession);
      return principal?.grants.some(({ supplierId }) => supplierId === companyId) === true;
    },
  };
}
