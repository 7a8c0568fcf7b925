/** REST calls that pages make. Token, tenant and outages are the core's business, so a page names the call and gets the answer. */
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import type { Http } from "../contracts.ts";

export interface PageCallsDeps {
  readonly http: Pick<Http, "call">;
  /** The calls that exist; only those with `page: true` are made. */
  readonly calls?: readonly RestCall[];
  readonly onAnswer: (call: RestCall, answer: unknown) => void;
}

export function createPageCalls({
  http,
  calls = Object.values(restCalls),
  onAnswer,
}: PageCallsDeps): Handlers<"rest"> {
  const open = new Map(calls.filter((call) => call.page === true).map((call) => [call.id, call]));
  return {
    async call({ call: id, ...input }) {
      const call = open.get(id);
      if (call === undefined) throw new AppError("core.bad-message", { details: { call: id } });
      const answer = await http.call(call, input);
      onAnswer(call, answer);
      return answer;
    },
  };
}
