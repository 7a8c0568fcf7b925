/** Acts on a group by the console's commands, and what the tabs say of them. */
import type { Page } from "@playwright/test";
import type { CoreCommands } from "../../src/core-client/contracts.ts";
import { expect } from "./fixtures.ts";

/** Calls a command of the group as the page does. */
export const inGroup = <C extends keyof CoreCommands["group"] & string>(
  page: Page,
  command: C,
  given: Parameters<CoreCommands["group"][C]>[0],
): Promise<unknown> =>
  page.evaluate(
    ({ name, input }) =>
      (
        globalThis.consoleCore.commands.group as unknown as Record<
          string,
          (input: unknown) => Promise<unknown>
        >
      )[name]!(input),
    { name: command as string, input: given as unknown },
  );

/** The page says this in this style. The message is then closed, so that the next one is not mistaken for it. */
export async function expectNotice(
  page: Page,
  style: "success" | "info" | "warning" | "error",
  text: string,
): Promise<void> {
  const messages = page.locator(".arco-message").filter({ hasText: text });
  await expect(messages.first()).toBeVisible();
  await expect(messages).toHaveCount(1);
  await expect(messages.locator(".arco-message-content")).toHaveText(text);
  await expect(messages).toHaveClass(new RegExp(`arco-message-${style}\\b`));
  await messages.locator(".arco-message-close-btn").click();
  await expect(messages).toHaveCount(0);
}
