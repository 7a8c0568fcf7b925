/** Lists of people for pages: employees of the company, and people with whom one may chat. */
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import {
  CHAT_SOURCE,
  contactsCall,
  employeeListCall,
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
}): { readonly employees: Handlers<"employees">; readonly people: Handlers<"people"> } {
  const { http, session, env } = deps;
  return {
    employees: {
      async list(page) {
        const found = await http.call(employeeListCall, { query: { ...page, searchCount: true } });
        deps.onPeople(
          found.records.flatMap(({ userName, name }) =>
            userName === null ? [] : [{ userName, name }],
          ),
        );
        return found;
      },
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
