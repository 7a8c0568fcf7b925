import { expect, it } from "vitest";
import type { CallOptions } from "../contracts.ts";
import { createLicences } from "./licences.ts";

function setUp() {
  const sent: CallOptions[] = [];
  const handlers = createLicences({
    call: ((_call: unknown, _input: unknown, options: CallOptions) => {
      sent.push(options);
      return Promise.resolve({ licence: "a".repeat(32), expiresIn: 3600 });
    }) as never,
    file: (_call, input) => Promise.resolve(new Blob([JSON.stringify(input)])),
  });
  return { sent, ...handlers };
}
const tab = { tabId: "t", id: "1" };

it("A guest's picture goes out with its name", async () => {
  const { sent, sendLicence } = setUp();
  await sendLicence({ file: new Blob(["abc"]), name: "执照.png" }, tab);
  const file = sent[0]?.form?.get("file");
  expect([(file as File).name, (file as File).size]).toEqual(["执照.png", 3]);
});

it.each([
  ["", "file.empty"],
  ["x".repeat(5 * 1024 * 1024 + 1), "file.too-large"],
])("A picture of a wrong size is refused before it is sent", async (content, code) => {
  const { sent, sendLicence } = setUp();
  const refused = sendLicence({ file: new Blob([content]), name: "a.png" }, tab);
  await expect(refused).rejects.toMatchObject({ code });
  expect(sent).toEqual([]);
});

it("The picture of an application is read by the application", async () => {
  const { readLicence } = setUp();
  const blob = await readLicence({ applyId: "7" }, tab);
  expect(await blob.text()).toBe(JSON.stringify({ query: { applyId: "7" } }));
});
