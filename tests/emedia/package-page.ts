/** A page with the package's file as it is. */
import { readFileSync } from "node:fs";
import type { BrowserContext } from "@playwright/test";
import { type Client, clientOf } from "./client.ts";
import { installBase } from "./driver.ts";
import { installPackageDriver, type SdkIdentity } from "./package-driver.ts";

const SCRIPT = readFileSync(new URL(import.meta.resolve("easemob-emedia")));
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>SDK</title><script src="sdk.js"></script>';
/** The server has no such address, so the test serves what is there. */
const FOLDER = "/sdk-test/";

/** @param pageOrigin where the page is; the server is where the identity says */
export async function openPackage(
  context: BrowserContext,
  pageOrigin: string,
  identity: SdkIdentity,
): Promise<Client> {
  await context.route(`${pageOrigin}${FOLDER}**`, (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ contentType: "text/javascript; charset=utf-8", body: SCRIPT })
      : route.fulfill({ contentType: "text/html; charset=utf-8", body: PAGE }),
  );
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${identity.name}: ${error.message}`));
  if (process.env["VERBOSE"]) page.on("console", (m) => console.log(identity.name, m.text()));
  await page.goto(`${pageOrigin}${FOLDER}`);
  await page.evaluate(installBase);
  await page.evaluate(installPackageDriver, identity);
  return clientOf(identity.name, page, errors);
}
