/** Every REST call that uses the console's own envelope, by its name. Routes, client and tests read this table. */
import { authCalls } from "./auth.ts";
import { companyCalls, menuCalls } from "./company.ts";
import { configCalls } from "./config-items.ts";
import { dictCalls } from "./dict.ts";
import { employeeCalls } from "./employees.ts";
import { fileCalls } from "./files.ts";
import { chatCalls } from "./im.ts";
import { friendCalls } from "./im-friends.ts";
import { groupCalls } from "./im-groups.ts";
import { importCalls } from "./imports.ts";
import { registrationCalls } from "./registration.ts";
import { roleCalls } from "./roles.ts";

export const restCalls = {
  ...authCalls,
  ...companyCalls,
  ...employeeCalls,
  ...menuCalls,
  ...roleCalls,
  ...dictCalls,
  ...configCalls,
  ...chatCalls,
  ...registrationCalls,
  ...fileCalls,
  ...friendCalls,
  ...groupCalls,
  ...importCalls,
} as const;

export * from "./auth.ts";
export * from "./call.ts";
export * from "./company.ts";
export * from "./config-items.ts";
export * from "./dict.ts";
export * from "./employees.ts";
export * from "./entities.ts";
export * from "./files.ts";
export * from "./imports.ts";
export * from "./im-friends.ts";
export * from "./im-groups.ts";
export * from "./im.ts";
export * from "./roles.ts";
export * from "./registration.ts";
export * from "./rtc.ts";
