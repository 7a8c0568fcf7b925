/** An administrator disables the account of an employee and enables it again (docs/server.md#end-of-access), and takes a lost mobile from it. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { idSchema } from "./entities.ts";

export const accountStateCall = defineCall({
  id: "employees.accountState",
  method: "PUT",
  path: "/scm-supplier/api/sec/employees/{id}/account",
  summary:
    "Disable the account of an employee, which ends all of its logins, or enable it again. The caller must hold the permission in each company of that person",
  auth: "bearer",
  access: { company: "required", permissions: ["system:account:disable"] },
  touches: ["employees", "sessions"],
  page: true,
  params: z.object({ id: idSchema }),
  body: z.object({ enabled: z.boolean() }),
});

export const releaseMobileCall = defineCall({
  id: "employees.releaseMobile",
  method: "PUT",
  path: "/scm-supplier/api/sec/employees/{id}/account/mobile/release",
  summary:
    "Take the proved mobile from the account of an employee who has lost it, and tell the number; the person then proves a new one with the password. The caller must hold the permission in each company of that person",
  auth: "bearer",
  access: { company: "required", permissions: ["system:account:disable"] },
  touches: ["profile"],
  page: true,
  params: z.object({ id: idSchema }),
});

export const accountStateCalls = {
  accountState: accountStateCall,
  releaseMobile: releaseMobileCall,
};
