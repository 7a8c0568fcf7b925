import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { countByServerTime } from "./token-life.ts";

const DAY = 86_400_000;
const END = 1_800_000_000_000;

class Sdk {
  expirationTime: number | undefined = END;
  readonly counted: number[] = [];
  tokenExpireTimeCountDown(ms: number): void {
    this.counted.push(ms);
  }
  /** As the SDK does after the login. */
  provisioned(localNow: number): void {
    this.tokenExpireTimeCountDown(Math.max(0, END - localNow));
  }
}

test("The life of a token is counted by the server's clock, however far the machine's is off", () => {
  const serverNow = END - DAY;
  for (const ahead of [0, 2 * DAY, -400 * DAY]) {
    const sdk = new Sdk();
    countByServerTime(sdk, () => serverNow);
    sdk.provisioned(serverNow + ahead);
    expect(sdk.counted).toEqual([DAY]);
  }
  const over = new Sdk();
  countByServerTime(over, () => END + 1);
  over.provisioned(0);
  expect(over.counted).toEqual([0]);
  const unknown = new Sdk();
  unknown.expirationTime = undefined;
  countByServerTime(unknown, () => serverNow);
  unknown.tokenExpireTimeCountDown(5);
  expect(unknown.counted).toEqual([5]);
});

test("The SDK sets the end of the token, and then counts by the method that this replaces", () => {
  const source = readFileSync(createRequire(import.meta.url).resolve("easemob-websdk"), "utf8");
  expect(source).toMatch(
    /\.expirationTime=\w+;var \w+=this\.expirationTime-\w+;this\.expiresIn=[^;]*this\.tokenExpireTimeCountDown\(this\.expiresIn\)/,
  );
});
