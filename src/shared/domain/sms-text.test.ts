import { expect, test } from "vitest";
import { DEFAULT_INVITE_TEMPLATE, inviteTextOf } from "./sms-text.ts";

test.each(["{link}", "{company}", "$&$1", "城南{link}消防"])(
  "A company named %s stands in its invitation to the letter",
  (company) => {
    const link = "https://ok.test/invite/1";
    expect(inviteTextOf(DEFAULT_INVITE_TEMPLATE, { company, link })).toBe(
      `${company}邀请您加入，请打开链接：${link}`,
    );
  },
);
