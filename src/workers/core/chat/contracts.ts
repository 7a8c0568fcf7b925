/** What the chat module of the core needs, and what it offers. */
import type { AlertMessage } from "../../../shared/protocol/alert-message.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { DataChanged } from "../../../shared/protocol/data-changed.ts";
import type {
  ChatCommands,
  ChatSignals,
  CoreEnv,
  Http,
  Reach,
  Session,
  Stats,
  Store,
  Tabs,
} from "../contracts.ts";
import type { ReadGroupFile } from "../downloads/sources.ts";
import type { CreateConnection } from "./provider/port.ts";
import type { TransferSlots } from "../transfers/slots.ts";

export interface ChatDeps {
  readonly env: Pick<
    CoreEnv,
    "clock" | "kv" | "online" | "random" | "newId" | "home" | "config" | "log"
  >;
  readonly store: Pick<Store, "get" | "set" | "del" | "notice">;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly http: Pick<Http, "call">;
  readonly tabs: Pick<Tabs, "list">;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  /** The end of an outage. The connection itself follows the machine's network (`env.online`) and asks for the rest here. */
  readonly reach: Reach;
  readonly slots: TransferSlots;
  readonly createConnection: CreateConnection;
  /** The server reported changed data. */
  readonly onDataChanged: (message: DataChanged) => void;
  /** An alert that the person may see began or ended. */
  readonly onAlert: (message: AlertMessage) => void;
  /** The connection opened. Changes before that were not reported. */
  readonly onOpen: () => void;
}

export interface Chat {
  readonly handlers: Handlers<"chat">;
  readonly groups: Handlers<"group">;
  readonly friends: Handlers<"friend">;
  readonly readGroupFile: ReadGroupFile;
  readonly commands: ChatCommands;
  readonly signals: ChatSignals;
  /** Puts a text with extension fields into the outbox; resolves once it is stored. @throws AppError */
  sendText(to: string, text: string, ext: Readonly<Record<string, unknown>>): Promise<void>;
  /** Watches the presence of these people from now on. */
  watchPresence(userNames: readonly string[]): void;
  /** Remembers the display names of these people. */
  learnNames(people: readonly { readonly userName: string; readonly name: string }[]): void;
  /** Closes the connection until `wake`, while the person has no tab; messages wait on the server meanwhile. */
  rest(): void;
  wake(): void;
  start(): void;
  /** Ends the connection and stores what is not stored yet. */
  stop(): Promise<void>;
}
