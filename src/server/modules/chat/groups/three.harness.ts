/** For tests of groups: 张伟, 李娜 and the guest, who connect with the SDK before each test of a block and part after it. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createGroupCast, type GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";

export interface Three {
  readonly cast: GroupCast;
  readonly zhangwei: SdkUser;
  readonly lina: SdkUser;
  readonly guest: SdkUser;
}

/** Call it in a block. @param onReady gets the three before each test */
export function connectThree(onReady: (three: Three) => void): void {
  let cast: GroupCast;
  beforeAll(async () => {
    cast = await createGroupCast(["zhangwei", "lina", "guest"]);
  }, 120_000);
  afterAll(() => cast.platform.close());
  beforeEach(async () => {
    const [zhangwei, lina, guest] = await Promise.all([
      cast.login("zhangwei"),
      cast.login("lina"),
      cast.login("guest"),
    ]);
    onReady({ cast, zhangwei, lina, guest });
  });
  afterEach(() => cast.closeAll());
}
