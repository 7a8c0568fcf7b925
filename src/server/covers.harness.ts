/**
 * What a contract test proves of which call. Written beside the test, as its title:
 *
 *     it(covers(restCalls.employees, "success"), async () => …)
 *     it(covers(restCalls.employees, "invalid", "a limit of 0"), …)
 *     it(covers([restCalls.dictData, restCalls.dictDelete], "foreign"), …)
 *
 * contract.test.ts reads these lines in the sources and fails for a REST call that lacks one. Write the call by
 * its name (restCalls.x or the exported constant) and the kind as a plain string; several calls or kinds as an array, several calls
 * also as the name of a list in the same file.
 */
import type { RestCall } from "../shared/protocol/rest/index.ts";

/**
 * success: the answer to a valid request. invalid: refused, naming the fields. refused: the caller may not make the call (no
 * token, guest, no permission). foreign: another company's (or account's) thing answers as if it did not exist.
 */
export type Covered = "success" | "invalid" | "refused" | "foreign";

type Call = Pick<RestCall, "id">;

/** @returns a title for the test */
export function covers(
  call: Call | readonly Call[],
  kind: Covered | readonly Covered[],
  what = "",
): string {
  const ids = [call].flat().map((c) => (c as Call).id);
  return `${ids.join(", ")}: ${[kind].flat().join(", ")}${what === "" ? "" : `, ${what}`}`;
}
