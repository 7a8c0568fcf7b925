import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { isPublicAddress, publicLookup, refusedAddress } from "./hosts.ts";
import { postWebhook } from "./webhook.ts";

it.each([
  ["8.8.8.8", true],
  ["1.1.1.1", true],
  ["2606:4700::1111", true],
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.31.255.255", false],
  ["192.168.0.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["255.255.255.255", false],
  ["::1", false],
  ["::", false],
  ["fe80::1", false],
  ["fd00::1", false],
  ["::ffff:10.0.0.1", false],
  ["64:ff9b::a00:1", false],
  ["2002:a00:1::", false],
  ["no address", false],
])("Whether %s is of the public Internet: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

it("A host of the configuration may be inner, with its port or with any", () => {
  const refused = (url: string, ...hosts: string[]) => refusedAddress(url, hosts) !== null;
  expect(refused("http://hooks/x")).toBe(true);
  expect(refused("http://hooks/x", "hooks")).toBe(false);
  expect(refused("https://hooks/x", "hooks:443")).toBe(false);
  expect(refused("https://hooks:8443/x", "hooks:443")).toBe(true);
  expect(refused("http://[fd00::1]:8080/", "[fd00::1]:8080")).toBe(false);
  expect(refused("https://oapi.dingtalk.com/robot/send?access_token=x")).toBe(false);
});

it("A name that leads to the inner network is refused where the connection is made", async () => {
  const found = await new Promise<Error | null>((resolve) =>
    publicLookup("localhost", {}, (error) => resolve(error)),
  );
  expect(found?.message).toContain("内网");
});

it("A redirect is not followed, and a long answer is cut", async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: "/" }).end("x".repeat(100_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const message = { url: `http://${at}/`, headers: {}, body: "{}" };
  const answer = await postWebhook(message, [at], new AbortController().signal);
  expect([answer.status, asked]).toEqual([302, 1]);
  expect(answer.body.length).toBeLessThan(100_000);
  await expect(postWebhook(message, [], new AbortController().signal)).rejects.toThrow("内网");
  server.close();
});
