/** Helpers for tests of outages: the bar that a person sees, and navigation by the menu. */
import type { Page } from "@playwright/test";

/** The bar at the top of the page. */
export const outageBar = (page: Page) => page.locator("[data-outage]");

const menu = (page: Page) => page.getByRole("navigation", { name: "主菜单" });

/** Navigates to a page by the sidebar. */
export async function goTo(page: Page, name: string, group?: string): Promise<void> {
  const link = menu(page).getByRole("link", { name, exact: true });
  const toggle = menu(page).getByRole("button", { name: group ?? name, exact: true });
  if (group !== undefined && (await toggle.getAttribute("aria-expanded")) !== "true") {
    await toggle.click();
  }
  await link.click();
}
