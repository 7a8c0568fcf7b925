import { expect, test } from "vitest";
import { ERROR_LIMITS, errorText, plainMessage, plainPath, plainStack } from "./client-errors.ts";
import { AppError } from "../errors.ts";

test("Names of the code stay in a message, and what may be data is left out", () => {
  const cases: Record<string, string> = {
    "TypeError: Cannot read properties of undefined (reading 'name')":
      "TypeError: Cannot read properties of undefined (reading 'name')",
    "TypeError: Failed to execute 'fetch' on 'Window': bad":
      "TypeError: Failed to execute 'fetch' on 'Window': bad",
    [`SyntaxError: Unexpected token 's', "secret" is not valid JSON`]: `SyntaxError: Unexpected token '…', "…" is not valid JSON`,
    "Error: 张伟的手机号 13800001234 不正确": "Error: … # …",
    "Error: no answer from https://host.example/api/x?token=abc#f": "Error: no answer from /api/x",
    "Error: mail a.b@example.org failed": "Error: mail … failed",
    "Error: value `4500 yuan` refused": "Error: value `…` refused",
  };
  for (const [given, kept] of Object.entries(cases)) expect(plainMessage(given)).toBe(kept);
  expect(plainMessage("x".repeat(9_000))).toHaveLength(ERROR_LIMITS.message);
});

test("A stack keeps its frames alone, of every engine", () => {
  const chromium = [
    "Error: the text 张伟 typed",
    "at home, in two lines",
    "    at save (http://localhost:8080/assets/a.js?v=1:12:34)",
    "    at async http://localhost:8080/assets/b.js:5:6",
    "    at http://localhost:8080/assets/b.js:7:8",
  ].join("\n");
  expect(plainStack(chromium)).toBe("save (/assets/a.js:12:34)\n? (/assets/b.js:7:8)");
  const firefox = "save@http://localhost:8080/assets/a.js:12:34\n@http://h/b.js:1:2\n";
  expect(plainStack(firefox)).toBe("save (/assets/a.js:12:34)\n? (/b.js:1:2)");
  expect(plainStack("    at f (http://h/a.js:1:2)\n".repeat(200)).split("\n")).toHaveLength(
    ERROR_LIMITS.frames,
  );
});

test("A path keeps neither query nor fragment nor what is no plain word", () => {
  expect(plainPath("/im/people?chat=lina#x")).toBe("/im/people");
  expect(plainPath("/redirect/%E5%BC%A0/13800001234567/a")).toBe("/redirect/…/…/a");
});

test("An error with a code is named by it, and a thrown object only by its kind", () => {
  expect(errorText(new AppError("request.not-found")).message).toMatch(
    /^AppError request\.not-found: /,
  );
  expect(errorText({ typed: "secret" })).toEqual({ message: "[object Object]", stack: "" });
  expect(errorText("plain")).toEqual({ message: "plain", stack: "" });
});
