/**
 * Passes on that data changed, as a command message, to the members of the company who are connected to this process
 * (docs/session.md#live-data). It is not stored: a core that was not connected fetches what it shows when it is.
 */
import type { Logger } from "pino";
import {
  DATA_CHANGED,
  DATA_SENDER,
  dataChangedExt,
} from "../../../shared/protocol/data-changed.ts";
import {
  DATA_CHANGES,
  type DataChanges,
  dataChangesSchema,
} from "../../base/cluster/data-changes.ts";
import type { Bus, Clock } from "../../base/module.ts";
import type { Hub } from "./delivery/hub.ts";
import type { People } from "./contacts/people.ts";
import {
  BODY,
  CONTENT,
  KEY_VALUE_STRING,
  MessageBodyCodec,
  MetaCodec,
  NAMESPACE,
  ROUTE,
  USER_DOMAIN,
} from "./wire/wire.ts";

/** The command message about changes, for one receiver. @param ext as dataChangedExt makes it */
export type ChangesMessage = (to: string, ext: Readonly<Record<string, string>>) => Uint8Array;

export function createChangesMessage(deps: {
  readonly appKey: string;
  readonly clock: Pick<Clock, "now">;
  readonly nextId: () => bigint;
}): ChangesMessage {
  const jid = (name: string) => ({ appKey: deps.appKey, name, domain: USER_DOMAIN });
  return (to, ext) => {
    const from = jid(DATA_SENDER);
    return MetaCodec.encode({
      id: String(deps.nextId()),
      from,
      to: jid(to),
      timestamp: String(deps.clock.now()),
      ns: NAMESPACE.chat,
      routetype: ROUTE.online,
      payload: MessageBodyCodec.encode({
        type: BODY.chat,
        from,
        to: jid(to),
        contents: [{ type: CONTENT.command, action: DATA_CHANGED }],
        ext: Object.entries(ext).map(([key, stringValue]) => ({
          key,
          type: KEY_VALUE_STRING,
          stringValue,
        })),
      }),
    });
  };
}

/** @returns a function that ends the subscription */
export function passOnDataChanges(deps: {
  readonly message: ChangesMessage;
  readonly bus: Pick<Bus, "subscribe">;
  readonly hub: Pick<Hub, "local" | "pushHere">;
  readonly people: Pick<People, "membersAmong" | "chatNameOf">;
  readonly log: Logger;
}): () => void {
  const { hub, message } = deps;
  const receivers = async (
    { supplierId, only, people }: DataChanges,
    here: readonly string[],
  ): Promise<readonly string[]> => {
    if (people != null) {
      const concerned = new Set(people);
      return here.filter((userName) => concerned.has(userName));
    }
    if (only !== null) {
      const userName = await deps.people.chatNameOf(only);
      return here.filter((one) => one === userName);
    }
    return supplierId === null ? here : deps.people.membersAmong(supplierId, here);
  };
  const pass = async (changes: DataChanges): Promise<void> => {
    const devices = new Map(hub.local());
    if (devices.size === 0) return;
    const { except } = changes;
    const members = await receivers(changes, [...devices.keys()]);
    const cores = members.reduce((sum, userName) => sum + (devices.get(userName)?.length ?? 0), 0);
    const ext = dataChangedExt(changes, cores);
    for (const userName of members) hub.pushHere(userName, message(userName, ext), except);
  };
  return deps.bus.subscribe(DATA_CHANGES, (published) => {
    const parsed = dataChangesSchema.safeParse(published);
    if (!parsed.success) {
      deps.log.warn({ topic: DATA_CHANGES }, "unreadable message on the bus");
      return;
    }
    pass(parsed.data).catch((error: unknown) => {
      deps.log.error({ err: error }, "a change of data was not passed on");
    });
  });
}
