/**
 * Commands of the core, one call a gesture. The table is the contract: the core validates input and
 * output against it, the tab's client takes its types from it. A call carries an id, so that a retry is not a second effect.
 * Each namespace is declared in commands/.
 */
import { z } from "../zod.ts";
import { alertsCommands } from "./commands/alerts.ts";
import { callCommands, groupCallCommands } from "./commands/calls.ts";
import { chatCommands } from "./commands/chat.ts";
import { conferenceCommands } from "./commands/conference.ts";
import { downloadsCommands } from "./commands/downloads.ts";
import { filesCommands, peopleCommands, uploadsCommands } from "./commands/files.ts";
import { friendCommands } from "./commands/friend.ts";
import { groupCommands } from "./commands/group.ts";
import { importsCommands } from "./commands/imports.ts";
import { restCommands } from "./commands/rest.ts";
import { sessionCommands } from "./commands/session.ts";
import { libraryCommands, workerCommands } from "./commands/worker.ts";
import type { Command } from "./commands/command.ts";
import type { RpcResult } from "./rpc-result.ts";

export type { MessagePortLike } from "./commands/rest.ts";

export const commands = {
  session: sessionCommands,
  rest: restCommands,
  files: filesCommands,
  uploads: uploadsCommands,
  downloads: downloadsCommands,
  people: peopleCommands,
  chat: chatCommands,
  group: groupCommands,
  friend: friendCommands,
  call: callCommands,
  groupCall: groupCallCommands,
  imports: importsCommands,
  conference: conferenceCommands,
  alerts: alertsCommands,
  library: libraryCommands,
  worker: workerCommands,
} as const;

export type Commands = typeof commands;
export type Namespace = keyof Commands;
export type CommandInput<N extends Namespace, M extends keyof Commands[N]> =
  Commands[N][M] extends Command<infer I, z.ZodType> ? z.input<I> : never;
export type CommandParsed<N extends Namespace, M extends keyof Commands[N]> =
  Commands[N][M] extends Command<infer I, z.ZodType> ? z.output<I> : never;
export type CommandOutput<N extends Namespace, M extends keyof Commands[N]> =
  Commands[N][M] extends Command<z.ZodType, infer O> ? z.output<O> : never;

/** What a tab passes with the input. */
export const rpcMetaSchema = z.object({
  id: z.string().min(1).max(64),
  /** The company that the tab showed at the gesture; null for none. */
  supplierId: z.string().max(64).nullable().default(null),
});
export type RpcMeta = z.input<typeof rpcMetaSchema>;

/** The frozen object that the core exposes on a tab's command port through Comlink. */
export type CoreFacade = {
  readonly [N in Namespace]: {
    readonly [M in keyof Commands[N]]: (input: unknown, meta: RpcMeta) => Promise<RpcResult>;
  };
};

/** The caller of a command; handlers get it after the parsed input. */
export interface CallContext {
  readonly tabId: string;
  readonly id: string;
}
/** Handlers by namespace, as each module of the core offers them. */
export type Handlers<N extends Namespace> = {
  readonly [M in keyof Commands[N]]: (
    input: CommandParsed<N, M>,
    context: CallContext,
  ) => Promise<CommandOutput<N, M>>;
};
