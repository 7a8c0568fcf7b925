/**
 * Every call that §7 of the console's specification names with a path of our own server. Written by hand, so that tests notice a call
 * that nobody declared (tests/server/contract.test.ts) or described (tests/lint/specification.test.ts).
 */
const SUPPLIER = "/scm-supplier/api";
const CHAT = "/dc-im/api";
export const SPECIFIED_CALLS: readonly string[] = [
  // auth and account
  "POST /uaa/login/username",
  "GET /uaa/api/account",
  "POST /uaa/logout",
  "POST /uaa/refreshToken",
  "POST /uaa/api/resetPassword",
  "POST /scm-supplier/api/open/info/create",
  "POST /dc-message/api/register/mobile/sendSms",
  "GET /umc-rbac/api/versionControllerApplys",
  // menus and roles
  "POST /umc-rbac/api/v3/roleMenu/getRouters",
  "GET /umc-rbac/api/roleMenus",
  "POST /umc-rbac/api/v3/saveRoleMenuBatch",
  // dictionary and config
  "GET /umc-rbac/api/dict/data/list",
  "GET /umc-rbac/api/dict/data/{id}",
  "DELETE /umc-rbac/api/dict/data/{id}",
  "GET /umc-rbac/api/dict/data/type/{type}",
  "POST /umc-rbac/api/dict/data",
  "PUT /umc-rbac/api/dict/data",
  "GET /umc-rbac/api/dict/data/export",
  "GET /sys-admin/api/dictDatas",
  "GET /system/config/list",
  "GET /system/config/{id}",
  "DELETE /system/config/{id}",
  "POST /system/config",
  "PUT /system/config",
  "DELETE /system/config/refreshCache",
  "GET /system/config/export",
  "GET /umc-rbac/api/dept/configKey/{key}",
  // employees
  `GET ${SUPPLIER}/sec/employees/list`,
  `GET ${SUPPLIER}/sec/employees/dimission`,
  `GET ${SUPPLIER}/sec/employees`,
  `POST ${SUPPLIER}/sec/employee`,
  `POST ${SUPPLIER}/sec/employees`,
  `GET ${SUPPLIER}/sec/employee/{id}`,
  `DELETE ${SUPPLIER}/sec/employee/{id}`,
  `PUT ${SUPPLIER}/sec/employee`,
  `PUT ${SUPPLIER}/sec/dimissionEmployee`,
  `PUT ${SUPPLIER}/v3/sec/update`,
  `PUT ${SUPPLIER}/sec/employee/dimission`,
  `PUT ${SUPPLIER}/employee/bindAccount`,
  `POST ${SUPPLIER}/sec/querySupplierEmployees`,
  `POST ${SUPPLIER}/sec/inviteEmployee/qr`,
  `POST ${SUPPLIER}/sec/employees/advancedfilteringNew`,
  `POST ${SUPPLIER}/spinauguraldocumentsList`,
  `GET ${SUPPLIER}/spinauguraldocumentssOwn`,
  `POST ${SUPPLIER}/sec/getExcelByJson2/{a}/{b}`,
  // upload and download
  "POST /common/upload",
  "GET /umc-rbac/common/download",
  // chat, own server
  `GET ${CHAT}/groups`,
  `POST ${CHAT}/group`,
  `DELETE ${CHAT}/group/{id}`,
  `GET ${CHAT}/groupUsers`,
  `POST ${CHAT}/groupUser`,
  `POST ${CHAT}/groupUser/delete`,
  `GET ${CHAT}/user/hx/{id}`,
  `GET ${CHAT}/user/hx/accountId`,
  `GET ${CHAT}/user/hx/userName`,
  `GET ${CHAT}/friend/hx/page`,
  `POST ${CHAT}/friend/hx/create/userName`,
  `POST ${CHAT}/friend/hx/userName/delete`,
  `DELETE ${CHAT}/friend/hx/{id}`,
];

/** Calls of §7 whose paths are not shown, as the specification describes them, and the call that serves each. */
export const UNSHOWN_CALLS: Readonly<Record<string, string>> = {
  "menu call with roleIds, a tree in data": "menus.routers",
  "apply list by applyAccountId and systemName": "employees.applies",
  "chat account lookup by systemName, accountId, source": "im.accountUser",
  "chat user lookup by userName and source": "im.userByName",
  "contact list by keyword, source, userId": "im.contacts",
  "friend add by userName, friendUserName, source": "im.friendAdd",
  "friend remove by userName, friendUserName, source": "im.friendRemove",
  "friend info by userName, friendUserName, source": "im.friendInfo",
};
