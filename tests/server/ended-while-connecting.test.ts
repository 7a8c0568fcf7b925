/**
 * Another device ends a login while its core connects to chat with the unmodified SDK. The core learns it at once, also when it
 * has its password for chat already (docs/session.md#end-of-access).
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createGroupCast,
  type GroupCast,
} from "../../src/server/modules/chat/groups/cast.harness.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { AppError } from "../../src/shared/errors.ts";
import { startGroupCore } from "./group-core.ts";

/** ms. Half of the shortest pause after a refused password (provider/connection.ts), so that no pause fits in. */
const AT_ONCE = 15_000;
let cast: GroupCast;
beforeAll(async () => {
  cast = await createGroupCast(["lina"]);
}, 120_000);
afterAll(() => cast.platform.close());

/** The login of the core, and a way to end it from the other device. */
async function logIn(): Promise<{ token: string; end: () => Promise<void> }> {
  const { platform } = cast;
  const other = cast.token["lina"] ?? "";
  const token = (await platform.login("lina")).access_token;
  const { body } = await platform.ask("GET", restCalls.ownSessions.path, { token: other });
  const { records } = restCalls.ownSessions.data.parse(body.data);
  const id = records.find(({ current }) => !current)?.id ?? "none";
  const path = restCalls.endOwnSession.path.replace("{id}", id);
  return {
    token,
    async end() {
      expect((await platform.ask("DELETE", path, { token: other })).status).toBe(200);
    },
  };
}

it.each(["before", "after"] as const)(
  "A login that ends %s the core has its password for chat: the next answer of the platform says so, without a pause or a notice",
  async (when) => {
    const { token, end } = await logIn();
    const answers: string[] = [];
    const core = startGroupCore({
      origin: cast.platform.origin,
      token,
      user: {
        accountId: cast.accountId["lina"] ?? "",
        username: "lina",
        name: "lina",
        supplierId: "1",
      },
      wire: (transport) => async (request) => {
        const isFirst = answers.length === 0;
        if (isFirst && when === "before") await end();
        try {
          const answer = await transport(request);
          answers.push("password");
          if (isFirst && when === "after") await end();
          return answer;
        } catch (error) {
          answers.push(AppError.from(error).code);
          throw error;
        }
      },
    });
    await expect.poll(() => answers, { timeout: AT_ONCE }).toContain("auth.signed-out");
    // This core keeps its login, and asks on.
    const expected = when === "before" ? ["auth.signed-out"] : ["password", "auth.signed-out"];
    expect(answers.slice(0, expected.length)).toEqual(expected);
    expect(core.notices).toEqual([]);
    await core.stop();
  },
);
