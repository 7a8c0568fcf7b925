/** The console's own calls about chat (docs/chat.md#contacts): chat accounts and contacts. */
import type { Hono } from "hono";
import { AppError } from "../../../../shared/errors.ts";
import {
  PLATFORM_SENDER,
  PLATFORM_SENDER_NAME,
} from "../../../../shared/protocol/platform-sender.ts";
import type { ChatUser } from "../../../../shared/protocol/rest/entities.ts";
import {
  CHAT_SOURCE,
  chatAccountCall,
  chatUserCall,
  contactDepartmentsCall,
  contactsCall,
} from "../../../../shared/protocol/rest/im.ts";
import { route } from "../../../base/http/route.ts";
import type { Directory, HttpEnv, Principal } from "../../../base/module.ts";
import type { People } from "../contacts/people.ts";

export interface ConsoleRestDeps {
  readonly appKey: string;
  readonly directory: Directory;
  /** What a person logs in to the chat with. @throws AppError */
  readonly loginOf: (principal: Principal) => Promise<Pick<ChatUser, "password" | "accessToken">>;
  readonly people: People;
  readonly isOnline: (userName: string) => boolean;
}

export function addConsoleRoutes(app: Hono<HttpEnv>, deps: ConsoleRestDeps): void {
  const { directory, people } = deps;

  async function describe(userName: string): Promise<ChatUser> {
    if (userName === PLATFORM_SENDER) {
      const about = { accountId: "0", name: PLATFORM_SENDER_NAME[0], avatar: "" };
      return { userName, ...about, source: CHAT_SOURCE, systemName: deps.appKey };
    }
    const person = await directory.personByChatName(userName);
    if (person === null) throw new AppError("chat.user-not-found");
    return {
      userName: person.userName,
      accountId: person.accountId,
      name: person.name,
      avatar: person.avatar,
      source: CHAT_SOURCE,
      systemName: deps.appKey,
    };
  }

  /** Another person's chat user. Callers who may not talk to the person get the same error as for an unknown one. */
  async function other(self: string, userName: string): Promise<ChatUser> {
    const user = await describe(userName);
    if (userName === PLATFORM_SENDER || self === userName) return user;
    if (!(await directory.mayTalk(self, userName))) {
      throw new AppError("chat.user-not-found");
    }
    return user;
  }

  route(app, chatAccountCall, deps, async ({ query, principal }) => {
    if (query.accountId === principal.accountId) {
      return {
        ...(await describe(principal.chatUserName)),
        ...(await deps.loginOf(principal)),
      };
    }
    const userName = await people.chatNameOf(query.accountId);
    if (userName === null) throw new AppError("chat.user-not-found");
    return await other(principal.chatUserName, userName);
  });

  route(
    app,
    chatUserCall,
    deps,
    async ({ query, principal }) => await other(principal.chatUserName, query.userName),
  );

  route(app, contactDepartmentsCall, deps, ({ principal }) =>
    principal.supplierId === null
      ? Promise.resolve([])
      : people.departments(principal.accountId, principal.supplierId),
  );

  route(app, contactsCall, deps, async ({ query, principal }) => {
    const { records, total } = await people.colleagues(
      principal.accountId,
      principal.supplierId === null ? principal.supplierIds : [principal.supplierId],
      query.keyword ?? "",
      (query.cursor - 1) * query.limit,
      query.limit,
      query.departmentId,
    );
    return {
      records: records.map((r) => ({ ...r, online: deps.isOnline(r.userName) })),
      total,
      cursor: query.cursor,
      limit: query.limit,
    };
  });
}
