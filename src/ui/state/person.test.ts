import { describe, expect, it } from "vitest";
import { displayName } from "./person.ts";

const session = { employee: null, name: "张伟", nickname: "小张", username: "zhangwei" };

describe("displayName", () => {
  it("is the employee's if one with an id is set", () => {
    expect(displayName({ ...session, employee: { id: "1", name: "张工" } })).toBe("张工");
  });
  it("is the user's otherwise", () => {
    expect(displayName({ ...session, employee: { id: "", name: "张工" } })).toBe("张伟");
    expect(displayName(session)).toBe("张伟");
    expect(displayName({ ...session, name: "" })).toBe("小张");
    expect(displayName({ ...session, name: "", nickname: "" })).toBe("zhangwei");
    expect(displayName({ employee: null, name: "", nickname: "", username: null })).toBe("");
  });
});
