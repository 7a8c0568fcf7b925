/**
 * The media move to another tab (docs/calls.md#moving): that tab has a connection of its own beside the one that carries the call, and
 * takes over when the other side receives by it.
 */
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import { OP, type PeerMessage } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv } from "../contracts.ts";
import type { Successor, SuccessorMedia } from "../media-owner/contracts.ts";
import { createRestartableTimer } from "../restartable-timer.ts";
import { createCallConnection } from "./call-connection.ts";
import type { CallConfig } from "./config.ts";
import type { CallConnection } from "./connection.ts";

type ConnectionDeps = Omit<Parameters<typeof createCallConnection>[0], "owner" | "takingOver">;

export interface Moving {
  /** Begins a connection in the tab of this epoch, beside the one that stands. */
  begin(epoch: number, successor: Successor, standing: CallConnection | null): SuccessorMedia;
  /** @returns whether the message is for the connection that comes */
  takes(body: PeerMessage): boolean;
  fromPeer(body: PeerMessage): void;
  reachableChanged(): void;
  /** Stops the timers, without a message to anybody. */
  stop(): void;
}

/** @param onMoved the connection carries the call from now on */
export function createMoving(
  deps: ConnectionDeps & {
    readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
    readonly config: CallConfig;
    readonly onMoved: (connection: CallConnection) => void;
  },
): Moving {
  const late = createRestartableTimer(deps.env.clock);
  let coming: CallConnection | null = null;

  return {
    begin(epoch, successor, standing) {
      let over = false;
      const end = (): void => {
        over = true;
        coming = null;
        late.cancel();
      };
      const made = createCallConnection({
        ...deps,
        owner: successor,
        takingOver: {
          over: () => over,
          // An older client does not say that it receives by the new connection.
          onUp() {
            if (!over) late.start(deps.config.formerMillis, successor.carries);
          },
          onFlows: () => successor.carries(),
          onFailed: (error) => successor.failed(error),
        },
      });
      coming = made;
      made.takeOver(epoch, standing?.snapshot.rtcId ?? null);
      return {
        event: (event: MediaEvent) => made.fromTab(event),
        promoted() {
          end();
          deps.onMoved(made);
          made.show();
        },
        dropped() {
          const { state } = made.snapshot;
          end();
          made.dispose();
          // The other side may have left the standing connection for the one that came.
          if (state !== "offering" && state !== "rebuilding") standing?.renew();
        },
      };
    },
    takes(body) {
      if (coming === null) return false;
      // Both sides move at the same moment: their offers meet at the connections that come.
      if (body.op === OP.offer) return !body.iceRestart;
      return "rtcId" in body && body.rtcId === coming.snapshot.rtcId;
    },
    fromPeer: (body) => coming?.fromPeer(body),
    stop() {
      late.cancel();
      coming?.dispose();
      coming = null;
    },
    reachableChanged: () => coming?.reachableChanged(),
  };
}
