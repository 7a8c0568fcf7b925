/** What a call needs for the engine `agora`: a token to join with, and the connection state, which is only displayed. */
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { CoreEnv } from "../contracts.ts";
import type { OwnerCommand, OwnRequest } from "../media-owner/contracts.ts";
import type { CallStore } from "./state.ts";
import type { Tickets } from "./tickets.ts";
import { createTokenRenewal } from "./token-renewal.ts";

export interface AgoraEngine {
  /** Whether this build is configured for Agora. */
  readonly on: boolean;
  /** Requests the token of a channel. */
  join(me: string, channel: string, current: () => boolean): Promise<void>;
  /** The engine for the owner tab; the native engine when there is no token. */
  engine(channel: string): OwnRequest["engine"];
  /** The owner tab's token ends soon: requests another one, again after a failure, and passes it on. */
  renew(me: string, channel: string, current: () => boolean): Promise<void>;
  ice(state: Extract<MediaEvent, { t: "ice" }>["state"]): void;
  forget(): void;
}

export function createAgora(deps: {
  readonly env: Pick<CoreEnv, "config" | "clock" | "log">;
  readonly tickets: Pick<Tickets, "agora">;
  readonly calls: Pick<CallStore, "patch">;
  readonly dispatch: (event: CallEvent) => void;
  readonly send: (command: OwnerCommand) => boolean;
}): AgoraEngine {
  const { config } = deps.env;
  const renewal = createTokenRenewal(deps);
  let joined: { token: string; uid: number } | null = null;
  return {
    on: config.engine === "agora",
    async join(me, channel, current) {
      const got = await deps.tickets.agora(me, channel);
      if (current()) joined = got;
    },
    engine: (channel) =>
      config.engine === "agora" && joined !== null
        ? { kind: "agora", appId: config.agora?.appId ?? "", channel, ...joined }
        : { kind: "native" },
    renew: (me, channel, current) =>
      renewal.run(me, channel, current, (got) => {
        joined = got;
        deps.send({ t: "token", token: got.token });
      }),
    ice(state) {
      // Agora's SDK reconnects automatically
      if (state === "connected" || state === "completed")
        deps.calls.patch({ connection: "connected" });
      else if (state === "disconnected") deps.calls.patch({ connection: "restarting" });
      else if (state === "failed") {
        deps.calls.patch({ connection: "failed" });
        deps.dispatch({ type: "mediaFailed", code: "call.connection-failed" });
      }
    },
    forget() {
      joined = null;
    },
  };
}
