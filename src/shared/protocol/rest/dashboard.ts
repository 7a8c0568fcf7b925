/** The figures of the first page (docs/server.md#figures). The call is ours. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";

const count = z.number().int().nonnegative();
/** Days that a trend shows, the last one is today. */
export const TREND_DAYS = 14;

const daySchema = z.object({
  /** YYYY-MM-DD in the company's time zone. */
  day: z.string(),
  calls: count,
  /** Whole minutes of the calls that were answered. */
  minutes: count,
  /** Mean of the lost packets in percent; null on a day without measurements. */
  loss: z.number().nonnegative().nullable(),
});
export type DashboardDay = z.infer<typeof daySchema>;

export const dashboardCalls = {
  dashboardFigures: defineCall({
    id: "dashboard.figures",
    method: "GET",
    path: "/system/api/dashboard",
    summary:
      "Figures of the company: employees; with the permission to edit them open applications; with monitor:online:list the people logged in, and calls of the whole company instead of one's own; to those who may see the lists, what went wrong within the last 24 hours",
    auth: "bearer",
    access: { company: "required" },
    shows: ["employees", "applies", "calls", "sessions"],
    page: true,
    data: z.object({
      employees: count,
      /** Employees whose record was made within the days of the trend. */
      joined: count,
      departments: count,
      /** Null: not the caller's to see. */
      applies: count.nullable(),
      online: count.nullable(),
      /** What went wrong within the last 24 hours; null: not the caller's to see. */
      lastDay: z.object({
        /** Errors in the consoles of the company's people, each time counted. */
        errors: count.nullable(),
        failedSignIns: count.nullable(),
        /** Runs of the platform's tasks, in its own company. */
        failedTasks: count.nullable(),
      }),
      /** Whose calls the days count. */
      scope: z.enum(["company", "own"]),
      days: z.array(daySchema).length(TREND_DAYS),
    }),
  }),
};
