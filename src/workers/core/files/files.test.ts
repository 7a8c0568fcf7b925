import { expect, it } from "vitest";
import { createFakeClock } from "../core.fake.ts";
import { createFiles } from "./index.ts";

it("A file is read by its name", async () => {
  const fileName = `${"a".repeat(22)}.png`;
  const { handlers } = createFiles({
    http: {
      call: () => Promise.reject(new Error("no call is made")),
      file: (_call, input) => Promise.resolve(new Blob([JSON.stringify(input)])),
    },
    clock: createFakeClock(),
    session: { onUser: () => () => undefined },
  });
  const blob = await handlers.read({ fileName }, { tabId: "t1", id: "1" });
  expect(await blob.text()).toBe(JSON.stringify({ query: { fileName } }));
});
