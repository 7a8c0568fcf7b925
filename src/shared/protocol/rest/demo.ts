/** The demo data of a company (docs/server.md#demo-data). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE } from "./call.ts";

const access = { company: "required", permissions: ["system:demo:remove"] } as const;
const count = z.number().int().nonnegative();

export const demoCalls = {
  demoState: defineCall({
    id: "demo.state",
    method: "GET",
    path: "/system/api/demo",
    summary: "How much of the company's data came with the demo",
    auth: "bearer",
    access,
    shows: ["employees", "calls"],
    page: true,
    data: z.object({ rows: count, employees: count }),
  }),

  demoRemove: defineCall({
    id: "demo.remove",
    method: "POST",
    path: "/system/api/demo/remove",
    summary:
      "Removes the demo data of the company for good; the body repeats the company's name. Employees with an account and departments in use stay",
    auth: "bearer",
    access,
    touches: ["bulletins", "calls", "departments", "dict", "employees"],
    page: true,
    body: z.object({ name: z.string().trim().max(200).refine(hasNoNul, NUL_MESSAGE) }),
    data: z.object({ removed: count }),
  }),
};
