/** The commands of an admin about the live streams of a mixed conference (docs/conferences.md#mixed-types). */
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { ConferenceRest } from "./rest.ts";

/** @param asAdmin id and roleToken of the conference. @throws AppError for anybody but an admin */
export function liveCommands(
  rest: Pick<ConferenceRest, "addLive" | "updateLive" | "deleteLive">,
  asAdmin: () => Promise<[confrId: string, roleToken: string]>,
): Pick<Handlers<"conference">, "addLive" | "updateLive" | "deleteLive"> {
  return {
    async addLive({ liveCfg }) {
      const [confrId, roleToken] = await asAdmin();
      await rest.addLive(confrId, liveCfg, roleToken);
      return null;
    },
    async updateLive({ liveId, regions }) {
      const [confrId, roleToken] = await asAdmin();
      await rest.updateLive(confrId, liveId, regions, roleToken);
      return null;
    },
    async deleteLive({ liveId }) {
      const [confrId, roleToken] = await asAdmin();
      await rest.deleteLive(confrId, liveId, roleToken);
      return null;
    },
  };
}
