/** Display names of chat users. Lists of people supply most names; the server is asked once for each other name. */
import { CHAT_SOURCE, chatUserCall } from "../../../../shared/protocol/rest/im.ts";
import type { CoreEnv, Http } from "../../contracts.ts";

export interface Names {
  /** Null while unknown. */
  nameOf(userName: string): string | null;
  /** What this person calls the user, for notices alone: nothing that is sent may contain it. Null while unknown. */
  shown(userName: string): string | null;
  /** Remembers names; `onName` is called with new ones. */
  learn(people: readonly { readonly userName: string; readonly name: string }[]): void;
  /** Requests an unknown name; `onName` is called with it. */
  lookUp(userName: string): void;
  /** The name, asked of the server if it is unknown; null when it cannot be found. */
  find(userName: string): Promise<string | null>;
  clear(): void;
}

export function createNames(deps: {
  readonly env: Pick<CoreEnv, "config">;
  readonly http: Pick<Http, "call">;
  /** The remark on a friend; "" without one. */
  readonly remarkOf: (userName: string) => string;
  readonly onName: (userName: string, name: string) => void;
}): Names {
  const names = new Map<string, string>();
  const asked = new Map<string, Promise<void>>();

  const learn: Names["learn"] = (people) => {
    for (const { userName, name } of people) {
      if (name === "" || names.get(userName) === name) continue;
      names.set(userName, name);
      deps.onName(userName, name);
    }
  };
  const ask = (userName: string): Promise<void> => {
    const query = { userName, source: CHAT_SOURCE, systemName: deps.env.config.easemob.appKey };
    return deps.http.call(chatUserCall, { query }).then(
      (user) => learn([user]),
      // the user name is shown instead; the next message asks again
      () => void asked.delete(userName),
    );
  };
  const lookUp: Names["lookUp"] = (userName) => {
    if (!names.has(userName) && !asked.has(userName)) asked.set(userName, ask(userName));
  };
  return {
    nameOf: (userName) => names.get(userName) ?? null,
    shown: (userName) => deps.remarkOf(userName) || (names.get(userName) ?? null),
    learn,
    lookUp,
    async find(userName) {
      lookUp(userName);
      await asked.get(userName);
      return names.get(userName) ?? null;
    },
    clear() {
      names.clear();
      asked.clear();
    },
  };
}
