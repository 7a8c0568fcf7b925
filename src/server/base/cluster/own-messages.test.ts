import pino from "pino";
import { expect, it } from "vitest";
import { createLocalBus } from "./bus.ts";
import { createOwnMessages } from "./own-messages.ts";

it("The bus says whether the other processes can be reached, and nothing when there are none", () => {
  const local = createLocalBus(pino({ level: "silent" }));
  expect(createOwnMessages(local).bus.reach).toBeUndefined();
  expect(createOwnMessages({ ...local, reach: () => "up" }).bus.reach?.()).toBe("up");
});
