/** The channel of the Agora cloud that carries the media of a group call (docs/calls.md#agora-engine): with what the owner tab joins it. */
import type { AgoraAccess } from "../../../shared/protocol/media-port.ts";
import { createTickets } from "../calls/tickets.ts";
import { createTokenRenewal } from "../calls/token-renewal.ts";
import type { CoreEnv, Http, Store } from "../contracts.ts";
import type { OwnerCommand, OwnRequest } from "../media-owner/contracts.ts";
import type { ConferenceRecord } from "./kept.ts";

export interface Cloud {
  /**
   * Requests a token if the cloud carries this conference. Rejects with AppError.
   *
   * @returns null when the media node carries it
   */
  admit(me: string, confrId: string): Promise<AgoraAccess> | null;
  /** The engine of the owner tab. */
  engine(): OwnRequest["engine"];
  /** The token of the owner tab ends soon. @param send passes the next one on */
  expiring(send: (command: OwnerCommand) => void): void;
}

export function createCloud(deps: {
  readonly env: Pick<CoreEnv, "clock" | "config" | "device" | "build" | "log" | "newId">;
  readonly http: Pick<Http, "provider">;
  readonly store: Pick<Store, "get">;
  readonly record: ConferenceRecord;
}): Cloud {
  const { env, store, record } = deps;
  const { engine, agora } = env.config;
  const tickets = createTickets(deps);
  const renewal = createTokenRenewal({ env, tickets });
  return {
    admit(me, confrId) {
      // A host page of the library has no group calls.
      if (engine !== "agora" || agora === null) return null;
      const { status, info } = store.get("groupCall");
      if (status === "idle" || info?.channel !== confrId) return null;
      const { appId } = agora;
      return tickets
        .agora(me, confrId)
        .then(({ token, uid }) => ({ appId, channel: confrId, token, uid }));
    },
    engine() {
      const cloud = record.now?.cloud;
      return { kind: "conference", ...(cloud === undefined ? {} : { cloud }) };
    },
    expiring(send) {
      const { now } = record;
      if (now?.cloud === undefined) return;
      const { me, cloud } = now;
      const current = (): boolean => record.now?.cloud?.channel === cloud.channel;
      void renewal.run(me, cloud.channel, current, ({ token, uid }) => {
        record.patch({ cloud: { ...cloud, token, uid } });
        send({ t: "token", token });
      });
    },
  };
}
