/** Invitations to join a company, and applications. */
import { sql } from "drizzle-orm";
import type { Context, Hono } from "hono";
import { AppError } from "../../../shared/errors.ts";
import {
  appliesCall,
  candidatesCall,
  inviteEmployeeCall,
} from "../../../shared/protocol/rest/joining.ts";
import { invitationCalls } from "../../../shared/protocol/rest/invitations.ts";
import { holds, route } from "../../base/http/route.ts";
import type { HttpEnv, ServerDeps } from "../../base/module.ts";
import { listCandidates } from "./applies.ts";
import type { InCompany } from "./in-company.ts";
import { inviteRoutes } from "./invite-page.ts";
import { listInvitations, revokeInvitation } from "./invitation-list.ts";
import { createInvitation, forgetInvitations, tokenOf } from "./invites.ts";
import { inviteMobiles, type MobileInviteDeps, sendAgain } from "./mobile-invitations.ts";
import type { JoinDeps } from "./joining.ts";
import { listApplies } from "./lists.ts";

const HOUR = 3_600_000;
/** How long an unused invitation is kept after it expires, so that its link can still explain why it does not open. */
const INVITATION_KEPT = 30 * 24 * HOUR;

/** Binds the calls of joining, and the page behind an invitation link. */
export function joiningRoutes(
  app: Hono<HttpEnv>,
  deps: ServerDeps & JoinDeps & MobileInviteDeps,
  run: InCompany,
): void {
  const { db, clock, config } = deps;

  route(app, inviteEmployeeCall, deps, async ({ body, principal }) => {
    const now = clock.now();
    const expiresAt = new Date(now + body.expiresInHours * HOUR);
    const { token } = await run(principal, async (scope) => {
      await forgetInvitations(scope, new Date(now - INVITATION_KEPT));
      return createInvitation(scope, principal, config.APP_SECRET, body, {
        createdAt: new Date(now),
        expiresAt,
      });
    });
    return { link: `${config.BASE_PATH}/invite/${token}`, expiresAt: expiresAt.toISOString() };
  });
  inviteRoutes(app, deps);

  /** The whole address, as the caller reached this server: an SMS is read elsewhere. */
  const addressOf = (c: Context<HttpEnv>, token: string): string => {
    const { secure, hosts } = c.var.client;
    return `${secure ? "https" : "http"}://${hosts[0] ?? ""}${config.BASE_PATH}/invite/${token}`;
  };
  route(app, invitationCalls.invitationByMobile, deps, ({ body, principal, c }) =>
    inviteMobiles(deps, run, principal, config.APP_SECRET, body, (token) => addressOf(c, token)),
  );
  route(app, invitationCalls.invitationSend, deps, async ({ params, principal, c }) => {
    await sendAgain(deps, run, principal, params.id, (companyId) =>
      addressOf(c, tokenOf(config.APP_SECRET, companyId, params.id)),
    );
    return null;
  });
  route(app, invitationCalls.invitationList, deps, ({ query, principal }) =>
    run(principal, (scope) => listInvitations(scope, config, query, new Date(clock.now()))),
  );
  route(app, invitationCalls.invitationRevoke, deps, async ({ params, principal }) => {
    await run(principal, (scope) => revokeInvitation(scope, params.id, new Date(clock.now())));
    return null;
  });

  route(app, candidatesCall, deps, ({ query, principal }) =>
    run(principal, (scope) => listCandidates(scope, query)),
  );

  route(app, appliesCall, deps, async ({ query, principal }) => {
    if (principal.supplierId !== null && holds(principal, "supplier:employee:edit")) {
      return run(principal, (scope) =>
        listApplies(scope, sql`p.company_id = ${scope.companyId}::bigint`, query),
      );
    }
    const { applyAccountId } = query;
    if (applyAccountId !== undefined && applyAccountId !== principal.accountId) {
      throw new AppError("auth.forbidden");
    }
    const reader = {
      sql: async <R extends Record<string, unknown>>(text: ReturnType<typeof sql>) =>
        (await db.execute(text)).rows as R[],
    };
    return listApplies(reader, sql`p.account_id = ${principal.accountId}::bigint`, query);
  });
}
