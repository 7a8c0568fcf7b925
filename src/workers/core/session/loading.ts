/** Loads the user info (docs/session.md#user-info): once for all callers, and for the company and system that a switch has chosen. */
import { AppError } from "../../../shared/errors.ts";
import type { SystemName } from "../../../shared/protocol/config.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { HttpClient } from "../http/index.ts";
import { hasLostCompany } from "./ended.ts";
import type { ExpiredQuestion } from "./expired.ts";
import { fetchInfo, type Info } from "./info.ts";
import type { Kept } from "./kept.ts";
import type { Memberships } from "./memberships.ts";
import type { Rights } from "./rights.ts";
import type { Tokens } from "./tokens.ts";

/** The company or the system that a person switches to. */
export interface SwitchTarget {
  readonly employeeId?: string;
  readonly systemName?: SystemName;
}

export interface Loading {
  /** Loads for the company and system chosen last. Runs once at a time, although every tab's guard calls it. */
  loadInfo(): Promise<Info>;
  /** Loads the target's info, keeps the choice for the next core, and shows it. */
  switchTo(to: SwitchTarget): Promise<Info>;
  /** The load that runs; null without one. */
  running(): Promise<Info> | null;
  /** The login has changed: the next caller begins a load of its own. */
  forget(): void;
}

export function createLoading(deps: {
  readonly http: HttpClient;
  readonly offset: () => number;
  readonly kept: Pick<Kept, "employeeId" | "keepEmployee" | "keepSystem">;
  readonly tokens: Pick<Tokens, "peek" | "clear">;
  readonly question: Pick<ExpiredQuestion, "raise">;
  readonly memberships: Pick<Memberships, "goOutside">;
  readonly rights: Pick<Rights, "loaded">;
  readonly slice: () => Readonly<SessionSlice>;
  /** Changes with each login and its end. */
  readonly generation: () => number;
  readonly applyInfo: (info: SessionSlice) => void;
  /** The person is logged out; the login page says why. */
  readonly endLogin: (left: SessionSlice["left"]) => Promise<void>;
}): Loading {
  const { http, kept, tokens, slice } = deps;
  let loading: { readonly generation: number; readonly promise: Promise<Info> } | null = null;
  /** Raised when a switch is shown. What was asked for before it is about the former company or system. */
  let switches = 0;

  /** The employee chosen last; the shown one while the storage cannot be read. */
  const chosenEmployee = (): Promise<string | null> =>
    kept.employeeId().catch(() => slice().employee?.id ?? null);

  const refused = async (): Promise<void> => {
    // Pages that are shown stay with their input until the person has answered.
    if (slice().infoLoaded) return deps.question.raise();
    await tokens.clear();
    await deps.endLogin("expired");
  };
  const show = async (info: Info, to: SwitchTarget | null): Promise<Info> => {
    const before = slice();
    const { accountId, employee, employees } = info.slice;
    const isSame = before.accountId === accountId;
    const stays = to?.employeeId === undefined;
    if (stays && (before.outside !== null || (isSame && hasLostCompany(before, employees)))) {
      await deps.memberships.goOutside(employees);
      return info;
    }
    deps.rights.loaded();
    deps.applyInfo({
      ...before,
      ...info.slice,
      status: "authenticated",
      chatUserName: isSame ? before.chatUserName : (employee?.userName ?? null),
      serverTimeOffset: deps.offset(),
    });
    return info;
  };
  /** Writes the choice down before it is shown, so that a load that begins later reads it. */
  const keepChoice = async (to: SwitchTarget, { slice: found }: Info): Promise<void> => {
    const { accountId, employee } = found;
    if (to.employeeId !== undefined && employee?.id === to.employeeId && accountId !== null) {
      await kept.keepEmployee(accountId, to.employeeId);
    }
    if (to.systemName !== undefined) await kept.keepSystem(to.systemName);
  };
  const load = async (to: SwitchTarget | null): Promise<Info> => {
    const ownGeneration = deps.generation();
    for (;;) {
      if (tokens.peek() === null) throw new AppError("auth.required");
      const before = switches;
      try {
        const employeeId = to?.employeeId ?? (await chosenEmployee());
        const info = await fetchInfo(http, to?.systemName ?? slice().systemName, employeeId);
        if (to !== null && before === switches && ownGeneration === deps.generation()) {
          await keepChoice(to, info);
        }
        if (ownGeneration !== deps.generation()) throw new AppError("auth.required");
        if (before === switches) {
          if (to !== null) switches += 1;
          return await show(info, to);
        }
        // A switch was shown meanwhile, and this answer would undo it: ask again.
      } catch (thrown) {
        const error = AppError.from(thrown);
        if (ownGeneration !== deps.generation()) throw error;
        if (to === null && before !== switches) continue;
        if (error.code === "auth.info-failed") await refused();
        throw error;
      }
    }
  };

  return {
    loadInfo() {
      if (loading === null || loading.generation !== deps.generation()) {
        const promise = load(null).finally(() => {
          if (loading?.promise === promise) loading = null;
        });
        loading = { generation: deps.generation(), promise };
      }
      return loading.promise;
    },
    switchTo: load,
    running: () => loading?.promise ?? null,
    forget() {
      loading = null;
    },
  };
}
