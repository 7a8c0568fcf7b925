/** For tests of REST calls: a platform for the tests of one file, the tokens of people, and requests in a company. */
import { afterAll, beforeAll } from "vitest";
import { type Answer, startTestPlatform, type TestPlatform } from "./platform.harness.ts";

export interface Asking {
  /** The platform, once the tests run. */
  readonly host: () => TestPlatform;
  /** Access tokens by user name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** @param options.as who asks; default: the admin. `options.in`: the company, "" for none; default: 华安 */
  ask(
    method: string,
    path: string,
    options: { readonly json?: unknown; readonly as?: string; readonly in?: string },
  ): Promise<Answer>;
}

/** Call it at the top of a test file. @param names of accounts that log in */
export function askingPlatform(names: readonly string[]): Asking {
  let host: TestPlatform;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    host = await startTestPlatform();
    for (const name of names) tokens[name] = (await host.login(name)).access_token;
  }, 60_000);
  afterAll(() => host.close());
  return {
    host: () => host,
    tokens,
    ask: (method, path, options) =>
      host.ask(method, path, {
        token: tokens[options.as ?? "admin"] ?? "",
        ...(options.in === "" ? {} : { supplierId: options.in ?? "1" }),
        ...(options.json === undefined ? {} : { json: options.json }),
      }),
  };
}
