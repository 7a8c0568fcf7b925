/**
 * Chat on Easemob's cloud instead of the own gateway (docs/chat.md#easemobs-cloud). The server registers people there and hands out
 * the cloud's tokens. It copies the cloud's groups and friends, and announces changed data by the cloud's command messages.
 */
import type { Hono } from "hono";
import { AppError } from "../../../../shared/errors.ts";
import {
  CLOUD_DATA_SENDER,
  DATA_CHANGED,
  dataChangedExt,
} from "../../../../shared/protocol/data-changed.ts";
import { CALLBACK_PATH } from "../../../../shared/protocol/easemob-rest.ts";
import { PLATFORM_SENDER } from "../../../../shared/protocol/platform-sender.ts";
import {
  DATA_CHANGES,
  type DataChanges,
  dataChangesSchema,
} from "../../../base/cluster/data-changes.ts";
import type { OwnMessages } from "../../../base/cluster/own-messages.ts";
import type { HttpEnv, ServerDeps } from "../../../base/module.ts";
import type { Groups } from "../groups/index.ts";
import { createPeople } from "../contacts/people.ts";
import type { PlatformVoice } from "../platform-voice.ts";
import { actAtCloud } from "./group-acts.ts";
import { hintOf, readCallback } from "./callbacks.ts";
import { createGroupMirror } from "./group-mirror.ts";
import { createCloudPeople } from "./people.ts";
import { createCloudProvider } from "./provider.ts";
import { createCloudRest } from "./rest.ts";

/** ms between two times at which the copies are compared as a whole. */
export const COMPARE_MS = 60 * 60_000;

export interface Cloud {
  /** @throws AppError server.unavailable */
  userToken(userName: string): Promise<string>;
  /** Before a person's groups are read. What the provider does not answer is read as it was. */
  beforeGroups(userName: string): Promise<void>;
  /** The groups for the console's own calls, whose acts are done at the provider as well. */
  actsOn(groups: Groups): Groups;
  /** Two people became friends, or no friends, by the console's own calls. @throws AppError */
  befriended(one: string, other: string): Promise<void>;
  unfriended(one: string, other: string): Promise<void>;
  /** What the platform says to people. */
  readonly voice: PlatformVoice;
  routes(app: Hono<HttpEnv>): void;
  start(): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** @returns null: the configuration names no cloud */
export function createCloud(
  deps: ServerDeps,
  own: Pick<OwnMessages, "onPublished">,
  request: typeof fetch = fetch,
): Cloud | null {
  const { clock, config, db, log } = deps;
  const { EASEMOB_CLIENT_ID: clientId, EASEMOB_CLIENT_SECRET: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  const {
    EASEMOB_APP_KEY: appKey,
    EASEMOB_API_URL: apiUrl,
    EASEMOB_CALLBACK_SECRET: secret,
  } = config;
  const rest = createCloudRest(
    { apiUrl, appKey, clientId, clientSecret },
    { clock, fetch: request },
  );
  const provider = createCloudProvider(rest, appKey);
  const mirror = createGroupMirror({ db, provider, log });
  const people = createCloudPeople({ db, appKey, provider });
  const names = createPeople(db);
  const running = new Set<Promise<void>>();
  const closers: (() => void)[] = [];
  let timer: { cancel(): void } | null = null;
  let stopped = false;

  /** Runs work in the background and logs its failure. */
  function run(what: string, work: () => Promise<unknown>): void {
    if (stopped) return;
    const done: Promise<void> = work()
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error }, what))
      .finally(() => running.delete(done));
    running.add(done);
  }

  async function passOnChange(changes: DataChanges): Promise<void> {
    const { supplierId, only } = changes;
    const one = only === null ? null : await names.chatNameOf(only);
    const to =
      only === null ? await people.loggedIn(supplierId, clock.now()) : one === null ? [] : [one];
    if (to.length === 0) return;
    const ext = dataChangedExt(changes, to.length);
    await provider.command(CLOUD_DATA_SENDER, to, DATA_CHANGED, ext);
  }

  function compare(): void {
    run("people were not registered with the chat provider", people.registerAll);
    run("groups of the chat provider were not compared", () => mirror.all(null));
    run("friends of the chat provider were not compared", people.allFriends);
    timer = clock.setTimeout(compare, COMPARE_MS);
  }

  /** @throws AppError server.unavailable also when the provider refuses what must be right */
  async function carry<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("server.unavailable", { message: "聊天服务暂时不可用", cause: error });
    }
  }

  return {
    userToken: (userName) => carry(() => provider.userToken(userName)),
    async beforeGroups(userName) {
      try {
        await mirror.groupsOf(userName);
      } catch (error) {
        log.warn({ err: error }, "groups of a person were not compared with the chat provider");
      }
    },
    actsOn: (groups) => actAtCloud(groups, { provider, mirror, log }),
    async befriended(one, other) {
      await carry(() => provider.befriend(one, other));
    },
    async unfriended(one, other) {
      await carry(() => provider.unfriend(one, other));
    },
    voice: {
      say: (to, text) => carry(() => provider.text(PLATFORM_SENDER, to, text)),
      signal: (to, action, ext) =>
        carry(() => provider.command(CLOUD_DATA_SENDER, [to], action, ext)),
    },
    routes(app) {
      if (secret === undefined) return;
      app.post(CALLBACK_PATH, async (c) => {
        const body: unknown = await c.req.json().catch(() => null);
        const callback = readCallback(body, { appKey, secret, now: clock.now() });
        if (callback === null) throw new AppError("auth.forbidden");
        const hint = hintOf(appKey, callback);
        if (hint !== null && "group" in hint) {
          run("a group was not copied", () => mirror.group(hint.group));
        } else if (hint !== null) {
          const { operation, from, to } = hint.friends;
          run("friends were not copied", () => people.friends(operation, from, to));
        }
        // At once: the provider gives up after ten seconds.
        return c.json({ ok: true });
      });
    },
    start() {
      closers.push(
        own.onPublished(DATA_CHANGES, (published) => {
          const changes = dataChangesSchema.safeParse(published);
          if (!changes.success) return;
          run("a change of data was not passed on", () => passOnChange(changes.data));
          if (changes.data.tags.includes("employees")) {
            run("people were not registered with the chat provider", people.registerAll);
            run("groups of a company were not compared", () => mirror.all(changes.data.supplierId));
          }
        }),
      );
      compare();
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      for (const close of closers.splice(0)) close();
      await Promise.all(running);
    },
  };
}
