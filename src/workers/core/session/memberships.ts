/** The person came to a company, or left one: the way out of a lost company (docs/session.md#end-of-access). */
import type { Employee } from "../../../shared/protocol/rest/index.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { HttpClient } from "../http/index.ts";
import { hasLostCompany, outsideOf } from "./ended.ts";
import type { Farewell } from "./farewell.ts";
import { fetchEmployees } from "./info.ts";
import type { Kept } from "./kept.ts";
import type { Tokens } from "./tokens.ts";
import type { Who } from "./who.ts";

export interface Memberships {
  /** Ends what was open in the lost company, and offers the others; without any the login ends. */
  goOutside(employees: readonly Employee[]): Promise<void>;
  /**
   * Leaves the company that the person has left, and asks the platform for the companies of now. Rejects when it does not answer.
   *
   * @param left id of that company; null: not known
   */
  check(left: string | null): Promise<void>;
  /** As `check`, but nothing is loaded while the companies are those that the session knows. */
  missed(): Promise<void>;
}

const sameIds = (a: readonly Employee[], b: readonly Employee[]): boolean =>
  a.length === b.length && a.every(({ id }) => b.some((other) => other.id === id));

export function createMemberships(deps: {
  readonly http: () => Pick<HttpClient, "call">;
  readonly kept: Pick<Kept, "forget">;
  readonly tokens: Pick<Tokens, "peek" | "clear">;
  readonly farewell: Pick<Farewell, "informPlatform">;
  readonly who: Pick<Who, "slice" | "put" | "setUser">;
  /** The person is logged out; the login page says why. */
  readonly forget: (left: SessionSlice["left"]) => Promise<void>;
  /** Changes with each login and its end. */
  readonly generation: () => number;
  /** The load of the user info that runs. */
  readonly running: () => Promise<unknown> | null;
  readonly loadInfo: () => Promise<unknown>;
}): Memberships {
  const { kept, tokens, who } = deps;
  const goOutside: Memberships["goOutside"] = async (employees) => {
    if (employees.length > 0) {
      who.put(outsideOf(who.slice(), employees));
      who.setUser(null);
      await kept.forget();
      return;
    }
    const token = tokens.peek();
    await tokens.clear();
    await deps.forget("dismissed");
    if (token !== null) await deps.farewell.informPlatform(token).catch(() => {});
  };
  /** The memberships of now; null when the login has changed meanwhile, or its account is not known. */
  const ask = async (): Promise<readonly Employee[] | null> => {
    const ownGeneration = deps.generation();
    const { accountId, infoLoaded } = who.slice();
    if (accountId === null || !infoLoaded) return null;
    const employees = await fetchEmployees(deps.http(), accountId);
    return ownGeneration === deps.generation() ? employees : null;
  };
  // The companies first: who has lost this one must be out before anything else is known.
  const learn = async (employees: readonly Employee[]): Promise<void> => {
    if (hasLostCompany(who.slice(), employees)) return goOutside(employees);
    // A load that runs may have asked before the change.
    await deps.running()?.catch(() => undefined);
    await deps.loadInfo();
  };
  return {
    goOutside,
    async check(left) {
      const { supplierId, employees: before } = who.slice();
      const others = before.filter((one) => one.supplierId !== left);
      // At once, as an answer may have to wait. Without another company the login ends, and the answer says why.
      if (left !== null && left === supplierId && others.length > 0) await goOutside(others);
      const employees = await ask();
      if (employees !== null) await learn(employees);
    },
    async missed() {
      const employees = await ask();
      if (employees === null || sameIds(employees, who.slice().employees)) return;
      await learn(employees);
    },
  };
}
