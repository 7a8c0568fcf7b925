import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { proxy } from "valtio";
import { expect, it } from "vitest";
import { type Services, ServicesContext } from "../state/services.ts";
import { HasPermission, HasRole } from "./Has.tsx";

const session = proxy({
  supplierId: "1",
  roles: [{ roleId: "9", supplierId: "1", roleCode: "keeper" }],
  permissions: ["a:b:c"],
});
const shows = (part: typeof HasRole, any: readonly string[]): string =>
  renderToStaticMarkup(
    createElement(
      ServicesContext.Provider,
      { value: { core: { state: { session } } } as unknown as Services },
      // oxlint-disable-next-line react/no-children-prop -- the type of the part requires them
      createElement(part, { any, children: "part" }),
    ),
  );

it("A part is shown to those who hold one of its roles or permissions, and without any named it throws", () => {
  expect(shows(HasRole, ["keeper"])).toBe("part");
  expect(shows(HasRole, ["guard"])).toBe("");
  expect(shows(HasPermission, ["x:y:z", "a:b:c"])).toBe("part");
  expect(shows(HasPermission, ["x:y:z"])).toBe("");
  expect(() => shows(HasRole, [])).toThrow("请设置角色权限标签值");
  expect(() => shows(HasPermission, [])).toThrow("请设置操作权限标签值");
});
