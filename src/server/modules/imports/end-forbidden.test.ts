import { expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { AccessEnd } from "../../base/cluster/access.ts";
import type { Principal } from "../../base/module.ts";
import { createEndForbidden } from "./end-forbidden.ts";

type Deps = Parameters<typeof createEndForbidden>[0];

function setUp() {
  let endAccess: (end: AccessEnd) => void = () => undefined;
  const deps = {
    directory: {
      onAccessEnd(handler: (end: AccessEnd) => void) {
        endAccess = handler;
        return () => (endAccess = () => undefined);
      },
    },
    own: { onPublished: () => () => undefined },
  } as unknown as Deps;
  const endForbidden = createEndForbidden(deps);
  endForbidden.start();
  const codeOf = (principal: Principal): string => {
    try {
      endForbidden.check(principal);
      return "ok";
    } catch (error) {
      return AppError.from(error).code;
    }
  };
  return { endForbidden, codeOf, endAccess: (end: AccessEnd) => endAccess(end) };
}
const caller = (accountId: string, supplierId: string, sessionId = "s") =>
  ({ accountId, supplierId, sessionId }) as Principal;

it("A chunk that waits while its caller loses the company is refused when its turn comes, and no other one is", () => {
  const { endForbidden, codeOf, endAccess } = setUp();
  const [out, other, there] = [caller("1", "1"), caller("2", "1"), caller("1", "2")];
  const ends = [out, other, there].map((one) => endForbidden.begin(one));
  endAccess({ of: "company", accountId: "1", userName: "zhangwei", supplierId: "1" });
  expect([out, other, there].map(codeOf)).toEqual(["import.closed", "ok", "ok"]);
  for (const end of ends) end();
  // A request after the person came back.
  const again = caller("1", "1");
  endForbidden.begin(again);
  expect(codeOf(again)).toBe("ok");
});

it("A chunk of a login that has ended is refused, and one of the person's other login is not", () => {
  const { endForbidden, codeOf, endAccess } = setUp();
  const [away, here] = [caller("1", "1", "away"), caller("1", "1", "here")];
  for (const one of [away, here]) endForbidden.begin(one);
  endAccess({ of: "login", accountId: "1", sessionId: "away", why: "signed-out" });
  expect([away, here].map(codeOf)).toEqual(["import.closed", "ok"]);
});
