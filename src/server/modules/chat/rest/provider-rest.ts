/**
 * The provider's REST calls that the SDK makes, under /{org}/{app}. Only 200 is a success for the SDK, and it
 * recognises an error by its text.
 */
import { Hono } from "hono";
import type { Context } from "hono";
import { z } from "zod";
import type { Logger } from "pino";
import { AppError } from "../../../../shared/errors.ts";
import {
  passwordTokenRequestSchema,
  type passwordTokenResponseSchema,
} from "../../../../shared/protocol/easemob-rest.ts";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { createLoginGuard } from "../../../base/http/login-guard.ts";
import type { KeptFailures } from "../../../base/limits/kept-failures.ts";
import type { Clock, Directory } from "../../../base/module.ts";
import type { ChatFiles } from "../files/chat-files.ts";
import type { ChatIdentity, Credentials } from "../credentials.ts";
import type { Groups } from "../groups/index.ts";
import { addGroupCalls } from "../groups/rest.ts";
import { addDownload, addUpload } from "./files-rest.ts";
import type { ChatArchive } from "../conversations/history.ts";
import { addHistoryCalls } from "./history-rest.ts";
import type { People } from "../contacts/people.ts";
import type { Presence } from "../delivery/presence.ts";
import type { Reactions } from "../messages/reactions.ts";
import { addReactionCalls } from "./reactions-rest.ts";
import type { ConversationSettings } from "../conversations/settings.ts";
import { addSettingCalls } from "./settings-rest.ts";
import type { ActDeps } from "./acts.ts";
import type { Contacts } from "../contacts/contacts.ts";
import { addContactCalls } from "./contacts-rest.ts";
import type { ConversationList } from "../conversations/conversation-list.ts";
import { addConversationCalls } from "./conversations-rest.ts";
import type { Erasures } from "../conversations/erasures.ts";
import type { Hub } from "../delivery/hub.ts";
import type { PinnedMessages } from "../conversations/pinned-messages.ts";
import { groupKey } from "../wire/records.ts";
import type { Reports } from "../conversations/reports.ts";
import { addUserCalls } from "./user-rest.ts";
import { body, createProviderApp, type Env, ProviderError } from "./provider-app.ts";

export interface ProviderRestDeps {
  readonly appKey: string;
  readonly credentials: Credentials;
  readonly archive: ChatArchive;
  readonly files: ChatFiles;
  readonly presence: Presence;
  readonly groups: Groups;
  readonly reactions: Reactions;
  readonly settings: ConversationSettings;
  readonly acts: ActDeps;
  readonly contacts: Contacts;
  readonly list: ConversationList;
  readonly erasures: Erasures;
  readonly pinned: PinnedMessages;
  readonly reports: Reports;
  readonly hub: Pick<Hub, "resources">;
  readonly directory: Directory;
  readonly people: Pick<People, "isDisabled">;
  /** Whether the login that issued a token or password is still valid. */
  readonly isCurrent: (identity: Pick<ChatIdentity, "userName" | "sessionId">) => Promise<boolean>;
  /** Where wrong passwords are kept. */
  readonly failures: KeptFailures;
  readonly clock: Clock;
  readonly log: Logger;
}

const namesBody = z.object({ usernames: z.array(chatUserNameSchema).min(1).max(100) });
const attributes = z.partialRecord(
  z.enum(["nickname", "avatarurl", "mail", "phone", "gender", "sign", "birth", "ext"]),
  z.string().max(1024),
);

/** @returns the calls as an app, and the path under which to mount it */
export function createProviderRest(deps: ProviderRestDeps): { prefix: string; app: Hono<Env> } {
  const [org = "", application = ""] = deps.appKey.split("#");
  const { archive, clock, credentials, directory, presence } = deps;
  const guard = createLoginGuard(clock, deps.failures, "chat-token");
  const app = createProviderApp(deps);

  const answer = (c: Context<Env>, fields: Record<string, unknown>) =>
    c.json({
      action: c.req.method.toLowerCase(),
      application: deps.appKey,
      organization: org,
      applicationName: application,
      uri: c.req.path,
      entities: [],
      timestamp: clock.now(),
      duration: 0,
      ...fields,
    });

  /** Slows down wrong passwords per name and address, as the login does. */
  async function admitted(
    name: string,
    address: string,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await guard.run({ name, address }, check);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new ProviderError(429, "reach_limit", "too many wrong passwords, try again later");
    }
  }

  app.post("/token", async (c) => {
    const { username, password } = await body(c, passwordTokenRequestSchema);
    // An unknown name, a wrong password and an ended login get the same answer, so that names cannot be discovered.
    const refused = (): ProviderError =>
      new ProviderError(400, "invalid_grant", "invalid password");
    const checked = credentials.checkPassword(username, password);
    const good = await admitted(username, c.var.client.key, () =>
      Promise.resolve(checked !== undefined),
    );
    if (!good || checked === undefined) throw refused();
    if (await deps.people.isDisabled(username)) {
      throw new ProviderError(403, "forbidden_op", "user not activated");
    }
    const person = await directory.personByChatName(username);
    const { sessionId } = checked;
    if (person === null || !(await deps.isCurrent({ userName: username, sessionId }))) {
      throw refused();
    }
    const { token, expiresIn } = await credentials.issue(username, sessionId);
    return c.json({
      access_token: token,
      expires_in: expiresIn,
      user: { uuid: person.accountId, type: "user", username, activated: true },
    } satisfies z.infer<typeof passwordTokenResponseSchema>);
  });

  addDownload(app, deps.files);

  app.use("*", async (c, next) => {
    const header = c.req.header("authorization") ?? "";
    const checked = await credentials.check(header.replace(/^Bearer /i, ""));
    if (!checked.ok || !(await deps.isCurrent(checked.identity))) {
      throw new ProviderError(401, "unauthorized", "Unable to authenticate (OAuth)");
    }
    c.set("identity", checked.identity);
    await next();
  });

  /** Requires the user in the path to be the token's user. */
  const self = (c: Context<Env>): string => {
    const { userName } = c.get("identity");
    if (c.req.param("me") !== userName) {
      throw new ProviderError(403, "forbidden_op", "not your own user");
    }
    return userName;
  };

  /** Those of the names whose presence and profile the user may see: the user, the colleagues and the friends. */
  const reachable = async (userName: string, names: readonly string[]): Promise<string[]> => {
    const [colleagues, friends] = await Promise.all([
      directory.colleagues(userName),
      deps.contacts.friends(userName),
    ]);
    const allowed = new Set([userName, ...colleagues, ...friends]);
    return names.filter((n) => allowed.has(n));
  };

  addUpload(app, deps.files, answer);

  addHistoryCalls(app, { archive, groups: deps.groups, reactions: deps.reactions, self, answer });

  app.get("/sdk/users/:me/token/expires", (c) => {
    self(c);
    return c.json({ expire_timestamp: c.get("identity").expiresAt });
  });

  app.get("/users/:me/presence/sublist", async (c) => {
    const list = await archive.subscriptions(self(c), clock.now());
    return answer(c, {
      result: {
        sublist: list.map((s) => ({ uid: s.uid, expiry: Math.floor(s.expiresAt / 1000) })),
        totalnum: list.length,
      },
    });
  });
  app.post("/users/:me/presence/:resource/1", async (c) => {
    const userName = self(c);
    const { ext } = await body(c, z.object({ ext: z.string().max(1024) }));
    await presence.setExt(userName, ext);
    return answer(c, {});
  });
  app.post("/users/:me/presence/:expiry", async (c) => {
    const userName = self(c);
    const expiry = z.coerce
      .number()
      .int()
      .min(1)
      .max(30 * 86_400)
      .safeParse(c.req.param("expiry"));
    if (!expiry.success) throw new ProviderError(400, "illegal_argument", "invalid expiry");
    const names = await reachable(userName, (await body(c, namesBody)).usernames);
    await archive.subscribe(userName, names, clock.now() + expiry.data * 1000);
    return answer(c, { result: await presence.presencesOf(names) });
  });
  app.post("/users/:me/presence", async (c) => {
    const userName = self(c);
    const names = await reachable(userName, (await body(c, namesBody)).usernames);
    return answer(c, { result: await presence.presencesOf(names) });
  });
  app.delete("/users/:me/presence", async (c) => {
    const userName = self(c);
    await archive.unsubscribe(userName, await body(c, z.array(chatUserNameSchema).max(100)));
    return answer(c, {});
  });

  app.post("/metadata/user/get", async (c) => {
    const { userName } = c.get("identity");
    const { targets } = await body(
      c,
      z.object({ targets: z.array(chatUserNameSchema).min(1).max(100) }),
    );
    const names = await reachable(userName, targets);
    const profiles = await archive.profile(names);
    return answer(c, { data: Object.fromEntries(names.map((n) => [n, profiles.get(n) ?? {}])) });
  });
  app.put("/metadata/user/:me", async (c) => {
    const userName = self(c);
    const given = await body(c, attributes);
    await archive.saveProfile(userName, given as Record<string, string>);
    return answer(c, { data: given });
  });

  addContactCalls(app, { contacts: deps.contacts, directory, self, answer });
  addConversationCalls(app, { ...deps, self, answer });
  addUserCalls(app, { hub: deps.hub, settings: deps.settings, self, answer });
  addReactionCalls(app, { reactions: deps.reactions, self, answer });
  addSettingCalls(app, { settings: deps.settings, now: () => clock.now(), self, answer });
  addGroupCalls(app, {
    groups: deps.groups,
    blobs: deps.files.blobs,
    silence: (who, groupId, on) =>
      deps.settings.silence(who, groupKey(groupId), { remind: on ? "NONE" : null }),
    now: () => clock.now(),
    self,
    answer,
  });

  app.all("*", () => {
    throw new ProviderError(404, "service_resource_not_found", "Service resource not found");
  });

  return { prefix: `/${org}/${application}`, app };
}
