/** The commands of tabs about the login (docs/session.md): login, logout, lock, company and system. */
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import { AppError } from "../../../shared/errors.ts";
import type { SystemName } from "../../../shared/protocol/config.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { accountCall, loginCall, type TokenGrant } from "../../../shared/protocol/rest/index.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Http, Store } from "../contracts.ts";
import type { ExpiredQuestion } from "./expired.ts";
import type { Farewell } from "./farewell.ts";
import type { Info } from "./info.ts";
import type { SwitchTarget } from "./loading.ts";
import type { Lock } from "./lock.ts";
import type { Tokens } from "./tokens.ts";

export interface SessionHandlersDeps {
  readonly env: Pick<CoreEnv, "config">;
  readonly http: Pick<Http, "call">;
  readonly notice: Store["notice"];
  readonly tokens: Pick<Tokens, "peek" | "clear">;
  readonly question: Pick<ExpiredQuestion, "dismiss">;
  readonly farewell: Pick<Farewell, "informPlatform">;
  readonly lock: Pick<Lock, "lock" | "unlock">;
  readonly slice: () => Readonly<SessionSlice>;
  /** Resolves when the login of the storage is known. */
  readonly restored: () => Promise<void>;
  readonly enter: (grant: TokenGrant, systemName: SystemName) => Promise<void>;
  readonly loadInfo: () => Promise<Info>;
  /** Loads the info of another company or system, keeps the choice and shows it. */
  readonly switchTo: (to: SwitchTarget) => Promise<Info>;
  /** The person is logged out; the login page says why. */
  readonly forget: (left: SessionSlice["left"]) => Promise<void>;
}

export function createSessionHandlers(deps: SessionHandlersDeps): Handlers<"session"> {
  const { env, http, tokens, question, farewell, lock, slice } = deps;
  const { enter, loadInfo, switchTo, forget } = deps;

  return {
    async login({ username, password, code, systemName }) {
      await deps.restored();
      const body = {
        username: username.trim(),
        password,
        ...(code === undefined ? {} : { code }),
        grant_type: "password" as const,
      };
      const grant = await http.call(loginCall, { body }, { systemName });
      await enter(grant, systemName);
      return null;
    },

    async whose({ accessToken, systemName }) {
      const { id, username, nickname } = await http.call(
        accountCall,
        { query: { systemName } },
        { token: accessToken, supplierId: null },
      );
      return { accountId: id, username, nickname };
    },

    async adopt({ grant, systemName }) {
      await deps.restored();
      await enter(grant, systemName);
      return null;
    },

    async loadInfo() {
      await deps.restored();
      const info = await loadInfo();
      if (info.noRoles) throw new AppError("auth.no-roles");
      return null;
    },

    async logout() {
      await deps.restored();
      const token = tokens.peek();
      if (token !== null) await farewell.informPlatform(token);
      await tokens.clear();
      await forget("logout");
      return null;
    },

    lock: lock.lock,
    unlock: ({ password }) => lock.unlock(password),

    async answerExpired({ again }) {
      if (slice().expired === null) return null;
      if (!again) {
        question.dismiss();
        return null;
      }
      const token = tokens.peek();
      await tokens.clear();
      await forget("expired");
      if (token !== null) await farewell.informPlatform(token).catch(() => {});
      return null;
    },

    cookieToken: () =>
      Promise.resolve({
        accessToken: env.config.tokenCookie === "console" ? tokens.peek() : null,
      }),

    async switchCompany({ employeeId }) {
      const { employees, accountId } = slice();
      const known = employees.some((employee) => employee.id === employeeId);
      if (!known || accountId === null) {
        throw new AppError("request.not-found", { details: { field: "employeeId" } });
      }
      const info = await switchTo({ employeeId });
      if (info.slice.employee?.id !== employeeId) throw new AppError("request.not-found");
      deps.notice({
        style: "info",
        ...noticeFields("company.switched", { company: info.slice.supplierName }),
      });
      return null;
    },

    async switchSystem({ systemName }) {
      await switchTo({ systemName });
      return null;
    },
  };
}
