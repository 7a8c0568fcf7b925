/** Bulletins of the demo: two read ones of the last weeks, and one that is new to everybody. */
import type { Transaction } from "../../base/database/companies.ts";
import { bulletins } from "../../base/database/schema/bulletins.ts";

const DAY = 24 * 3_600_000;
const BULLETINS = [
  {
    days: 12,
    type: "2",
    title: "关于启用城市综合安全服务平台的公告",
    content:
      "<p>自本月起，<strong>巡检、值班与培训</strong>统一在本平台登记。</p><ul><li><p>手机号变更请联系综合管理部</p></li><li><p>忘记密码可在登录页通过短信重置</p></li></ul>",
  },
  {
    days: 5,
    type: "1",
    title: "冬季用电安全检查安排",
    content:
      "<h3>检查范围</h3><p>各项目配电间、充电车棚与值班室。</p><h3>要求</h3><ol><li><p>班前检查漏电保护器</p></li><li><p>发现隐患立即上报</p></li></ol>",
  },
  {
    days: 0,
    type: "1",
    title: "本周五 15:00 消防演练",
    content:
      "<p>请各项目负责人于 <strong>14:50</strong> 前在一号楼前集合点名。</p><blockquote><p>演练期间消防广播为测试，请向业主做好解释。</p></blockquote>",
  },
] as const;

/** @returns ids of the bulletins */
export async function addDemoBulletins(
  tx: Transaction,
  companyId: string,
  now: number,
): Promise<string[]> {
  const rows = await tx
    .insert(bulletins)
    .values(
      BULLETINS.map(({ days, type, title, content }) => ({
        companyId,
        type,
        title,
        content,
        published: true,
        publishedAt: new Date(now - days * DAY),
        authorName: "管理员",
      })),
    )
    .returning({ id: bulletins.id });
  return rows.map(({ id }) => id);
}
