import { expect, it } from "vitest";
import { auditedThing, auditRefs, changedEmployees } from "./audit-refs.ts";

const entry = { entity: "employee", entityId: "7", before: null, after: null };

it("An entry is about a thing of its kind; menus and people of a role are about the role, a part of an import about the job", () => {
  expect(auditedThing(entry)).toBe("employee:7");
  expect(auditedThing({ entity: "role-menus", entityId: "3" })).toBe("role:3");
  expect(auditedThing({ entity: "two-factor", entityId: "4" })).toBe("account:4");
  expect(auditedThing({ entity: "import-chunk", entityId: "12/5" })).toBe("import-job:12");
  expect(auditedThing({ entity: "session", entityId: "s" })).toBe("session:s");
  expect(auditedThing({ entity: "constructor", entityId: "1" })).toBe("constructor:1");
});

it("The ids in the values before and after are named once each, in lists too, and no more than asked for", () => {
  const before = { departmentId: "1", accountId: null, name: "7" };
  const after = { departmentId: "2", roleIds: ["3", "4", "3"], unknownId: "9" };
  const refs = ["department:1", "department:2", "role:3", "role:4"];
  expect(auditRefs({ ...entry, before, after }, 10)).toEqual(refs);
  expect(auditRefs({ ...entry, before, after }, 3)).toEqual(refs.slice(0, 3));
  expect(auditRefs({ ...entry, entity: "nothing", after }, 10)).toEqual([]);
});

it("A part of an import names the employees whom it created and changed, and what their values name", () => {
  const part = {
    entity: "import-chunk",
    entityId: "12/0",
    before: { changed: [["8", { departmentId: "1" }]] },
    after: { created: ["7"], refused: 0, changed: [["8", { departmentId: "2" }], "broken", [1]] },
  };
  expect(changedEmployees(part.after)).toEqual([["8", { departmentId: "2" }]]);
  expect(auditRefs(part, 10)).toEqual(["employee:8", "department:1", "employee:7", "department:2"]);
});
