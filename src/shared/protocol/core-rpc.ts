/**
 * Commands of the core, one call a gesture. The table is the contract: the core validates input and
 * output against it, the tab's client takes its types from it. A call carries an id, so that a retry is not a second effect.
 */
import { z } from "../zod.ts";
import { hasVisibleText } from "../domain/chat.ts";
import { wireErrorSchema } from "../errors.ts";
import { callMediaSchema } from "./call-message.ts";
import { systemNameSchema } from "./config.ts";
import { tokenGrantSchema } from "./rest/auth.ts";
import { pageSchema } from "./rest/call.ts";
import { chatUserNameSchema, contactSchema, idSchema } from "./rest/entities.ts";
import { confrRoleSchema, videoCodecsSchema } from "./confr-signalling.ts";
import { confrInfoSchema, confrLimitsSchema } from "./rest/confr.ts";
import {
  importContextSchema,
  importInvitationsCall,
  importJobSchema,
  importRefusalSchema,
  importTakenCall,
} from "./rest/imports.ts";
import { conferenceTypeSchema, ticketSchema } from "./rest/rtc.ts";

interface Command<I extends z.ZodType, O extends z.ZodType> {
  readonly input: I;
  readonly output: O;
  /** ms that the tab waits; the longest request is 120 s. */
  readonly deadline: number;
  /** The command acts in a company. The core refuses it when the session has since switched away from the company that the tab showed. */
  readonly inCompany?: true;
}
const command = <I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
  deadline = 15_000,
): Command<I, O> => ({ input, output, deadline });

/** Marks a command that acts in a company. */
const inCompany = <C extends Command<z.ZodType, z.ZodType>>(of: C): C & { inCompany: true } => ({
  ...of,
  inCompany: true,
});

/** What the core uses of a MessagePort; this folder knows no DOM. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  close(): void;
}
const isPort = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "postMessage" in value && "onmessage" in value;

const none = z.object({});
/** Text of a message: not empty, and not made of invisible characters only. */
const messageText = (max: number) => z.string().max(max).refine(hasVisibleText);
/** The login trims it (docs/session.md#login). */
const systemNameInput = z.string().trim().pipe(systemNameSchema);
const done = z.null();
const importKey = z.object({ key: z.string().regex(/^[0-9a-f]{64}$/) });
/** How a member enters: what it publishes and subscribes to automatically. */
const confrEntry = {
  nickName: z.string().max(64).default(""),
  ext: z.string().max(4096).default(""),
  /** Publish camera and microphone after entering; an audience member does not. */
  publish: z.boolean().default(true),
  audioMuted: z.boolean().default(false),
  videoOff: z.boolean().default(false),
  /** Subscribe to every published stream. */
  autoSub: z.boolean().default(true),
  /** Left out when the browser cannot be asked. */
  codecs: videoCodecsSchema.optional(),
};
const confrMems = z.array(z.string().min(1).max(64)).min(1).max(100);
const page = z.object({
  cursor: z.number().int().min(1).default(1),
  limit: z.number().int().min(1).max(1000).default(20),
  keyword: z.string().max(100).optional(),
});

export const commands = {
  session: {
    login: command(
      z.object({
        username: z.string().trim().min(1).max(64),
        password: z.string().min(1).max(200),
        systemName: systemNameInput,
      }),
      done,
      120_000,
    ),
    /** Finds out whose token another system of the platform brought to /auth-redirect. The login does not change yet. */
    whose: command(
      z.object({ accessToken: z.string().min(1).max(8192), systemName: systemNameInput }),
      z.object({ accountId: idSchema, username: z.string(), nickname: z.string() }),
      120_000,
    ),
    /** Logs in with such tokens after the person has agreed. */
    adopt: command(z.object({ grant: tokenGrantSchema, systemName: systemNameInput }), done),
    /** Account, memberships, roles of the current company, menus (docs/session.md#user-info). */
    loadInfo: command(none, done, 120_000),
    logout: command(none, done, 30_000),
    switchCompany: command(z.object({ employeeId: idSchema }), done, 120_000),
    switchSystem: command(z.object({ systemName: systemNameInput }), done, 120_000),
    /** The answer to the question of an expired login: log in again, or stay on the page. */
    answerExpired: command(z.object({ again: z.boolean() }), done, 30_000),
    /** What the tab writes into the cookie ACCESS_TOKEN; null where the platform sets the cookie itself. */
    cookieToken: command(none, z.object({ accessToken: z.string().nullable() })),
  },
  rest: {
    /** Makes a REST call for a page. The call must say that pages may make it; CoreCommands types input and answer by its id. */
    call: inCompany(
      command(
        z.object({
          call: z.string().max(64),
          params: z.unknown().optional(),
          query: z.unknown().optional(),
          body: z.unknown().optional(),
        }),
        z.unknown(),
        120_000,
      ),
    ),
    /** Hands over the port on which the tab watches reads (watch-port.ts); a tab has one. */
    watch: command(z.object({ port: z.custom<MessagePortLike>(isPort) }), done),
  },
  people: {
    list: inCompany(command(page, pageSchema(contactSchema), 120_000)),
  },
  chat: {
    /** Opens a conversation: history is fetched (10 messages) and the messages shown are marked read. */
    open: command(z.object({ chatId: chatUserNameSchema, name: z.string() }), done, 30_000),
    older: command(z.object({ chatId: chatUserNameSchema }), done, 30_000),
    /** Returns once the message is in the outbox; its status is in the chat slice. */
    send: command(
      z.object({
        chatId: chatUserNameSchema,
        text: messageText(5000),
        /** Identifies the message at every attempt, by any tab and at any core, so that it is sent once. */
        key: z.string().min(1).max(64).optional(),
      }),
      z.object({ id: z.string() }),
    ),
    resend: command(z.object({ chatId: chatUserNameSchema, id: z.string() }), done),
    markRead: command(z.object({ chatId: chatUserNameSchema }), done),
  },
  call: {
    start: command(
      z.object({ userName: chatUserNameSchema, name: z.string(), media: callMediaSchema }),
      z.object({ callId: z.string() }),
      30_000,
    ),
    answer: command(z.object({ accept: z.boolean() }), done, 30_000),
    /** Cancels, refuses or hangs up, whichever the state asks for. */
    hangup: command(none, done, 30_000),
    setLocal: command(
      z.object({
        audioMuted: z.boolean().optional(),
        videoOff: z.boolean().optional(),
        /** The person turns a device on: open it (again if that failed before) and publish it. */
        publish: z.literal(true).optional(),
      }),
      done,
    ),
    /** Moves the media to the calling tab because the person asked for it. */
    bringHere: command(none, done),
  },
  imports: {
    /** Sends a job that the import worker has staged; a job that is already known continues. */
    start: inCompany(command(importKey, done)),
    pause: inCompany(command(importKey, done)),
    resume: inCompany(command(importKey, done)),
    /** Stops sending; rows that the server has stored stay there. */
    cancel: inCompany(command(importKey, done, 30_000)),
    /** Removes a finished job from the list, with its staged rows. */
    dismiss: inCompany(command(importKey, done)),
    context: inCompany(command(none, importContextSchema, 30_000)),
    taken: inCompany(command(importTakenCall.body, importTakenCall.data, 60_000)),
    jobs: inCompany(command(page.omit({ keyword: true }), pageSchema(importJobSchema), 30_000)),
    refusals: inCompany(
      command(
        page.omit({ keyword: true }).extend({ id: idSchema }),
        pageSchema(importRefusalSchema),
        60_000,
      ),
    ),
    invitations: inCompany(
      command(
        page.omit({ keyword: true }).extend({ id: idSchema }),
        importInvitationsCall.data,
        60_000,
      ),
    ),
  },
  conference: {
    /** Creates a conference and joins it as its admin. */
    create: inCompany(
      command(
        z.object({
          type: conferenceTypeSchema.default(10),
          name: z.string().trim().min(1).max(64),
          password: z.string().max(64).default(""),
          limits: confrLimitsSchema.default({}),
          liveCfg: z.record(z.string(), z.unknown()).optional(),
          ...confrEntry,
        }),
        z.object({ confrId: z.string() }),
        30_000,
      ),
    ),
    /** Joins an existing conference by its id. */
    join: command(
      z.object({
        confrId: z.string().min(1).max(64),
        password: z.string().max(64).default(""),
        role: confrRoleSchema.optional(),
        ...confrEntry,
      }),
      z.object({ confrId: z.string() }),
      30_000,
    ),
    /** Makes or joins a room by its name (docs/conferences.md#getting-in). */
    joinRoom: command(
      z.object({
        roomName: z.string().trim().min(1).max(64),
        password: z.string().min(1).max(64),
        role: confrRoleSchema,
        limits: confrLimitsSchema.default({}),
        ...confrEntry,
      }),
      z.object({ confrId: z.string() }),
      30_000,
    ),
    joinWithTicket: command(
      /** confrId: the conference that the caller means; it must match the ticket's. */
      z.object({ confrId: z.string().optional(), ticket: ticketSchema, ...confrEntry }),
      z.object({ confrId: z.string() }),
      30_000,
    ),
    /** close: end the conference for all members (admins only). */
    exit: command(z.object({ close: z.boolean().default(false) }), done, 30_000),
    /** Publishes camera and microphone (0), or the screen that this tab has just been granted (1). Without an owner, the calling tab becomes it. */
    publish: command(
      z.object({
        type: z.union([z.literal(0), z.literal(1)]).default(0),
        audioMuted: z.boolean().optional(),
        videoOff: z.boolean().optional(),
        ext: z.string().max(4096).default(""),
      }),
      z.object({ streamId: z.string() }),
      // a person may take long to answer the browser's permission prompt
      600_000,
    ),
    unpublish: command(z.object({ streamId: z.string() }), done, 30_000),
    subscribe: command(
      z.object({ streamId: z.string(), video: z.boolean(), audio: z.boolean() }),
      done,
      30_000,
    ),
    unsubscribe: command(z.object({ streamId: z.string() }), done),
    setLocal: command(
      z.object({
        audioMuted: z.boolean().optional(),
        videoOff: z.boolean().optional(),
        /** The person turns a device on: open it (again if that failed before) and publish it. */
        publish: z.literal(true).optional(),
      }),
      done,
    ),
    grantRole: command(z.object({ memIds: confrMems, role: confrRoleSchema }), done, 30_000),
    degradeRole: command(z.object({ memIds: confrMems, role: confrRoleSchema }), done, 30_000),
    kick: command(z.object({ memIds: confrMems }), done, 30_000),
    muteAll: command(z.object({ on: z.boolean() }), done, 30_000),
    muteMember: command(z.object({ memId: z.string(), on: z.boolean() }), done, 30_000),
    /** Asks the admins for a role. Resolves when the request is sent; the answer appears in the slice. */
    request: command(z.object({ kind: z.enum(["talker", "admin"]) }), done, 30_000),
    answerRequest: command(z.object({ id: z.string(), agree: z.boolean() }), done, 30_000),
    setAttrs: command(
      z.object({ key: z.string().min(1).max(64), val: z.string().max(4096) }),
      done,
      30_000,
    ),
    deleteAttrs: command(z.object({ key: z.string().min(1).max(64) }), done, 30_000),
    sendMessage: command(z.object({ text: messageText(2000), to: z.string().optional() }), done),
    /** Moves the media to the calling tab because the person asked for it. */
    bringHere: command(none, done),
    select: command(
      z.object({ confrId: z.string().min(1).max(64), password: z.string().max(64).optional() }),
      confrInfoSchema,
      30_000,
    ),
    open: command(none, z.array(confrInfoSchema), 30_000),
    /** Sends an invitation as a chat text. */
    invite: command(
      z.object({ userNames: z.array(chatUserNameSchema).min(1).max(50) }),
      done,
      30_000,
    ),
  },
  library: {
    /** Sets the participant. Only the core of the conferencing library has this command; the console's core has a login instead. */
    identify: command(
      z.object({ memName: chatUserNameSchema, token: z.string().min(1).max(8192) }),
      done,
    ),
  },
  worker: {
    /** For measurements and tests: answers with the core's clock. */
    echo: command(
      z.object({ payload: z.string().max(100_000) }),
      z.object({ at: z.number(), payload: z.string() }),
    ),
    /** For measurements: sends one op of about `bytes` bytes to every tab, in the probe slice. */
    fanOut: command(z.object({ bytes: z.number().int().min(1).max(100_000) }), done),
    /** Reports an uncaught error of a tab, for the operations page. */
    reportError: command(z.object({ message: z.string().max(2000) }), done),
  },
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

/** What a command resolves to on the port. Errors are values, because a thrown error would lose its code there. */
export const rpcResultSchema = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: wireErrorSchema }),
]);
export type RpcResult =
  | { ok: true; value: unknown }
  | { ok: false; error: z.infer<typeof wireErrorSchema> };

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
