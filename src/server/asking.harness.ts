/** For tests of REST calls: a platform for the tests of one file, the tokens of people, and requests in a company. */
import { afterAll, beforeAll } from "vitest";
import {
  type Answer,
  startTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
} from "./platform.harness.ts";

export interface PlatformForTests {
  /** Starts before the first test and ends after the last one. @throws Error when it is used earlier */
  readonly host: TestPlatform;
  /** Access tokens by user name. */
  readonly tokens: Record<string, string>;
}

/**
 * Call it at the top of a test file.
 *
 * @param people names of accounts that log in
 * @param options.prepare runs before anybody logs in
 */
export function platformForTests(
  people: readonly string[] = [],
  options: TestPlatformOptions & { readonly prepare?: (host: TestPlatform) => unknown } = {},
): PlatformForTests {
  const { prepare, ...ofPlatform } = options;
  const tokens: Record<string, string> = {};
  let started: TestPlatform | null = null;
  const running = (): TestPlatform => {
    if (started === null) throw new Error("the platform starts with the tests");
    return started;
  };
  beforeAll(async () => {
    started = await startTestPlatform(ofPlatform);
    await prepare?.(started);
    for (const name of people) tokens[name] = (await started.login(name)).access_token;
  }, 120_000);
  afterAll(() => started?.close());
  return {
    tokens,
    host: {
      get origin() {
        return running().origin;
      },
      get platform() {
        return running().platform;
      },
      get db() {
        return running().db;
      },
      get clock() {
        return running().clock;
      },
      ask: (...request) => running().ask(...request),
      tryLogin: (...login) => running().tryLogin(...login),
      login: (name) => running().login(name),
      refresh: (token) => running().refresh(token),
      close: () => running().close(),
    },
  };
}

/** For `prepare`: Wang Fang holds every right in a company that does not run the platform. */
export const everyRightElsewhere = (host: TestPlatform) =>
  host.platform.database.pool.query(
    "UPDATE roles SET permissions = '{*:*:*}' WHERE company_id = 2 AND code = 'staff'",
  );

export interface Asking extends PlatformForTests {
  /** @param options.as who asks; default: the admin. `options.in`: the company, "" for none; default: 华安 */
  ask(
    method: string,
    path: string,
    options: { readonly json?: unknown; readonly as?: string; readonly in?: string },
  ): Promise<Answer>;
  /** The data of a call of the admin. @throws Error when it is refused */
  data(method: string, path: string, json?: unknown): Promise<unknown>;
}

/** Call it at the top of a test file. @param people names of accounts that log in */
export function askingPlatform(people: readonly string[]): Asking {
  const { host, tokens } = platformForTests(people);
  const ask: Asking["ask"] = (method, path, options) =>
    host.ask(method, path, {
      token: tokens[options.as ?? "admin"] ?? "",
      ...(options.in === "" ? {} : { supplierId: options.in ?? "1" }),
      ...(options.json === undefined ? {} : { json: options.json }),
    });
  return {
    host,
    tokens,
    ask,
    async data(method, path, json) {
      const { status, body } = await ask(method, path, json === undefined ? {} : { json });
      if (status === 200 && body.code === 0) return body.data;
      throw new Error(`${method} ${path} ${JSON.stringify(json)}: ${status} ${body.msg}`);
    },
  };
}
