/** Demo companies and people of the embedded database. */
import type { RoleCode } from "./companies.ts";

export const HUAAN = "华安物业服务有限公司";
export const CHENGNAN = "城南消防工程有限公司";

interface SeedJob {
  readonly company: string;
  readonly department: string;
  readonly position: string;
  readonly role: RoleCode | null;
}

export interface SeedPerson {
  readonly username: string;
  readonly name: string;
  readonly phone: string;
  readonly jobs: readonly SeedJob[];
}

export const job = (
  company: string,
  department: string,
  position: string,
  role: RoleCode | null,
): SeedJob => ({ company, department, position, role });

/** The phone numbers are in a range that no operator assigns. */
export const DEMO_PEOPLE: readonly SeedPerson[] = [
  {
    username: "admin",
    name: "管理员",
    phone: "19900000001",
    jobs: [
      job(HUAAN, "综合管理部", "企业管理员", "admin"),
      job(CHENGNAN, "综合管理部", "企业管理员", "admin"),
    ],
  },
  {
    username: "zhangwei",
    name: "张伟",
    phone: "19900000002",
    jobs: [
      job(HUAAN, "安全管理部", "安全主管", "staff"),
      job(CHENGNAN, "工程部", "安全顾问", "staff"),
    ],
  },
  {
    username: "lina",
    name: "李娜",
    phone: "19900000003",
    jobs: [job(HUAAN, "客户服务部", "客服专员", "staff")],
  },
  {
    username: "wangfang",
    name: "王芳",
    phone: "19900000004",
    jobs: [job(CHENGNAN, "消防维保部", "维保工程师", "staff")],
  },
  {
    username: "ops",
    name: "运维值班",
    phone: "19900000005",
    jobs: [job(HUAAN, "信息技术部", "运维工程师", "ops")],
  },
  {
    username: "guest",
    name: "访客",
    phone: "19900000006",
    jobs: [job(HUAAN, "临时人员", "访客", null)],
  },
];
