/** The people with whom one may chat, and the names of those that other lists show. */
import type { z } from "../../../shared/zod.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import {
  CHAT_SOURCE,
  contactsCall,
  employeeListCall,
  type RestCall,
} from "../../../shared/protocol/rest/index.ts";
import type { CoreEnv, Http, Session } from "../contracts.ts";

export function createPeople(deps: {
  readonly env: Pick<CoreEnv, "config">;
  readonly http: Http;
  readonly session: Session;
  /** Called with the people of a list who have a chat user name. */
  readonly onPeople: (
    people: readonly { readonly userName: string; readonly name: string }[],
  ) => void;
}): {
  readonly people: Handlers<"people">;
  /** Takes the names from what a page has been answered. */
  readonly learn: (call: RestCall, answer: unknown) => void;
} {
  const { http, session, env } = deps;
  return {
    learn(call, answer) {
      if (call.id !== employeeListCall.id) return;
      const { records } = answer as z.output<typeof employeeListCall.data>;
      deps.onPeople(
        records.flatMap(({ userName, name }) => (userName === null ? [] : [{ userName, name }])),
      );
    },
    people: {
      async list(page) {
        const userId = session.user()?.accountId;
        const found = await http.call(contactsCall, {
          query: {
            ...page,
            searchCount: true,
            source: CHAT_SOURCE,
            systemName: env.config.easemob.appKey,
            descParameter: "id",
            ...(userId === undefined ? {} : { userId }),
          },
        });
        deps.onPeople(found.records);
        return found;
      },
    },
  };
}
