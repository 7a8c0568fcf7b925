/**
 * Companies and their employees: memberships of the caller, staff of a company, invitations, applies,
 * documents, exports. Staff sees colleagues as `Employee`; everything else of a person needs a permission.
 * This file binds the calls that concern one employee; lists are in reading.ts, joining in joining-routes.ts.
 */
import {
  employeeBindAccountCall,
  employeeCreateCall,
  employeeCreateManyCall,
  employeeDeleteCall,
  employeeDimissionCall,
  employeeDimissionOldCall,
  employeeGetCall,
  employeeReinstateCall,
  employeeUpdateCall,
  employeeUpdateV3Call,
} from "../../../shared/protocol/rest/employees.ts";
import { decideMembershipCall } from "../../../shared/protocol/rest/joining.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import type { Access } from "../accounts/access.ts";
import { decideMembership } from "./applies.ts";
import { createEmployee, createEmployees } from "./create.ts";
import type { Concerns, InCompany } from "./in-company.ts";
import type { JoinDeps } from "./joining.ts";
import { joiningRoutes } from "./joining-routes.ts";
import type { MobileInviteDeps } from "./mobile-invitations.ts";
import { readingRoutes } from "./reading.ts";
import { reinstateEmployee } from "./reinstatement.ts";
import { employeeById } from "./rows.ts";
import { bindAccount, dimissionEmployee, removeEmployee, updateEmployee } from "./store.ts";

export function createEmployeesModule(
  deps: ServerDeps &
    JoinDeps &
    MobileInviteDeps & { readonly access: Pick<Access, "membershipChanged"> },
): ServerModule {
  const { tenants, clock } = deps;
  const run: InCompany = (principal, work) =>
    tenants.run(requireSupplier(principal), principal, work);

  /** Work that gives or takes a company. What the people have open there ends at once (docs/server.md#end-of-access). */
  async function changingRights<R>(
    principal: Principal,
    work: (scope: CompanyScope, concerns: Concerns) => Promise<R>,
  ): Promise<R> {
    const accountIds = new Set<string>();
    const result = await run(principal, (scope) => work(scope, (id) => accountIds.add(id)));
    for (const accountId of accountIds) {
      await deps.access.membershipChanged(accountId, requireSupplier(principal));
    }
    return result;
  }

  return {
    name: "employees",
    // Fixed paths come before the path with an id, which would match them too.
    routes(app) {
      readingRoutes(app, deps, run);
      for (const call of [employeeDimissionCall, employeeDimissionOldCall]) {
        route(app, call, deps, ({ body, principal }) =>
          changingRights(principal, (scope, concerns) =>
            dimissionEmployee(scope, body, new Date(clock.now()), concerns),
          ),
        );
      }
      route(app, employeeReinstateCall, deps, ({ body, principal }) =>
        changingRights(principal, (scope, concerns) =>
          reinstateEmployee(scope, principal, body, concerns),
        ),
      );
      for (const call of [employeeUpdateCall, employeeUpdateV3Call]) {
        route(app, call, deps, ({ body, principal }) =>
          run(principal, (scope) => updateEmployee(scope, body)),
        );
      }
      route(app, employeeCreateCall, deps, ({ body, principal }) =>
        changingRights(principal, (scope, concerns) => createEmployee(scope, body, concerns)),
      );
      route(app, employeeCreateManyCall, deps, async ({ body, principal }) => ({
        ids: await run(principal, (scope) => createEmployees(scope, body)),
      }));
      route(app, employeeBindAccountCall, deps, ({ body, principal }) =>
        changingRights(principal, (scope, concerns) =>
          bindAccount(scope, principal, body, concerns),
        ),
      );
      route(app, employeeGetCall, deps, ({ params, principal }) =>
        run(principal, (scope) => employeeById(scope, params.id)),
      );
      route(app, employeeDeleteCall, deps, async ({ params, principal }) => {
        await run(principal, (scope) => removeEmployee(scope, params.id));
        return null;
      });

      route(app, decideMembershipCall, deps, async ({ params, body, principal }) => {
        const applicant = await changingRights(principal, (scope, concerns) =>
          decideMembership(scope, principal, params.id, body, concerns),
        );
        if (applicant === null) return null;
        // The call itself notifies the company; the applicant reads the decision.
        const changes: DataChanges = {
          supplierId: requireSupplier(principal),
          tags: ["applies"],
          only: applicant,
          except: null,
        };
        await deps.bus.publish(DATA_CHANGES, changes);
        return null;
      });
      joiningRoutes(app, deps, run);
    },
  };
}
