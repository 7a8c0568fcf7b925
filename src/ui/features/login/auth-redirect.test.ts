import { expect, test } from "vitest";
import { readAuthRedirect } from "./auth-redirect.ts";

const NOW = 1_700_000_000_000;
const whole = "access_token=a.b&refresh_token=r&iat=1700000000&expires_in=60&systemName=sec-web-oa";

test.each([
  ["the fragment", "", `#${whole}&redirect=%2Fim%2Fpeople`],
  ["the query", `?${whole}&redirect=%2Fim%2Fpeople`, ""],
])("the tokens of %s are read with their system and path", (_, search, hash) => {
  expect(readAuthRedirect(search, hash, NOW)).toEqual({
    grant: { access_token: "a.b", refresh_token: "r", iat: 1_700_000_000, expires_in: 60 },
    systemName: "sec-web-oa",
    redirect: "/im/people",
  });
});

test("a lone token starts now, in the company admin system, without a refresh token", () => {
  expect(readAuthRedirect("?token=t&systemName=other", "", NOW)).toEqual({
    grant: { access_token: "t", refresh_token: "none", iat: 1_700_000_000, expires_in: 1800 },
    systemName: "sec-web-company-admin",
    redirect: null,
  });
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "/login"])(
  "a redirect to %s is not followed",
  (to) => {
    const hash = `#token=t&redirect=${encodeURIComponent(to)}`;
    expect(readAuthRedirect("", hash, NOW)?.redirect).toBeNull();
  },
);

test.each(["", "?redirect=%2F", "?access_token="])(
  "readAuthRedirect returns null without a token: %s",
  (s) => {
    expect(readAuthRedirect(s, "", NOW)).toBeNull();
  },
);
