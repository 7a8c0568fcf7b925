/** Every REST call that uses the console's own envelope, by its name. Routes, client and tests read this table. */
import { assistantCalls } from "./assistant.ts";
import { authCalls } from "./auth.ts";
import { avatarCalls } from "./avatars.ts";
import { bulletinCalls } from "./bulletins.ts";
import { clientErrorCalls } from "./client-errors.ts";
import { callRecordCalls } from "./call-records.ts";
import { companyCalls, menuCalls } from "./company.ts";
import { conferenceListCalls } from "./conferences.ts";
import { configCalls } from "./config-items.ts";
import { dashboardCalls } from "./dashboard.ts";
import { demoCalls } from "./demo.ts";
import { departmentCalls } from "./departments.ts";
import { dictCalls } from "./dict.ts";
import { employeeCalls } from "./employees.ts";
import { fileCalls } from "./files.ts";
import { chatCalls } from "./im.ts";
import { friendCalls } from "./im-friends.ts";
import { groupCallCalls } from "./group-calls.ts";
import { groupCalls } from "./im-groups.ts";
import { importCalls } from "./imports.ts";
import { joiningCalls } from "./joining.ts";
import { monitorCalls } from "./monitor.ts";
import { companyProfileCalls } from "./company-profile.ts";
import { documentKindCalls } from "./document-kinds.ts";
import { ownFieldCalls } from "./own-fields.ts";
import { ownCallCalls } from "./own-calls.ts";
import { preferenceCalls } from "./preferences.ts";
import { profileCalls } from "./profile.ts";
import { pushCalls } from "./push.ts";
import { registrationCalls } from "./registration.ts";
import { roleCalls } from "./roles.ts";
import { taskCalls } from "./tasks.ts";
import { accountStateCall } from "./account-state.ts";
import { twoFactorCalls } from "./two-factor.ts";

export const restCalls = {
  ...authCalls,
  ...companyCalls,
  ...employeeCalls,
  ...joiningCalls,
  ...menuCalls,
  ...roleCalls,
  ...departmentCalls,
  ...dictCalls,
  ...configCalls,
  ...bulletinCalls,
  ...chatCalls,
  ...registrationCalls,
  ...fileCalls,
  ...friendCalls,
  ...groupCalls,
  ...importCalls,
  ...callRecordCalls,
  ...groupCallCalls,
  ...conferenceListCalls,
  ...ownCallCalls,
  ...pushCalls,
  ...assistantCalls,
  ...monitorCalls,
  ...clientErrorCalls,
  ...taskCalls,
  ...companyProfileCalls,
  ...documentKindCalls,
  ...ownFieldCalls,
  ...preferenceCalls,
  ...profileCalls,
  ...avatarCalls,
  ...twoFactorCalls,
  accountState: accountStateCall,
  ...dashboardCalls,
  ...demoCalls,
} as const;

export * from "./assistant.ts";
export * from "./auth.ts";
export * from "./avatars.ts";
export * from "./bulletins.ts";
export * from "./call.ts";
export * from "./call-records.ts";
export * from "./group-calls.ts";
export * from "./client-errors.ts";
export * from "./company.ts";
export * from "./conferences.ts";
export * from "./config-items.ts";
export * from "./conflict.ts";
export * from "./dashboard.ts";
export * from "./demo.ts";
export * from "./departments.ts";
export * from "./dict.ts";
export * from "./employee-schemas.ts";
export * from "./employees.ts";
export * from "./joining.ts";
export * from "./entities.ts";
export * from "./files.ts";
export * from "./imports.ts";
export * from "./im-friends.ts";
export * from "./im-groups.ts";
export * from "./im.ts";
export * from "./monitor.ts";
export * from "./document-kinds.ts";
export * from "./own-calls.ts";
export * from "./own-fields.ts";
export * from "./preferences.ts";
export * from "./profile.ts";
export * from "./roles.ts";
export * from "./registration.ts";
export * from "./rtc.ts";
export * from "./two-factor.ts";
