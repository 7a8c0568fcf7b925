/** Every REST call that uses the console's own envelope, by its id. Routes, client and tests read this table. */
import { accountCall, loginCall, logoutCall, refreshCall } from "./auth.ts";
import { employeeListCall, employeesCall, getRoutersCall, roleMenusCall } from "./company.ts";
import {
  configByKeyCall,
  configCreateCall,
  configDeleteCall,
  configExportCall,
  configGetCall,
  configListCall,
  configRefreshCall,
  configUpdateCall,
} from "./config-items.ts";
import {
  dictByTypeCall,
  dictCreateCall,
  dictDatasCall,
  dictDeleteCall,
  dictEntryCall,
  dictExportCall,
  dictListCall,
  dictUpdateCall,
} from "./dict.ts";
import {
  advancedFilteringCall,
  appliesCall,
  documentsListCall,
  documentsOwnCall,
  employeeBindAccountCall,
  employeeCreateCall,
  employeeCreateManyCall,
  employeeDeleteCall,
  employeeDimissionCall,
  employeeDimissionListCall,
  employeeDimissionOldCall,
  employeeExportCall,
  employeeGetCall,
  employeeUpdateCall,
  employeeUpdateV3Call,
  inviteEmployeeCall,
  querySupplierEmployeesCall,
} from "./employees.ts";
import { downloadCall, uploadCall } from "./files.ts";
import {
  chatUserByIdCall,
  friendAddCall,
  friendDeleteCall,
  friendInfoCall,
  friendRemoveCall,
} from "./im-friends.ts";
import {
  groupCreateCall,
  groupDeleteCall,
  groupsCall,
  groupUserAddCall,
  groupUserDeleteCall,
  groupUsersCall,
} from "./im-groups.ts";
import { chatAccountCall, chatUserCall, contactsCall } from "./im.ts";
import {
  importCancelCall,
  importChunkCall,
  importContextCall,
  importCreateCall,
  importGetCall,
  importInvitationsCall,
  importListCall,
  importRefusalsCall,
  importTakenCall,
} from "./imports.ts";
import { saveRoleMenusCall } from "./roles.ts";
import {
  registerCall,
  resetPasswordCall,
  sendSmsCall,
  versionAppliesCall,
} from "./registration.ts";

export const restCalls = {
  login: loginCall,
  refresh: refreshCall,
  logout: logoutCall,
  account: accountCall,
  employees: employeesCall,
  employeeList: employeeListCall,
  employeeDimissionList: employeeDimissionListCall,
  employeeGet: employeeGetCall,
  employeeCreate: employeeCreateCall,
  employeeCreateMany: employeeCreateManyCall,
  employeeDelete: employeeDeleteCall,
  employeeUpdate: employeeUpdateCall,
  employeeUpdateV3: employeeUpdateV3Call,
  employeeDimission: employeeDimissionCall,
  employeeDimissionOld: employeeDimissionOldCall,
  employeeBindAccount: employeeBindAccountCall,
  querySupplierEmployees: querySupplierEmployeesCall,
  advancedFiltering: advancedFilteringCall,
  inviteEmployee: inviteEmployeeCall,
  documentsList: documentsListCall,
  documentsOwn: documentsOwnCall,
  applies: appliesCall,
  employeeExport: employeeExportCall,
  getRouters: getRoutersCall,
  roleMenus: roleMenusCall,
  saveRoleMenus: saveRoleMenusCall,
  dictList: dictListCall,
  dictExport: dictExportCall,
  dictByType: dictByTypeCall,
  dictDatas: dictDatasCall,
  dictEntry: dictEntryCall,
  dictCreate: dictCreateCall,
  dictUpdate: dictUpdateCall,
  dictDelete: dictDeleteCall,
  configList: configListCall,
  configExport: configExportCall,
  configRefresh: configRefreshCall,
  configGet: configGetCall,
  configCreate: configCreateCall,
  configUpdate: configUpdateCall,
  configDelete: configDeleteCall,
  configByKey: configByKeyCall,
  chatAccount: chatAccountCall,
  chatUser: chatUserCall,
  contacts: contactsCall,
  sendSms: sendSmsCall,
  register: registerCall,
  resetPassword: resetPasswordCall,
  versionApplies: versionAppliesCall,
  upload: uploadCall,
  download: downloadCall,
  chatUserById: chatUserByIdCall,
  friendAdd: friendAddCall,
  friendInfo: friendInfoCall,
  friendRemove: friendRemoveCall,
  friendDelete: friendDeleteCall,
  groups: groupsCall,
  groupCreate: groupCreateCall,
  groupDelete: groupDeleteCall,
  groupUsers: groupUsersCall,
  groupUserAdd: groupUserAddCall,
  groupUserDelete: groupUserDeleteCall,
  importCreate: importCreateCall,
  importChunk: importChunkCall,
  importCancel: importCancelCall,
  importGet: importGetCall,
  importList: importListCall,
  importRefusals: importRefusalsCall,
  importInvitations: importInvitationsCall,
  importTaken: importTakenCall,
  importContext: importContextCall,
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
