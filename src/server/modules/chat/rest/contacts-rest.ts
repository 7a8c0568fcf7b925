/** The provider's REST calls about contacts and the block list, as its SDK makes them (docs/chat.md#provider-calls). */
import type { Context, Hono } from "hono";
import { z } from "zod";
import { hasNoNul } from "../../../../shared/protocol/rest/call.ts";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import type { Directory } from "../../../base/module.ts";
import type { Contacts } from "../contacts/contacts.ts";
import { body, type Env, ProviderError } from "./provider-app.ts";

const text = (max: number) => z.string().max(max).refine(hasNoNul, "contains NUL");
const namesBody = z.object({ usernames: z.array(chatUserNameSchema).min(1).max(100) });
const askBody = z.object({
  usernames: z.array(chatUserNameSchema).length(1),
  reason: text(200).nullish(),
});

export interface CallParts {
  /** Requires the user in the path to be the token's user. */
  readonly self: (c: Context<Env>) => string;
  readonly answer: (c: Context<Env>, fields: Record<string, unknown>) => Response;
}

export function addContactCalls(
  app: Hono<Env>,
  deps: CallParts & {
    readonly contacts: Contacts;
    readonly directory: Pick<Directory, "colleagues">;
  },
): void {
  const { answer, contacts, directory, self } = deps;
  const U = "/users/:me";
  const actor = (c: Context<Env>) => ({
    userName: self(c),
    resource: c.req.query("resource") ?? "",
  });
  const other = (c: Context<Env>): string => {
    const name = chatUserNameSchema.safeParse(c.req.param("other"));
    if (!name.success) throw new ProviderError(404, "resource_not_found", "user not found");
    return name.data;
  };

  /** Colleagues and friends, by name. */
  const listOf = async (userName: string): Promise<string[]> => {
    const [colleagues, friends] = await Promise.all([
      directory.colleagues(userName),
      contacts.friends(userName),
    ]);
    return [...new Set([...colleagues, ...friends])].sort();
  };

  app.post(`${U}/contacts/apply`, async (c) => {
    const { usernames, reason } = await body(c, askBody);
    const [name = ""] = usernames;
    if (name === self(c)) {
      throw new ProviderError(400, "illegal_argument", "you can not add yourself");
    }
    if ((await contacts.ask(actor(c), name, reason ?? "")) === "full") {
      throw new ProviderError(403, "exceed_limit", "too many requests wait for an answer");
    }
    return answer(c, { data: { result: true } });
  });
  for (const [path, accept] of [
    ["accept", true],
    ["decline", false],
  ] as const) {
    app.post(`${U}/contacts/${path}/users/:other`, async (c) => {
      if (!(await contacts.answer(actor(c), other(c), accept))) {
        throw new ProviderError(404, "resource_not_found", "the request does not exist");
      }
      return answer(c, { data: { result: true } });
    });
  }
  app.delete(`${U}/contacts/users/:other`, async (c) => {
    await contacts.end(actor(c), other(c));
    return answer(c, { entities: [{ username: other(c) }] });
  });
  app.put(`${U}/contacts/users/:other`, async (c) => {
    const userName = self(c);
    const { remark } = await body(c, z.object({ remark: text(1000) }));
    if (remark.length > 100) {
      throw new ProviderError(400, "illegal_argument", "remark length must less than 100");
    }
    if (!(await listOf(userName)).includes(other(c))) {
      throw new ProviderError(
        400,
        "illegal_argument",
        "updateRemark | they are not friends, please add as a friend first.",
      );
    }
    await contacts.remark(userName, other(c), remark);
    return answer(c, { data: { result: true } });
  });

  const remarked = async (userName: string, names: readonly string[]) => {
    const remarks = await contacts.remarks(userName);
    return names.map((username) => ({ username, remark: remarks.get(username) ?? "" }));
  };
  app.get(`${U}/contacts/users`, async (c) => {
    const names = await listOf(self(c));
    return answer(c, { data: names, entities: await remarked(self(c), names) });
  });
  app.get(`${U}/contacts`, async (c) => {
    const names = await listOf(self(c));
    const limit = Math.min(Math.max(Number(c.req.query("limit")) || 20, 1), 50);
    const cursor = c.req.query("cursor") ?? "";
    // An unset cursor is sent as a word.
    const after = cursor === "undefined" || cursor === "null" ? "" : cursor;
    const page = names.filter((name) => name > after).slice(0, limit);
    const last = page.at(-1);
    return answer(c, {
      data: {
        contacts: await remarked(self(c), page),
        cursor: last === undefined || last === names.at(-1) ? "" : last,
      },
    });
  });

  app.get(`${U}/blocks/users`, async (c) => answer(c, { data: await contacts.blocked(self(c)) }));
  app.post("/sdk/user/:me/blocks", async (c) => {
    const { usernames } = await body(c, namesBody);
    await contacts.block(self(c), usernames);
    return answer(c, { data: usernames });
  });
  app.delete("/sdk/user/:me/blocks", async (c) => {
    const { usernames } = await body(c, namesBody);
    await contacts.unblock(self(c), usernames);
    return answer(c, { data: usernames });
  });
}
