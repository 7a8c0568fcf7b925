import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { proxy } from "valtio";
import { expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import { type Services, ServicesContext } from "../state/services.ts";
import { ReadNote } from "./ReadNote.tsx";

const core = {
  state: { reach: proxy({ state: "up" }) },
  connection: proxy({ state: "ready", unreachable: false, newerBuild: null }),
};

function shown(state: "loading" | "ready" | "failed", code: ErrorCode | null = null): string {
  const error = code === null ? null : new AppError(code).toWire();
  return renderToStaticMarkup(
    createElement(
      ServicesContext.Provider,
      { value: { core } as unknown as Services },
      createElement(ReadNote, {
        className: "",
        answer: { state, error },
        failed: "员工未能加载",
        onRetry: () => {},
      }),
    ),
  );
}

test("A failed read says what failed and why, and waits in words before; an outage has its words elsewhere", () => {
  expect(shown("ready")).toBe("");
  expect(shown("loading")).toContain('role="status"');
  const failed = shown("failed", "server.unavailable");
  expect(failed).toContain('role="alert"');
  expect(failed).toContain("员工未能加载");
  expect(failed).toContain("服务暂不可用，请稍后重试");
  core.state.reach.state = "down";
  expect(shown("failed", "server.unavailable")).toContain('role="status"');
});
