/** Display names of chat users. Lists of people supply most names; the server is asked once for each other name. */
import { CHAT_SOURCE, chatUserCall } from "../../../shared/protocol/rest/im.ts";
import type { CoreEnv, Http } from "../contracts.ts";

export interface Names {
  /** Null while unknown. */
  of(userName: string): string | null;
  /** Remembers names; `onName` is called with new ones. */
  learn(people: readonly { readonly userName: string; readonly name: string }[]): void;
  /** Requests an unknown name; `onName` is called with it. */
  lookUp(userName: string): void;
  clear(): void;
}

export function createNames(deps: {
  readonly env: Pick<CoreEnv, "config">;
  readonly http: Pick<Http, "call">;
  readonly onName: (userName: string, name: string) => void;
}): Names {
  const names = new Map<string, string>();
  const asked = new Set<string>();

  const learn: Names["learn"] = (people) => {
    for (const { userName, name } of people) {
      if (name === "" || names.get(userName) === name) continue;
      names.set(userName, name);
      deps.onName(userName, name);
    }
  };
  return {
    of: (userName) => names.get(userName) ?? null,
    learn,
    lookUp(userName) {
      if (names.has(userName) || asked.has(userName)) return;
      asked.add(userName);
      const query = { userName, source: CHAT_SOURCE, systemName: deps.env.config.easemob.appKey };
      deps.http.call(chatUserCall, { query }).then(
        (user) => learn([user]),
        // the user name is shown instead; the next message asks again
        () => asked.delete(userName),
      );
    },
    clear() {
      names.clear();
      asked.clear();
    },
  };
}
