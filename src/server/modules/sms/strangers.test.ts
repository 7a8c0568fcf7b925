/** Strangers guess codes and try numbers from many addresses: none gets in, none learns who exists, and the owner is served (docs/server.md#sms). */
import { describe, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { platformForTests } from "../../asking.harness.ts";
import type { Answer } from "../../platform.harness.ts";
import { SMS_LIMITS } from "./limits.ts";

/** The codes by mobile number, the last one last. */
const sent = new Map<string, string[]>();
const { host } = platformForTests([], {
  env: { TRUSTED_PROXIES: "127.0.0.1" },
  sms: {
    send(mobile, code) {
      sent.set(mobile, [...(sent.get(mobile) ?? []), code]);
      return Promise.resolve();
    },
  },
});

const ADDRESSES = Array.from({ length: 50 }, (_, n) => `198.51.100.${n + 1}`);
const OWNER = "203.0.113.7";
const addressOf = (n: number): string => ADDRESSES[n % ADDRESSES.length] ?? "";
const from = (address: string) => ({ "x-forwarded-for": address });

const sendSms = (mobile: string, address: string): Promise<Answer> =>
  host.ask("POST", restCalls.sendSms.path, { json: { mobile }, headers: from(address) });
const keyFrom = (answer: Answer): string =>
  restCalls.sendSms.data.parse(answer.body.data).requestKey ?? "";
const keyFor = async (mobile: string, address: string): Promise<string> => {
  const answer = await sendSms(mobile, address);
  expect(answer.status).toBe(200);
  return keyFrom(answer);
};
const lastCode = (mobile: string): string => sent.get(mobile)?.at(-1) ?? "";
interface Guess {
  readonly mobile: string;
  readonly smsCode: string;
  readonly requestKey?: string;
}
const reset = (guess: Guess, address: string, newPassword = "Stolen2026"): Promise<Answer> =>
  host.ask("POST", restCalls.resetPassword.path, {
    form: { ...guess, newPassword },
    headers: from(address),
  });
const register = (guess: Guess, address: string, username = "thief"): Promise<Answer> =>
  host.ask("POST", restCalls.register.path, {
    json: {
      supplierName: `${username}有限公司`,
      contact: "赵六",
      username,
      password: "Secret2026",
      ...guess,
    },
    headers: from(address),
  });
const lookUp = (guess: Guess, address: string): Promise<Answer> =>
  host.ask("POST", restCalls.applyStates.path, { json: guess, headers: from(address) });
const joinBy = async (link: string, fields: Record<string, string>, address: string) => {
  const response = await fetch(host.origin + link, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...from(address),
    },
    body: JSON.stringify(fields),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};
const inviteLink = async (): Promise<string> => {
  const { access_token: token } = await host.login("admin");
  const answer = await host.ask("POST", restCalls.inviteEmployee.path, {
    token,
    supplierId: "1",
    json: {},
  });
  return restCalls.inviteEmployee.data.parse(answer.body.data).link;
};
/** Everything of an answer that somebody could compare with another. A key is drawn for each. */
const visible = ({
  status,
  headers,
  body,
}: {
  status: number;
  headers: Headers;
  body: unknown;
}) => {
  const shown = [...headers.entries()].filter(([name]) => !["date", "x-request-id"].includes(name));
  const text = JSON.stringify(body).replace(/"requestKey":"[\w-]{32}"/, '"requestKey":"…"');
  return JSON.stringify([status, shown.toSorted(), text]);
};
/** The nth code that is not the right one. */
const wrongCode = (right: string, n: number): string =>
  String((Number(right) + 1 + n) % 1_000_000).padStart(6, "0");

/** Registers somebody who proves the number. */
async function ownerOf(mobile: string, username: string): Promise<void> {
  const requestKey = await keyFor(mobile, OWNER);
  const answer = await register({ mobile, smsCode: lastCode(mobile), requestKey }, OWNER, username);
  expect(answer.body.msg).toBe("操作成功");
}

describe("Strangers from 50 addresses", () => {
  it("1,000 guessed codes let nobody in, by none of the four ways, and the owner's live code still works", async () => {
    const mobile = "13700000001";
    await ownerOf(mobile, "ownerboss");
    const link = await inviteLink();
    host.clock.advance(60_000);
    const ownerKey = await keyFor(mobile, OWNER);
    const right = lastCode(mobile);
    // Half of the strangers ask for a code of that number themselves, which the owner need not wait for.
    const keys = new Map<string, string>();
    for (const address of ADDRESSES.slice(0, 25)) keys.set(address, await keyFor(mobile, address));
    expect(sent.get(mobile)?.length, "the owner's phone does not ring for each of them").toBe(2);

    const answers = new Set<string>();
    for (let n = 0; n < 1000; n += 1) {
      const address = addressOf(n);
      const requestKey = keys.get(address) ?? "";
      const guess = { mobile, smsCode: wrongCode(right, n), requestKey };
      const answer =
        n % 4 === 0
          ? await reset(guess, address)
          : n % 4 === 1
            ? await register(guess, address)
            : n % 4 === 2
              ? await lookUp(guess, address)
              : await joinBy(
                  link,
                  { ...guess, name: "贼", username: "thief", password: "Secret2026" },
                  address,
                );
      answers.add(visible({ ...answer, headers: new Headers() }));
    }
    expect([...answers].map((one) => JSON.parse(one)[0])).toEqual([400]);

    // Even the right code is none for those who did not ask, or have guessed too often.
    for (const address of ADDRESSES) {
      const requestKey = keys.get(address);
      const last = await reset(
        { mobile, smsCode: right, ...(requestKey === undefined ? {} : { requestKey }) },
        address,
      );
      expect(last.status, address).not.toBe(200);
    }
    const forged = await reset({ mobile, smsCode: right, requestKey: "x".repeat(32) }, OWNER);
    expect(forged.status).toBe(400);
    expect((await host.tryLogin("ownerboss", "Stolen2026")).status).toBe(400);

    const served = await reset(
      { mobile, smsCode: right, requestKey: ownerKey },
      OWNER,
      "Changed2026",
    );
    expect(served.body.msg).toBe("操作成功");
    expect((await host.tryLogin("ownerboss", "Changed2026")).status).toBe(200);
    // The code is used for all who shared it.
    const after = await register(
      { mobile, smsCode: right, requestKey: keys.get(addressOf(3)) ?? "" },
      addressOf(3),
    );
    expect(after.status).not.toBe(200);
  }, 180_000);

  it("1,000 numbers, of which some belong to somebody, get the same answers with the same headers", async () => {
    host.clock.advance(24 * 60 * 60_000);
    const numberOf = (n: number): string => `1360000${String(n).padStart(4, "0")}`;
    const { pool } = host.platform.database;
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id::text FROM accounts WHERE id NOT IN (SELECT account_id FROM account_mobiles) ORDER BY id",
    );
    for (const [n, { id }] of rows.entries()) {
      await pool.query("INSERT INTO account_mobiles (account_id, mobile) VALUES ($1, $2)", [
        id,
        numberOf(n * 100),
      ]);
    }
    expect(rows.length, "some of the numbers are known").toBeGreaterThan(4);
    const link = await inviteLink();
    const seen = new Map<string, number>();
    const note = (way: string, answer: Parameters<typeof visible>[0]): void => {
      const key = `${way} ${visible(answer)}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    };
    for (let n = 0; n < 1000; n += 1) {
      const [mobile, address] = [numberOf(n), addressOf(n)];
      const asked = await sendSms(mobile, address);
      note("send", asked);
      const guess = { mobile, smsCode: wrongCode(lastCode(mobile), 0), requestKey: keyFrom(asked) };
      if (n % 4 === 0) note("reset", await reset(guess, address));
      // also with a user name that is taken
      if (n % 4 === 1) note("register", await register(guess, address, "ownerboss"));
      if (n % 4 === 2) note("join", await joinBy(link, { ...guess, name: "贼" }, address));
      if (n % 4 === 3) note("states", await lookUp(guess, address));
    }
    expect([...seen].map(([key, times]) => [key.split(" ")[0], times])).toEqual([
      ["send", 1000],
      ["reset", 250],
      ["register", 250],
      ["join", 250],
      ["states", 250],
    ]);
  }, 240_000);

  it("Strangers who ask for a number again and again keep its owner from no code, and send no flood of SMS", async () => {
    const mobile = "13500000001";
    let rings = 0;
    for (let round = 0; round < 30; round += 1) {
      const address = addressOf(round);
      expect((await sendSms(mobile, address)).status).toBe(200);
      host.clock.advance(60_000);
      rings = sent.get(mobile)?.length ?? 0;
    }
    expect(rings, "half an hour of requests").toBeLessThanOrEqual(
      SMS_LIMITS.fast + (30 * 60) / SMS_LIMITS.slow,
    );
    const requestKey = await keyFor(mobile, OWNER);
    const answer = await register(
      { mobile, smsCode: lastCode(mobile), requestKey },
      OWNER,
      "latecomer",
    );
    expect(answer.body.msg).toBe("操作成功");
  });

  it("Wrong codes are limited for an address, not for the number; right ones do not count", async () => {
    const mobile = "13500000002";
    host.clock.advance(24 * 60 * 60_000);
    const own = await keyFor(mobile, OWNER);
    const right = lastCode(mobile);
    const stranger = addressOf(0);
    for (let n = 0; n < SMS_LIMITS.guessesPerPair; n += 1) {
      expect((await reset({ mobile, smsCode: wrongCode(right, n) }, stranger)).status).toBe(400);
    }
    const limited = await reset({ mobile, smsCode: wrongCode(right, 0) }, stranger);
    expect([limited.status, limited.body.error]).toEqual([429, "request.rate-limited"]);
    // Refused for another reason, the code is as good as before.
    for (let n = 0; n < 2 * SMS_LIMITS.failures; n += 1) {
      const taken = await register({ mobile, smsCode: right, requestKey: own }, OWNER, "ownerboss");
      expect(taken.body.msg).toBe("用户名已被使用");
    }
    const done = await register({ mobile, smsCode: right, requestKey: own }, OWNER, "patient");
    expect(done.body.msg).toBe("操作成功");
  });

  it("A page's own wrong guesses end its code, and a new request begins again", async () => {
    const mobile = "13500000003";
    host.clock.advance(24 * 60 * 60_000);
    const requestKey = await keyFor(mobile, OWNER);
    const right = lastCode(mobile);
    const guesses = Array.from({ length: SMS_LIMITS.failures + 3 }, (_, n) =>
      reset({ mobile, smsCode: wrongCode(right, n), requestKey }, OWNER),
    );
    expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(
      guesses.map(() => 400),
    );
    expect((await register({ mobile, smsCode: right, requestKey }, OWNER, "hasty")).status).toBe(
      400,
    );
    host.clock.advance(60_000);
    const next = await keyFor(mobile, OWNER);
    const answer = await register(
      { mobile, smsCode: lastCode(mobile), requestKey: next },
      OWNER,
      "hasty",
    );
    expect(answer.body.msg).toBe("操作成功");
  });

  it("The codes that the links of one company send are limited, and other ways go on", async () => {
    host.clock.advance(24 * 60 * 60_000);
    const link = await inviteLink();
    const { pool } = host.platform.database;
    await pool.query(
      `INSERT INTO sms_codes (mobile, address, code_hash, sent_at, expires_at, company_id)
       SELECT '13400000000', 'elsewhere', '', $1::timestamptz, $1::timestamptz, 1 FROM generate_series(1, $2)`,
      [new Date(host.clock.now() - 1000).toISOString(), SMS_LIMITS.perCompany],
    );
    const refused = await joinBy(link, { act: "code", mobile: "13400000001" }, OWNER);
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { msg: "企业今日发送的验证码已达上限，请联系企业" },
    ]);
    expect((await sendSms("13400000001", OWNER)).status).toBe(200);
  });
});
