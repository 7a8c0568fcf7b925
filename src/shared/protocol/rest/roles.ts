/** Menus and roles: what changes them. Reading them is in company.ts. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { idSchema } from "./entities.ts";

/** Pairs as GET roleMenus answers them, and together all that the role shall have. */
export const saveRoleMenusCall = defineCall({
  id: "menus.saveRoleMenus",
  method: "POST",
  path: "/umc-rbac/api/v3/saveRoleMenuBatch",
  summary: "Replace the menus of a role of the company; answers the pairs as they are now",
  auth: "bearer",
  access: { company: "required", permissions: ["system:role:edit"] },
  touches: ["menus"],
  query: z.object({ roleId: idSchema }),
  /** roleId may be left out; a roleId that differs from the query's is refused. */
  body: z.array(z.object({ roleId: idSchema.optional(), menuId: idSchema })).max(2000),
  data: z.array(z.object({ roleId: idSchema, menuId: idSchema })),
});

export const roleCalls = {
  saveRoleMenus: saveRoleMenusCall,
};
