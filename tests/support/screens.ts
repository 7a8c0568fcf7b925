/** Every page of the frame, who sees it, and what it does not have, each with the reason. Read by e2e/every-screen.spec.ts. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The demo account that opens the page. */
export type Role = "admin" | "ops" | "zhangwei";

export const ROLES: readonly Role[] = ["admin", "ops", "zhangwei"];

/** The first control of a page's main task, which a person reaches by Tab and opens by Enter. */
interface Task {
  /** The name of a button or a link; null: the table's first row. */
  readonly by: string | RegExp | null;
  readonly opens: "dialog" | "page" | "files";
}

export interface Screen {
  readonly role: Role;
  /** null: the button that makes a row, or else the table. */
  readonly task: Task | { readonly none: string } | null;
  /** Why the page has no text to filter by, which F5 could keep. */
  readonly noFilter?: string;
  /** Why the page waits for nothing of the server, so that it has no states of loading and failing. */
  readonly noReads?: string;
  /** Why the page does not say why it failed. */
  readonly noReason?: string;
  /** Why the page is never empty. */
  readonly neverEmpty?: string;
  /** What leads to the page, as no menu does. */
  readonly outsideMenus?: string;
}

const upload: Task = { by: "选择文件", opens: "files" };
const allFields = {
  neverEmpty: "there are fields that every company has",
  noFilter: "shows all fields",
} as const;

/** Pages that differ from a list that an administrator sees. */
const OTHERS: Readonly<Record<string, Partial<Screen>>> = {
  "/dashboard": {
    task: { by: "在职员工", opens: "page" },
    noFilter: "shows figures of the whole company",
    neverEmpty: "always has the entries of the menus, and its figures are numbers",
  },
  "/im/people": {
    role: "zhangwei",
    task: { by: /李娜/, opens: "page" },
    neverEmpty: "also lists conversations, which come by the chat and not by a read",
    noReason: "contacts are tried again all the time, and a search is typed again",
    noFilter: "the search for a person is over once the person is open",
  },
  "/im/conference": {
    role: "zhangwei",
    task: { by: "检测设备与网络", opens: "dialog" },
    noFilter: "lists only what is open now",
  },
  "/im/calls": { role: "zhangwei" },
  "/ai": {
    role: "zhangwei",
    task: { none: "without a configured assistant the page only says how to configure one" },
    noFilter: "has no list",
    neverEmpty: "says how to configure the assistant, which is its empty state",
  },
  "/supplier/invitations": {
    task: { by: "手机号邀请", opens: "dialog" },
  },
  "/DataBatchImport/index": { task: upload, noFilter: "has no filter" },
  "/DataBatchImport2/index": {
    task: upload,
    noFilter: "has no filter",
  },
  "/system/company": {
    task: { by: "编辑", opens: "dialog" },
    neverEmpty: "every company has its record",
    noFilter: "shows one record",
  },
  "/setfield": {
    task: { by: "恢复默认", opens: "dialog" },
    ...allFields,
  },
  "/employeeSetfield": { ...allFields },
  "/monitor/runtime": {
    role: "ops",
    task: { none: "shows figures alone" },
    noReads: "shows the core of this machine, which the page mirrors",
    noFilter: "has no list",
    neverEmpty: "a core always has itself to show",
  },
  "/monitor/fleet": {
    role: "ops",
    task: { by: /^人员/, opens: "page" },
    noFilter: "shows figures of all browsers",
    neverEmpty: "its figures are numbers, and who looks is online",
  },
  "/monitor/calls": { task: { by: null, opens: "page" } },
  "/monitor/cores": { role: "ops", noFilter: "browsers come and go by themselves" },
  "/monitor/servers": {
    role: "ops",
    task: { none: "shows charts alone" },
    noFilter: "has no list",
    neverEmpty: "the server always has itself to measure",
  },
  "/monitor/map": {
    role: "ops",
    task: { by: /^数据库/, opens: "page" },
    noFilter: "shows the parts of one system",
    neverEmpty: "the server always has itself to show",
  },
  "/monitor/alerts": {
    role: "ops",
    task: { by: "已结束", opens: "page" },
    noFilter: "nothing is wrong in the demo, so that a filter leaves out none",
  },
  "/monitor/alertRules": { role: "ops" },
  "/monitor/alertChannels": {
    role: "ops",
    noFilter: "the demo sends alerts nowhere, so that a filter leaves out none",
  },
  "/monitor/job": { role: "ops", noFilter: "shows the few tasks of the server" },
  "/monitor/jobLog": { role: "ops", noFilter: "filters by choices alone" },
  "/monitor/applies": {
    task: { none: "no company of the demo applies; rows open as those of every list" },
    noFilter: "no company of the demo applies, so that a filter leaves out none",
  },
};

/** Pages of the frame that no menu leads to. */
const OUTSIDE_MENUS: Readonly<Record<string, Screen>> = {
  "/profile/index": {
    role: "zhangwei",
    task: { by: "修改密码", opens: "dialog" },
    outsideMenus: "the name at the right of the header",
    neverEmpty: "everybody has a profile",
    noFilter: "shows one record",
  },
  "/dict/type/data/1": {
    role: "admin",
    task: null,
    outsideMenus: "the name of a dictionary in 字典管理",
  },
};

const PAGES = join(import.meta.dirname, "../../src/ui/pages");
/** The path of a page's file is the uri of its menu entry (docs/adding.md#list-page). The first page has no entry. */
const URIS = readdirSync(PAGES, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => `/${file.replaceAll("\\", "/").replace(/(\.fixed)?\.tsx$/, "")}`);

export const SCREENS: Readonly<Record<string, Screen>> = {
  ...Object.fromEntries(
    ["/dashboard", ...URIS].map((uri): readonly [string, Screen] => [
      uri,
      { role: "admin", task: null, ...OTHERS[uri] },
    ]),
  ),
  ...OUTSIDE_MENUS,
};
